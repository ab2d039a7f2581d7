"""What different strategies at one table cost: tables are data, programs are compiled together."""

from __future__ import annotations

from benchmarks.measure import Case, Effort, measure
from benchmarks.played import deals_work
from benchmarks.row import Row

TITLE = "Cost against different strategies: whole games of Napalm, stakes, five players"
TABLES = tuple(f"threshold:stage1=0.{80 + k},stage2=0.{80 + k}" for k in range(5))
PROGRAMS = ("tight", "bluffer", "listener", "racer", "pair")
BASE = "1 table"


def seated(specs: tuple[str, ...], different: int) -> list[str]:
    """Fill five seats with so many of the strategies in turn."""
    return [specs[seat % different] for seat in range(5)]


def run(effort: Effort) -> list[Row]:
    """Measure one to five different tables, and as many programs."""
    cases = [
        Case(f"{k} {kind}{'' if k == 1 else 's'}", "deals", deals_work(seated(specs, k)))
        for kind, specs in (("table", TABLES), ("program", PROGRAMS))
        for k in ((1,) if effort.tiny else (1, 2, 3, 5))
    ]
    return measure(cases, effort, against=BASE)
