# Solution 2
# The blog closes the park at rank 1 for a gain of 1/2; home and mirror then earn nothing.
for docs in (["home", "mirror", "blog", "bowls"], ["blog", "home", "mirror", "bowls"]):
    print(docs, round(navigational.apart(docs), 4))
assert navigational.as_far_apart(["blog", "home", "mirror", "cinema"]) is True
