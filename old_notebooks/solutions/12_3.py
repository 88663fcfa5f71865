# Solution 3
# More than half, in either half of the topics.
print({kind: told_apart(kind) for kind in ("broad", "ambiguous")})
