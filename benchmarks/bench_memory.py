"""The greatest memory of a run, against its games."""

from __future__ import annotations

import tempfile

from benchmarks.child import simulate
from benchmarks.measure import Effort
from benchmarks.row import Row, Target
from benchmarks.table import number

TITLE = "Memory of `simulate run`, against games"
LIMIT, GROWTH = 400.0, 50.0
FEW = 1_000


def sizes(effort: Effort) -> list[tuple[str, str, int]]:
    """Return game, detail and the greater number of games."""
    if effort.full:
        return [
            ("napalm", "summary", 100_000_000),
            ("napalm", "games", 10_000_000),
            ("napalm", "deals", 1_000_000),
            ("noddy", "summary", 20_000_000),
        ]
    if effort.tiny:
        return [("napalm", "summary", FEW)]
    return [
        ("napalm", "summary", 1_000_000),
        ("napalm", "deals", 100_000),
        ("noddy", "summary", 1_000_000),
    ]


def peak(game: str, detail: str, games: int) -> float:
    """Return the megabytes that a run took at most."""
    with tempfile.TemporaryDirectory() as folder:
        words = ("--games", games, "--detail", detail, "--threads", 2, "--out", folder, "--quiet")
        return simulate("run", game, *words).peak


def run(effort: Effort) -> list[Row]:
    """Measure a short run and a long one of each kind, once: memory hardly varies."""
    rows, few = [], 100 if effort.tiny else FEW
    for game, detail, many in sizes(effort):
        if not effort.tiny:
            peak(game, detail, FEW)  # compiles what is not compiled yet, which takes memory
        few_mb, many_mb = peak(game, detail, few), peak(game, detail, many)
        limit = min(LIMIT, few_mb + GROWTH)
        for games, held, most in ((few, few_mb, LIMIT), (many, many_mb, limit)):
            name = f"{game}, {detail}, {number(games)} games"
            rows.append(Row(name, "MB", (held,), target=Target(most, most=True)))
    return rows
