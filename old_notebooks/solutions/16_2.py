# Solution 2
# a. depth is the number of ranks that are looked at: it shrinks when the tail is cut.
from divmetrics.written import try_out

answers = {
    "a": "relevant * (1 - seen / depth)",
    "b": "relevant * (1 - seen_before / (rank + 1))",
    "c": "relevant * unsatisfied_before / top",
}
for letter, text in answers.items():
    findings = try_out(write_metric("x", text).metric)
    print(letter, *(found.said for found in findings if found.verdict == "broken"))
