# Solution 3
more = {
    (a, b)
    for a, b in leaving.PAIRS
    if leaving.second_earns(a, b, "a page") > leaving.second_earns(a, b, "none") + 1e-9
}
assert leaving.all_pairs(more) is True
print(sorted(more))
