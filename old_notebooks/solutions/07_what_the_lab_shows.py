# What the lab shows
docs = long.docs
where = {"B": docs, "d18 last": (*docs, "d18"), "d18 first": ("d18", *docs)}
lists = view_lists([D.reordered(each) for each in where.values()])
table = {name: dm.metric(name).scores(lists)[0] for name in in_lab}
pd.DataFrame(table, list(where)).round(5).T
