# Solution 3
# a: depth shrinks when the tail is cut.
from divmetrics.written import try_out

for letter, text in candidates.items():
    findings = try_out(write_metric("x", text).metric)
    print(letter, *(finding.said for finding in findings if finding.verdict == "broken"))
