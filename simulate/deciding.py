"""Which of several choices is the best, from common samples, told as early as they allow.

Every sample brings one result for each choice, and more than one measure of it (net stakes, games
won). Samples have weights. Of a weighted mean v = sum(w x) / sum(w) each sample's share in the
error is y = w (x - v) / mean(w), the delta method; with all weights equal this is the plain mean.
So every estimator of `simulate.stats` serves: it is given m samples of mean v and scatter sum(y^2).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulate.stats import (
    SMALLEST_SAMPLE,
    Estimate,
    SequentialTest,
    companion_interval,
    decide,
    games_for_precision,
    mean_interval,
    sequential_interval,
)

FIRST_LOOK = 1_000
GROWTH, LEAST_GROWTH = 1.6, 1.2
"""By which factor samples grow from look to look."""

WELL_KNOWN = 20_000
"""Samples after which it can be reckoned how many a precision takes."""

NOTHING = 1e-11
"""Scatter that is rounding error, as a share of the squares it comes from."""

FloatArray = NDArray[np.float64]
More = Callable[[int, Sequence[int]], tuple[FloatArray, FloatArray]]
"""``more(number, choices)`` plays so many further samples for these choices, or as many as there
are: weights of shape (m,), and results of shape (measures, m, choices)."""


class Moments:
    """Sums over weighted samples: means, and how they scatter together.

    A column is a measure of a choice: ``measure * choices + choice``.
    """

    def __init__(self, columns: int) -> None:
        self.samples = 0
        self._total = np.zeros(columns + 1)
        self._gram = np.zeros((columns + 1, columns + 1))

    def add(self, weights: FloatArray, results: FloatArray) -> None:
        """Add samples: weights (m,), results (m, columns)."""
        rows = np.column_stack([np.ones(len(weights)), results]) * weights[:, None]
        self.samples += len(weights)
        self._total += rows.sum(axis=0)
        self._gram += rows.T @ rows

    def keep(self, columns: Sequence[int]) -> None:
        """Go on with these columns alone."""
        kept = [0, *(column + 1 for column in columns)]
        self._total = self._total[kept]
        self._gram = self._gram[np.ix_(kept, kept)]

    @property
    def effective(self) -> float:
        """How many samples of equal weight are worth as much (L. Kish, "Survey sampling", 1965)."""
        return float(self._total[0] ** 2 / self._gram[0, 0]) if self.samples else 0.0

    def means(self) -> FloatArray:
        """Return the weighted means."""
        means: FloatArray = self._total[1:] / self._total[0]
        return means

    def scatter(self) -> FloatArray:
        """Return the sums of products of the samples' shares in the errors."""
        means, with_weight = self.means(), self._gram[0, 1:]
        cross = np.outer(means, with_weight)
        plain = self._gram[1:, 1:]
        sums = plain - cross - cross.T + np.outer(means, means) * self._gram[0, 0]
        scale = self._total[0] / self.samples
        scatter: FloatArray = sums / scale**2
        return scatter


@dataclass(frozen=True)
class Pair:
    """What is known of the difference of two columns."""

    n: int
    mean: float
    scatter: float

    @property
    def sums(self) -> tuple[int, float, float]:
        """Number, total and total of squares of n equal samples of this mean and scatter."""
        return self.n, self.n * self.mean, self.scatter + self.n * self.mean**2


def difference(means: FloatArray, scatter: FloatArray, n: int, first: int, second: int) -> Pair:
    """Take the difference of two columns; what is rounding error alone counts as none."""
    parts = (
        scatter[first, first] + scatter[second, second] + n * (means[first] - means[second]) ** 2
    )
    rest = scatter[first, first] + scatter[second, second] - 2 * scatter[first, second]
    noise = rest <= NOTHING * parts
    return Pair(n, float(means[first] - means[second]), 0.0 if noise else float(rest))


@dataclass(frozen=True)
class Known:
    """What is known of one choice: its measures, and how far it is behind each other choice."""

    values: tuple[Estimate, ...]
    behind: dict[int, Estimate]
    mean: float
    samples: int


@dataclass(frozen=True)
class Decision:
    """Which choice is the best, and what each is worth.

    Attributes
    ----------
    best : int
    values : tuple of tuple of Estimate
        By choice, by measure.
    behind : tuple of Estimate
        By choice: how much less it is worth than the best, in the measure that decides.
    open : tuple of bool
        By choice: whether it cannot be told from the best.
    samples : int
    effective : float
        Samples of equal weight that would be worth as much.
    played : tuple of int
        By choice: of how many samples, fewer where it dropped out.
    answered : bool
        Whether the choices were told apart, or differences are known as well as was wanted.
    """

    best: int
    values: tuple[tuple[Estimate, ...], ...]
    behind: tuple[Estimate, ...]
    open: tuple[bool, ...]
    samples: int
    effective: float
    played: tuple[int, ...]
    answered: bool


class Contest:
    """Choices played from common samples; those that are surely worse drop out.

    Parameters
    ----------
    more : callable
        See `More`.
    choices, measures : int
    measure : int
        The one that decides.
    precision : float
        A difference that does not matter: a choice that is better by at least so much is dropped
        with probability ``1 - level`` at most.
    apart : bool
        Stop once the choices are told apart; else go on until every difference is known within
        `precision`.
    most : int
        Samples after which it ends in any case.
    """

    def __init__(
        self, more: More, choices: int, measures: int, measure: int, precision: float,
        apart: bool, most: int, level: float = 0.95,
    ) -> None:  # fmt: skip
        self.more, self.measures, self.measure = more, measures, measure
        self.precision, self.apart, self.most, self.level = precision, apart, most, level
        self.choices = list(range(choices))
        self.dropped: dict[int, Known] = {}
        self.looks: list[int] = []
        self.moments = Moments(measures * choices)
        rate = (1 - level) / max(1, choices - 1)
        self.test = SequentialTest(-precision, precision, min(rate, 0.49), min(rate, 0.49))

    def run(self) -> Decision:
        """Play until the question is answered."""
        wanted = min(FIRST_LOOK, self.most)
        while True:
            enough = self._play(wanted - self.moments.samples)
            if self.apart and enough:
                self._drop()
            answered = len(self.left) == 1 or self._is_precise()
            if answered or not enough or self.moments.samples >= self.most:
                return self._decision(answered)
            wanted = self._next_look()

    @property
    def left(self) -> list[int]:
        """The choices that have not dropped out."""
        return [choice for choice in self.choices if choice not in self.dropped]

    def _play(self, number: int) -> bool:
        """Play so many samples; say whether there were as many."""
        weights, results = self.more(number, self.choices)
        if len(weights):
            flat = np.moveaxis(results, 0, 1).reshape(len(weights), -1)
            self.moments.add(weights, flat)
            self.looks.append(self.moments.samples)
        return len(weights) == number

    def _next_look(self) -> int:
        now = self.moments.samples
        needed = max(
            games_for_precision(self._plain(self.choices[place]), self.precision)
            for place in range(len(self.choices))
        )
        needed += needed // 50
        if not self.apart and now >= WELL_KNOWN:
            return min(max(needed, now + now // 50), self.most)
        wanted = max(min(int(now * GROWTH), needed), int(now * LEAST_GROWTH))
        return self.most if wanted * LEAST_GROWTH > self.most else wanted

    def _columns(self, choice: int) -> list[int]:
        """Return the columns of a choice that is still played, by measure."""
        at, number = self.choices.index(choice), len(self.choices)
        return [measure * number + at for measure in range(self.measures)]

    def _pair(self, first: int, second: int) -> Pair:
        places = [self._columns(choice)[self.measure] for choice in (first, second)]
        means, scatter = self.moments.means(), self.moments.scatter()
        return difference(means, scatter, self.moments.samples, places[0], places[1])

    def _leader(self) -> int:
        means = self.moments.means()
        return max(self.left, key=lambda choice: means[self._columns(choice)[self.measure]])

    def _plain(self, choice: int) -> Estimate:
        """Estimate how far a choice is behind the leader, as if nobody had looked before."""
        return mean_interval(*self._pair(self._leader(), choice).sums, self.level)

    def _is_precise(self) -> bool:
        return all(self._plain(choice).margin <= self.precision for choice in self.choices)

    def _drop(self) -> None:
        """Let the choices drop out that are decided against."""
        worse = [
            choice
            for choice in self.choices
            if any(self._is_decided(other, choice) for other in self.choices if other != choice)
        ]
        if worse and len(worse) < len(self.choices):
            self.dropped |= {choice: self._known(choice) for choice in worse}
            if len(worse) == len(self.choices) - 1:
                return  # the last one stays beside them, to be looked at with them
            kept = [choice for choice in self.choices if choice not in worse]
            columns = [column for choice in kept for column in self._columns(choice)]
            self.moments.keep(sorted(columns))
            self.choices = kept

    def _is_decided(self, better: int, worse: int) -> bool:
        pair = self._pair(better, worse)
        if pair.scatter == 0.0 and pair.mean <= 0.0:
            return False  # the same in every sample
        return decide(self.test, *pair.sums) == "alternative"

    def _interval(self, pair: Pair) -> Estimate:
        """Estimate a difference at the last look, with the earlier looks taken into account."""
        n, total, squares = pair.sums
        if not self.apart:
            return mean_interval(n, total, squares, self.level)
        return sequential_interval(self.test, self.looks, total, squares, self.level)

    def _known(self, choice: int) -> Known:
        """Write down what is known of a choice now."""
        columns = self._columns(choice)
        behind = {
            other: self._interval(self._pair(other, choice))
            for other in self.choices
            if other != choice
        }
        rival = self._rival(choice)
        means, scatter = self.moments.means(), self.moments.scatter()
        values = []
        for column in columns:
            alone = Pair(self.moments.samples, float(means[column]), float(scatter[column, column]))
            if rival is None or not self.apart:
                values.append(mean_interval(*alone.sums, self.level))
                continue
            pair, other = self._pair(rival, choice), self._columns(rival)[self.measure]
            own = columns[self.measure]
            together = float(scatter[other, column] - scatter[own, column])
            values.append(
                companion_interval(
                    behind[rival],
                    alone.n,
                    (pair.sums[1], alone.sums[1]),
                    (pair.sums[2], alone.sums[2]),
                    together + alone.n * pair.mean * alone.mean,
                    self.level,
                )
            )
        mean = float(means[columns[self.measure]])
        return Known(tuple(values), behind, mean, self.moments.samples)

    def _rival(self, choice: int) -> int | None:
        """Return the best of the others that are still played."""
        means = self.moments.means()
        others = [other for other in self.choices if other != choice]
        at = {other: means[self._columns(other)[self.measure]] for other in others}
        return max(others, key=lambda other: at[other]) if others else None

    def _decision(self, answered: bool) -> Decision:
        best = self._leader()
        known = {**self.dropped, **{choice: self._known(choice) for choice in self.left}}
        order = sorted(known)
        nothing = Estimate(0.0, 0.0, 0.0, 0.0, self.moments.samples)
        behind = [nothing if choice == best else known[choice].behind[best] for choice in order]
        return Decision(
            best=best,
            values=tuple(known[choice].values for choice in order),
            behind=tuple(behind),
            open=tuple(
                choice == best or behind[place].low <= 0.0 for place, choice in enumerate(order)
            ),
            samples=self.moments.samples,
            effective=self.moments.effective,
            played=tuple(known[choice].samples for choice in order),
            answered=answered,
        )


def enough(effective: float) -> bool:
    """Say whether samples are worth enough to judge by."""
    return effective >= SMALLEST_SAMPLE
