"""Check of the site in a real browser, in a subfolder of a web server, with every other host blocked."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page, Route

from tools.browser import browser
from tools.lite.checks import installed
from tools.lite.packages import read
from tools.local_server import served
from tools.notebook_files import FOLDER

FIRST = f"lab/index.html?path={FOLDER.name}/00_start_here.ipynb"
# What JupyterLab asks for and may do without: a folder of the reader's own, where the site has none.
MAY_BE_MISSING = ("/all.json",)
PATIENCE = 300  # seconds; a browser compiles Pyodide first
# Pyodide of the site, without any package: what Python can say of our modules before numpy is there.
READ_BY_PYTHON = """async ([pyodide, wheel]) => {
    const { loadPyodide } = await import(pyodide);
    const python = await loadPyodide();
    python.globals.set("packed", new Uint8Array(await (await fetch(wheel)).arrayBuffer()));
    return python.runPython(`
import ast, importlib.util, io, sys, zipfile
missing = set()
with zipfile.ZipFile(io.BytesIO(packed.to_py())) as files:
    names = [name for name in files.namelist() if name.endswith(".py")]
    for name in names:
        tree = compile(files.read(name), name, "exec", ast.PyCF_ONLY_AST)
        for node in ast.walk(tree):
            asked = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            asked += [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
            for module in asked:
                standard = module.partition(".")[0] in sys.stdlib_module_names
                if standard and not importlib.util.find_spec(module):
                    missing.add(f"{name} imports {module}")
f"{sys.version.split()[0]} {len(names)} " + "; ".join(sorted(missing))
    `);
}"""


def find_browser_problems(site: Path) -> list[str]:
    """Return what goes wrong from the first page to the kernel's request for Pyodide's packages."""
    with served(site.parent) as root, browser() as chromium:
        address = f"{root}/{site.name}"
        context = chromium.new_context()
        page = context.new_page()
        files = {package["file_name"] for package in installed(site)}
        problems = opened(page, address, {file for file in files if urlsplit(file).netloc})
        (wheel,) = site.glob("pypi/divmetrics-*.whl")
        page.goto(f"{address}/lab/jupyter-lite.json")
        wanted = [f"{address}/static/pyodide/pyodide.mjs", f"{address}/pypi/{wheel.name}"]
        version, count, missing = page.evaluate(READ_BY_PYTHON, wanted).split(" ", 2)
        print(f"Its Python, {version}, reads all {count} modules of {read(wheel).name}.")
        return problems + ([f"Pyodide has not all of the standard library: {missing}"] if missing else [])


def opened(page: Page, address: str, packages: set[str]) -> list[str]:
    """Return what goes wrong when a notebook opens, until its kernel has requested these packages."""
    wrong: list[str] = []
    requested: list[str] = []

    def elsewhere(route: Route) -> None:
        requested.append(route.request.url)
        route.abort()

    page.context.route(lambda url: not url.startswith((address, "data:", "blob:")), elsewhere)
    page.context.on(
        "response",
        lambda answer: (
            wrong.append(f"{answer.url}: {answer.status}")
            if answer.status >= 400 and not answer.url.split("?")[0].endswith(MAY_BE_MISSING)
            else None
        ),
    )
    page.goto(f"{address}/{FIRST}")
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=PATIENCE * 1000)
    for _ in range(PATIENCE):
        if packages <= set(requested):
            break
        page.wait_for_timeout(1000)
    else:
        rest = ", ".join(sorted(packages - set(requested)))
        wrong.append(f"within {PATIENCE} s the kernel has not asked for {rest}")
    hosts = {urlsplit(url).netloc for url in packages}
    wrong += [f"the site asks another host: {url}" for url in requested if urlsplit(url).netloc not in hosts]
    print(f"The kernel of a notebook asks {', '.join(sorted(hosts))} for {len(packages)} packages.")
    return wrong
