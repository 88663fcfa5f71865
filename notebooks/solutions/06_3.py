# Solution 3
every = [(a, b) for a in (1, 2) for b in (1, 2)]
more = {
    (a, b)
    for a, b in every
    if second_earns(a, b, "above") > second_earns(a, b, "none") + 1e-9
}
assert all_pairs(more) is True
print(sorted(more))
