# Solution 2
# News and videos as high as can be, below one link.
mine = BlockPage(yoga, [web[0], news, videos, *web[1:]], "yours")
assert many_kinds([web[0], news, videos, *web[1:]]) is True
wide([*pages, mine], ["alpha-nDCG@6", "AS_DCG"]).round(4)
