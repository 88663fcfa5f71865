# Solution 2
# Those that discount ranks slowly, or not at all,
# and use grades little.
for name in ("P-IA@10", "RBP-IA@10", "D-RBP@10", "D-Q@10"):
    print(f"{name:10} {alone_right(name)[1]:3}, D-nDCG@10 {alone_right(name)[0]:3}")
