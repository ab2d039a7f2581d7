"""The totals of a run as tidy tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from simulate.noddy.rules import NAMES, NoddyRules, kernel_rules
from simulate.noddy.tally import LEAD_TURNS, LEADS, lead_step

if TYPE_CHECKING:
    import pyarrow as pa

ALL_SEATS = -1
MOVES = (*NAMES, "draw", "pass")
TOTALS = ("games", "truncated", "won_by_jack", "deals", "dead", "jacks")


def summary_tables(
    names: Sequence[str], rules: NoddyRules, totals: Mapping[str, NDArray[np.int64]]
) -> dict[str, pa.Table]:
    """Write totals as tables.

    Parameters
    ----------
    names : sequence of str
        The strategy of each slot.
    rules : NoddyRules
    totals : mapping of ndarray
        See `simulate.noddy.tally.Totals`.

    Returns
    -------
    dict of Table
        Sums are int64 columns; those that tell the rows apart are of other types.

        - ``results``: strategy, seat (-1 for all of them), seats (how many slots it fills), games,
          won, score (sum of final scores, by any of its seats).
        - ``positions``: strategy, position in the first deal (0 eldest), games, won.
        - ``moves``: strategy, move (a combination, draw or pass), times, points.
        - ``lengths``: strategy, turns that its player took in a game, games, won.
        - ``leads``: strategy, turn (1 for the first of its player), lead over the best other player
          after it (the first and the last stand for all beyond), games, won.
        - ``hands``: strategy, cards in hand, turns begun with them.
        - ``options``: strategy, options, turns with so many.
        - ``totals``: games, truncated, won_by_jack, deals, dead (deals), jacks (turned up).
    """
    from simulate.arrow import table

    order = list(dict.fromkeys(names))
    slots = [[slot for slot, name in enumerate(names) if name == each] for each in order]
    n = len(names)

    def by_strategy(name: str, *shape: int) -> NDArray[np.int64]:
        values = totals[name].reshape(n, *shape)
        return np.array([values[own].sum(axis=0) for own in slots])

    seated = by_strategy("seated", n, n, 2)
    moves = by_strategy("moves", len(MOVES))
    points = np.array([*kernel_rules(rules).points, 0, 0])
    leads = by_strategy("lead", LEAD_TURNS, LEADS, 2)
    step = lead_step(rules.target)
    turns = by_strategy("turns", -1, 2)
    hands, options = by_strategy("hands", -1), by_strategy("options", -1)
    found: dict[str, dict[str, Any]] = {
        "results": _results(seated, by_strategy("score", n), [len(own) for own in slots]),
        "positions": _cells({"position": np.int8}, _pair(seated.sum(axis=1))),
        "moves": _cells({"move": np.int8}, {"times": moves, "points": moves * points}),
        "lengths": _cells({"turns": np.int16}, _pair(turns)),
        "leads": _cells({"turn": np.int8, "lead": np.int32}, _pair(leads)),
        "hands": _cells({"cards": np.int8}, {"turns": hands}),
        "options": _cells({"options": np.int8}, {"turns": options}),
    }
    found["moves"]["move"] = np.array(MOVES, object)[found["moves"]["move"]]
    found["leads"]["turn"] += 1
    found["leads"]["lead"] = (found["leads"]["lead"] - LEADS // 2) * step
    tables = {}
    for name, columns in found.items():
        strategies = np.array(order, object)[columns.pop("strategy")]
        tables[name] = table({"strategy": strategies, **columns})
    tables["totals"] = table(
        {name: [int(value)] for name, value in zip(TOTALS, totals["games"], strict=True)}
    )
    return tables


def _pair(values: NDArray[np.int64]) -> dict[str, NDArray[np.int64]]:
    return {"games": values[..., 0], "won": values[..., 1]}


def _cells(
    keys: Mapping[str, type], sums: Mapping[str, NDArray[np.int64]]
) -> dict[str, NDArray[Any]]:
    """Make a row of each cell, by strategy and keys, whose first sum is not 0."""
    where = np.nonzero(next(iter(sums.values())))
    columns: dict[str, NDArray[Any]] = {"strategy": where[0]}
    for (name, kind), place in zip(keys.items(), where[1:], strict=True):
        columns[name] = place.astype(kind)
    return columns | {name: values[where] for name, values in sums.items()}


def _results(
    seated: NDArray[np.int64], score: NDArray[np.int64], seats: Sequence[int]
) -> dict[str, NDArray[Any]]:
    """Make a row of each strategy, and of each of its seats."""
    games = seated[0].sum(axis=(0, 1))[0] // seats[0]
    by_seat = seated.sum(axis=2)
    rows = []
    for who, filled in enumerate(seats):
        rows.append((who, ALL_SEATS, filled, games, by_seat[who, :, 1].sum(), score[who].sum()))
        for seat, (sat, won) in enumerate(by_seat[who]):
            rows.append((who, seat, filled, sat, won, score[who, seat]))
    columns = np.array(rows, np.int64).T
    names = ("strategy", "seat", "seats", "games", "won", "score")
    named: dict[str, NDArray[Any]] = dict(zip(names, columns, strict=True))
    for key in ("seat", "seats"):
        named[key] = named[key].astype(np.int8)
    return named
