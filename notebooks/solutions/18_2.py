# Solution 2
# Put what helps nobody first: everybody waits a rank longer.
from divmetrics_widgets.lessons.telling_apart import one_move

print(one_move(("nonrelevant10", 1)))
