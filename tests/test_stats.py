"""The estimators against other people's code, against their own formulas, and at their limits."""

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats
from scipy.special import ndtri, stdtrit
from statsmodels.stats.proportion import proportion_confint

from simulate import stats
from simulate.errors import InputError
from simulate.stats import sequential
from simulate.stats.estimate import normal_quantile, t_quantile


@pytest.mark.parametrize("level", [0.5, 0.8, 0.95, 0.99])
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


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: stats.share_interval(20, 199), "199 games are too few .* at least 200"),
        (lambda: stats.mean_interval(199, 20, 400), "199 games are too few .* at least 200"),
        (lambda: stats.paired_interval(stats.PairSums(300, 49, 9, 0, 9, 0, 49)), "only 49 of 300"),
        (lambda: stats.ratio_interval(199, 9, 9, 9, 9, 9), "199 games are too few"),
        (lambda: stats.ratio_interval(300, 9, 1, 99, 99, 9), "denominator may be 0"),
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
        (lambda: stats.games_for_precision(stats.share_interval(9, 300), math.inf), "precision"),
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


def test_a_ratio_is_refused_just_where_its_denominators_own_interval_holds_0():
    n, squares = 400, 399.0  # a variance of 1 around any mean
    edge = scipy_stats.t.ppf(0.975, n - 1) / math.sqrt(n)
    for mean in (0.72 * edge, 0.99 * edge, -0.99 * edge):
        sums = (n, 9.0, n * mean, 90.0, squares + n * mean * mean, 9.0 * mean)
        with pytest.raises(InputError, match="its denominator may be 0"):
            stats.ratio_interval(*sums)
    for mean in (1.01 * edge, -1.01 * edge):
        sums = (n, 9.0, n * mean, 90.0, squares + n * mean * mean, 9.0 * mean)
        assert stats.ratio_interval(*sums).value == pytest.approx(9.0 / n / mean)


@pytest.mark.parametrize("unit", [1e-4, 1e4])
def test_ratios_are_the_same_in_any_unit(unit):
    generator = np.random.default_rng(13)
    x = generator.integers(1, 12, 500)
    y = x * 2 + generator.integers(-9, 10, 500)
    sums = np.array([y.sum(), x.sum(), y @ y, x @ x, x @ y], dtype=float)
    plain = stats.ratio_interval(500, *sums)
    both = stats.ratio_interval(500, *(sums * [unit, unit, unit**2, unit**2, unit**2]))
    assert both == pytest.approx(plain)
    top = stats.ratio_interval(500, *(sums * [unit, 1, unit**2, 1, unit]))
    assert top == pytest.approx(plain.scaled(unit))


@pytest.mark.parametrize("most", [1000, 1001, 1020, 1049, 1051, 1100, 123_456, 10**8])
def test_looks_grow_evenly_up_to_the_last(most):
    looks = stats.look_schedule(most)
    steps = np.array(looks[1:]) / np.array(looks[:-1])
    assert looks[-1] == most
    assert looks[0] == 1000 or looks == [most]
    assert np.all((steps > 1.04) & (steps < 1.16))


TEST = stats.SequentialTest(0.0, 0.3, 0.05, 0.10)


def test_one_error_in_twenty_when_nothing_is_said():
    assert stats.SequentialTest(0, 1) == stats.SequentialTest(0, 1, 0.05, 0.05)


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


def test_at_a_bound_itself_it_is_decided():
    test, n = stats.SequentialTest(-0.5, 0.5, 0.05, 0.05), 1024
    for bound, decision in zip(test.bounds, ("null", "alternative"), strict=True):
        squares = n - 1 + bound * bound / n  # a variance of 1
        assert sequential.log_likelihood_ratio(test, n, bound, squares) == bound
        assert stats.decide(test, n, bound, squares) == decision


def test_decisions_without_any_spread():
    assert stats.decide(TEST, 1000, 300.0, 90.0) == "alternative"
    assert stats.decide(TEST, 1000, 0.0, 0.0) == "null"
    looks = stats.look_schedule(1000)
    assert stats.sequential_interval(TEST, looks, 300.0, 90.0)[:4] == (0.3, 0.3, 0.3, 0.0)


@pytest.mark.parametrize("unit", [0.01, 100.0])
@pytest.mark.parametrize("origin", [0.0, -0.2, 0.5])
def test_decisions_and_intervals_are_the_same_on_any_scale(unit, origin):
    """Results counted in another unit, from another point."""
    moved = stats.SequentialTest(origin, origin + 0.3 * unit, 0.05, 0.10)
    looks, decisions = stats.look_schedule(2000), []
    n, spread = looks[-1], 2.0
    for mean in (-0.05, 0.15, 0.2):
        here = origin + unit * mean
        plain = n * mean, n * (spread + mean * mean)
        sums = n * here, n * (spread * unit * unit + here * here)
        decisions.append(stats.decide(TEST, n, *plain))
        assert stats.decide(moved, n, *sums) == decisions[-1]
        ours = stats.sequential_interval(TEST, looks, *plain)
        wanted = [origin + unit * value for value in ours[:3]]
        found = stats.sequential_interval(moved, looks, *sums)
        assert found[:3] == pytest.approx(wanted, abs=1e-3 * ours.margin * unit)
    assert decisions == ["null", None, "alternative"]


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


def test_after_a_single_look_all_depends_on_a_normal_mean():
    for total, mean in ((70.0, 0.0), (140.0, 0.3)):
        wanted = scipy_stats.norm(1000 * mean, math.sqrt(1000 * 40)).sf(total)
        assert sequential._tail(TEST, [1000], total, 40.0, mean) == pytest.approx(wanted)


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


def other_than_tested(slope, unit=1.0):
    """Sums of results x, and of y = slope x + r where r goes as often with each x."""
    x, r = (values.ravel() * unit for values in np.meshgrid(np.arange(20.0), [-5.0, 1.0, 7.0] * 5))
    y = slope * x + r
    return len(x), (x.sum(), y.sum()), (x @ x, y @ y), x @ y, r


@pytest.mark.parametrize("unit", [0.01, 1.0])
@pytest.mark.parametrize("slope", [0.0, 2.0, -0.5])
def test_what_goes_with_the_tested_mean_is_moved_with_it(slope, unit):
    """What is left apart from it has the interval that it has alone, at right angles."""
    primary = stats.Estimate(10.0 * unit, 8.0 * unit, 11.0 * unit, 0.7 * unit, 300)
    *sums, r = other_than_tested(slope, unit)
    rest = stats.mean_interval(len(r), r.sum(), r @ r)
    found = stats.companion_interval(primary, *sums)
    assert found.value == pytest.approx(slope * primary.value + rest.value)
    down, up = 2.0 * unit * abs(slope), 1.0 * unit * abs(slope)
    if slope < 0:
        down, up = up, down
    assert found.value - found.low == pytest.approx(math.hypot(down, rest.margin))
    assert found.high - found.value == pytest.approx(math.hypot(up, rest.margin))
    assert found.error == pytest.approx(math.hypot(slope * primary.error, rest.error))
    assert found.n == 300


def test_beside_a_mean_that_never_changes_another_has_its_ordinary_interval():
    y = np.random.default_rng(14).integers(-9, 30, 500)
    tested = stats.mean_interval(500, 1000, 2000)
    found = stats.companion_interval(tested, 500, (1000, y.sum()), (2000, y @ y), 2 * y.sum())
    assert found == pytest.approx(stats.mean_interval(500, y.sum(), y @ y))


def test_games_for_precision():
    estimate = stats.mean_interval(1000, 100, 9000)
    needed = stats.games_for_precision(estimate, estimate.margin / 3)
    assert needed in (9000, 9001)
    assert stats.games_for_precision(estimate, 2 * estimate.margin) == 250


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99, 0.9999])
def test_quantiles_are_those_of_scipy(level):
    assert normal_quantile(level) == pytest.approx(ndtri((1 + level) / 2), rel=1e-14)
    for freedom in (199, 499, 500, 501, 10_000, 10**9):
        scipys = stdtrit(freedom, (1 + level) / 2)
        assert t_quantile(level, freedom) == pytest.approx(scipys, rel=1e-11)
