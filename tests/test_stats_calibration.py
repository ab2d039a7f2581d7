"""Whether intervals cover and tests err as often as they say, over thousands of seeds.

The results are skewed as those of games are: a winner takes what the others have put in.
`make calibrate` does more of the same.
"""

import math
import os

import numpy as np
import pytest
from scipy.stats import binom

from simulate import stats
from simulate.stats import multiple, sequential
from simulate.stats.estimate import SMALLEST_SAMPLE
from simulate.stats.paired import SMALLEST_DIFFERING

SEEDS = int(os.environ.get("CALIBRATION_SEEDS", "4000"))
ANTES = np.array([1, 2, 3, 4, 5, 6, 8, 12])
MEAN_ANTE = ANTES.mean()


def nets(generator, shape, players=5, share=None):
    """Draw net results: the winner of a game takes from each other player what the game cost."""
    ante = generator.choice(ANTES, shape)
    won = generator.random(shape) < (1 / players if share is None else share)
    return np.where(won, ante * (players - 1), -ante)


def mean_net(players, share):
    return (share * players - 1) * MEAN_ANTE


def covers(estimate, truth):
    return estimate.low <= truth <= estimate.high


@pytest.mark.parametrize("share", [0.1, 1 / 7, 1 / 6, 0.2, 0.25, 1 / 3, 0.4, 0.5, 0.8])
def test_shares_are_covered_at_the_smallest_sample(share):
    """Exactly, by the probability of every number of games won."""
    won = np.arange(SMALLEST_SAMPLE + 1)
    estimates = [stats.share_interval(int(k), SMALLEST_SAMPLE) for k in won]
    covered = [covers(estimate, share) for estimate in estimates]
    assert 0.94 <= binom.pmf(won, SMALLEST_SAMPLE, share)[covered].sum() <= 0.96


@pytest.mark.parametrize(("players", "share"), [(2, 0.5), (4, 0.25), (5, 0.2), (5, 0.3), (7, 0.2)])
def test_means_are_covered_at_the_smallest_sample(players, share):
    x = nets(np.random.default_rng(2), (SEEDS, SMALLEST_SAMPLE), players, share)
    truth = mean_net(players, share)
    sums = zip(x.sum(axis=1), (x * x).sum(axis=1), strict=True)
    covered = [covers(stats.mean_interval(SMALLEST_SAMPLE, *pair), truth) for pair in sums]
    assert 0.94 <= np.mean(covered) <= 0.96


@pytest.mark.parametrize(("share", "games"), [(0.02, 1500), (0.05, 600), (1 / 7, 200)])
def test_means_of_rare_winners_are_covered_by_the_games_that_cochran_asks_for(share, games):
    x = nets(np.random.default_rng(3), (SEEDS, games), 5, share)
    sums = zip(x.sum(axis=1), (x * x).sum(axis=1), strict=True)
    covered = [covers(stats.mean_interval(games, *pair), mean_net(5, share)) for pair in sums]
    assert np.mean(covered) >= 0.94


@pytest.mark.parametrize(
    ("games", "differ", "better"),
    [
        (SMALLEST_SAMPLE, 1.0, 0.1),
        (SMALLEST_SAMPLE, 0.3, 0.0),
        (1000, 0.06, 0.05),
        (4000, 0.02, 0.1),
    ],
)
def test_paired_differences_are_covered_at_the_smallest_sample(games, differ, better):
    """Some games come out differently, in some of them the first strategy does better."""
    generator = np.random.default_rng(4)
    truth = -differ * mean_net(5, 0.2 - better)
    covered = []
    for _ in range(SEEDS):
        a = nets(generator, games)
        b = np.where(generator.random(games) < differ, nets(generator, games, 5, 0.2 - better), a)
        sums = stats.PairSums.of(a, b)
        if sums.differing >= SMALLEST_DIFFERING:
            covered.append(covers(stats.paired_interval(sums), truth))
    assert len(covered) > 0.5 * SEEDS
    assert 0.94 <= np.mean(covered) <= 0.96


def coverage_of_rare_differences(games, rate):
    """Sum up exactly: a strategy that is better by the same amount in a few games."""
    times = np.arange(SMALLEST_DIFFERING, games // 2)
    sums = (stats.PairSums(games, d, d, 0, d, 0, d) for d in map(int, times))
    covered = [covers(stats.paired_interval(each), rate) for each in sums]
    chances = binom.pmf(times, games, rate)
    return chances @ covered / chances.sum()


@pytest.mark.parametrize("differing", [75, 100, 150, 300])
def test_rare_differences_to_one_side_are_covered(differing):
    """The hardest case, where there are almost always enough of them for an interval."""
    assert 0.94 <= coverage_of_rare_differences(5000, differing / 5000) <= 0.96


def test_the_luck_of_having_enough_differences_widens_what_is_covered():
    """Where half of all samples are refused, those that are not have more than there should be."""
    assert 0.96 <= coverage_of_rare_differences(5000, SMALLEST_DIFFERING / 5000) <= 0.975


def test_ratios_are_covered_at_the_smallest_sample():
    """Stakes a deal: long games cost more, so both sums depend on each other."""
    generator = np.random.default_rng(6)
    x = generator.geometric(0.2, (SEEDS, SMALLEST_SAMPLE))
    won = generator.random(x.shape) < 0.2
    y = np.where(won, 4 * x, -x) + generator.integers(-1, 3, x.shape)
    truth = 0.5 * 0.2  # a net of 0.5 a game of 5 deals
    covered = [
        covers(stats.ratio_interval(len(b), a.sum(), b.sum(), a @ a, b @ b, a @ b), truth)
        for a, b in zip(y, x, strict=True)
    ]
    assert 0.94 <= np.mean(covered) <= 0.96


def play_sequentially(test, truth, most, seed):
    """Run the sequential test and a naive peeker over the same games, many times at once."""
    generator = np.random.default_rng(seed)
    looks = stats.look_schedule(most)
    sums, squares = np.zeros((2, SEEDS))
    ended = np.full(SEEDS, len(looks) - 1)
    decision = np.full(SEEDS, None)
    final = np.zeros((SEEDS, 2))
    peeked, peek_covers = np.zeros((2, SEEDS), dtype=bool)
    live, peeking, before = np.arange(SEEDS), np.ones(SEEDS, dtype=bool), 0
    for place, n in enumerate(looks):
        x = nets(generator, (SEEDS, n - before)) + truth
        before = n
        sums += x.sum(axis=1)
        squares += (x * x).sum(axis=1)
        half = 1.96 * np.sqrt((squares - sums**2 / n) / (n - 1) / n)
        sees = peeking & ((np.abs(sums / n) > half) | (n == most))
        peeked[sees] = (np.abs(sums / n) > half)[sees]
        peek_covers[sees] = (np.abs(sums / n - truth) <= half)[sees]
        peeking &= ~sees
        for run in live:
            decision[run] = stats.decide(test, n, sums[run], squares[run])
        over = np.array([decision[run] is not None for run in live], dtype=bool) | (n == most)
        ended[live[over]] = place
        final[live[over]] = np.stack([sums, squares], axis=1)[live[over]]
        live = live[~over]
    return looks, ended, decision, final, peeked, peek_covers


def covered_after(test, truth, looks, ended, final):
    """Tell whether each interval covers, by the probability that it is made from."""
    for place, (total, squares) in zip(ended, final, strict=True):
        n = looks[place]
        variance = (squares - total**2 / n) / (n - 1)
        yield 0.025 <= sequential._tail(test, looks[: place + 1], total, variance, truth) <= 0.975


SPREAD = nets(np.random.default_rng(0), 10**6).std()


@pytest.mark.parametrize("worth", [0.0, 1.0])
@pytest.mark.parametrize("effect", [0.05, 0.15, -0.05])
def test_sequential_errors_are_as_rare_and_intervals_cover_as_asked(effect, worth):
    """`effect` in standard deviations: decided after a few looks, or mostly at the first."""
    test = stats.SequentialTest(0.0, effect * SPREAD, false_positive=0.05, miss=0.05)
    truth = worth * test.alternative
    looks, ended, decision, final, peeked, peek_covers = play_sequentially(test, truth, 12_000, 7)
    wrong = np.mean(decision == ("null" if worth else "alternative"))
    undecided = np.mean(decision == None)  # noqa: E711 (an array of None)
    assert wrong <= 0.05
    assert undecided < 0.05
    some = slice(None, 2000 if SEEDS == 4000 else None)
    covered = np.mean(list(covered_after(test, truth, looks, ended[some], final[some])))
    assert covered >= 0.94
    if worth == 0.0:  # who stops as soon as the plain interval leaves out 0 is deceived
        assert np.mean(peeked) > 0.2
        assert np.mean(peek_covers) < 0.8


def test_what_is_reported_beside_the_tested_mean_covers_too():
    """Games won beside net stakes: the plain interval of the one fails as that of the other."""
    runs = SEEDS // 10
    test = stats.SequentialTest(0.0, 0.06 * SPREAD)
    truth = test.alternative / 2
    generator = np.random.default_rng(10)
    looks = stats.look_schedule(6000)
    sums = np.zeros((runs, 5))  # x, y, xx, yy, xy
    live, before = np.arange(runs), 0
    covered, plain = np.zeros((2, runs), dtype=bool)
    for place, n in enumerate(looks):
        size = (len(live), n - before)
        before = n
        ante = generator.choice(ANTES, size)
        won = generator.random(size) < 0.2
        x = np.where(won, ante * 4, -ante) + truth
        y = won - 0.2 + generator.normal(0, 0.2, size) + 0.01 * truth
        sums[live] += np.stack([z.sum(axis=1) for z in (x, y, x * x, y * y, x * y)], axis=1)
        going = []
        for run in live:
            tx, ty, xx, yy, xy = sums[run]
            if stats.decide(test, n, tx, xx) is None and n < looks[-1]:
                going.append(run)
                continue
            tested = stats.sequential_interval(test, looks[: place + 1], tx, xx)
            other = stats.companion_interval(tested, n, (tx, ty), (xx, yy), xy)
            covered[run] = covers(other, 0.01 * truth)
            plain[run] = covers(stats.mean_interval(n, ty, yy), 0.01 * truth)
        live = np.array(going, dtype=int)
    assert np.mean(covered) >= 0.94
    assert np.mean(plain) < 0.93


def test_probability_behind_the_interval_is_the_one_that_is_solved_for():
    """What the test above relies on: the interval ends where its probabilities say."""
    test = stats.SequentialTest(0.0, 0.5)
    looks = stats.look_schedule(9000)[:9]
    found = stats.sequential_interval(test, looks, 400.0, 90_000.0)
    n, variance = looks[-1], found.error**2 * looks[-1]
    ends = [sequential._tail(test, looks, 400.0, variance, mean) for mean in found[:3]]
    assert ends == pytest.approx([0.5, 0.025, 0.975], abs=1e-3)
    assert n == found.n


@pytest.mark.parametrize("precision", [0.5, 1.0])
def test_intervals_that_reach_their_precision_cover(precision):
    """Looking at the margin after every batch does no harm."""
    generator = np.random.default_rng(8)
    truth = mean_net(5, 0.2)
    n, covered, margins = 0, np.zeros(SEEDS, dtype=bool), np.zeros(SEEDS)
    sums, squares, going = np.zeros(SEEDS), np.zeros(SEEDS), np.ones(SEEDS, dtype=bool)
    while going.any():
        x = nets(generator, (SEEDS, 100))
        n += 100
        sums += x.sum(axis=1)
        squares += (x * x).sum(axis=1)
        if n < SMALLEST_SAMPLE:
            continue
        for run in np.flatnonzero(going):
            estimate = stats.mean_interval(n, sums[run], squares[run])
            if stats.games_for_precision(estimate, precision) <= n:
                going[run], covered[run] = False, covers(estimate, truth)
                margins[run] = estimate.margin
    assert np.all(margins <= precision)
    assert 0.94 <= np.mean(covered) <= 0.96


def common_results(generator, games, means):
    """Results of several points on common cards: alike in most games."""
    base = nets(generator, (games, 1))
    other = nets(generator, (games, len(means)))
    return np.where(generator.random((games, len(means))) < 0.3, other, base) + np.array(means)


@pytest.mark.parametrize("means", [[0.0] * 8, [0.0, 0.0, -0.3, -0.6, -1.0, -2.0, -3.0, -4.0]])
def test_the_best_is_among_those_named_and_equals_are_not_told_apart(means, monkeypatch):
    monkeypatch.setattr(multiple, "DRAWS", 4000)
    runs = SEEDS // 20
    generator = np.random.default_rng(9)
    named, none_apart, banded = 0, 0, 0
    equal = [point for point, mean in enumerate(means) if mean == 0]
    for _ in range(runs):
        sums = stats.CommonSums.of(common_results(generator, 600, means).astype(float))
        found, covariance = sums.means(), sums.covariance()
        named += bool(stats.maybe_best(found, covariance, sums.n)[equal[0]])
        apart = stats.told_apart(found, covariance, sums.n)
        none_apart += not apart[np.ix_(equal, equal)].any()
        c = stats.simultaneous_quantile(covariance, sums.n)
        banded += bool(np.all(np.abs(found - means) <= c * np.sqrt(np.diag(covariance))))
    slack = 3 * math.sqrt(0.05 * 0.95 / runs)
    assert named / runs >= 0.95 - slack
    assert none_apart / runs >= 0.95 - slack
    assert abs(banded / runs - 0.95) <= slack + 0.01
