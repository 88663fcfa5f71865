# Solution 2
# The ideal DCG of film must be above .9/.1 = 9: some 25 to 30 pages, and a cutoff as deep.
[(n, axioms.rare_first((n, n))) for n in (10, 20, 25, 30)]
