"""Whole games of Noddy, two players, on one core."""

from __future__ import annotations

from benchmarks.measure import Case, Effort, measure
from benchmarks.played import games_work
from benchmarks.row import Row, Target
from simulate.noddy.rules import PRESETS
from strategies import listing

TITLE = "Whole games of Noddy, two players, the same strategy on both sides"
STRONG = "reckoner"


def target(preset: str, name: str) -> Target | None:
    """Return what is to be reached by the strong strategy, and by the others."""
    if preset != next(iter(PRESETS)) and name != STRONG:
        return None
    return Target(200e3 if name == STRONG else 2e6)


def run(effort: Effort) -> list[Row]:
    """Measure every built-in strategy."""
    names = [strategy.name for strategy in listing("noddy")]
    cases = [
        Case(f"{preset}, {name}", "games", games_work("noddy", [f"{name}*2"], preset),
             target(preset, name))
        for preset in PRESETS
        for name in (names[:1] if effort.tiny else names)
    ]  # fmt: skip
    return measure(cases, effort)
