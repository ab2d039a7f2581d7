"""One number and how far to trust it: shares and means of games."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any, NamedTuple

from simulate.errors import InputError

SMALLEST_SAMPLE = 200
"""Games below which no interval is given: the smallest sample that the calibration tests cover."""

MANY = 500
"""Degrees of freedom from which on the distribution of Student's t is that near to a normal one."""


class TooFewGamesError(InputError):
    """The sample is too small for the interval asked for; the message says what is needed."""


class Estimate(NamedTuple):
    """A number, its confidence interval, and the sample it comes from."""

    value: float
    low: float
    high: float
    error: float
    """Standard error of `value`."""
    n: int
    """Games it was computed from."""

    @property
    def margin(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def scaled(self, factor: float) -> Estimate:
        """Return the same estimate in units ``1 / factor`` times as large; `factor` is above 0."""
        value, low, high, error = (factor * part for part in self[:4])
        return Estimate(value, low, high, error, self.n)


def check_level(level: float) -> float:
    """Return a confidence level, or say why it is none."""
    if not 0.5 <= level < 1.0:
        raise InputError(f"confidence level {level!r} is not at least 0.5 and below 1, as 0.95 is")
    return float(level)


def check_games(n: int, smallest: int = SMALLEST_SAMPLE) -> None:
    """Refuse a sample that is too small for an interval."""
    if n < smallest:
        raise TooFewGamesError(
            f"{n} games are too few for an interval: at least {smallest} are needed"
        )


def normal_quantile(level: float) -> float:
    """Return z such that a standard normal lies within +- z with probability `level`."""
    return NormalDist().inv_cdf((1 + check_level(level)) / 2)


def t_quantile(level: float, freedom: float) -> float:
    """Return the same for Student's t with `freedom` degrees of freedom.

    Of many it is worked out from z, to 12 digits at levels up to 0.9999: scipy need not be
    imported, which takes an eighth of a start. M. Abramowitz, I. A. Stegun, "Handbook of
    mathematical functions", 1964, 26.7.5.
    """
    if freedom < MANY:
        from scipy.special import stdtrit

        return float(stdtrit(freedom, (1 + check_level(level)) / 2))
    z = normal_quantile(level)
    square = z * z
    terms = (
        1.0,
        (square + 1) / 4,
        ((5 * square + 16) * square + 3) / 96,
        (((3 * square + 19) * square + 17) * square - 15) / 384,
        ((((79 * square + 776) * square + 1482) * square - 1920) * square - 945) / 92160,
    )
    return z * sum(term / freedom**power for power, term in enumerate(terms))


def share_interval(k: int, n: int, level: float = 0.95) -> Estimate:
    r"""Estimate a share of games, such as the share won, with Wilson's interval.

    Parameters
    ----------
    k, n : int
        How many games, of how many.
    level : float
        Probability that the interval covers the true share.

    Returns
    -------
    Estimate
        The share ``k / n`` and its interval.

    Raises
    ------
    TooFewGamesError
        When ``n < SMALLEST_SAMPLE``.

    Notes
    -----
    With :math:`\hat p = k / n` and the normal quantile z, the interval is

    .. math:: \frac{1}{1 + z^2/n} \left( \hat p + \frac{z^2}{2n}
        \pm z \sqrt{\frac{\hat p (1 - \hat p)}{n} + \frac{z^2}{4 n^2}} \right)

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927,
    doi:10.1080/01621459.1927.10502953; why not Wald's: L. D. Brown, T. T. Cai, A. DasGupta,
    "Interval estimation for a binomial proportion", 2001, doi:10.1214/ss/1009213286.
    """
    if not 0 <= k <= n:
        raise InputError(f"{k} of {n} games is no share: it must be between 0 and all of them")
    check_games(n)
    z = normal_quantile(level)
    share = k / n
    error = math.sqrt(share * (1 - share) / n)
    shrink = 1 / (1 + z * z / n)
    centre = shrink * (share + z * z / (2 * n))
    half = shrink * z * math.hypot(error, z / (2 * n))
    low = 0.0 if k == 0 else centre - half
    high = 1.0 if k == n else centre + half
    return Estimate(share, low, high, error, n)


def mean_interval(n: int, total: float, total_of_squares: float, level: float = 0.95) -> Estimate:
    r"""Estimate the mean of a number that each game yields once, with Student's interval.

    Parameters
    ----------
    n : int
        Number of games. Deals of one game are no games: they depend on each other.
    total, total_of_squares : float
        Sum over the games of the number, and of its square. Integers of any size stay exact.
    level : float
        Probability that the interval covers the true mean.

    Returns
    -------
    Estimate
        The mean and its interval.

    Raises
    ------
    TooFewGamesError
        When ``n < SMALLEST_SAMPLE``.

    Notes
    -----
    With the sample variance :math:`s^2 = (\sum x^2 - (\sum x)^2 / n) / (n - 1)` the
    interval is :math:`\bar x \pm t_{n-1} s / \sqrt n` (Student, "The probable error of a mean",
    1908, doi:10.2307/2331554). It covers at least 94% where 95% is asked when n exceeds 25 times
    the squared skewness (W. G. Cochran, "Sampling techniques", 3rd edition, 1977, section 2.15): at
    the smallest sample when at least one game in seven is won, and from 1,500 games on when it is
    one in fifty.
    """
    check_games(n)
    mean = total / n
    variance = sample_variance(n, total, total_of_squares)
    error = math.sqrt(variance / n)
    half = t_quantile(level, n - 1) * error
    return Estimate(mean, mean - half, mean + half, error, n)


def sample_variance(n: int, total: float, total_of_squares: float) -> float:
    """Return the unbiased variance of n numbers from their sum and their sum of squares.

    Computed as ``(n * squares - total**2) / (n * (n - 1))``, which is exact for Python integers.
    """
    n, total, total_of_squares = map(_unbounded, (n, total, total_of_squares))
    return max(0.0, (n * total_of_squares - total * total) / (n * (n - 1)))


def _unbounded(number: Any) -> Any:
    """Return a number of numpy's, whose products may overflow, as Python's own."""
    return number.item() if hasattr(number, "item") else number
