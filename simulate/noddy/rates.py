"""How often: rates of a run of Noddy with intervals, from its summary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from simulate.stats import SMALLEST_SAMPLE, share_interval

if TYPE_CHECKING:
    from simulate.results import Results

COLUMNS = ["rate", "rate_low", "rate_high"]


def chances_by_turns(results: Results, strategies: Sequence[str] | None = None) -> pd.DataFrame:
    """Work out how many games a player has won after so many turns of his own.

    Parameters
    ----------
    results : Results
        The results of a run.
    strategies : sequence of str, optional
        Which strategies; all when None.

    Returns
    -------
    DataFrame
        ``strategy``, ``turn``, ``rate``, ``rate_low``, ``rate_high``: the share of its games, of
        one seat, that the strategy has won within so many turns. It ends with the turn within
        which all but one game in a thousand is over for it.
    """
    lengths = results.table("lengths")
    parts = []
    for name, part in lengths.groupby("strategy", sort=False, observed=True):
        if strategies is not None and name not in strategies:
            continue
        by_turn = part.groupby("turns")[["games", "won"]].sum().sort_index()
        games = int(by_turn["games"].sum())
        if games < SMALLEST_SAMPLE:
            continue
        going = by_turn["games"].cumsum() < 0.999 * games
        kept = by_turn[going.shift(fill_value=True)]
        found = [share_interval(int(won), games)[:3] for won in kept["won"].cumsum()]
        frame = pd.DataFrame(found, columns=COLUMNS)
        frame.insert(0, "turn", kept.index.to_numpy(int))
        frame.insert(0, "strategy", str(name))
        parts.append(frame)
    return pd.concat(parts, ignore_index=True) if parts else _none("strategy", "turn")


def chances_by_lead(
    results: Results, turns: Sequence[int] = (2, 4, 6), step: int = 5
) -> pd.DataFrame:
    """Work out what a lead is worth.

    Parameters
    ----------
    results : Results
        The results of a run.
    turns : sequence of int
        After how many turns of one's own the lead is looked at.
    step : int
        Leads are taken together with those up to half a step away.

    Returns
    -------
    DataFrame
        ``turn``, ``lead`` over the best other player, ``rate``, ``rate_low``, ``rate_high``: the
        share of the games that were won in the end, whoever played. Rows of fewer than 200 games
        are left out.
    """
    leads = results.table("leads")
    leads = leads.assign(lead=(leads["lead"] / step).round().astype(int) * step)
    rows = []
    for (turn, lead), part in leads.groupby(["turn", "lead"], observed=True):
        games = int(part["games"].sum())
        if turn in turns and games >= SMALLEST_SAMPLE:
            rows.append((turn, lead, *share_interval(int(part["won"].sum()), games)[:3]))
    return pd.DataFrame(rows, columns=["turn", "lead", *COLUMNS])


def _none(*keys: str) -> pd.DataFrame:
    return pd.DataFrame(columns=[*keys, *COLUMNS])
