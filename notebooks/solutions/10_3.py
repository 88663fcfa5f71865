# Solution 3
# here a + below (1 - a) b - here b - below (1 - b) a = (here - below) (a - b)
assert one_ideal.gains(lambda a, b, here, below: (here - below) * (a - b)) is True
