# Solution 3
# iRBU-IA keeps all but one, and is blind to junk. So charge for junk, and for nothing else.
from dataclasses import replace

from divmetrics.parts import WrittenUtility

charge = "0.01 * listed * (over_intents(relevant) == 0)"
row = replace(dm.metric("iRBU-IA"), M=WrittenUtility(f"satisfied * unsatisfied_before - {charge}"))
assert axioms.keeps_all(row) is True
