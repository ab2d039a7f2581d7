"""Deciding between two hypotheses as early as the games allow, and reporting honestly afterwards.

Looking at a result after every batch and stopping once its interval leaves out 0 goes wrong: with
enough looks it always ends that way. Here the looks are fixed beforehand (`look_schedule`), the
test at each of them keeps the error rates asked for (`decide`), and the interval reported at the
end takes the earlier looks into account (`sequential_interval`). Stopping at a precision needs
nothing of the kind (`games_for_precision`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from simulate.errors import InputError
from simulate.stats.estimate import Estimate, mean_interval, sample_variance

FIRST_LOOK = 1000
"""Games before the first look, enough to make the mean of skewed results normal in its tails."""

GROWTH = 1.1
"""Each look has this many times as many games as the one before."""

NODES = 64  # of the quadrature; more than that changes no digit at looks that far apart
REACH = 8.0  # standard deviations beyond which probability is neglected

Decision = Literal["null", "alternative"]


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """Two values of a mean to decide between, and how often the decision may be wrong."""

    null: float
    """The mean if there is nothing to be found."""
    alternative: float
    """The mean worth finding; it may lie on either side."""
    false_positive: float = 0.05
    """Probability to decide for `alternative` when `null` is true."""
    miss: float = 0.05
    """Probability to decide for `null` when `alternative` is true."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.null) and math.isfinite(self.alternative)):
            raise InputError(f"hypotheses {self.null!r}, {self.alternative!r} are not two numbers")
        if self.null == self.alternative:
            raise InputError(f"both hypotheses are {self.null!r}: a test needs two different ones")
        for name, rate in (("false positive", self.false_positive), ("miss", self.miss)):
            if not 0.0 < rate < 0.5:
                raise InputError(f"{name} rate {rate!r} is not between 0 and 0.5, as 0.05 is")

    @property
    def bounds(self) -> tuple[float, float]:
        """Log likelihood ratios at or beyond which the null, the alternative is decided for."""
        return (
            math.log(self.miss / (1 - self.false_positive)),
            math.log((1 - self.miss) / self.false_positive),
        )


def look_schedule(most: int) -> list[int]:
    """List the numbers of games at which a sequential test looks, the last one being `most`.

    Raises
    ------
    InputError
        When `most` is below `FIRST_LOOK`.
    """
    if most < FIRST_LOOK:
        raise InputError(f"{most} games are too few for a sequential test: it needs {FIRST_LOOK}")
    looks = [FIRST_LOOK]
    while (following := math.ceil(looks[-1] * GROWTH)) <= most:
        looks.append(following)
    # The end is no nearer to the look before it than any other look, as the quadrature wants it.
    return [*looks[:-1], most] if looks[-1] * math.sqrt(GROWTH) > most else [*looks, most]


def log_likelihood_ratio(test: SequentialTest, n: int, total: float, squares: float) -> float:
    """Return the log likelihood ratio of alternative to null; the variance is the sample's."""
    variance = sample_variance(n, total, squares)
    middle = (test.null + test.alternative) / 2
    surplus = (total - n * middle) * (test.alternative - test.null)
    return surplus / variance if variance > 0 else math.copysign(math.inf, surplus)


def decide(test: SequentialTest, n: int, total: float, squares: float) -> Decision | None:
    r"""Decide at one look, or ask for more games.

    Parameters
    ----------
    test : SequentialTest
        The hypotheses.
    n, total, squares : float
        Number of games, and sums of their results and of the squares.

    Returns
    -------
    "null", "alternative" or None
        None while neither can be decided for.

    Notes
    -----
    Wald's sequential probability ratio test with the sample variance in the place of
    the unknown one: with hypotheses :math:`\mu_0, \mu_1`, alternative once

    .. math:: \frac{\mu_1 - \mu_0}{s^2} \sum_i \left( x_i - \frac{\mu_0 + \mu_1}{2} \right)
        \ge \log \frac{1 - \beta}{\alpha},

    null once it is at most :math:`\log (\beta / (1 - \alpha))`. A. Wald, "Sequential tests of
    statistical hypotheses", 1945, doi:10.1214/aoms/1177731118. Engines of chess are tested in the
    same way. Because a look comes after many games, the ratio overshoots its bound, and both
    errors are rarer than asked.
    """
    low, high = test.bounds
    ratio = log_likelihood_ratio(test, n, total, squares)
    return "alternative" if ratio >= high else "null" if ratio <= low else None


def sequential_interval(
    test: SequentialTest,
    looks: Sequence[int],
    total: float,
    squares: float,
    level: float = 0.95,
) -> Estimate:
    r"""Estimate a mean after a sequential test, whether it came to a decision or to its last look.

    Parameters
    ----------
    test : SequentialTest
        The hypotheses that were tested.
    looks : sequence of int
        Numbers of games at which it was looked, up to and with the one that was the last.
    total, squares : float
        Sums over all ``looks[-1]`` games.
    level : float
        Probability that the interval covers the true mean.

    Returns
    -------
    Estimate
        `value` is as likely too large as too small.

    Notes
    -----
    Outcomes are put in order: alternative at an early look, at a later one, no
    decision by final value, null at a late look, at an earlier one. With P(mu) the probability of
    an outcome at least as far up that order as the one at hand, the interval holds the mu with
    :math:`(1 - level)/2 \le P(\mu) \le (1 + level)/2`, and P(value) = 1/2. P is computed by
    integrating from look to look over the undecided values. A. A. Tsiatis, G. L. Rosner, C. R.
    Mehta, "Exact confidence intervals following a group sequential test", 1984,
    doi:10.2307/2530924; the recursion is that of P. Armitage, C. K. McPherson, B. C. Rowe, 1969,
    doi:10.2307/2343787.
    """
    n = looks[-1]
    fixed = mean_interval(n, total, squares, level)
    if fixed.error == 0:
        return fixed
    sign = math.copysign(1.0, test.alternative - test.null)

    def beyond(mean: float) -> float:
        return _tail(test, looks, total, fixed.error**2 * n, sign * mean)

    low, value, high = (
        sign * _solve(beyond, share, sign * fixed.value, fixed.error)
        for share in ((1 - level) / 2, 0.5, (1 + level) / 2)
    )
    return Estimate(value, min(low, high), max(low, high), fixed.error, n)


def companion_interval(
    primary: Estimate,
    n: int,
    totals: tuple[float, float],
    squares: tuple[float, float],
    product: float,
    level: float = 0.95,
) -> Estimate:
    r"""Estimate another mean after a sequential test, from the same games.

    When a test of net stakes ends early, the share of games won is off in the same direction, as
    far as the two go together.

    Parameters
    ----------
    primary : Estimate
        From `sequential_interval`, of what was tested.
    n : int
        Number of games.
    totals, squares : tuple of float
        Sums of what was tested and of the other, and of their squares.
    product : float
        Sum of the products of the two.
    level : float
        Probability that the interval covers the true mean, as for `primary`.

    Notes
    -----
    The other is y = b x + r, with x what was tested and r unrelated to it, hence to the end of the
    test. The mean of r has the ordinary interval, that of x the sequential one, and the interval
    of their sum lies as far from its value as the hypotenuse of both distances: G. Y. Zou,
    A. Donner, "Construction of confidence limits about effect measures", 2008,
    doi:10.1002/sim.3095.
    """
    (tested, other), (tested_squares, other_squares) = totals, squares
    variance = sample_variance(n, tested, tested_squares)
    together = (n * product - tested * other) / (n * (n - 1))
    slope = together / variance if variance > 0 else 0.0
    rest = mean_interval(
        n,
        other - slope * tested,
        other_squares - 2 * slope * product + slope * slope * tested_squares,
        level,
    )
    ends = sorted((slope * (primary.low - primary.value), slope * (primary.high - primary.value)))
    value = slope * primary.value + rest.value
    low, high = (math.hypot(end, rest.margin) for end in ends)
    error = math.hypot(slope * primary.error, rest.error)
    return Estimate(value, value - low, value + high, error, n)


def _tail(
    test: SequentialTest, looks: Sequence[int], total: float, variance: float, mean: float
) -> float:
    """Return the probability, under `mean`, of an outcome at least as much for the alternative.

    The log likelihood ratio at the looks is a random walk with normal steps: `drift` and `spread`
    are the mean and the variance it gains with each game.
    """
    from scipy.special import ndtr

    low, high = test.bounds
    step, middle = test.alternative - test.null, (test.null + test.alternative) / 2
    drift, spread = step * (mean - middle) / variance, step * step / variance
    reached = step * (total - looks[-1] * middle) / variance
    places, weights = _rule(NODES)

    decided = 0.0
    at, mass, before = np.zeros(1), np.ones(1), 0  # undecided: where, how probable
    for look in looks:
        centre = at + drift * (look - before)
        deviation = math.sqrt(spread * (look - before))
        if look == looks[-1]:
            return decided + float(mass @ ndtr((centre - reached) / deviation))
        decided += float(mass @ ndtr((centre - high) / deviation))
        reach = REACH * math.sqrt(spread * look)
        left, right = max(low, drift * look - reach), min(high, drift * look + reach)
        if left >= right:
            break
        half = (right - left) / 2
        following = left + half * (places + 1)
        distance = (following[:, None] - centre[None, :]) / deviation
        density = np.exp(-0.5 * distance * distance) @ mass / (deviation * math.sqrt(2 * math.pi))
        at, mass, before = following, half * weights * density, look
    return decided


@cache
def _rule(nodes: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return places and weights of Gauss-Legendre quadrature on [-1, 1]."""
    places, weights = np.polynomial.legendre.leggauss(nodes)
    return places, weights


def _solve(beyond: Callable[[float], float], share: float, start: float, scale: float) -> float:
    """Return the mean at which the increasing function `beyond` takes the value `share`."""
    from scipy.optimize import brentq

    width = 3 * scale
    while beyond(start - width) > share or beyond(start + width) < share:
        width *= 2
    ends = (start - width, start + width)
    return float(brentq(lambda mean: beyond(mean) - share, *ends, xtol=scale / 1e4))


def games_for_precision(estimate: Estimate, precision: float) -> int:
    r"""Predict how many games bring the margin of an interval down to `precision`.

    Parameters
    ----------
    estimate : Estimate
        What is known so far.
    precision : float
        Half the width that the interval shall have.

    Returns
    -------
    int
        At most ``estimate.n`` when it is reached already.

    Notes
    -----
    :math:`n (\text{margin} / \text{precision})^2`. One may look at the margin as
    often as one likes and stop once it is small enough: when to stop then depends on the spread
    of the results and hardly on their mean, so that the ordinary interval goes on to cover. Y. S.
    Chow, H. Robbins, "On the asymptotic theory of fixed-width sequential confidence intervals for
    the mean", 1965, doi:10.1214/aoms/1177700156.
    """
    check_precision(precision)
    return math.ceil(estimate.n * (estimate.margin / precision) ** 2)


def check_precision(precision: float) -> float:
    """Return a precision, or say why it is none."""
    if not 0 < precision < math.inf:
        raise InputError(f"precision {precision!r} is not a number above 0")
    return float(precision)
