"""Napalm strategies that are data: thresholds of strength, in a `.toml` file.

A file is a description, parameters with their defaults, and rules. For each decision the first rule
whose conditions hold is used, so particular rules stand above general ones::

    about = "Says Yes on strength; the dealer, who has heard everybody, dares more."

    [parameters]            # settable from outside: dealer.toml:cut=0.7
    cut = 0.80

    [[rule]]
    stage = 1               # 1, 2 or 3
    turn = 1                # 1, or 2 when answering a challenge
    position = -1           # from eldest 0, 1, 2, ...; from the dealer -1, -2, ...
    heard = 0               # how many have said Yes at this stage so far
    threshold = 0.60        # of strength: from here on ...
    above = 1.0             # ... this is the probability of Yes (1 when left out),
    below = 0.10            # and under it this (0 when left out)

    [[rule]]                # no conditions: it holds wherever no rule above did
    threshold = "cut"       # a parameter

Each condition is a number, a list of numbers, or text such as ``"2+"`` for two or more; one that is
left out always holds. In place of a threshold a rule may have ``chance``, the probability of Yes
whatever the strength.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from simulate.errors import InputError, unknown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from simulate.napalm.view import View

PLAYERS = range(4, 8)
STAGES, TURNS, POSITIONS, HEARD = 3, 2, 7, 8

# The lowest and the highest number that each condition may name.
CONDITIONS = {"stage": (1, 3), "turn": (1, 2), "position": (-7, 6), "heard": (0, 7)}
Share = float | str  # a number from 0 to 1, or the name of a parameter that is one
ANSWERS = ("threshold", "above", "below", "chance")


class TableStrategy(NamedTuple):
    """A strategy as arrays of shape (stage, turn, position, heard), each counted from 0.

    Attributes
    ----------
    cut : ndarray of float64
        The threshold of strength.
    above, below : ndarray of float64
        The probability of Yes where the strength is at least `cut`, and where it is less.
    """

    cut: NDArray[np.float64]
    above: NDArray[np.float64]
    below: NDArray[np.float64]

    def probability(self, view: View) -> float:
        """Return the probability of Yes."""
        state = (view.stage - 1, view.turn - 1, view.position, view.yes)
        side = self.above if view.strength >= self.cut[state] else self.below
        return float(side[state])


@dataclass(frozen=True)
class Rule:
    """One rule: where it holds, and what it answers there; a name stands for a parameter."""

    stage: list[int]
    turn: list[int]
    position: list[int]
    heard: list[int]
    threshold: Share
    above: Share
    below: Share


@dataclass(frozen=True)
class Table:
    """A `.toml` strategy as it was read."""

    path: Path
    about: str
    params: dict[str, float]
    rules: list[Rule]

    def rule_for(self, n: int, stage: int, turn: int, position: int, heard: int) -> int | None:
        """Return the number, from 0, of the rule that decides: the first that holds, or None."""
        for number, rule in enumerate(self.rules):
            if (
                stage in rule.stage
                and turn in rule.turn
                and (position in rule.position or position - n in rule.position)
                and heard in rule.heard
            ):
                return number
        return None

    def check_params(self, params: Mapping[str, float]) -> None:
        """Refuse values of the parameters that are no numbers from 0 to 1."""
        for name, value in params.items():
            _check_share(self.path, f"parameter {name!r}", value)

    def arrays(self, n: int, params: Mapping[str, float]) -> TableStrategy:
        """Work the rules out for a table of `n` players and these values of the parameters."""
        import numpy as np

        self.check_params(params)
        arrays = TableStrategy(*(np.zeros((STAGES, TURNS, POSITIONS, HEARD)) for _ in range(3)))
        for state in decisions(n):
            number = self.rule_for(n, *state)
            assert number is not None  # noqa: S101  (read_table has seen to it)
            rule = self.rules[number]
            stage, turn, position, heard = state
            cell = (stage - 1, turn - 1, position, heard)
            for array, answer in zip(arrays, (rule.threshold, rule.above, rule.below), strict=True):
                array[cell] = params[answer] if isinstance(answer, str) else answer
        return arrays


@lru_cache(maxsize=64)
def read_table(path: Path, text: str) -> Table:
    """Read a `.toml` strategy.

    Parameters
    ----------
    path : Path
        Where it comes from, for messages.
    text : str
        Its text.

    Raises
    ------
    InputError
        When it is no TOML, has a key or a value that it may not have, leaves a decision without a
        rule, or holds a rule or a parameter that is never used.
    """
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"{path}: broken TOML: {error}") from error
    _check_keys(path, "key", data, ("about", "parameters", "rule"))
    about, given, rules = data.get("about", ""), data.get("parameters", {}), data.get("rule", [])
    if not isinstance(about, str):
        raise InputError(f"{path}: about is {about!r}: it must be text")
    if not isinstance(given, dict):
        raise InputError(
            f"{path}: parameters is {given!r}: write [parameters] and name = 0.5 below"
        )
    if (
        not isinstance(rules, list)
        or not rules
        or not all(isinstance(rule, dict) for rule in rules)
    ):
        raise InputError(f"{path}: there is no rule: write [[rule]] and its lines below")
    params = {
        name: _check_share(path, f"parameter {name!r}", value) for name, value in given.items()
    }
    for name in params:
        if not name.isidentifier():
            raise InputError(f"{path}: parameter {name!r}: a name is letters, digits and _")
    table = Table(
        path=path,
        about=about.strip(),
        params=params,
        rules=[_rule(path, number, rule, params) for number, rule in enumerate(rules, start=1)],
    )
    _check_use(table)
    return table


def _rule(path: Path, number: int, data: dict[str, Any], params: dict[str, float]) -> Rule:
    where = f"{path}: rule {number}"
    _check_keys(path, f"key in rule {number}", data, (*CONDITIONS, *ANSWERS))
    conditions = {
        name: _numbers(f"{where}: {name}", data[name], low, high)
        if name in data
        else list(range(low, high + 1))
        for name, (low, high) in CONDITIONS.items()
    }
    answers: dict[str, Share] = {
        name: _share(path, f"rule {number}: {name}", data[name], params)
        for name in ANSWERS
        if name in data
    }
    chance = answers.pop("chance", None)
    if chance is not None and not answers:
        answers = {"threshold": 0.0, "above": chance, "below": chance}
    elif chance is not None or "threshold" not in answers:
        raise InputError(f"{where} must have a threshold (with above and below), or else a chance")
    return Rule(
        stage=conditions["stage"],
        turn=conditions["turn"],
        position=conditions["position"],
        heard=conditions["heard"],
        threshold=answers["threshold"],
        above=answers.get("above", 1.0),
        below=answers.get("below", 0.0),
    )


def _numbers(where: str, value: object, low: int, high: int) -> list[int]:
    """Read a condition: 2, [0, -1] or "2+"."""
    if isinstance(value, str) and re.fullmatch(r"[0-9]\+", value) and low <= int(value[0]) <= high:
        return list(range(int(value[0]), high + 1))
    numbers = value if isinstance(value, list) else [value]
    if not numbers or not all(type(number) is int and low <= number <= high for number in numbers):
        raise InputError(
            f"{where} is {value!r}: it must be a whole number from {low} to {high}, "
            'a list of them, or text such as "2+"'
        )
    return sorted(set(numbers))


def _share(path: Path, what: str, value: object, params: dict[str, float]) -> Share:
    """Read a number from 0 to 1, or the name of a parameter that is one."""
    if isinstance(value, str):
        if value not in params:
            raise unknown(f"parameter in {path}, {what}", value, params)
        return value
    return _check_share(path, what, value)


def _check_share(path: Path, what: str, value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
        raise InputError(f"{path}: {what} is {value!r}: it must be a number from 0 to 1")
    return float(value)


def _check_keys(path: Path, what: str, data: dict[str, Any], allowed: tuple[str, ...]) -> None:
    for key in data:
        if key not in allowed:
            raise unknown(f"{what} of {path}:", key, allowed)


def _check_use(table: Table) -> None:
    """Refuse a table that leaves a decision open, or holds something that does nothing."""
    used = set()
    for n in PLAYERS:
        for stage, turn, position, heard in decisions(n):
            number = table.rule_for(n, stage, turn, position, heard)
            if number is None:
                raise InputError(
                    f"{table.path}: no rule for stage {stage}, turn {turn}, position {position} "
                    f"of {n}, {heard} heard: end with a rule without conditions"
                )
            used.add(number)
    for number in range(len(table.rules)):
        if number not in used:
            raise InputError(f"{table.path}: rule {number + 1} never decides: rules above it do")
    named = {
        value for rule in table.rules for value in vars(rule).values() if isinstance(value, str)
    }
    for name in table.params:
        if name not in named:
            raise InputError(f"{table.path}: parameter {name!r} is used by no rule")


def decisions(n: int) -> list[tuple[int, int, int, int]]:
    """List the (stage, turn, position, heard) that can come up at a table of `n`.

    In turn 1 at most those before have said Yes. In turn 2 the dealer has, and those who have
    answered him.
    """
    first = [(1, position, heard) for position in range(n) for heard in range(position + 1)]
    second = [
        (2, position, heard + 1) for position in range(n - 1) for heard in range(position + 1)
    ]
    return [(stage, *rest) for stage in range(1, STAGES + 1) for rest in first + second]
