"""Whole games of Napalm, five players, on one core."""

from __future__ import annotations

from benchmarks.measure import Case, Effort, measure
from benchmarks.played import THRESHOLD_PROGRAM, deals_work
from benchmarks.row import Row, Target

TITLE = "Whole games of Napalm, five players, summary kept"
MIXED = ("threshold", "tight", "bluffer", "listener", "racer")
BASE = "stakes, threshold"


def run(effort: Effort) -> list[Row]:
    """Measure one line-up of each kind."""
    table, program = ["threshold*5"], [f"{THRESHOLD_PROGRAM}*5"]
    tossing = ["threshold:above=0.9,below=0.1*5"]
    cases = [
        Case(BASE, "deals", deals_work(table), Target(15e6)),
        Case("tokens, threshold", "deals", deals_work(table, "tokens"), Target(10e6)),
        Case("stakes, threshold as a program", "deals", deals_work(program), Target(8e6)),
        Case("tokens, threshold as a program", "deals", deals_work(program, "tokens")),
        Case("stakes, positional", "deals", deals_work(["positional*5"])),
        Case("stakes, threshold that tosses coins", "deals", deals_work(tossing)),
        Case("stakes, five different", "deals", deals_work(MIXED), note=", ".join(MIXED)),
    ]
    return measure(cases, effort, against=BASE)
