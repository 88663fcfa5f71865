# Solution 3
# The f: alpha-DCG counts every intent once, however likely it is.
for part in "NfwM":
    print(f"{part}:", "the law holds" if mended(part) is True else mended(part))
