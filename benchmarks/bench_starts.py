"""How long one waits for the first result: nothing compiled, all compiled, a new strategy."""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.child import Cost, cost_of, simulate
from benchmarks.measure import QUICK, TINY, Effort, in_turns
from benchmarks.reference import make_shuffle
from benchmarks.row import Row, Target
from simulate.jit import CACHE_VARIABLE

TITLE = "Cold and warm starts: 1,000 games, two threads"
GAMES = ("--games", 1_000, "--threads", 2, "--quiet")
PROGRAM = '''"""Says Yes from a strength of its own."""


def p_yes(view, least={least}):
    return 1.0 if view.strength >= least else 0.0
'''
CHOOSER = '''"""Lays whatever scores most, if it is enough."""


def value(view, option, enough={least}):
    return option.points - enough
'''


def fresh_run(game: str, *words: object, cache: str | None = None) -> Cost:
    """Play in a new results folder, with a folder for compiled code if not the usual one."""
    with tempfile.TemporaryDirectory() as out:
        environment = {CACHE_VARIABLE: cache} if cache else {}
        return simulate("run", game, *GAMES, "--out", out, *words, environment=environment)


def cold(game: str) -> Cost:
    """Start as just after the installation."""
    with tempfile.TemporaryDirectory() as cache:
        return fresh_run(game, cache=cache)


def new_strategy(game: str, text: str, others: tuple[str, ...]) -> Cost:
    """Start with a strategy that has never been seen, at the first seat."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mine.py"
        path.write_text(text.format(least=random.random()), encoding="utf-8")
        specs = [word for spec in (str(path), *others) for word in ("-s", spec)]
        return fresh_run(game, *specs)


def run(effort: Effort) -> list[Row]:
    """Measure starts by the clock, which is what one waits for."""
    starts: list[tuple[str, Callable[[], Cost], Target | None]] = [
        ("`python -c pass`", lambda: cost_of([sys.executable, "-c", "pass"]), None),
        ("`simulate --help`", lambda: simulate("--help"), None),
        ("napalm, warm", lambda: fresh_run("napalm"), Target(1.5, most=True)),
        ("noddy, warm", lambda: fresh_run("noddy"), Target(1.5, most=True)),
        (
            "napalm, a new strategy",
            lambda: new_strategy("napalm", PROGRAM, ("tight*4",)),
            Target(3.0, most=True),
        ),
        (
            "noddy, a new strategy",
            lambda: new_strategy("noddy", CHOOSER, ("highest",)),
            Target(3.0, most=True),
        ),
    ]
    if effort.tiny:
        starts = starts[:3]
    else:
        for _, start, _ in starts:
            start()  # whatever the warm ones need is compiled now
    rows = in_rounds(starts, effort.rounds)
    if effort.cold:
        colds = [
            (f"{game}, cold", lambda game=game: cold(game), Target(20.0, most=True))
            for game in ("napalm", "noddy")
        ]
        rows += in_rounds(colds, 3 if effort.full else 1)
    return rows


def in_rounds(
    starts: list[tuple[str, Callable[[], Cost], Target | None]], rounds: int
) -> list[Row]:
    """Measure starts in turns, the reference before each round."""
    shuffle = make_shuffle()
    costs: list[list[Cost]] = [[] for _ in starts]
    reference = []
    for _ in range(rounds):
        [[rate]] = in_turns([shuffle], (QUICK if rounds > 1 else TINY)._replace(rounds=1))
        reference.append(rate)
        for (_, start, _), found in zip(starts, costs, strict=True):
            found.append(start())
    return [
        Row(
            name=name,
            unit="s",
            samples=tuple(cost.wall for cost in found),
            cpu=tuple(cost.cpu for cost in found),
            reference=tuple(reference),
            target=target,
        )
        for (name, _, target), found in zip(starts, costs, strict=True)
    ]
