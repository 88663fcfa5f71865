# Solution 3
from itertools import product

tried = [
    grades for grades in product((0, 1, 2), repeat=5) if sum(g > 0 for g in grades) == 3
]
found = [grades for grades in tried if grading.counterexample(grades) is True]
print(len(found), "of", len(tried), "do it, such as", *found[:5])
