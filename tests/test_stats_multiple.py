"""Comparing many means at once: against other people's code, and at the limits."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, optimize
from scipy import stats as scipy_stats

from simulate import stats
from simulate.errors import InputError
from simulate.stats.multiple import pairwise_quantile


def sample(k, games=2000, seed=9, common=3.0):
    generator = np.random.default_rng(seed)
    return generator.normal(size=(games, k)) + common * generator.normal(size=(games, 1))


def test_common_sums_add_up_and_give_means_and_covariance():
    x = np.random.default_rng(10).integers(-20, 50, (1000, 4)).astype(float)
    whole = stats.CommonSums.of(x)
    parts = stats.CommonSums.of(x[600:]) + stats.CommonSums.of(x[:600])
    assert parts.n == whole.n
    assert np.array_equal(parts.total, whole.total)
    assert np.array_equal(parts.products, whole.products)
    assert whole.means() == pytest.approx(x.mean(axis=0))
    assert whole.covariance() == pytest.approx(np.cov(x.T) / 1000)


def test_pairwise_quantile_is_tukeys_for_independent_means():
    for k in (2, 5, 12):
        tukey = scipy_stats.studentized_range.ppf(0.95, k, 30) / math.sqrt(2)
        assert pairwise_quantile(np.eye(k), 31) == pytest.approx(tukey, rel=0.02)


def test_what_all_means_share_does_not_part_them():
    alone = pairwise_quantile(np.eye(5), 31)
    assert pairwise_quantile(np.eye(5) + 3, 31) == pytest.approx(alone, rel=0.02)


def test_simultaneous_quantile_is_sidaks_for_independent_means():
    sidak = scipy_stats.norm.ppf((1 + 0.95 ** (1 / 8)) / 2)
    assert stats.simultaneous_quantile(np.eye(8), 10**6) == pytest.approx(sidak, rel=0.02)
    assert stats.simultaneous_quantile(np.ones((8, 8)), 10**6) == pytest.approx(1.96, rel=0.02)


def test_maybe_best_leaves_out_what_is_plainly_behind():
    x = sample(5) + np.array([0.0, -0.01, -0.5, -1.0, 0.005])
    sums = stats.CommonSums.of(x)
    assert stats.maybe_best(sums.means(), sums.covariance(), sums.n).tolist() == [
        True, True, False, False, True,
    ]  # fmt: skip


def dunnett(k, level=0.95):
    """Return what the lead of the best of k - 1 others stays below, in errors of a difference."""

    def reached(c):
        def density(z):
            return scipy_stats.norm.pdf(z) * scipy_stats.norm.cdf(z + c * math.sqrt(2)) ** (k - 1)

        return integrate.quad(density, -9, 9)[0] - level

    return optimize.brentq(reached, 0.5, 6)


@pytest.mark.parametrize("scale", [0.01, 3.0])
@pytest.mark.parametrize("k", [3, 5, 12])
def test_maybe_best_keeps_what_dunnetts_bound_keeps(k, scale):
    """One mean is behind all others, which are equal, by a little less or more than the bound.

    What all of them share has no part in it.
    """
    for share, kept in ((0.97, True), (1.03, False)):
        means = np.zeros(k)
        means[1] = -share * dunnett(k) * math.sqrt(2) * scale
        best = stats.maybe_best(means, scale**2 * (np.eye(k) + 2), 10**6)
        assert best.tolist() == [True, kept] + [True] * (k - 2)


def test_maybe_best_of_two_is_students_test():
    bound = scipy_stats.t.ppf(0.95, 3) * math.sqrt(2)
    for behind, kept in ((0.999, True), (1.001, False)):
        best = stats.maybe_best(np.array([0.0, behind * bound]), np.eye(2), 4)
        assert best.tolist() == [kept, True]


def test_few_games_widen_what_holds_together():
    student = scipy_stats.t.ppf(0.975, 3)
    assert stats.simultaneous_quantile(np.eye(1), 4) == pytest.approx(student, rel=0.04)
    assert pairwise_quantile(np.eye(2), 4) == pytest.approx(student, rel=0.04)


def test_what_never_changes_has_no_share_in_a_quantile():
    alone = stats.simultaneous_quantile(np.diag([4.0]), 10**6)
    assert alone == pytest.approx(1.96, rel=0.02)
    assert stats.simultaneous_quantile(np.diag([0.0, 4.0]), 10**6) == pytest.approx(alone, rel=0.03)
    assert stats.simultaneous_quantile(np.zeros((3, 3)), 10**6) == 0.0


def test_results_that_never_change_are_told_apart_for_certain():
    means, never = np.array([1.0, 2.0, 2.0]), np.zeros((3, 3))
    assert stats.maybe_best(means, never, 500, level=0.5).tolist() == [False, True, True]
    assert stats.told_apart(means, never, 500).tolist() == [
        [False, True, True], [True, False, False], [True, False, False],
    ]  # fmt: skip


def test_a_covariance_takes_twice_as_many_games_as_results():
    x = np.random.default_rng(12).normal(size=(300, 150))
    assert stats.CommonSums.of(x).covariance().shape == (150, 150)
    with pytest.raises(InputError, match=r"299 games are too few .* at least 300"):
        stats.CommonSums.of(x[1:]).covariance()
    with pytest.raises(InputError, match=r"199 games are too few .* at least 200"):
        stats.CommonSums.of(x[:199, :2]).covariance()


def test_results_alike_in_every_game_are_never_told_apart():
    x = sample(3)
    x[:, 2] = x[:, 1]
    sums = stats.CommonSums.of(x)
    apart = stats.told_apart(sums.means(), sums.covariance(), sums.n)
    best = stats.maybe_best(sums.means(), sums.covariance(), sums.n)
    assert not apart[1, 2]
    assert best[1] == best[2]


def test_common_cards_tell_apart_what_independent_ones_cannot():
    x = sample(2, common=10.0) + np.array([0.0, 0.2])
    sums = stats.CommonSums.of(x)
    assert stats.told_apart(sums.means(), sums.covariance(), sums.n)[0, 1]
    alone = np.diag(np.diag(sums.covariance()))
    assert not stats.told_apart(sums.means(), alone, sums.n)[0, 1]


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 9).flatmap(lambda k: st.tuples(st.just(k), st.binary(min_size=k * k))))
def test_letters_are_shared_just_by_those_that_cannot_be_told_apart(case):
    k, noise = case
    apart = np.zeros((k, k), dtype=bool)
    for i in range(k):
        for j in range(i):
            apart[i, j] = apart[j, i] = noise[i * k + j] % 2
    letters = stats.groups(np.array(list(noise[:k]), dtype=float), apart)
    for i in range(k):
        for j in range(k):
            assert bool(set(letters[i]) & set(letters[j])) != apart[i, j]
    named = {letter: {i for i in range(k) if letter in letters[i]} for letter in "".join(letters)}
    assert not any(named[a] <= named[b] for a in named for b in named if a != b)


def test_letters_start_from_the_greatest():
    apart = np.abs(np.subtract.outer([1, 4, 2, 3], [1, 4, 2, 3])) > 1
    assert stats.groups(np.array([1.0, 4.0, 2.0, 3.0]), apart) == ["c", "a", "bc", "ab"]


def test_letters_go_on_with_numbers():
    apart = ~np.eye(54, dtype=bool)
    letters = stats.groups(-np.arange(54.0), apart)
    assert [letters[place] for place in (0, 1, 25, 26, 51, 52, 53)] == [
        "a", "b", "z", "a1", "z1", "a2", "b2",
    ]  # fmt: skip
