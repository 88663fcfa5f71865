# Solution 3
# Ef-P@2 sees what the readers of the site see.
assert referees.with_referee("Ef-P@2") is True
