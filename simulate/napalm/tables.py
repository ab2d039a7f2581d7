"""The totals of a run as tidy tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from simulate.napalm.settlement import BEST_OF_ALL, LONE, LOST, OUTCOMES, SAID_NO_BEST, TIED, WON
from simulate.napalm.strength import BUCKETS
from simulate.napalm.tally import SUMS
from simulate.wide import number

if TYPE_CHECKING:
    import pyarrow as pa

ALL_SEATS = -1


def summary_tables(
    names: Sequence[str], kinds: Sequence[int], totals: dict[str, NDArray[np.int64]]
) -> dict[str, pa.Table]:
    """Write totals as tables.

    Parameters
    ----------
    names : sequence of str
        The distinct strategies.
    kinds : sequence of int
        Which of them plays each slot.
    totals : dict of ndarray
        See `simulate.napalm.tally.Totals`.

    Returns
    -------
    dict of Table
        Sums are int64 columns, and float64 where they may outgrow it; those that tell the rows
        apart are of other types. ``results``:
        strategy, seat (-1 for all of the strategy's seats in a game together), seats (how many
        slots it fills), games, won, net, net_sq. ``decisions``: strategy, stage, turn, position,
        heard, bucket, yes, then how often: count, best (among the best of all n), lone, won, tied,
        lost, and net (stakes that the stage brought). ``lengths``: deals, games. ``totals``:
        games, truncated, deals.
    """
    from simulate.arrow import table

    return {
        "results": table(_results(names, kinds, totals)),
        "decisions": table(_decisions(names, len(kinds), totals)),
        "lengths": table(_lengths(totals["lengths"])),
        "totals": table(
            dict(zip(("games", "truncated", "deals"), totals["games"][:, None], strict=True))
        ),
    }


def _results(
    names: Sequence[str], kinds: Sequence[int], totals: dict[str, NDArray[np.int64]]
) -> dict[str, object]:
    n = len(kinds)
    results, shared = totals["results"].reshape(n, n, SUMS), totals["shared"].reshape(-1, SUMS)
    rows: list[tuple[object, ...]] = []
    for kind, name in enumerate(names):
        own = [slot for slot, other in enumerate(kinds) if other == kind]
        by_seat = [(ALL_SEATS, shared[kind]), *enumerate(results[own].sum(0))]
        for seat, sums in by_seat:
            rows.append((name, seat, len(own), *sums[:3].tolist(), number(sums[3:])))
    columns = ("strategy", "seat", "seats", "games", "won", "net", "net_sq")
    named: dict[str, object] = dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True))
    for key in ("seat", "seats"):
        named[key] = np.array(named[key], np.int8)
    named["net_sq"] = np.array(named["net_sq"])
    return named


def _decisions(
    names: Sequence[str], n: int, totals: dict[str, NDArray[np.int64]]
) -> dict[str, object]:
    shape = (len(names), 3, 2, n, n, OUTCOMES, BUCKETS)
    counts = totals["decisions"][:-BUCKETS].reshape(shape)
    money = totals["money"].reshape((*shape[:5], BUCKETS))
    parts = []
    for word, outcomes in ((0, slice(LONE)), (1, slice(LONE, None))):
        # Few cells are in use: only those are added up.
        place = np.nonzero(counts[..., outcomes, :].any(-2))
        who, stage, turn, position, heard, bucket = place
        used = counts[who, stage, turn, position, heard, :, bucket]
        zeros = np.zeros_like(who)
        best = used[:, LONE + BEST_OF_ALL :].sum(1) if word else used[:, SAID_NO_BEST]
        part = {
            "strategy": who,
            "stage": stage + 1,
            "turn": turn + 1,
            "position": position,
            "heard": heard,
            "bucket": bucket,
            "yes": np.full_like(who, word),
            "count": used[:, outcomes].sum(1),
            "best": best,
        }
        for name, way in {"lone": LONE, "won": WON, "tied": TIED, "lost": LOST}.items():
            part[name] = used[:, way] + used[:, way + BEST_OF_ALL] if word else zeros
        parts.append(part | {"net": money[place] if word else zeros})
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    small = ("stage", "turn", "position", "heard", "bucket", "yes")
    columns |= {name: columns[name].astype(np.int8) for name in small}
    named: dict[str, object] = dict(columns)
    named["strategy"] = np.array(names, dtype=object)[columns["strategy"]]
    return named


def _lengths(lengths: NDArray[np.int64]) -> dict[str, object]:
    deals = np.nonzero(lengths)[0]
    return {"deals": deals.astype(np.int32), "games": lengths[deals]}
