"""A progress bar with rate and time left, on a terminal."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

COMPILING = "compiling ... (with strategies that are new here up to a minute)"
UNITS = ((1e9, "G"), (1e6, "M"), (1e3, "k"))


def rate_text(games: float, seconds: float, what: str = "games") -> str:
    """Write a rate in three digits, for example ``"12.3M games/s"``."""
    rate = games / seconds if seconds > 0 else 0.0
    for size, unit in UNITS:
        if rate >= size:
            return f"{rate / size:.3g}{unit} {what}/s"
    return f"{rate:.3g} {what}/s"


@contextmanager
def heard(tell: Callable[[int, int], None] | None) -> Iterator[Callable[[int, int], None]]:
    """Yield what is told of progress, and stop there where Ctrl-C was lost on its way.

    Compilers and libraries call Python from C, where an exception ends and is forgotten.
    """
    asked = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        asked = True
        signal.default_int_handler(number, frame)

    def told(games: int, total: int) -> None:
        if asked:
            raise KeyboardInterrupt
        if tell is not None:
            tell(games, total)

    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield told  # somebody else listens
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield told
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def progress_bar(
    hidden: bool = False, what: str = "games", last: str = ""
) -> Iterator[Callable[[int, int], None]]:
    """Show a bar on stderr, if that is a terminal, and yield what it wants to be told.

    Ctrl-C is heard wherever the program was, see `heard`.

    Parameters
    ----------
    hidden : bool
        Show none in any case.
    what : str
        What is counted.
    last : str
        What is done once all of them are.
    """
    with _bar(hidden, what, last) as tell, heard(tell) as told:
        yield told


@contextmanager
def thinking(hidden: bool = False) -> Iterator[Callable[[int], None]]:
    """Say on stderr, if that is a terminal, that strategies are compiled, until something is told.

    Ctrl-C is heard wherever the program was, see `heard`.
    """
    if hidden or not sys.stderr.isatty():
        with heard(None) as told:
            yield lambda number: told(number, 0)
        return
    from rich.console import Console

    console = Console(stderr=True)
    with console.status(COMPILING) as status, heard(None) as told:

        def tell(number: int) -> None:
            told(number, 0)
            status.update("playing ...")

        yield tell


@contextmanager
def _bar(hidden: bool, what: str, last: str) -> Iterator[Callable[[int, int], None] | None]:
    if hidden or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        BarColumn(),
        TextColumn("{task.percentage:3.0f}%"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    begin = time.monotonic()
    first: int | None = None
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, rate="compiling")

        def tell(games: int, total: int) -> None:
            nonlocal begin, first
            if first is None:  # what an earlier run has done does not count
                begin, first = time.monotonic(), games
            rate = rate_text(games - first, time.monotonic() - begin, what)
            rate = last if last and games >= total else rate
            bar.update(task, completed=games, total=total, rate=rate)

        yield tell
