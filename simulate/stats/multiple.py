"""Many means at once: which may be the best, and which cannot be told apart.

The more means are compared, the more differences arise by chance alone. All that is said here
holds for all of them together with the given probability. The critical values come from the
measured covariance of the means, so that common cards, which make differences sharper than their
parts, are used to the full.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulate.stats.estimate import check_games, check_level

DRAWS = 40_000
"""Draws behind each critical value: its level is right to about 0.001."""

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CommonSums:
    """Sums over games of k results that each game yields, for example one a point of a grid."""

    n: int
    total: FloatArray
    """Shape (k,)."""
    products: FloatArray
    """Sums of the products of every two results, shape (k, k)."""

    @classmethod
    def of(cls, results: FloatArray) -> CommonSums:
        """Sum up results of shape (games, k). Whole numbers add up exactly, in any order."""
        return cls(len(results), results.sum(axis=0), results.T @ results)

    def __add__(self, other: CommonSums) -> CommonSums:
        return CommonSums(
            self.n + other.n, self.total + other.total, self.products + other.products
        )

    def means(self) -> FloatArray:
        """Return the k means."""
        means: FloatArray = self.total / self.n
        return means

    def linear(self, weights: FloatArray) -> tuple[float, float]:
        """Return the sum, and the sum of squares, of the weighted sum of the results."""
        return float(weights @ self.total), float(weights @ self.products @ weights)

    def covariance(self) -> FloatArray:
        """Return the covariance matrix of the k means.

        Raises
        ------
        TooFewGamesError
            When there are too few games, or fewer than twice as many as results.
        """
        check_games(self.n)
        check_games(self.n, 2 * len(self.total))
        scatter = self.products - np.outer(self.total, self.total) / self.n
        covariance: FloatArray = scatter / (self.n * (self.n - 1))
        return covariance


def _deviations(covariance: FloatArray, n: int) -> FloatArray:
    """Draw errors of means, over the draw's own estimate of their scale; always the same ones."""
    generator = np.random.default_rng(20_240_229)
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    normal = generator.standard_normal((DRAWS, len(covariance))) @ root.T
    scale = np.sqrt(generator.chisquare(n - 1, (DRAWS, 1)) / (n - 1))
    deviations: FloatArray = normal / scale
    return deviations


def _errors_of_differences(covariance: FloatArray) -> FloatArray:
    """Return the standard error of each difference of two means, shape (k, k)."""
    variances = np.diag(covariance)
    return np.sqrt(np.maximum(variances[:, None] + variances[None, :] - 2 * covariance, 0.0))


def _ratio(difference: FloatArray, error: FloatArray) -> FloatArray:
    """Divide, 0 / 0 being 0: two results that are the same in every game do not differ."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.nan_to_num(difference / error, nan=0.0, posinf=np.inf, neginf=-np.inf)


def maybe_best(
    means: FloatArray, covariance: FloatArray, n: int, level: float = 0.95
) -> NDArray[np.bool_]:
    r"""Tell which of several means may be the greatest.

    Parameters
    ----------
    means : ndarray, shape (k,)
    covariance : ndarray, shape (k, k)
        Covariance of the means.
    n : int
        Games they come from.
    level : float
        Probability that the truly greatest is among those named.

    Returns
    -------
    ndarray of bool, shape (k,)
        True for every mean that cannot be told from the best.

    Notes
    -----
    Mean j is left out when some other exceeds it by more than :math:`c_j` standard
    errors of their difference. :math:`c_j` is the quantile of :math:`\max_i (Z_i - Z_j) /
    \sigma_{ij}` for Z with the covariance of the means: Dunnett's one-sided comparison with j as
    the control, by simulation. J. C. Hsu, "Constrained simultaneous confidence intervals for
    multiple comparisons with the best", 1984, doi:10.1214/aos/1176346732; D. G. Edwards, J. C.
    Hsu, "Multiple comparisons with the best treatment", 1983, doi:10.1080/01621459.1983.10477047.
    """
    from scipy.special import stdtrit

    k, errors = len(means), _errors_of_differences(covariance)
    behind = _ratio(means[None, :] - means[:, None], errors).max(axis=1)
    # c_j lies between the quantiles for a single other mean and for all of them, were they
    # unrelated: few means lie in between, and only these need the simulation.
    tails = (1 - check_level(level)) / np.array([1, max(1, k - 1)])
    least, most = stdtrit(n - 1, 1 - tails)
    kept: NDArray[np.bool_] = behind <= least
    unclear = np.flatnonzero((behind > least) & (behind <= most))
    deviations = _deviations(covariance, n) if len(unclear) else np.empty((0, k))
    for j in unclear:
        apart = np.where(errors[j] > 0, errors[j], np.inf)
        greatest = ((deviations - deviations[:, [j]]) / apart).max(axis=1)
        kept[j] = behind[j] <= np.quantile(greatest, level)
    return kept


def simultaneous_quantile(covariance: FloatArray, n: int, level: float = 0.95) -> float:
    r"""Return c such that all means together lie within c of their standard errors.

    Notes
    -----
    The quantile of :math:`\max_j |Z_j| / \sigma_j`, by simulation: Tukey's
    studentized maximum modulus for means of any covariance. J. C. Hsu, "Multiple comparisons",
    1996, section 1.3.
    """
    errors = np.sqrt(np.diag(covariance))
    drawn = np.abs(_deviations(covariance, n))[:, errors > 0] / errors[errors > 0]
    return float(np.quantile(drawn.max(axis=1, initial=0.0), check_level(level)))


def pairwise_quantile(covariance: FloatArray, n: int, level: float = 0.95) -> float:
    r"""Return c such that all differences of two means together lie within c standard errors.

    Notes
    -----
    The quantile of :math:`\max_{i<j} |(Z_i - Z_j) / \sigma_{ij}|`, by simulation: the
    Tukey-Kramer comparison of all pairs, for means of any covariance. C. Y. Kramer, "Extension of
    multiple range tests to group means with unequal numbers of replications", 1956,
    doi:10.2307/3001469; J. C. Hsu, "Multiple comparisons", 1996, chapter 5.
    """
    deviations = _deviations(covariance, n)
    errors = _errors_of_differences(covariance)
    greatest = np.zeros(DRAWS)
    for j in range(1, len(covariance)):
        apart = np.where(errors[j, :j] > 0, errors[j, :j], np.inf)
        drawn = np.abs(deviations[:, :j] - deviations[:, [j]]) / apart
        greatest = np.maximum(greatest, drawn.max(axis=1))
    return float(np.quantile(greatest, check_level(level)))


def told_apart(
    means: FloatArray, covariance: FloatArray, n: int, level: float = 0.95
) -> NDArray[np.bool_]:
    """Tell which pairs of means differ, all pairs considered together.

    Returns
    -------
    ndarray of bool, shape (k, k)
        Symmetric. Two equal means are told apart with probability ``1 - level`` at most, whatever
        the number of pairs.
    """
    apart = np.abs(_ratio(means[:, None] - means[None, :], _errors_of_differences(covariance)))
    return apart > pairwise_quantile(covariance, n, level)


def groups(means: FloatArray, apart: NDArray[np.bool_]) -> list[str]:
    """Letter the means so that two share a letter just when they cannot be told apart.

    Parameters
    ----------
    means : ndarray, shape (k,)
        The letters start from the greatest.
    apart : ndarray of bool, shape (k, k)
        Which pairs are told apart, as from `told_apart`.

    Returns
    -------
    list of str
        The letters of each mean, in the order of `means`: ``"a"``, ``"ab"``, ...

    Notes
    -----
    Insert and absorb: H.-P. Piepho, "An algorithm for a letter-based representation
    of all-pairwise comparisons", 2004, doi:10.1198/1061860043515.
    """
    order = np.argsort(-means, kind="stable")
    columns = [frozenset(range(len(means)))]
    for i, first in enumerate(order):
        for second in order[i + 1 :]:
            if apart[first, second]:
                split = [
                    column - {one}
                    for column in columns
                    if {first, second} <= column
                    for one in (first, second)
                ]
                columns = [c for c in columns if not {first, second} <= c]
                for column in split:
                    if not any(column <= other for other in columns):
                        columns = [c for c in columns if not c <= column] + [column]
    rank = {mean: place for place, mean in enumerate(order)}
    columns.sort(key=lambda column: sorted(rank[mean] for mean in column))
    return [
        "".join(_letter(place) for place, column in enumerate(columns) if mean in column)
        for mean in range(len(means))
    ]


def _letter(column: int) -> str:
    """Name a group: a to z, then a1 to z1, a2, ..."""
    return chr(ord("a") + column % 26) + (str(column // 26) if column >= 26 else "")
