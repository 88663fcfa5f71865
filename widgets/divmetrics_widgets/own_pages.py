"""Pages written for the lab, for questions that no paper's example asks, as texts of a lab's state."""

from __future__ import annotations

ONE_PAGE_FOR_ALL = """
topic ours-1 "jaguar"
scale 3
intent animal 1/2 informational "the animal"
intent car 1/2 informational "the car"
doc both animal:3 car:3 "all about the jaguar, the animal and the car"
doc cat animal:2 "the jaguar in its forest"
doc motor car:2 "a dealer's guide to the car"
doc zoo animal:2 "where to see a jaguar"
doc forum car:1 "drivers of old cars talk"
doc blog "a holiday on the coast"
A both blog
B cat motor
metrics S-recall@5 ERR-IA@5 alpha-nDCG@5 D#-nDCG@5 Prec@5
"""

JAVA = """
topic ours-2 "java"
scale 3
intent language 1/3 informational "the programming language"
intent island 1/3 informational "the island"
intent coffee 1/3 informational "the coffee"
doc names language:1 island:1 coffee:1 "java may mean: a language, an island, a coffee"
doc tutorial language:3 "the language, from the first program on"
doc travel island:3 "the island: volcanoes, temples, ferries"
doc roasting coffee:3 "the coffee, from the plant to the cup"
doc shoes "java, a shop for shoes"
doc band "Java, a band from Paris"
A names shoes band
B tutorial travel roasting
metrics S-recall@3 alpha-nDCG@3 ERR-IA@3 D-nDCG@3 D#-nDCG@3
"""

REDUNDANCY = """
topic ours-3 "dune"
scale 2
intent film 0.6 informational "the film"
intent book 0.4 informational "the novel"
doc review film:2 "the film: cast, plot, reviews"
doc copy film:2 "the same page on another site"
doc novel book:2 "the novel: plot, characters, sequels"
A review copy
B review novel
metrics S-recall@5 D-nDCG@5 ERR-IA@5 alpha-nDCG@5 D#-nDCG@5
"""

WHO_COMES_FIRST = """
topic ours-4 "the shining"
scale 2
intent film 0.6 informational "the film"
intent book 0.4 informational "the novel"
doc film film:2 "the film: cast, plot, reviews"
doc novel book:2 "the novel: plot, characters, sequel"
doc trailer film:2 "the trailer, and where to watch the film"
doc fans book:1 "readers talk about the novel"
A film novel
B novel film
metrics S-recall@5 alpha-nDCG@5 ERR-IA@5 nDCG-IA@5 D-nDCG@5
"""
