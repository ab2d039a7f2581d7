"""Run a strategy's files as plain Python, under module names of their own."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from strategies.imports import Folder, with_own_imports


def module_names(files: Iterable[str], prefix: str) -> dict[str, str]:
    """Name the modules of a strategy apart from those of all others.

    Parameters
    ----------
    files : iterable of str
        File names; the last one is the strategy itself.
    prefix : str
        Something that no other strategy has.

    Returns
    -------
    dict of str to str
        Stem of the file to name of the module; the strategy itself is called `prefix`.
    """
    *beside, last = (Path(file).stem for file in files)
    return {stem: f"{prefix}_{stem}" for stem in beside} | {last: prefix}


def run_files(
    folder: Path, sources: dict[str, str], source_hash: str, package: str | None
) -> ModuleType:
    """Run the files of a strategy in turn and return the module of the last, which is the strategy.

    Nothing is added to the path of imports: each file finds the modules beside it, and only those,
    because its imports are written to their names here.
    """
    names = module_names(sources, f"strategy_{source_hash[:16]}")
    own = Folder(package, names.__contains__)
    module = ModuleType("")
    for file, text in sources.items():
        path = folder / file
        module = ModuleType(names[path.stem])
        module.__file__ = str(path)
        sys.modules[module.__name__] = module
        code = compile(with_own_imports(path, text, own, names), str(path), "exec")
        exec(code, module.__dict__)  # noqa: S102  (the user asked for this file to play)
    return module


def place_of(error: BaseException, files: Iterable[Path]) -> str | None:
    """Return ``file:line`` of the innermost line of these files that an exception came through."""
    known = {str(file) for file in files}
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename in known:
            return f"{frame.filename}:{frame.lineno}"
    return None
