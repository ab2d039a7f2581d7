"""What a strategy is called on the command line: `bluffer`, `bluffer:bluff=0.2`, `my/bot.py*4`."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from simulate.errors import InputError, unknown
from strategies.source import MOST_WHOLE, Number

MOST = 100
SUFFIXES = (".py", ".toml", ".npz")
SOLVED = "solved:"
"""How the name of a table that came with the package and that a solver made begins."""

WORDS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


class Spec(NamedTuple):
    """The parts of a strategy's spec.

    Attributes
    ----------
    head : str
        A name, or the path of a file.
    params : dict of str to str
        The parameters given, as they were written.
    number : int
        How many of it sit down.
    """

    head: str
    params: dict[str, str]
    number: int

    @property
    def is_path(self) -> bool:
        """Whether the head is the path of a file, not a name."""
        return _is_path(self.head)


def parse_spec(text: str) -> Spec:
    """Take a spec apart: ``head[:param=value,...][*count]``.

    A colon or a star that is followed by the rest of a path belongs to the path.

    Raises
    ------
    InputError
        When it is not of this form.
    """
    head, count = _split_count(text.strip())
    if head.startswith(SOLVED):
        return Spec(head, {}, count)
    head, colon, words = _split_params(head)
    if not head:
        raise InputError(f"strategy {text!r} has no name: write for example tight or my/bot.py")
    params: dict[str, str] = {}
    for word in words.split(",") if colon else []:
        name, equals, value = (part.strip() for part in word.partition("="))
        if not (name and equals and value):
            raise InputError(
                f"strategy {text!r}: {word!r} is not a parameter and its value: write name=0.5"
            )
        if name in params:
            raise InputError(f"strategy {text!r}: parameter {name!r} is given twice")
        params[name] = value
    return Spec(head, params, count)


def _is_path(head: str) -> bool:
    return head.lower().endswith(SUFFIXES) or "/" in head or "\\" in head


def _split_count(text: str) -> tuple[str, int]:
    head, star, count = text.rpartition("*")
    if not star or _goes_on_as_path(count):
        return text, 1
    if not re.fullmatch(r"[0-9]{1,9}", count.strip()) or not 1 <= int(count) <= MOST:
        raise InputError(
            f"strategy {text!r}: {count!r} after '*' is not a number of players from 1 to {MOST}"
        )
    return head.rstrip(), int(count)


def _split_params(text: str) -> tuple[str, bool, str]:
    head, colon, words = text.rpartition(":")
    if not colon or _goes_on_as_path(words):
        return text, False, ""
    return head.rstrip(), True, words


def _goes_on_as_path(text: str) -> bool:
    """Say whether what follows a colon or a star is still the path, as the one in ``C:/bot.py``."""
    return re.search(r"[/\\]|\.(py|toml|npz)$|\.(py|toml|npz)[:*]", text, re.IGNORECASE) is not None


def bind(spec: str, defaults: dict[str, Number], given: dict[str, str]) -> dict[str, Number]:
    """Give every parameter its value; each keeps the type of its default.

    Parameters
    ----------
    spec : str
        What the user wrote, for messages.
    defaults : dict of str to number
        The parameters that there are.
    given : dict of str to str
        Those that the user gave.

    Raises
    ------
    InputError
        When a parameter does not exist or its value is of the wrong kind.
    """
    for name in given:
        if name not in defaults:
            if not defaults:
                raise InputError(f"strategy {spec!r}: {name!r} given, but it has no parameters")
            raise unknown(f"parameter of strategy {spec!r}", name, defaults)
    return {
        name: _value(spec, name, default, given[name]) if name in given else default
        for name, default in defaults.items()
    }


def _value(spec: str, name: str, default: Number, text: str) -> Number:
    try:
        if isinstance(default, bool):
            return WORDS[text.lower()]
        number = float(text)
        if not math.isfinite(number):
            raise ValueError(text)
        if isinstance(default, float):
            return number
        whole = int(text) if re.fullmatch(r"[+-]?[0-9_]+", text) else int(number)
        if whole != number or abs(whole) > MOST_WHOLE:
            raise ValueError(text)
    except (ValueError, KeyError):
        allowed = "true or false" if isinstance(default, bool) else "a number"
        if type(default) is int:
            allowed = "a whole number, at most 2**53"
        raise InputError(f"strategy {spec!r}: {name} is {text!r}: it must be {allowed}") from None
    return whole


def canonical(head: str, params: dict[str, Number], defaults: dict[str, Number]) -> str:
    """Write a strategy in the way that equal ones share: only what differs from the defaults."""
    words = [
        f"{name}={str(value).lower() if isinstance(value, bool) else repr(value)}"
        for name, value in params.items()
        if value != defaults[name]
    ]
    return f"{head}:{','.join(words)}" if words else head
