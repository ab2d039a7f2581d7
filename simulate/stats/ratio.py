"""Ratios of two sums over games, such as stakes a deal."""

from __future__ import annotations

import math

from simulate.errors import InputError
from simulate.stats.estimate import (
    Estimate,
    TooFewGamesError,
    check_games,
    sample_variance,
    t_quantile,
)


def ratio_interval(
    n: int,
    top: float,
    bottom: float,
    top_squares: float,
    bottom_squares: float,
    products: float,
    level: float = 0.95,
) -> Estimate:
    r"""Estimate the ratio of two numbers that each game yields, with Fieller's interval.

    For what is counted by deals or words but sampled by games: stakes a deal, Yes a chance to say
    it, best hands a Yes. Deals of one game depend on each other, so each game gives one pair (x,
    y).

    Parameters
    ----------
    n : int
        Number of games.
    top, bottom : float
        Sums of y and of x over the games; the estimate is their ratio.
    top_squares, bottom_squares, products : float
        Sums of :math:`y^2`, :math:`x^2` and :math:`x y`.
    level : float
        Probability that the interval covers the true ratio.

    Raises
    ------
    TooFewGamesError
        When there are too few games, or the denominator cannot be told from 0.

    Notes
    -----
    The interval holds every ratio r for which the mean of y - r x cannot be told from 0. With
    :math:`g = t^2 s_{xx} / (n \bar x^2)`, the relative uncertainty of the denominator,

    .. math:: \frac{1}{1 - g} \left( r - g \frac{s_{xy}}{s_{xx}} \pm \frac{t}{\sqrt n\,\bar x}
        \sqrt{s_{yy} - 2 r s_{xy} + r^2 s_{xx} - g \left(s_{yy} - \frac{s_{xy}^2}{s_{xx}}\right)}
        \right).

    E. C. Fieller, "Some problems in interval estimation", 1954,
    doi:10.1111/j.2517-6161.1954.tb00159.x. The error reported is that of the delta method, to
    which the interval shrinks as g goes to 0.
    """
    check_games(n)
    if bottom == 0:
        raise InputError("a ratio to a sum of 0 has no value")
    ratio, mean = top / bottom, bottom / n
    syy = sample_variance(n, top, top_squares)
    sxx = sample_variance(n, bottom, bottom_squares)
    sxy = (n * products - top * bottom) / (n * (n - 1))
    t = t_quantile(level, n - 1)
    g = t * t * sxx / (n * mean * mean)
    if g >= 1:
        raise TooFewGamesError(f"{n} games are too few for a ratio: its denominator may be 0")
    delta = max(0.0, syy - 2 * ratio * sxy + ratio * ratio * sxx)
    shift, saved = (g * sxy / sxx, g * (syy - sxy * sxy / sxx)) if sxx > 0 else (0.0, 0.0)
    half = t / math.sqrt(n) / abs(mean) * math.sqrt(max(0.0, delta - saved)) / (1 - g)
    centre = (ratio - shift) / (1 - g)
    return Estimate(ratio, centre - half, centre + half, math.sqrt(delta / n) / abs(mean), n)
