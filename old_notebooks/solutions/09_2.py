# Solution 2
# The discount: S-recall does not mind at which rank an intent is served.
print({name: agree_now(name) for name in "NfwM"})
