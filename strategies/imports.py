"""The imports by which a strategy uses modules that lie beside its file.

They may be written `import odds`, `from odds import chance`, `from .odds import chance`,
`from . import odds`, or with the name of the package that the folder is. A module of Python's own
library is never taken from the folder: `import random` is Python's, whatever lies beside the file.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from simulate.errors import InputError

Import = ast.Import | ast.ImportFrom


def package_name(folder: Path) -> str | None:
    """Return the dotted name of the package that a folder is, or None where it is none."""
    parts: list[str] = []
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts) or None


@dataclass(frozen=True)
class Folder:
    """The modules of one folder, as imports name them.

    Attributes
    ----------
    package : str or None
        The package that the folder is, where it is one.
    has : callable
        Whether there is a module of this name.
    """

    package: str | None
    has: Callable[[str], bool]

    @classmethod
    def at(cls, path: Path) -> Folder:
        """Describe a folder on disk."""
        return cls(package_name(path), lambda name: (path / f"{name}.py").is_file())

    def module(self, dotted: str) -> str | None:
        """Return which module of the folder an import means, or None when it means none."""
        for prefix in (".", f"{self.package}." if self.package else None):
            if prefix and dotted.startswith(prefix):
                name = dotted.removeprefix(prefix)
                return name if self.has(name) else None
        return dotted if dotted not in sys.stdlib_module_names and self.has(dotted) else None

    def is_itself(self, dotted: str) -> bool:
        """Say whether an import means the folder, so that the names taken from it are modules."""
        return dotted in (".", self.package)


def _from(node: ast.ImportFrom) -> str:
    return "." * node.level + (node.module or "")


def own_imports(path: Path, tree: ast.Module, folder: Folder) -> list[str]:
    """List the modules of its folder that a file imports, in the order in which it does.

    Raises
    ------
    InputError
        When one is imported in a way that cannot be followed.
    """
    names: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, Import):
            names.update(dict.fromkeys(_own(path, node, folder)))
    return list(names)


def _own(path: Path, node: Import, folder: Folder) -> list[str]:
    """List the modules of the folder that one statement imports."""
    where = f"{path}:{node.lineno}"
    if isinstance(node, ast.Import):
        own = [(alias, folder.module(alias.name)) for alias in node.names]
        for alias, name in own:
            if name is not None and "." in alias.name and alias.asname is None:
                raise InputError(
                    f"{where}: 'import {alias.name}': write 'import {alias.name} as {name}'"
                )
        return [name for _, name in own if name is not None]
    if node.level > 1:
        raise InputError(f"{where}: a strategy may import from its own folder, not from above it")
    if folder.is_itself(_from(node)):
        for alias in node.names:
            if not folder.has(alias.name):
                raise InputError(f"{where}: there is no {alias.name}.py beside this file to import")
        return [alias.name for alias in node.names]
    name = folder.module(_from(node))
    if name is None and node.level == 1:
        raise InputError(f"{where}: there is no {node.module}.py beside this file to import from")
    return [] if name is None else [name]


def with_own_imports(path: Path, text: str, folder: Folder, rename: dict[str, str]) -> str:
    """Let a text import the modules of its folder by other names; every line keeps its number.

    Parameters
    ----------
    path : Path
        Where the text comes from.
    text : str
        Python source.
    folder : Folder
        The modules that there are.
    rename : dict of str to str
        The name under which each of them is now to be found.
    """
    nodes = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, Import) and _own(path, node, folder)
    ]
    lines = [line.encode() for line in text.split("\n")]  # columns of a node count bytes
    for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset), reverse=True):
        end_line, end_column = node.end_lineno, node.end_col_offset
        assert end_line is not None  # noqa: S101  (ast.parse sets it)
        statement = _renamed(node, folder, rename, end_line - node.lineno).encode()
        whole = (
            lines[node.lineno - 1][: node.col_offset] + statement + lines[end_line - 1][end_column:]
        )
        lines[node.lineno - 1 : end_line] = whole.split(b"\n")
    return b"\n".join(lines).decode()


def _renamed(node: Import, folder: Folder, rename: dict[str, str], breaks: int) -> str:
    """Write an import with the other names, over as many lines as it had."""
    continued = "\\\n" * breaks
    if isinstance(node, ast.ImportFrom) and not folder.is_itself(_from(node)):
        module = folder.module(_from(node))
        assert module is not None  # noqa: S101  (only own imports are renamed)
        names = ", ".join(ast.unparse(alias) for alias in node.names)
        return f"from {rename[module]} import {continued}{names}"
    words = []
    for alias in node.names:
        name = alias.name if isinstance(node, ast.ImportFrom) else folder.module(alias.name)
        known_as = alias.asname or alias.name
        words.append(ast.unparse(alias) if name is None else f"{rename[name]} as {known_as}")
    return f"import {continued}{', '.join(words)}"
