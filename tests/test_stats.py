"""The estimators against other people's code, against their own formulas, and at their limits."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, optimize
from scipy import stats as scipy_stats
from statsmodels.stats.proportion import proportion_confint

from simulate import stats
from simulate.errors import InputError
from simulate.stats import sequential
from simulate.stats.multiple import pairwise_quantile


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
@pytest.mark.parametrize(("k", "n"), [(0, 200), (1, 200), (57, 300), (300, 300), (2, 10**9)])
def test_share_interval_is_wilsons(k, n, level):
    ours = stats.share_interval(k, n, level)
    assert ours[1:3] == pytest.approx(proportion_confint(k, n, 1 - level, "wilson"), abs=1e-12)
    assert ours.value == k / n
    assert 0 <= ours.low <= ours.value <= ours.high <= 1


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_mean_interval_is_students(level):
    x = np.random.default_rng(1).integers(-5, 20, 345)
    ours = stats.mean_interval(len(x), int(x.sum()), int(x @ x), level)
    theirs = scipy_stats.t.interval(level, len(x) - 1, x.mean(), scipy_stats.sem(x))
    assert ours[1:3] == pytest.approx(theirs)
    assert ours.margin == pytest.approx((theirs[1] - theirs[0]) / 2)


def test_mean_interval_keeps_its_digits_far_from_zero():
    x = [10**12 + (game % 2) for game in range(1000)]
    ours = stats.mean_interval(1000, sum(x), sum(number * number for number in x))
    assert ours.error == pytest.approx(math.sqrt(0.25 * 1000 / 999 / 1000))


def test_scaled_estimates_keep_their_sample():
    one = stats.mean_interval(400, 100, 4000)
    five = one.scaled(0.2)
    assert five == pytest.approx([part / 5 for part in one[:4]] + [400])
    assert five.margin == pytest.approx(one.margin / 5)


TWICE = stats.CommonSums.of(np.eye(60)[:, :2].repeat(3, axis=0))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: stats.share_interval(20, 199), "199 games are too few .* at least 200"),
        (lambda: stats.mean_interval(199, 20, 400), "199 games are too few .* at least 200"),
        (lambda: stats.paired_interval(stats.PairSums(300, 49, 9, 0, 9, 0, 49)), "only 49 of 300"),
        (lambda: stats.ratio_interval(199, 9, 9, 9, 9, 9), "199 games are too few"),
        (lambda: stats.ratio_interval(300, 9, 1, 99, 99, 9), "denominator may be 0"),
        (TWICE.covariance, "180 games are too few"),
        (lambda: stats.look_schedule(999), "999 games are too few for a sequential test"),
    ],
)
def test_small_samples_are_refused_with_a_sentence(call, words):
    with pytest.raises(InputError, match=words):
        call()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: stats.share_interval(301, 300), "301 of 300 games is no share"),
        (lambda: stats.share_interval(-1, 300), "-1 of 300 games is no share"),
        (lambda: stats.share_interval(1, 300, 1.0), "confidence level 1.0"),
        (lambda: stats.mean_interval(300, 1, 1, 95), "confidence level 95"),
        (lambda: stats.ratio_interval(300, 9, 0, 99, 0, 0), "ratio to a sum of 0"),
        (lambda: stats.SequentialTest(0.1, 0.1), "both hypotheses are 0.1"),
        (lambda: stats.SequentialTest(0.1, math.nan), "are not two numbers"),
        (lambda: stats.SequentialTest(0, 1, 0.0), "false positive rate 0.0"),
        (lambda: stats.SequentialTest(0, 1, 0.05, 0.5), "miss rate 0.5"),
        (lambda: stats.games_for_precision(stats.share_interval(9, 300), 0), "precision 0 "),
        (lambda: stats.games_for_precision(stats.share_interval(9, 300), math.nan), "precision"),
    ],
)
def test_bad_arguments_are_refused_with_a_sentence(call, words):
    with pytest.raises(InputError, match=words):
        call()


def test_pair_sums_add_up_in_any_order():
    generator = np.random.default_rng(3)
    a, b = generator.integers(-9, 30, (2, 1000))
    parts = [stats.PairSums.of(a[i : i + 100], b[i : i + 100]) for i in range(0, 1000, 100)]
    assert sum(reversed(parts), stats.PairSums()) == stats.PairSums.of(a, b)


def test_fifty_pairs_that_differ_are_enough():
    assert stats.paired_interval(stats.PairSums(300, 50, 10, 0, 10, 0, 50)).n == 300


def test_the_worth_of_pairing_is_told_of_small_differences_too():
    a = np.arange(100) % 2
    b = a.copy()
    b[7] = 0
    d = a - b
    worth = (a.var(ddof=1) + b.var(ddof=1)) / d.var(ddof=1)
    assert stats.worth_of_pairing(stats.PairSums.of(a, b)) == pytest.approx(worth)


def test_paired_interval_is_the_paired_t_test():
    generator = np.random.default_rng(4)
    a = generator.integers(-9, 30, 1000).astype(np.int8)
    b = np.where(generator.random(1000) < 0.3, generator.integers(-9, 30, 1000), a).astype(np.int8)
    sums = stats.PairSums.of(a, b)
    theirs = scipy_stats.ttest_rel(a.astype(int), b.astype(int)).confidence_interval(0.95)
    assert stats.paired_interval(sums)[1:3] == pytest.approx(tuple(theirs))
    assert sums.differing == np.count_nonzero(a != b)
    d = a.astype(int) - b
    worth = (a.var() + b.var()) / d.var()
    assert stats.worth_of_pairing(sums) == pytest.approx(worth)
    assert 2 < worth < 5


def test_pairing_that_changes_nothing_is_worth_everything():
    assert stats.worth_of_pairing(stats.PairSums.of(np.arange(9), np.arange(9))) == math.inf


def test_ratio_interval_solves_fiellers_equation():
    generator = np.random.default_rng(5)
    x = generator.integers(1, 12, 500)
    y = x * 2 + generator.integers(-9, 10, 500)
    r = stats.ratio_interval(500, y.sum(), x.sum(), y @ y, x @ x, x @ y)
    assert r.value == pytest.approx(y.sum() / x.sum())
    t = scipy_stats.t.ppf(0.975, 499)
    for end in (r.low, r.high):
        z = y - end * x
        assert abs(z.mean()) / scipy_stats.sem(z) == pytest.approx(t)
    assert r.error == pytest.approx(scipy_stats.sem(y - r.value * x) / x.mean())


def test_ratio_of_fixed_denominators_is_a_mean():
    y = np.random.default_rng(6).integers(-9, 30, 500)
    ratio = stats.ratio_interval(500, y.sum(), 1000, y @ y, 2000, 2 * y.sum())
    assert ratio == pytest.approx(stats.mean_interval(500, y.sum(), y @ y).scaled(0.5))


@pytest.mark.parametrize("most", [1000, 1001, 1049, 1051, 1100, 123_456, 10**8])
def test_looks_grow_evenly_up_to_the_last(most):
    looks = stats.look_schedule(most)
    steps = np.array(looks[1:]) / np.array(looks[:-1])
    assert looks[-1] == most
    assert looks[0] == 1000 or looks == [most]
    assert np.all((steps > 1.04) & (steps < 1.16))


TEST = stats.SequentialTest(0.0, 0.3, 0.05, 0.10)


def test_log_likelihood_ratio_is_that_of_normal_results():
    x = np.random.default_rng(7).normal(0.2, 2, 500)
    ratio = sequential.log_likelihood_ratio(TEST, 500, x.sum(), x @ x)
    densities = [scipy_stats.norm(mean, x.std(ddof=1)).logpdf(x).sum() for mean in (0.3, 0.0)]
    assert ratio == pytest.approx(densities[0] - densities[1])


def test_decisions_at_walds_bounds():
    low, high = TEST.bounds
    assert math.exp(high) == pytest.approx(0.9 / 0.05)
    assert math.exp(low) == pytest.approx(0.1 / 0.95)
    n, squares = 2000, 2000.0 * 100  # a standard deviation of 10, near enough
    totals = [100 / 0.3 * bound + n * 0.15 for bound in (low, high)]
    far, near = (1.01, 0.99)
    middle = n * 0.15
    for factor, expected in [(far, ["null", "alternative"]), (near, [None, None])]:
        found = [
            stats.decide(TEST, n, middle + factor * (t - middle), squares + t * t / n)
            for t in totals
        ]
        assert found == expected


def test_decisions_without_any_spread():
    assert stats.decide(TEST, 1000, 300.0, 90.0) == "alternative"
    assert stats.decide(TEST, 1000, 0.0, 0.0) == "null"


@pytest.mark.parametrize("truth", [-0.1, 0.0, 0.15, 0.3, 0.5])
def test_outcomes_are_as_probable_as_simulated(truth):
    """The quadrature behind the interval against 40,000 random walks."""
    looks, variance, walks = stats.look_schedule(4000), 40.0, 40_000
    generator = np.random.default_rng(8)
    steps = np.diff([0, *looks])
    sums = np.cumsum(
        generator.normal(truth * steps, np.sqrt(variance * steps), (walks, len(looks))), axis=1
    )
    ratios = (sums - np.array(looks) * 0.15) * 0.3 / variance
    low, high = TEST.bounds
    over = (ratios <= low) | (ratios >= high)
    over[:, -1] = True
    stop = over.argmax(axis=1)
    last = ratios[np.arange(walks), stop]
    # The order of outcomes: up early, up late, undecided, down late, down early.
    rank = np.where(last >= high, len(looks) - stop, np.where(last <= low, stop - len(looks), 0))
    for up_to, total in [(3, 900.0), (8, 700.0), (len(looks), 500.0)]:
        reached = (total - looks[up_to - 1] * 0.15) * 0.3 / variance
        at_least = ((stop < up_to - 1) & (rank > 0)) | ((stop == up_to - 1) & (last >= reached))
        expected = sequential._tail(TEST, looks[:up_to], total, variance, truth)
        assert np.mean(at_least) == pytest.approx(expected, abs=4 * math.sqrt(0.25 / walks))


@pytest.mark.parametrize("rates", [(0.05, 0.05), (0.01, 0.2), (0.001, 0.001)])
@pytest.mark.parametrize("effect", [0.003, 0.03, 0.3])
def test_error_rates_are_at_most_those_asked_for(rates, effect):
    """By quadrature, hence to the last digit: for normal results of known spread."""
    test = stats.SequentialTest(0.0, effect, *rates)
    looks = stats.look_schedule(100_000_000)
    never = 1e18  # a total so high that only earlier decisions count
    decides = [sequential._tail(test, looks, never, 1.0, mean) for mean in (0.0, effect)]
    assert decides[0] <= rates[0]
    assert 1 - decides[1] <= rates[1]


def test_interval_after_a_single_look_is_the_ordinary_one():
    ordinary = stats.mean_interval(100_000, 5000, 400_000)
    after = stats.sequential_interval(TEST, [100_000], 5000, 400_000)
    assert after == pytest.approx(ordinary, rel=1e-3)


def test_interval_is_turned_round_with_its_hypotheses():
    looks = stats.look_schedule(20_000)[:20]
    up = stats.sequential_interval(TEST, looks, 2000, 400_000)
    down = stats.sequential_interval(
        stats.SequentialTest(0.0, -0.3, 0.05, 0.10), looks, -2000, 400_000
    )
    assert [-down.value, -down.high, -down.low] == pytest.approx(up[:3], rel=1e-3)


def test_interval_after_an_early_end_is_pulled_towards_the_middle():
    looks = stats.look_schedule(20_000)[:8]
    n = looks[-1]
    total = n * 0.15 + TEST.bounds[1] * 90 / 0.3
    after = stats.sequential_interval(TEST, looks, total, 90.0 * n)
    ordinary = stats.mean_interval(n, total, 90.0 * n)
    assert after.low < after.value < ordinary.value < after.high
    assert ordinary.margin < after.margin < 1.5 * ordinary.margin


def test_games_for_precision():
    estimate = stats.mean_interval(1000, 100, 9000)
    needed = stats.games_for_precision(estimate, estimate.margin / 3)
    assert needed in (9000, 9001)
    assert stats.games_for_precision(estimate, 2 * estimate.margin) == 250


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
