# Solution 1
# p w(2) (2 - 1) / l = 1/2 * 1/2 * 1 / 4
even = axioms.on_pools("AP-IA")["even"]
1 / 2 * 1 / 2 * 1 / 4, round(even[film, film] - even[film, book], 6)
