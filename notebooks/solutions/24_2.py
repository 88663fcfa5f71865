# Solution 2
# Of all choices of four, only one works.
[docs for docs in nuggets.fours() if nuggets.all_vital(docs) is True]
