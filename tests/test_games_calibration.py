"""Intervals and tests on real games: what they cover and how often they err, in 4,000 samples."""

from __future__ import annotations

import os

import numpy as np
import pytest

import simulate
from simulate import stats
from simulate.arrow import add_up
from simulate.napalm import batch
from simulate.napalm.rates import rates
from simulate.stats import sequential
from simulate.stats.estimate import SMALLEST_SAMPLE
from simulate.stats.paired import SMALLEST_DIFFERING
from strategies import parse_line_up

SAMPLES = int(os.environ.get("CALIBRATION_SEEDS", "4000"))
FIELD = "threshold*4"


def nets(spec, games, slot=0):
    """Return what a slot of a line-up nets in each game, and whether it wins."""
    job = batch.prepare(simulate.choose_rules("napalm"), parse_line_up([spec, FIELD], "napalm"), 7)
    net, won = np.zeros((2, games), dtype=np.int64)
    for start in range(0, games, 100_000):
        stop = min(start + 100_000, games)
        rows = batch.play(job, start, stop, "games").rows
        for seat in range(5):
            here = rows[f"slot_{seat}"] == slot
            net[start:stop] += rows[f"net_{seat}"] * here
            won[start:stop] += (rows["winner"] == seat) & here
    return net, won


@pytest.fixture(scope="module")
def played():
    """Nets and wins of three thresholds on the same cards."""
    specs = ("threshold", "threshold:stage1=0.75", "threshold:stage1=0.6", "threshold:stage1=0.9")
    return {spec: nets(spec, SAMPLES * SMALLEST_SAMPLE) for spec in specs}


def covered(estimates, truth):
    hits = [estimate.low <= truth <= estimate.high for estimate in estimates]
    assert len(hits) > SAMPLES / 3
    return np.mean(hits)


@pytest.mark.parametrize("spec", ["threshold", "threshold:stage1=0.6", "threshold:stage1=0.9"])
def test_nets_and_shares_are_covered(played, spec):
    net, won = (x.reshape(SAMPLES, SMALLEST_SAMPLE) for x in played[spec])
    means = (stats.mean_interval(SMALLEST_SAMPLE, int(x.sum()), int(x @ x)) for x in net)
    assert 0.94 <= covered(means, net.mean()) <= 0.96
    shares = (stats.share_interval(int(x.sum()), SMALLEST_SAMPLE) for x in won)
    assert 0.94 <= covered(shares, won.mean()) <= 0.965  # a share of so few games moves in steps


@pytest.mark.parametrize(
    ("spec", "games"), [("threshold:stage1=0.6", SMALLEST_SAMPLE), ("threshold:stage1=0.75", 500)]
)
def test_paired_differences_are_covered(played, spec, games):
    a, b = (played[one][0][: len(played[one][0]) // games * games] for one in (spec, "threshold"))
    truth = a.mean() - b.mean()
    sums = map(stats.PairSums.of, a.reshape(-1, games), b.reshape(-1, games))
    enough = (s for s in sums if s.differing >= SMALLEST_DIFFERING)
    assert 0.94 <= covered(map(stats.paired_interval, enough), truth) <= 0.96


@pytest.mark.parametrize("worth", [0.0, 1.0])
def test_a_sequential_test_errs_no_more_than_asked_and_a_peeker_does(played, worth):
    """Differences of real pairs, drawn with replacement and shifted to the hypothesis."""
    pool = (played["threshold:stage1=0.75"][0] - played["threshold"][0]).astype(float)
    effect = 0.06 * pool.std()
    pool += worth * effect - pool.mean()
    test = stats.SequentialTest(0.0, effect, false_positive=0.05, miss=0.05)
    looks, runs = stats.look_schedule(6_000), SAMPLES // 2
    generator = np.random.default_rng(11)
    chosen = generator.integers(0, len(pool), (runs, looks[-1]), dtype=np.int32)
    sums = np.add.reduceat(pool[chosen], [0, *looks[:-1]], axis=1).cumsum(axis=1)
    squares = np.add.reduceat(pool[chosen] ** 2, [0, *looks[:-1]], axis=1).cumsum(axis=1)
    wrong, hits, peeked = [], [], []
    for total, square in zip(sums, squares, strict=True):
        verdicts = [stats.decide(test, *look) for look in zip(looks, total, square, strict=True)]
        place = next((p for p, verdict in enumerate(verdicts) if verdict), len(looks) - 1)
        wrong.append(verdicts[place] == ("null" if worth else "alternative"))
        n = looks[place]
        variance = (square[place] - total[place] ** 2 / n) / (n - 1)
        tail = sequential._tail(test, looks[: place + 1], total[place], variance, worth * effect)
        hits.append(0.025 <= tail <= 0.975)
        errors = np.sqrt((square - total**2 / looks) / (np.array(looks) - 1) / looks)
        peeked.append(np.any(np.abs(total / looks) > 1.96 * errors))
    assert np.mean(wrong) <= 0.05
    assert np.mean(hits) >= 0.94
    if worth == 0.0:
        assert np.mean(peeked) > 0.15


@pytest.mark.parametrize(
    ("line_up", "what", "by", "only"),
    [
        (["threshold*5"], "best", ["position"], {"stage": 1}),
        (["racer*5"], "yes", ["position"], {"stage": 1, "turn": 1}),
        (["racer", "tight", "listener", "bluffer", "pair"], "yes", ["strategy"], {}),
        (["racer", "tight", "listener", "bluffer", "pair"], "takes", ["strategy"], {}),
    ],
)
def test_rates_are_covered(line_up, what, by, only):
    """Deals count, though those of one game, and players of one deal, depend on each other."""
    job = batch.prepare(simulate.choose_rules("napalm"), parse_line_up(line_up, "napalm"), 9)
    runs, games = SAMPLES // 20, 300
    totals = [batch.play(job, games * run, games * run + games).totals for run in range(runs)]
    tables = [batch.tables(job.rules, job.line_up, each)["decisions"] for each in totals]
    truth = rates(add_up(tables).to_pandas(), what, by, **only).set_index(by)["rate"]
    found = [rates(table.to_pandas(), what, by, **only).set_index(by) for table in tables]
    hits = [(f.rate_low <= truth[f.index]) & (truth[f.index] <= f.rate_high) for f in found]
    covered = np.concatenate(hits)
    assert len(covered) > runs * len(truth) / 2
    error = (0.95 * 0.05 / len(covered)) ** 0.5
    assert 0.935 - 2 * error <= covered.mean() <= 0.965 + 2 * error
