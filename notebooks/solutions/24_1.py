# Solution 1
# winter supports nuggets 8 and 9, and so does calendar: 2 * 0.5 / log2(3).
from math import log2

print(round(2 * 0.5 / log2(3), 4))
assert nuggets.second_time(0.6309) is True
