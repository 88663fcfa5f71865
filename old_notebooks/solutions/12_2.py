# Solution 2
# Its ASL under Tukey HSD is just above the level:
# another seed may say otherwise.
tukey.set_index(["run_a", "run_b"]).loc[[tuple(largest)], ["difference", "asl"]].round(3)
