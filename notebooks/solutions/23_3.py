# Solution 3
# a: depth shrinks when the tail is cut. Rank 1 earns 1 - 1/2 in a list of two, 1 - 1/4 in a list of four.
for letter, text in own_metric.CANDIDATES.items():
    findings = check_rules(write_metric("x", text).metric)
    print(letter, *(finding.message for finding in findings if finding.verdict == "broken"))
assert own_metric.looks_ahead(("a", 2, 4)) is True
