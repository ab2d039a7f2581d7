"""How often: rates of what was held and said in a run of Napalm, with intervals.

They come from the table ``decisions`` of a summary, so that they take no time whatever the number
of games.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from simulate.errors import InputError, unknown
from simulate.napalm.counts import class_strengths
from simulate.napalm.strength import BUCKETS, bucket_names
from simulate.stats import SMALLEST_SAMPLE, share_interval

if TYPE_CHECKING:
    from simulate.results import Results

RATES = ("best", "yes", "takes", "best_of_yes")
KEYS = ("strategy", "stage", "turn", "position", "heard", "yes", "bucket")
OUTCOMES = ("count", "best", "lone", "won", "tied", "lost")
STAGES = (1, 2, 3)


def rates(
    results: Results | pd.DataFrame, what: str, by: str | Sequence[str] = (), **only: Any
) -> pd.DataFrame:
    """Work out rates with their 95% intervals.

    Parameters
    ----------
    results : Results or DataFrame
        The results of a run, or their table ``decisions``.
    what : {"best", "yes", "takes", "best_of_yes"}
        ``best``: of the hands, how many were the best of all n, or tied for it. ``yes``: of the
        chances to speak, at how many Yes was said. ``takes``: of the Yes, how many took stakes,
        alone, as the best or as one of the best. ``best_of_yes``: of the Yes, how many had the
        best hand of all n.
    by : str or sequence of str
        A row for each value of these columns: ``strategy``, ``stage``, ``turn``, ``position``,
        ``heard``, ``yes``, ``bucket``, and in place of the bucket ``strength`` or, at stage 1,
        ``hand``.
    **only
        Values that columns must have: ``stage=1``, ``strategy=["tight", "bluffer"]``.

    Returns
    -------
    DataFrame
        The columns of `by`, ``count`` (of what the rate is a share), ``rate``, ``rate_low`` and
        ``rate_high``. Rows of fewer than 200 are left out: they allow no interval.

    Raises
    ------
    InputError
        For a rate or a column that there is not, or hands at another stage than the first.

    Notes
    -----
    The intervals are Wilson's. Unlike the results of games, hands are dealt anew in every deal:
    a rate by position or by hand is covered by 94 to 96% of them, also where a strategy looks at
    counts and pot. Players of one deal depend on each other: only one takes the stakes, and who
    hears a Yes is warned. So a rate over several seats is known better than its interval says, up
    to 100% cover it; over several stages, where the one goes on from the other, 93.5% or more do.

    Examples
    --------
    >>> rates(results, "best", "hand", stage=1)
    >>> rates(results, "yes", ["strategy", "position"], stage=1, turn=1)
    """
    decisions = results if isinstance(results, pd.DataFrame) else results.table("decisions")
    by = [by] if isinstance(by, str) else list(by)
    if what not in RATES:
        raise unknown("rate", what, RATES)
    chosen = _only(decisions, only)
    keys = ["bucket" if name in ("hand", "strength") else name for name in by]
    for key in keys:
        if key not in KEYS:
            raise unknown("column", key, [*KEYS, "strength", "hand"])
    stages = list(chosen["stage"].unique())
    if "bucket" in keys and "stage" not in keys and len(stages) > 1:
        raise InputError(f"a {by[keys.index('bucket')]} is that of a stage: name one, as stage=1")
    if "hand" in by and stages not in ([], [1]):
        raise InputError("hands have names at stage 1 only: ask for strength, or for stage=1")
    if what == "best":  # a hand that is asked a second time is the same hand
        chosen = chosen[chosen["turn"] == 1]
    return _intervals(_named(_counted(chosen, what, keys), by, stages))


def _only(decisions: pd.DataFrame, only: dict[str, Any]) -> pd.DataFrame:
    for name, value in only.items():
        if name not in KEYS:
            raise unknown("column", name, KEYS)
        wanted = value if isinstance(value, list | tuple | set | range) else [value]
        decisions = decisions[decisions[name].isin(list(wanted))]
    return decisions


def _counted(chosen: pd.DataFrame, what: str, keys: list[str]) -> pd.DataFrame:
    """Count by key what the rate is of, and what it is a share of."""
    said = chosen["yes"] == 1
    parts = {
        "best": chosen["best"],
        "yes": chosen["count"].where(said, 0),
        "takes": chosen[["lone", "won", "tied"]].sum(axis=1),
        "best_of_yes": chosen["best"].where(said, 0),
    }
    of_yes = what in ("takes", "best_of_yes")
    counted = pd.DataFrame(
        {
            "count": chosen["count"].where(said, 0) if of_yes else chosen["count"],
            "part": parts[what],
        }
    )
    if not keys:
        return counted.sum().to_frame().T
    names = [chosen[key] for key in dict.fromkeys(keys)]
    return counted.groupby(names, observed=True).sum().reset_index()


def _named(frame: pd.DataFrame, by: list[str], stages: list[int]) -> pd.DataFrame:
    """Put hands and strengths in the place of buckets."""
    if "hand" in by:
        frame["hand"] = np.array(bucket_names(1), dtype=object)[frame["bucket"]]
    if "strength" in by:
        strengths = np.array([_strengths(stage) for stage in STAGES])
        stage = frame["stage"] if "stage" in frame else (stages or [1])[0]
        frame["strength"] = strengths[np.asarray(stage, int) - 1, frame["bucket"]]
    return frame[[*by, "count", "part"]]


def _strengths(stage: int) -> list[float]:
    """Return the strength in the middle of each bucket of a stage."""
    if stage == 1:
        shares = class_strengths(1).tolist()
        return [*shares, *[1.0] * (BUCKETS - len(shares))]
    return [(bucket + 0.5) / BUCKETS for bucket in range(BUCKETS)]


def _intervals(frame: pd.DataFrame) -> pd.DataFrame:
    frame = frame[frame["count"] >= SMALLEST_SAMPLE].reset_index(drop=True)
    pairs = zip(frame["part"].tolist(), frame["count"].tolist(), strict=True)
    estimates = [share_interval(part, count) for part, count in pairs]
    ends = {"rate": 0, "rate_low": 1, "rate_high": 2}
    columns = {name: [estimate[place] for estimate in estimates] for name, place in ends.items()}
    return frame.drop(columns="part").assign(**columns)
