"""How pairs of games are read: what each strategy came to, and whether it is enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulate.errors import InputError
from simulate.paired import Played
from simulate.stats import (
    CommonSums,
    Estimate,
    PairSums,
    SequentialTest,
    TooFewGamesError,
    companion_interval,
    decide,
    mean_interval,
    paired_interval,
    sequential_interval,
)
from simulate.stats.paired import SMALLEST_DIFFERING
from simulate.stats.sequential import check_precision

SIDES = ("first", "second", "difference")


@dataclass(frozen=True)
class Stop:
    """What a comparison is about, and when it ends before its last game.

    Parameters
    ----------
    measure : {"net", "score", "wins"}
        What precision, test and conclusion are about.
    precision : float, optional
        It ends when the margin of the interval is no wider than this.
    test : SequentialTest, optional
        It ends when this test of the difference has decided.
    """

    measure: str
    precision: float | None = None
    test: SequentialTest | None = None

    def __post_init__(self) -> None:
        if self.precision is not None:
            check_precision(self.precision)
            if self.test is not None:
                raise InputError("a precision and a test are asked for: only one can end it")

    @property
    def early(self) -> bool:
        """Whether it may end before its last game."""
        return self.precision is not None or self.test is not None

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON takes it."""
        test = self.test and {
            "null": self.test.null,
            "alternative": self.test.alternative,
            "false_positive": self.test.false_positive,
            "miss": self.test.miss,
        }
        return {"measure": self.measure, "precision": self.precision, "test": test}


@dataclass(frozen=True)
class Reading:
    """How the sums over pairs of games are read.

    Columns are, for each measure, what the first strategy came to at the one table and at the
    other, the same of the second, and whether the two differ.
    """

    measures: tuple[str, ...]
    apart: bool
    seats: int

    def columns(
        self, tables: Sequence[Played], chosen: Sequence[NDArray[np.bool_]]
    ) -> NDArray[np.float64]:
        """Return what each pair of games came to, shape (games, 5 a measure)."""
        places = [
            [played.seats(slots) for played, slots in zip(tables, both, strict=True)]
            for both in zip(*chosen, strict=True)
        ]
        columns: list[NDArray[Any]] = []
        for name in self.measures:
            first, second = (
                [played.result(name, seats) for played, seats in zip(tables, side, strict=True)]
                for side in places
            )
            columns += [*first, *second, np.not_equal(sum(first), sum(second))]
        return np.stack(columns).astype(float).T

    def weights(self, measure: str, what: str) -> NDArray[np.float64]:
        """Return the weights of the columns in a quantity."""
        share = 1.0 if self.apart else 1.0 / self.seats  # a strategy has all seats once
        mine: dict[str, list[float]] = {
            "first": [share, share, 0, 0, 0],
            "second": [0, 0, share, share, 0],
            "difference": [share, share, -share, -share, 0],
            "here": [share, 0, -share, 0, 0],
            "there": [0, -share, 0, share, 0],
            "differing": [0, 0, 0, 0, 1],
        }
        weights = np.zeros(5 * len(self.measures))
        place = 5 * self.measures.index(measure)
        weights[place : place + 5] = mine[what]
        return weights

    def pairs(self, sums: CommonSums, measure: str) -> PairSums:
        """Return the sums of paired results: a and b are what pairing saves the variance of."""
        a, aa = sums.linear(self.weights(measure, "here"))
        b, bb = sums.linear(self.weights(measure, "there"))
        _, dd = sums.linear(self.weights(measure, "difference"))
        differing, _ = sums.linear(self.weights(measure, "differing"))
        return PairSums(sums.n, round(differing), a, b, aa, bb, dd)

    def decision(self, sums: CommonSums, stop: Stop) -> str | None:
        """Return what the test decides for at this look, or None."""
        pairs = self.pairs(sums, stop.measure)
        if stop.test is None or pairs.differing < SMALLEST_DIFFERING:
            return None
        return decide(stop.test, pairs.n, pairs.a - pairs.b, pairs.dd)

    def enough(self, sums: CommonSums, stop: Stop) -> bool:
        """Tell whether the comparison may end."""
        if stop.precision is None:
            return self.decision(sums, stop) is not None
        try:
            margin = paired_interval(self.pairs(sums, stop.measure)).margin
        except TooFewGamesError:
            return False
        return margin <= stop.precision

    def estimates(
        self, sums: CommonSums, stop: Stop, looks: Sequence[int]
    ) -> dict[str, dict[str, Estimate | None]]:
        """Estimate everything there is to know, allowing for an early end by a test.

        Raises
        ------
        TooFewGamesError
            When the difference it is about cannot be estimated.
        """
        about = self.pairs(sums, stop.measure)
        main = paired_interval(about)
        if stop.test is not None:
            main = sequential_interval(stop.test, looks, about.a - about.b, about.dd)
        tested = self.weights(stop.measure, "difference")

        def estimate(measure: str, what: str) -> Estimate | None:
            weights = self.weights(measure, what)
            if (measure, what) == (stop.measure, "difference"):
                return main
            if what == "difference" and self.pairs(sums, measure).differing < SMALLEST_DIFFERING:
                return None
            total, squares = sums.linear(weights)
            if stop.test is None:
                return mean_interval(sums.n, total, squares)
            product = float(tested @ sums.products @ weights)
            totals = (about.a - about.b, total)
            return companion_interval(main, sums.n, totals, (about.dd, squares), product)

        return {
            measure: {what: estimate(measure, what) for what in SIDES} for measure in self.measures
        }


@dataclass(frozen=True)
class Pairs:
    """Measures pairs of games for `PairedTables`.

    Parameters
    ----------
    reading : Reading
        How they are read.
    chosen : sequence of ndarray
        Of each table the slots of the first and of the second strategy, shape (2, n).
    """

    reading: Reading
    chosen: Sequence[NDArray[np.bool_]]

    def __call__(self, tables: Iterator[Played]) -> dict[str, NDArray[np.float64]]:
        """Return what each pair of games came to."""
        return {"pairs": self.reading.columns(list(tables), self.chosen)}
