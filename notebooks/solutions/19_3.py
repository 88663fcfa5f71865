# Solution 3
# Ef-P@2 sees what the readers of the site see.
with_referee("Ef-P@2")
