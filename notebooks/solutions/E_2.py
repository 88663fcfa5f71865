# Solution 2
# a and b are worth something only together.
value = {"": 0, "a": 0, "b": 0, "c": 1, "ab": 2, "ac": 1, "bc": 1, "abc": 3}
assert growing(value) is True
