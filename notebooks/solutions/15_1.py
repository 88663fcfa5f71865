# Solution 1
# One of two aspects of the book, both of the film.
print(0.25 * 1 / 2 + 0.75 * 2 / 2)
assert intrinsic.one_level_down(0.875) is True
