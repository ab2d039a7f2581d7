"""What a sweep varies: ``threshold.stage1=0.5:0.95:0.05``, ``rule.target=3:7``, ``players=4:7``."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import product
from typing import Any

from simulate.errors import InputError

MOST_POINTS = 500
MOST_TARGETS = 2
EXAMPLE = "write for example tight.chance=0.2:0.8:0.1, rule.target=3:7 or rule.tie=split,nothing"


@dataclass(frozen=True)
class Varied:
    """One thing that is varied, and the values it takes.

    Parameters
    ----------
    target : str
        ``players``, ``rule.<field>``, or ``<player>.<parameter>``, where the player is named by
        his strategy, which means all who play it, or by his place in the line-up, from 0.
    values : tuple of str
        The values in plain text, so that 0.1 is not 0.1000000001.
    """

    target: str
    values: tuple[str, ...]

    @property
    def rule(self) -> str | None:
        """The field of the rules that is varied, if it is one."""
        return self.target[5:] if self.target.startswith("rule.") else None

    @property
    def player(self) -> str | None:
        """The strategy, or the place in the line-up, whose parameter is varied, if it is one."""
        return None if self.target == "players" or self.rule else self.target.rpartition(".")[0]

    @property
    def parameter(self) -> str:
        """The parameter of that strategy."""
        return self.target.rpartition(".")[2]

    @property
    def column(self) -> list[int | float | str]:
        """The values as a table holds them: numbers where all are numbers."""
        for kind in (int, float):
            try:
                return [kind(value) for value in self.values]
            except ValueError:
                continue
        return list(self.values)


def varied_in(config: Mapping[str, Any]) -> list[Varied]:
    """Return what the configuration of a question varies."""
    return [Varied(each["target"], tuple(each["values"])) for each in config["vary"]]


def parse_vary(text: str) -> Varied:
    """Read what is varied.

    Parameters
    ----------
    text : str
        A target and its values: ``low:high`` in steps of 1, ``low:high:step``, both ends included,
        or a list with commas.

    Raises
    ------
    InputError
        When it is none of these, has a step of 0, or runs backwards.
    """
    target, equals, values = (part.strip() for part in text.partition("="))
    if not equals or not target or not values or (target != "players" and "." not in target):
        raise InputError(f"vary {text!r} is not a target and its values: {EXAMPLE}")
    if ":" in values:
        return Varied(target, _range(text, values.split(":")))
    listed = tuple(value.strip() for value in values.split(","))
    if "" in listed:
        raise InputError(f"vary {text!r} has an empty value: {EXAMPLE}")
    if len(set(listed)) < len(listed):
        raise InputError(f"vary {text!r} names a value twice")
    return Varied(target, listed)


def _range(text: str, ends: list[str]) -> tuple[str, ...]:
    try:
        numbers = [Decimal(end.strip()) for end in ends]
    except InvalidOperation:
        numbers = []
    if not 2 <= len(numbers) <= 3 or not all(number.is_finite() for number in numbers):
        raise InputError(f"vary {text!r}: a range is low:high or low:high:step, three numbers")
    low, high, step = numbers if len(numbers) == 3 else (*numbers, Decimal(1))
    if step == 0:
        raise InputError(f"vary {text!r} has a step of 0: it must be above 0")
    if step < 0 or high < low:
        raise InputError(f"vary {text!r} runs backwards: the low end comes first, the step is > 0")
    count = int((high - low) / step) + 1
    if count > MOST_POINTS:
        raise InputError(f"vary {text!r} has {count:,} values: at most {MOST_POINTS} are allowed")
    return tuple(f"{(low + place * step).normalize():f}" for place in range(count))


def grid(varied: tuple[Varied, ...]) -> list[tuple[str, ...]]:
    """List the points of a grid, each with a value for each thing that is varied.

    Raises
    ------
    InputError
        When there are too many, or nothing, or more than two things are varied.
    """
    if not 1 <= len(varied) <= MOST_TARGETS:
        raise InputError(f"{len(varied)} things are varied: a sweep varies one or two")
    if len({each.target for each in varied}) < len(varied):
        raise InputError(f"{varied[0].target} is varied twice")
    points = math.prod(len(each.values) for each in varied)
    if points > MOST_POINTS:
        raise InputError(f"the grid has {points:,} points: at most {MOST_POINTS} are allowed")
    return list(product(*(each.values for each in varied)))
