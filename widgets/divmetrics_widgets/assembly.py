"""The files in `front/` import each other; here they become the one module that a front end reads.

That module is the files one after another, each after those that it imports, without `import` and `export`,
and without the lines that only tell the TypeScript compiler something (`/** @type ... */`). So that this is
the same program, a file may import and export by name only, at the beginning of a line:

    import { h, put } from "./common.js";
    export function changed(page) { ... }
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from importlib.resources.abc import Traversable

from divmetrics.errors import DivmetricsError

FRONT = resources.files("divmetrics_widgets").joinpath("front")
_IMPORT = re.compile(r'^import \{(\s*[\w$]+(?:\s*,\s*[\w$]+)*,?\s*)\} from "\./([\w.-]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) [\w$]+)", re.MULTILINE)
DEFAULT_EXPORT = re.compile(r"^export default ", re.MULTILINE)
_DEFINED = re.compile(
    r"^(export )?(?:default )?(?:async )?(?:function\*?|class|const|let|var) ([\w$]+)", re.MULTILINE
)
_TYPES = re.compile(r"^ */\*\* @[^\n]*\*/\n", re.MULTILINE)
_OTHERWISE = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


@dataclass(frozen=True)
class _File:
    name: str
    source: str

    def imports(self) -> Iterator[tuple[str, list[str]]]:
        """The files that this one imports, each with the names."""
        for found in _IMPORT.finditer(self.source):
            yield found[2], re.findall(r"[\w$]+", found[1])

    @cached_property
    def defined(self) -> dict[str, bool]:
        """The names that are defined at the beginning of a line: are they exported?"""
        return {found[2]: bool(found[1]) for found in _DEFINED.finditer(self.source)}

    def joined(self) -> str:
        """The source without imports, types and exports, but for the default one."""
        source = _EXPORT.sub("", _TYPES.sub("", _IMPORT.sub("", self.source)))
        for found in _OTHERWISE.finditer(source):
            if not DEFAULT_EXPORT.match(found[0]):
                raise DivmetricsError(
                    f"{self.name}: {found[0]!r} cannot be put into one module, expected "
                    'import { name } from "./file.js"; or export before a function, class or const'
                )
        return source

    def as_function(self) -> str:
        """The body of a function that returns the default export or, where there is none, all others."""
        uses = _IMPORT.sub(r'const {\1} = use("\2");\n', self.source)
        body = DEFAULT_EXPORT.sub("return ", _EXPORT.sub("", _TYPES.sub("", uses)))
        exported = ", ".join(name for name, is_exported in self.defined.items() if is_exported)
        return body if DEFAULT_EXPORT.search(self.source) else f"{body}return {{ {exported} }};\n"


def bundle_module(folder: Traversable, entry: str) -> str:
    """The module of a widget whose file is `entry`, which alone has a default export.

    Raises DivmetricsError where files import each other in a circle, one imports a file or a name that is not
    there, two define the same name, or the default export is missing or not that of `entry`.
    """
    files: dict[str, _File] = {}
    _collect(folder, entry, (), files)
    homes: dict[str, str] = {}
    for file in files.values():
        for name in file.defined:
            if name in homes:
                raise DivmetricsError(
                    f"{homes[name]} and {file.name} both define {name!r}, and {entry} needs both; "
                    "give one of them another name"
                )
            homes[name] = file.name
    defaults = [file.name for file in files.values() for _ in DEFAULT_EXPORT.finditer(file.source)]
    if defaults != [entry]:
        found = ", ".join(defaults) or "none"
        raise DivmetricsError(f"{entry}: expected one default export, in this file; found: {found}")
    return "\n".join(file.joined() for file in files.values())


def together(folder: Traversable, entries: Sequence[str]) -> str:
    """All these modules in one script that shares their files: a browser reads no module from a disk.

    It is the body of a function and defines `use(entry)`, which is the default export of an entry. A file is
    run once, when it is first used.

    Raises DivmetricsError like `assembled`.
    """
    files: dict[str, _File] = {}
    for entry in entries:
        bundle_module(folder, entry)
        _collect(folder, entry, (), files)
    functions = [f"{json.dumps(name)}: () => {{\n{file.as_function()}}}" for name, file in files.items()]
    use = "const use = (name) => (made[name] ??= files[name]());"
    return "\n".join(["const files = {", ",\n".join(functions), "};", "const made = {};", use, ""])


def _collect(folder: Traversable, name: str, above: tuple[str, ...], files: dict[str, _File]) -> None:
    """Put a file into `files` after all that it imports; `above` are those on the way to it."""
    file = _File(name, folder.joinpath(name).read_text(encoding="utf-8"))
    way = (*above, name)
    for other, names in file.imports():
        if other in way:
            circle = " -> ".join([*way[way.index(other) :], other])
            raise DivmetricsError(
                f"{circle}: files import each other in a circle; move what they share to another"
            )
        if not folder.joinpath(other).is_file():
            raise DivmetricsError(f"{name} imports {other}, which is not there")
        if other not in files:
            _collect(folder, other, way, files)
        for missing in (each for each in names if not files[other].defined.get(each)):
            raise DivmetricsError(f"{name} imports {missing!r} from {other}, which exports no such name")
    files[name] = file
