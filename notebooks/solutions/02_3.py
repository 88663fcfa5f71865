# Solution 3
# R(1) = 1/2: at each relevant page half of the readers leave. alpha = 0.5, and the constant is 0.5, too.
print(marginal_utility.constant_times_novelty((0.5, 0.5)))
