"""Numbers and tables as text for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from simulate.stats import Estimate, TooFewGamesError

BOLD, PLAIN = "\x1b[1m", "\x1b[0m"


def columns(head: Sequence[str], rows: Sequence[Sequence[str]], colour: bool = False) -> list[str]:
    """Align cells in columns, the first to the left, the others to the right.

    Parameters
    ----------
    head : sequence of str
        What stands above each column.
    rows : sequence of sequence of str
        The cells.
    colour : bool
        Print the head in bold.
    """
    widths = [max(len(cell) for cell in column) for column in zip(head, *rows, strict=True)]
    lines = []
    for row in (head, *rows):
        cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join([row[0].ljust(widths[0]), *cells]).rstrip())
    if colour:
        lines[0] = f"{BOLD}{lines[0]}{PLAIN}"
    return lines


def in_short(specs: Sequence[str]) -> str:
    """Write strategies as a line-up is written: ``"tight*4, bluffer"``."""
    runs = [(spec, len(list(run))) for spec, run in groupby(specs)]
    return ", ".join(f"{spec}*{number}" if number > 1 else spec for spec, number in runs)


def percent(share: float, places: int = 1) -> str:
    """Write a share: ``"21.4%"``."""
    return f"{share:.{places}%}"


def ratio(part: int, whole: int) -> float | None:
    """Divide, or None where there is nothing to divide by."""
    return part / whole if whole else None


def cell(number: float | None, write: Callable[[float], str] = percent) -> str:
    """Write a number that may be missing."""
    return "-" if number is None else write(number)


def estimated(value: float, estimate: Callable[[], Estimate]) -> dict[str, float | None]:
    """Return a value with the interval of an estimate; without one where games are too few.

    Parameters
    ----------
    value : float
        The value.
    estimate : callable
        Makes the estimate, or raises `TooFewGamesError`.
    """
    try:
        found = estimate()
    except TooFewGamesError:
        return {"value": value, "low": None, "high": None}
    return {"value": value, "low": found.low, "high": found.high}


def with_margin(number: dict[str, float | None], write: Callable[[float], str]) -> str:
    """Write a value and half the width of its interval: ``"21.4% ± 0.1%"``."""
    value, low, high = number["value"], number["low"], number["high"]
    assert value is not None  # noqa: S101  (only the ends of the interval may be missing)
    if low is None or high is None:
        return write(value)
    return f"{write(value)} ± {write((high - low) / 2).lstrip('+')}"
