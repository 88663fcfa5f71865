"""The course as a book: static pages that open without a kernel and without a network, also from a disk.

    python -m tools.book [FOLDER]

Without a name: into site/. `execution` runs the notebooks, `outputs` adapts their outputs to a page, `pages`
and `api` write the other pages, `conf` has the settings of Sphinx, `page_assets` gives each page its styles
and scripts, `fonts` reduces the font of formulas to the letters of the pages, `checks` tests the site, and
`zip_site` makes it one file.

Why Sphinx with MyST-NB and Furo: they are widely maintained, work offline and have a search that works from a
disk. Furo loads no font and no script from elsewhere, supports phones and dark mode, and is some 60 KB.
Formulas become MathML at build time; the site has their font, STIX Two Math, which phones lack.
"""
