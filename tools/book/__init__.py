"""The course as a book: static pages that open without a kernel and without a network, also from a disk.

    python -m tools.book [FOLDER]

Without a name: into site/. `executed` runs the notebooks as a page wants them, `outputs` makes what they
show fit for one, `pages` and `api` write the pages that are no notebooks, `conf` tells Sphinx how to make
HTML of all of them, `delivery` gives each page its styles and scripts, `fonts` cuts the font of formulas to
the letters of the pages, `checks` looks at what came of it, and `packing` makes it one file.

Why Sphinx with MyST-NB and Furo: many people keep them up, they work offline and bring their own search,
which a browser can read from a disk. Furo takes no font and no script from elsewhere, knows phones and dark
pages, and is some 60 KB. Formulas are MathML when a page is made, so no page draws any; STIX Two Math, their
font, lies in the site, for phones have none.
"""
