# Solution 3
# At rank n (1-r)^(n-1) of the major readers are left, and all of the minor ones: loss and gain are in
# this ratio.
def p_break_even(r, n):
    left = (1 - r) ** (n - 1)
    return left / (left + 1)


assert minor_intents.breaks_even(p_break_even) is True
print({f"r = 1/{2**top}": round(p_break_even(1 / 2**top, 10), 4) for top in (1, 2, 4, 8)})
