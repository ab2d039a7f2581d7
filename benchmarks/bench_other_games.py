"""Whole games beside those that a user would simulate with other packages, five players."""

from __future__ import annotations

from benchmarks.measure import Case, Effort, measure, ratios
from benchmarks.other_games import RIVALS
from benchmarks.played import deals_work
from benchmarks.row import Row

TITLE = "Deals of whole games beside other packages, five players, one core"


def run(effort: Effort) -> list[Row]:
    """Measure a plain line-up, and every rival that is installed."""
    work = deals_work(["threshold*5"])
    cases = [Case("napalm, stakes", "deals", work, note="up to three stages of words and stakes")]
    absent = []
    for name, make in RIVALS.items():
        try:
            rival = make()
        except ImportError as error:
            absent.append(Row(name, "deals/s", note=f"not installed: {error}"))
            continue
        cases.append(Case(name, "deals", rival.work, note=rival.note))
    ours, *theirs = measure(cases, effort)
    beside = [
        row.compared("ours / theirs", ratios(ours.samples, row.samples), row.note) for row in theirs
    ]
    return [ours, *beside, *absent]
