"""A whole game where it is left out who sits where: rows, orders, and what is learned."""

from __future__ import annotations

from collections import Counter
from math import comb

import numpy as np
import pytest

from simulate.napalm.rules import make_rules
from simulate.napalm.solving.induction import Game, Induction, nothing_known, share_out
from simulate.napalm.solving.looking import look
from simulate.napalm.solving.owners import spans
from simulate.napalm.solving.race import Race, marks_between, row_of
from simulate.napalm.solving.race_reply import ReplyTraining
from simulate.napalm.solving.standings import Standings
from strategies.standing import counts_of_rows, number_of_rows, standing_of

KEY = np.uint64(7)
POOL = 1 << 13


def made_up_race(n, target, seated):
    """Make up a race in which nothing is worth anything."""
    nothing = np.zeros((number_of_rows(n, target, seated), 2, n))
    marks = np.ones((1, 2))
    return Race(n, target, nothing, nothing, marks, *standing_of(n, target, seated))


@pytest.mark.parametrize(("n", "target"), [(4, 5), (6, 5), (7, 5), (6, 2), (5, 1)])
def test_every_count_among_every_others_has_one_row(n, target):
    counts = counts_of_rows(n, target, seated=False)
    assert len(counts) == number_of_rows(n, target, seated=False)
    assert len({tuple(row) for row in counts.tolist()}) == len(counts)
    assert np.all(np.diff(counts[:, 1:], axis=1) >= 0)
    standings = Standings(n, target, False, KEY)
    assert len(standings) == comb(n + target - 1, n)
    by_state = [standings.rows_of(state) for state in range(len(standings))]
    assert np.array_equal(np.sort(np.concatenate(by_state)), np.arange(len(counts)))
    for state, rows in enumerate(by_state):
        assert np.all(standings.of_row[rows] == state)
        assert np.array_equal(np.sort(counts[rows], axis=1), [standings.counts[state]] * len(rows))


@pytest.mark.parametrize("seated", [True, False])
def test_everybody_looks_at_his_own_row(seated):
    n, target, draw = 6, 3, np.random.default_rng(1)
    standings, counts = Standings(n, target, seated, KEY), counts_of_rows(n, target, seated)
    race = made_up_race(n, target, seated)
    for _ in range(50):
        held = draw.integers(0, target, n)
        rows = standings.looks_at(held)
        for position in range(n):
            others = np.sort(np.delete(held, position)).tolist()
            wanted = held.tolist() if seated else [held[position], *others]
            assert counts[rows[position]].tolist() == wanted
            turned = row_of(race, held, (position - 1) % n, 1)
            wanted = np.roll(held, -1).tolist() if seated else wanted
            assert counts[turned].tolist() == wanted


def test_orders_are_drawn_and_all_sit_everywhere():
    standings = Standings(6, 5, False, KEY)
    state = int(np.flatnonzero(np.all(standings.counts == [0, 0, 1, 1, 3, 4], axis=1))[0])
    orders = set()
    for number in range(20):
        ways = standings.draw(state, number)
        assert np.array_equal(np.sort(ways.counts, axis=0).T, [standings.counts[state]] * 6)
        assert np.array_equal(np.sort(ways.counts, axis=1), [standings.counts[state]] * 6)
        assert np.array_equal(standings.rows_of(state)[ways.own], ways.rows)
        assert np.array_equal(standings.looks_at(ways.counts), ways.rows)
        orders.add(tuple(ways.counts[0].tolist()))
    assert len(orders) > 10
    assert np.array_equal(standings.draw(state, 3).counts, standings.draw(state, 3).counts)


def test_decisions_stand_one_after_the_other():
    game = Game(make_rules("stakes"), 6, 1, seated=False)
    plan = game.plan
    for starts, classes, size in (
        (plan.starts, plan.classes, plan.size), (plan.fine_starts, plan.fine, plan.fine_size),
    ):  # fmt: skip
        found = spans(starts, classes, 6)
        assert [span.start for span in found] == [0, *(span.stop for span in found[:-1])]
        assert found[-1].stop == size
        assert Counter(span.position for span in found) == {**dict.fromkeys(range(5), 4), 5: 3}


@pytest.fixture(scope="module")
def short():
    """A game to two stakes between six, and what a first look at it told."""
    game = Game(make_rules(overrides={"target": 2}), 6, 3, pool=POOL, seated=False)
    lots = game.draw()
    return game, lots, look(game, lots, 1024, 1, lambda _: False)


def solve(short, threads=1, told=lambda _: False, solved=None):
    game, lots, seen = short
    solved = nothing_known(game) if solved is None else solved
    thirds = game.thirds(lots, seen.first.astype(np.float32))
    work = Induction(game, lots, thirds, solved, share_out(seen.often, 200_000, 1024))
    return solved, work.run(threads, told)


def test_what_all_expect_together_is_the_pot(short):
    """On average over who sits where, and about: what comes after forgets who sits where again."""
    game, _, _ = short
    solved, whole = solve(short)
    assert whole
    marks, whose = marks_between(game.pots), counts_of_rows(game.n, 2, seated=False)
    for state, counts in enumerate(game.standings.counts):
        rows = game.standings.rows_of(state)
        often = np.bincount(counts)[whose[rows, 0]]
        for worth in (solved.deals, solved.lasts):
            together = np.tensordot(often / game.n, worth[rows].sum(axis=2), 1)
            assert together == pytest.approx(marks[counts.sum()], rel=0.01)
    assert np.all(solved.error > 0)
    assert np.all((solved.chances == 0) | (solved.chances >= 5))
    # Whoever has collected a stake may win with the next one.
    ahead = game.standings.looks_at(np.array([1, 0, 0, 0, 0, 0]))
    assert solved.deals[ahead[0], 2].mean() > solved.deals[ahead[1], 2].mean() + 0.3


def test_threads_and_pauses_leave_no_trace(short):
    whole, _ = solve(short)
    calls = iter(range(1000))
    stopped, done = solve(short, 2, lambda _: next(calls) > 0)
    again, done_now = solve(short, 3, solved=stopped)
    assert (done, done_now) == (False, True)
    for one, other in zip(whole, again, strict=True):
        assert np.array_equal(one, other)


def test_where_all_have_as_many_it_is_as_if_it_were_known_who_sits_where():
    """A game to one stake has one state, and one row: so play is learned from the same deals."""
    found = []
    for seated in (True, False):
        game = Game(make_rules(overrides={"target": 1}), 4, 3, pool=POOL, seated=seated)
        lots = game.draw()
        thirds = game.thirds(lots, np.zeros(15 * 91, np.float32))
        solved = nothing_known(game)
        share = np.full((2, 1, 3), 64 * 64)
        assert Induction(game, lots, thirds, solved, share).run(1, lambda _: False)
        found.append(solved)
    third = game.plan.starts[3]
    assert np.array_equal(found[0].chances[..., third:], found[1].chances[..., third:])
    assert found[0].deals == pytest.approx(found[1].deals, abs=0.2)


def test_a_best_reply_finds_what_is_wrong(short):
    game, lots, seen = short
    thirds = game.thirds(lots, seen.first.astype(np.float32))
    always = nothing_known(game)
    always.chances[:] = 255
    reply = nothing_known(game, fine=True)
    share = share_out(seen.often, 100_000, 1024)
    assert ReplyTraining(game, lots, thirds, always, reply, share).run(2, lambda _: False)
    assert np.all(reply.deals[0, 0] > 1.2)  # each would win a sixth of the pot
    ahead = game.standings.looks_at(np.array([1, 0, 0, 0, 0, 0]))
    for row in ahead[:2]:
        first = reply.chances[row, 0, :91]
        assert np.all(first[:30] == 0)
        assert np.all(first[-5:] == 255)
