"""Whole numbers as people write them: ``1e6``, ``1_000_000``, ``2.5M``, of any size."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from simulate.errors import InputError

NUMERAL = re.compile(
    r"(?P<whole>\d+(?:_\d+)*)(?:\.(?P<part>\d+))?(?:e\+?(?P<power>\d{1,3}))?(?P<unit>[kmgb]?)",
    re.ASCII,
)
UNITS = {"": 0, "k": 3, "m": 6, "g": 9, "b": 9}
CHUNK = 4_000  # digits that int() reads and writes at once under every setting of Python


def digits_to_int(digits: str) -> int:
    """Read decimal digits, however many."""
    number = 0
    for start in range(0, len(digits), CHUNK):
        piece = digits[start : start + CHUNK]
        number = number * 10 ** len(piece) + int(piece)
    return number


def int_text(number: int) -> str:
    """Write a whole number: in decimal, or in hexadecimal where that would take pages."""
    return str(number) if number.bit_length() < 1_000 else hex(number)


def counted(number: int, what: str) -> str:
    """Write a number of things: ``"1 game"``, ``"1,000 games"``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def number_text(value: float, places: int, sign: str = "") -> str:
    """Write a number with so many places, and what is zero then without a minus."""
    return f"{round(value, places) + 0.0:{sign}.{places}f}"


def whole_number(what: str, value: Any, low: int, high: int | None = None) -> int:
    """Read a whole number given as an int, a whole float or text.

    Parameters
    ----------
    what : str
        Its name in a message, for example ``"games"``.
    value : int, float or str
        ``1000``, ``1e6``, ``"1e6"``, ``"1_000_000"``, ``"250k"``, ``"2.5M"``, ``"0xff"``.
    low, high : int
        The range that is allowed; no upper end when `high` is None.

    Raises
    ------
    InputError
        When it is not a whole number or not in range.
    """
    number = _from_text(value) if isinstance(value, str) else _from_number(value)
    if number is None or number < low or (high is not None and number > high):
        above = f">= {low}" if high is None else f"from {low} to {high:,}"
        shown = value if isinstance(value, str) or number is None else int_text(number)
        raise InputError(f"{what} {shown} is not a whole number {above}")
    return number


def whole_numbers(what: str, values: Any, low: int, high: int) -> tuple[int, ...]:
    """Read several, see `whole_number`: from a sequence, or from text with commas or spaces.

    Raises
    ------
    InputError
        When one of them is not a whole number or not in range.
    """
    if isinstance(values, str):
        values = values.replace(",", " ").split()
    if not isinstance(values, Iterable):
        raise InputError(f"{what} {values!r}: several whole numbers are wanted, as in '2,0,1'")
    return tuple(whole_number(what, value, low, high) for value in values)


def _from_number(value: Any) -> int | None:
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return None
    return int(value.__index__())


def _from_text(text: str) -> int | None:
    text = text.strip().lower()
    if re.fullmatch(r"0x[0-9a-f]+", text):
        return int(text, 16)
    match = NUMERAL.fullmatch(text)
    if match is None:
        return None
    part = match["part"] or ""
    zeros = int(match["power"] or 0) + UNITS[match["unit"]] - len(part)
    digits = match["whole"].replace("_", "") + part
    if zeros < 0:  # 1.50k is whole, 1.5 is not
        digits, rest = digits[:zeros], digits[zeros:]
        if rest.strip("0"):
            return None
        zeros = 0
    return digits_to_int(digits + "0" * zeros)
