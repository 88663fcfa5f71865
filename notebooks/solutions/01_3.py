# Solution 3
# At rank 2, b earns 1/4 of 3/4 for x and for y, 0.375 in all; c earns 0.25 for z.
print(ambiguous.somebody_is_left_out({"a": {"x": 2, "y": 2}, "b": {"x": 2, "y": 2}, "c": {"z": 1}}))
