"""Choices played from common samples: the best is seldom dropped, and intervals cover."""

import numpy as np
import pytest

from simulate.deciding import Contest, Moments

TIMES = 400


def sampler(generator, means, spread, weighted):
    """Make samples of which everything is known: common noise, some of each choice's own."""
    means = np.asarray(means)

    def more(number, choices):
        weights = generator.choice([1.0, 3.0], number) if weighted else np.ones(number)
        common = generator.standard_normal((number, 1))
        own = generator.standard_normal((number, len(means)))
        tilt = 0.5 * (weights - 1.5)[:, None] if weighted else 0.0
        results = means + spread * (common + own) + tilt
        first = results[:, list(choices)]
        return weights, np.stack([first, 2 * first + 1])

    return more


def contest(means, seed, *, spread=1.0, precision=0.1, apart=True, most=40_000, weighted=False):
    more = sampler(np.random.default_rng(seed), means, spread, weighted)
    return Contest(more, len(means), 2, 0, precision, apart, most).run()


def at_most(count, rate):
    """Say whether so many of `TIMES` are no more than a rate allows."""
    return count <= TIMES * rate + 4 * (TIMES * rate * (1 - rate)) ** 0.5


@pytest.mark.parametrize("means", [[0.0, 0.1], [0.0, 0.1, 0.0, -0.2], [0.05] * 9 + [0.15]])
def test_the_best_is_dropped_no_more_often_than_said(means):
    best = int(np.argmax(means))
    wrong = sum(contest(means, seed).best != best for seed in range(TIMES))
    assert at_most(wrong, 0.05)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("gap", [0.0, 0.08, 0.5])
def test_intervals_cover_values_and_differences(gap, apart, weighted):
    missed = np.zeros(3)
    # Weights 1 and 3 are as frequent, and results go with them: the weighted mean of the tilt.
    tilt = 0.5 * (1 * (1 - 1.5) + 3 * (3 - 1.5)) / 4 if weighted else 0.0
    for seed in range(TIMES):
        found = contest([0.0, gap], seed, apart=apart, precision=0.06, weighted=weighted)
        truths = (tilt, gap + tilt)
        for choice, truth in enumerate(truths):
            plain, doubled = found.values[choice]
            missed[choice] += not plain.low <= truth <= plain.high
            assert doubled.value == pytest.approx(2 * plain.value + 1, abs=1e-6)
        other = 1 - found.best
        behind = found.behind[other]
        missed[2] += not behind.low <= (truths[found.best] - truths[other]) <= behind.high
    for count in missed:
        assert at_most(count, 0.05)
        assert apart or count >= 4  # nor are they too wide


def test_a_precision_is_kept():
    for seed in range(20):
        found = contest([0.0, 0.3, 0.31], seed, precision=0.05, apart=False)
        assert all(behind.margin <= 0.05 for behind in found.behind)
        assert found.samples < 20_000


def test_whoever_is_far_behind_is_played_no_further():
    asked = []
    more = sampler(np.random.default_rng(5), [0.0, 0.0, -3.0], 1.0, False)

    def listening(number, choices):
        asked.append(tuple(choices))
        return more(number, choices)

    found = Contest(listening, 3, 2, 0, 0.02, True, 20_000).run()
    assert asked[0] == (0, 1, 2)
    assert asked[-1] == (0, 1)
    assert found.open == (True, True, False)
    assert found.behind[2].low > 2.5
    assert found.values[2][0].n == 1000


def test_choices_that_are_the_same_are_seen_to_be():
    def more(number, choices):
        results = np.random.default_rng(number).standard_normal((number, 1))
        same = np.repeat(results, len(choices), axis=1)
        return np.full(number, 0.3), np.stack([same, same])

    found = Contest(more, 3, 2, 0, 0.05, True, 10_000).run()
    assert found.open == (True, True, True)
    assert found.samples == 1000
    assert all(behind[:4] == (0.0, 0.0, 0.0, 0.0) for behind in found.behind)


def test_moments_are_those_of_weighted_means():
    generator = np.random.default_rng(3)
    weights, results = generator.random(500) + 0.1, generator.standard_normal((500, 3)) + 5
    moments = Moments(3)
    moments.add(weights[:200], results[:200])
    moments.add(weights[200:], results[200:])
    means = weights @ results / weights.sum()
    assert moments.means() == pytest.approx(means)
    shares = weights[:, None] * (results - means) / weights.mean()
    assert moments.scatter() == pytest.approx(shares.T @ shares)
    assert moments.effective == pytest.approx(weights.sum() ** 2 / (weights @ weights))
    moments.keep([0, 2])
    assert moments.means() == pytest.approx(means[[0, 2]])
