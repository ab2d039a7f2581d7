"""What a player more at the table costs."""

from __future__ import annotations

from benchmarks.measure import Case, Effort, measure
from benchmarks.played import deals_work
from benchmarks.row import Row

TITLE = "Cost against players: whole games of Napalm, stakes, threshold in every seat"


def run(effort: Effort) -> list[Row]:
    """Measure four to seven players."""
    cases = [Case(f"{n} players", "deals", deals_work([f"threshold*{n}"])) for n in range(4, 8)]
    return measure(cases, effort, against="4 players")
