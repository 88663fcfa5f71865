# Solution 3
# a is poor for three intents and adds 3 at rank 1; then nothing is left to earn. The best has 2 + 2 + 2.
served = {"a": {"u": 1, "v": 1, "w": 1}, "b": {"u": 2}, "c": {"v": 2}, "d": {"w": 2}}
assert best_list.no_promise(served) is True
