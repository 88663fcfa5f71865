# Solution 2
# News and videos as high as can be, below one link.
blocks = [aggregated.WEB[0], aggregated.NEWS, aggregated.VIDEOS, *aggregated.WEB[1:]]
mine = BlockPage(YOGA, blocks, "yours")
assert aggregated.many_kinds(blocks) is True
aggregated.wide([*PAGES, mine], ["alpha-nDCG@6", "AS_DCG"]).round(4)
