# Solution 1
# X: phi/4. Y: phi/12 + phi^2 * 11/36, since 2/9 * 3/4 + 2/9 * 1/4 + 3/9 * 1/4 = 11/36.
# They are equal where 1/4 - 1/12 = 11/36 phi.
phi = (1 / 4 - 1 / 12) / (11 / 36)
equal = dm.metric(f"iRBU-IA(phi={phi})@2")
print(round(phi, 4), [round(equal.score(ranked), 4) for ranked in (stopping.X, stopping.Y)])
