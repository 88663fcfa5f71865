# Solution 1
# The cascade with w = phi^k.
print(formula(dm.metric("iRBU-IA")))
print(dm.metric("iRBU-IA").parameters())
