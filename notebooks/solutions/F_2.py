# Solution 2
text = '''
topic 1 "jaguar"
intent cat 1
doc d1 cat:1
A d1
metrics ERR-IA@1
'''
assert one_of_each(text) is True
RankedListLab(text).a
