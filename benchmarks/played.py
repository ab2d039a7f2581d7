"""Whole games as work to be timed."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from simulate.request import choose_rules
from strategies import parse_line_up

THRESHOLD_PROGRAM = str(Path(__file__).parent / "programs" / "threshold.py")
SEED = 1
GAMES, DEALS = 0, 2
"""Where Napalm's totals count games and deals."""


class Prepared(NamedTuple):
    """A line-up ready to play, and what plays it."""

    batch: ModuleType
    job: Any


def prepared(game: str, specs: Sequence[str], preset: str) -> Prepared:
    """Make a line-up ready, and compile what it needs."""
    batch = import_module(f"simulate.{game}.batch")
    rules, line_up = choose_rules(game, preset), parse_line_up(specs, game)
    return Prepared(batch, batch.prepare(rules, line_up, SEED, False))


def deals_work(specs: Sequence[str], preset: str = "stakes", detail: str = "summary"):
    """Return work that plays so many games of Napalm and says how many deals they had."""
    batch, job = prepared("napalm", specs, preset)

    def work(games: int) -> int:
        return int(batch.play(job, 0, games, detail).totals["games"][DEALS])

    return work


def games_work(game: str, specs: Sequence[str], preset: str, detail: str = "summary"):
    """Return work that plays so many games."""
    batch, job = prepared(game, specs, preset)

    def work(games: int) -> int:
        batch.play(job, 0, games, detail)
        return games

    return work
