# Solution 2
# The first two are in the right order in all of them: swaps further down cost tau_ap less.
from itertools import permutations

from divmetrics_widgets.lessons.ranking_systems import top_heavy

print([text for text in map("".join, permutations("ABCDE")) if top_heavy(text) is True])
