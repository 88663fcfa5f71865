# Solution 2
# Any two with a > b > 7. (8, 7) is not enough: b and c are tied then, and c goes first.
assert own_files.same_list((9, 8)) is True
print(own_files.same_list((8, 7)))
