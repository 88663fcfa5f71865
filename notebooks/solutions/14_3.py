# Solution 3
def charged(view):
    there = Cascade().factors(view)["readers still unsatisfied"]
    return Cascade()(view) - 0.1 * there


assert charges_those_there(charged) is True
metric = replace(dm.metric("RBU"), name="charged while there", M=charged)
dm.disagree(metric @ 5, "iRBU-IA@5", pool, 5, find="edits")
