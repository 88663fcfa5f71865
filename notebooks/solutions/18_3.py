# Solution 3
# Three groups: nothing is told apart within them, everything between them.
from divmetrics_widgets.lessons.telling_apart import silly, told_apart

print(told_apart(silly([1] * 5 + [2] * 5 + [3] * 5)), "of 105 pairs")
