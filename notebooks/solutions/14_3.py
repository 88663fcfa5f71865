# Solution 3
from divmetrics.parts import Cascade


def charged(view):
    there = Cascade().factors(view)["readers still unsatisfied"]
    return Cascade()(view) - 0.1 * there


assert stopping.charges_those_there(charged) is True
dm.disagree(stopping.charged(charged) @ 5, "iRBU-IA@5", stopping.POTTER, 5, find="edits")
