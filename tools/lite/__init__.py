"""The course with a kernel in the browser: a JupyterLite site, whose Python is Pyodide and needs no server.

    python -m tools.lite [FOLDER]      `make lite`; without a name: into site-lite/

The site holds JupyterLab, the notebooks, Pyodide itself, and the wheels of this project and of what it needs
that Pyodide has not (`packages`). numpy, pandas and the like, which are built for WebAssembly, come from
Pyodide's own host when a kernel starts. `build` makes it, `checks` tests it, and `browser_check` opens it
with every other host blocked. It is not checked that numpy and pandas arrive and that the notebooks run.
`make compat` tests the library with the versions that Pyodide has.
"""
