"""What a solver of games for tokens is built of: against plain Python, and on short games."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from sizes import size

from simulate.napalm.reference import Money
from simulate.napalm.rules import kernel_rules, make_rules
from simulate.napalm.solving.histories import CHALLENGED, FIRST, SECOND, TWOS
from simulate.napalm.solving.induction import Game
from simulate.napalm.solving.lots import LOT
from simulate.napalm.solving.race import counts_of, expect, marks_between
from simulate.napalm.solving.token_induction import (
    TokenInduction,
    TokenPlace,
    no_tokens_known,
    plans_of,
    shared_tokens,
)
from simulate.napalm.solving.token_race import (
    come_round,
    fill_token_pay,
    ring_of,
    settle_tokens,
    token_pots,
    token_race,
)
from simulate.napalm.solving.token_reply import TokenReply, coarser_tokens
from simulate.napalm.solving.token_stage import one_stage

TOKENS = make_rules("tokens")
ODD = make_rules(
    "tokens",
    {
        "tie": "nothing",
        "stage1.ends_on_yes": True,
        "stage2.challenge": False,
        "stage3.lone_award": 2,
        "target": 4,
    },
)
SHORT = make_rules("tokens", {"target": 2})
POOL = 1 << 13


def made_up_race(n, target, seed=1):
    """Make up what states are worth: all together the pot."""
    draw = np.random.default_rng(seed)
    pots = token_pots(n, target, 3)
    parts = draw.dirichlet(np.ones(n), (3, target**n))
    sums = [counts_of(number, n, target).sum() for number in range(target**n)]
    worth = parts[:, :, None, :] * marks_between(pots)[sums][None, :, :, None]
    return token_race(n, target, worth, pots)


@pytest.mark.parametrize("rules", [TOKENS, ODD], ids=["tokens", "odd"])
@pytest.mark.parametrize("n", [4, 5])
def test_a_stage_is_settled_as_the_reference_does(rules, n):
    draw, numbers = np.random.default_rng(n), kernel_rules(rules)
    for said, stage in product(range(1 << n), range(3)):
        before, pot = draw.integers(0, rules.target, n), int(draw.integers(n, 9 * n))
        worths = draw.integers(0, 3, n).tolist()
        yes = [p for p in range(n) if said >> p & 1]
        best = max((worths[p] for p in yes), default=0)
        win = sum(1 << p for p in yes if worths[p] == best)
        money = Money(collected=before.tolist(), net=[0] * n, pot=pot)
        money.settle(rules, stage + 1, yes, worths)
        after, change = np.zeros(n, np.int64), np.zeros(n)
        settle_tokens(stage, said, win, float(pot), before, n, numbers, after, change)
        assert (pot, after.tolist()) == (money.pot, money.collected)
        assert change.tolist() == money.net


def plain_pay(rules, race, stage, counts, pot, said, win):
    """Return what a stage brings, settled by the reference."""
    n = race.n
    money = Money(collected=counts.tolist(), net=[0] * n, pot=pot)
    yes = [p for p in range(n) if said >> p & 1]
    money.settle(rules, stage + 1, yes, [win >> p & 1 for p in range(n)])
    money.award_prize(rules.target, range(n))
    if money.winner is not None:
        return money.net
    after = np.array(money.collected)
    if stage < 2 and not (yes and rules.stage(stage + 1).ends_on_yes):
        worth, turned, ante = race.worth[stage + 1], 0, 0
    else:  # the next deal
        worth, turned, ante = race.worth[0], 1, 1
    grown = float(pot + n * ante)
    later = np.zeros(n)
    expect(race, worth, after, grown, turned, later)
    return [net - ante + more for net, more in zip(money.net, later, strict=True)]


@pytest.mark.parametrize("rules", [TOKENS, ODD], ids=["tokens", "odd"])
@pytest.mark.parametrize("counts", [(0, 0, 0, 0), (2, 0, 3, 1), (3, 3, 0, 3), (3, 3, 3, 3)])
def test_what_a_stage_brings_is_settled_money_and_what_follows(rules, counts):
    n, race, numbers = 4, made_up_race(4, rules.target), kernel_rules(rules)
    pay = np.zeros((1 << 2 * n) * n, np.float32)
    before, pot = np.array(counts), 4 * (1 + sum(counts))
    few = np.zeros(n, np.int64), np.zeros(n), np.zeros(n)
    for stage in range(3):
        fill_token_pay(stage, before, float(pot), race, numbers, pay, *few)
        for said, win in product(range(1 << n), repeat=2):
            if win & ~said or (said and not win) or (said.bit_count() == 1 and win != said):
                continue
            found = pay[(said << n | win) * n :][:n]
            wanted = plain_pay(rules, race, stage, before, pot, said, win)
            assert found == pytest.approx(wanted, abs=1e-3)
            assert found.sum() == pytest.approx(pot, abs=1e-2)  # side bets add up to nothing


def test_the_last_token_wins_the_pot():
    """All have four: a lone Yes takes all; in a showdown the losers pay the pot each."""
    race, pay = made_up_race(4, 5), np.zeros((1 << 8) * 4, np.float32)
    four = np.full(4, 4)
    fill_token_pay(
        1,
        four,
        40.0,
        race,
        kernel_rules(TOKENS),
        pay,
        np.zeros(4, np.int64),
        np.zeros(4),
        np.zeros(4),
    )
    rows = pay.reshape(16, 16, 4)
    assert rows[0b0100, 0b0100].tolist() == [0, 0, 40, 0]
    follows = rows[0, 0]
    assert rows[0b0111, 0b0010] - follows == pytest.approx([-40, 80, -40, 0], abs=1e-4)
    assert rows[0b1111, 0b0011] - follows == pytest.approx([40, 40, -40, -40], abs=1e-4)


def test_counts_go_round_the_table():
    assert ring_of(0, 4, 5) == [0]
    ring = [counts_of(number, 4, 5).tolist() for number in ring_of(1 + 2 * 5, 4, 5)]
    assert ring == [[1, 2, 0, 0], [2, 0, 0, 1], [0, 0, 1, 2], [0, 1, 2, 0]]
    assert len(ring_of(3 + 3 * 25, 4, 5)) == 2
    found = [number for first in range(3**5) for number in ring_of(first, 5, 3)[:1]]
    assert sorted(found) == list(range(3**5))


@pytest.mark.parametrize("number", [0, 1 + 25, 1 + 2 * 5 + 4 * 125])
def test_what_comes_round_is_worth_what_comes_round(number):
    """Deals are worth what they bring and, where nobody takes a token, what the next one is."""
    n, race, ring = 4, made_up_race(4, 5), ring_of(number, 4, 5)
    counts = [counts_of(each, n, 5) for each in ring]
    marks, draw = race.marks[counts[0].sum()], np.random.default_rng(1)
    brings = draw.random((len(ring), 5, n))
    again = draw.uniform(0.1, 0.6, (len(ring), 5)).astype(np.float32)

    def next_deal(here, pot):
        found = np.zeros(n)
        expect(race, race.worth[0], here, float(pot + n), 1, found)
        return found

    def next_deals():
        return np.array([[next_deal(here, pot) for pot in marks] for here in counts])

    before = race.worth[0, ring]
    once = brings + again[:, :, None] * next_deals()
    race.worth[0, ring] = come_round(once, before, again, marks, n)
    assert np.allclose(race.worth[0, ring], brings + again[:, :, None] * next_deals())


def test_pots_are_whole_antes():
    for n in (4, 5):
        found = token_pots(n, 5, 3)
        assert np.all(np.diff(found, axis=1) > 0)
        assert np.all(found % n == 0)
        assert found[0, 0] == n


@pytest.mark.parametrize("n", [4, 5])
def test_every_decision_has_a_place_of_its_own(n):
    game = Game(TOKENS, n, 1)
    plans, words = plans_of(game), (1 << n) - 1
    assert plans[0].size == (words + (words >> 1)) * (TWOS + 2 * game.plan.classes)
    assert plans[2].starts[SECOND] == plans[2].size
    assert plans[1].starts[FIRST] == plans[0].starts[SECOND]
    coarse = coarser_tokens(game, plans)
    assert len(coarse) == plans[0].fine_size
    assert set(coarse.tolist()) == set(range(plans[0].size))


@pytest.fixture(scope="module")
def drawn():
    game = Game(TOKENS, 4, 5, pool=POOL)
    return game, game.draw()


@pytest.mark.parametrize("stage", [0, 1, 2])
def test_a_stage_brings_what_it_brings_in_plain_python(stage, drawn):
    """All words at once, where all chances are 0 or 1: so one of them is what is said."""
    game, lots = drawn
    draw = np.random.default_rng(stage)
    plan, race, place = plans_of(game)[stage], made_up_race(4, 5), TokenPlace(game, 0)
    yes = (draw.random(plan.size) < 0.2).astype(np.float32)
    counts, pot, turn, at = np.array([4, 1, 0, 4]), 36, 1 + stage, LOT
    place.pays(race, stage, counts, float(pot))
    one_stage(
        plan, yes, place.own, place.quiet, lots, 4 * stage, turn, at, 0.0, place.pay, place.room
    )
    challenges = 0
    for lane in range(size(LOT, 8)):
        columns = [4 * stage + (p + turn) % 4 for p in range(4)]
        kinds, ranks = lots.kind[columns, at + lane], lots.rank[columns, at + lane]

        def speak(time, players, said, kinds=kinds):
            for position in range(players):
                heard = (1 << position) - 1 + (said & (1 << position) - 1)
                word = yes[plan.starts[time] + heard * plan.kinds[0] + int(kinds[position])]
                said |= int(word) << position
            return said

        said = speak(FIRST, 4, 0)
        if said == 0b1000:
            challenges += 1
            said = speak(CHALLENGED, 3, said)
        best = max((ranks[p] for p in range(4) if said >> p & 1), default=0)
        win = sum(1 << p for p in range(4) if said >> p & 1 and ranks[p] == best)
        wanted = plain_pay(TOKENS, race, stage, counts, pot, said, win)
        assert place.room.value[FIRST, :4, lane] == pytest.approx(wanted, abs=1e-3)
    assert challenges or size(0, 1)


@pytest.fixture(scope="module")
def short():
    """A game to two tokens, its deals and how they are shared out."""
    game = Game(SHORT, 4, 3, pool=POOL)
    return game, game.draw(), shared_tokens(game, 400_000, 4096)


def solve(short, threads=1, told=lambda _: False, known=None):
    game, lots, share = short
    known = no_tokens_known(game) if known is None else known
    return known, TokenInduction(game, lots, known, share).run(threads, told)


@pytest.fixture(scope="module")
def solved(short):
    known, whole = solve(short)
    assert whole
    return known


def test_what_all_expect_together_is_the_pot(short, solved):
    game, _, _ = short
    marks = marks_between(game.pots)[game.sums]
    assert np.allclose(solved.worth.sum(axis=3), marks, atol=1e-3)
    assert np.all(solved.errors > 0)
    assert np.all((solved.chances == 0) | (solved.chances >= 5))


def test_going_round_once_more_changes_little(short, solved):
    marks = marks_between(short[0].pots)[short[0].sums]
    assert np.all(np.abs(solved.moved[0]) < 0.02 * marks[:, :, None])


def test_threads_and_pauses_leave_no_trace(short, solved):
    calls = iter(range(1000))
    stopped, done = solve(short, 2, lambda _: next(calls) > 0)
    assert (done, 0 < stopped.done.sum() < 16) == (False, True)
    again, done_now = solve(short, 3, known=stopped)
    assert done_now
    for one, other in zip(solved, again, strict=True):
        assert np.array_equal(one, other)


def test_the_start_is_learned_from_most_deals(short):
    _, _, share = short
    assert share.shape == (1, 16, 3)
    assert share[0, 0].min() == share.max()
    assert share.min() >= 4096
    assert np.all(share % LOT == 0)


def test_a_best_reply_finds_what_is_wrong(short, solved):
    """Against players who always say Yes only good hands do; against good ones it gains little."""
    game, lots, share = short
    always, reply = no_tokens_known(game), no_tokens_known(game, fine=True)
    always.chances[:] = 255
    assert TokenReply(game, lots, always, reply, share).run(2, lambda _: False)
    start = plans_of(game)[0].fine_starts[FIRST]
    eldest = reply.chances[0, 0, start : start + TWOS]
    assert np.all(eldest[:30] == 0)
    assert np.all(eldest[-5:] == 255)
    answer = no_tokens_known(game, fine=True)
    TokenReply(game, lots, solved, answer, share).run(1, lambda _: False)
    marks = marks_between(game.pots)[game.sums][:, :, None]
    assert np.all(answer.deals > solved.deals - 0.1 * marks)
    assert np.all(answer.deals < solved.deals + 0.3 * marks)
    same = answer.chances == solved.chances[:, :, coarser_tokens(game, plans_of(game))]
    assert 0.1 < same.mean() < 1.0
