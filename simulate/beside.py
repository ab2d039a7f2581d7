"""Compile beside: the first time, a second process takes a part of the work.

Numba compiles one function after the other. After an installation, when nothing has been compiled
yet, a part that does not depend on the rest is compiled by a process of its own meanwhile, and
loaded from its cache. Whatever becomes of that process, what it leaves undone is compiled here.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from simulate.jit import FOLDER, numba


@contextmanager
def beside(part: str) -> Iterator[bool]:
    """While the block runs, have a part compiled by another process, if it never was.

    Parameters
    ----------
    part : str
        A module, a colon, and the function without arguments in it that compiles the part.

    Yields
    ------
    bool
        Whether that is done.
    """
    mark = None if FOLDER is None else FOLDER / f"{part.replace(':', '.')}.compiled"
    if numba.config.DISABLE_JIT or mark is None or mark.exists():  # type: ignore[attr-defined]
        yield False
        return
    process = subprocess.Popen(  # noqa: S603  (ourselves)
        [sys.executable, "-m", __name__, part, str(mark)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield True
        process.wait()
    finally:
        process.kill()
        process.wait()


def main() -> None:
    """Compile a part, and say so in a file."""
    part, mark = sys.argv[1:]
    module, function = part.split(":")
    getattr(importlib.import_module(module), function)()
    with suppress(OSError):  # the disk is full: the next time it is done again
        Path(mark).touch()


if __name__ == "__main__":
    main()
