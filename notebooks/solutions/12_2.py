# Solution 2
# The blog closes the park at rank 1 for a gain of 1/2; home and mirror then earn nothing.
for docs in (["home", "mirror", "blog", "bowls"], ["blog", "home", "mirror", "bowls"]):
    print(docs, round(D.score(A.reordered(docs)) - DIN.score(A.reordered(docs)), 4))
assert check_2(["blog", "home", "mirror", "cinema"]) is True
