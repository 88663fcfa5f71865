# Solution 1
# d12 is for the book, and so are d16 and d8.
[doc for doc in B.docs[:5] if nobody_is_lost(doc) is True]
