"""What a solver of whole games is built of: against plain Python, and against games played."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from sizes import size

from simulate.napalm.reference import Money
from simulate.napalm.rules import kernel_rules, make_rules
from simulate.napalm.solving.histories import CHALLENGED, FIRST, SECOND, THIRD, TWOS
from simulate.napalm.solving.induction import (
    Game,
    Induction,
    Place,
    fewest,
    nothing_known,
    share_out,
)
from simulate.napalm.solving.looking import Look, look
from simulate.napalm.solving.lots import LOT, toss
from simulate.napalm.solving.race import (
    NOBODY,
    Race,
    counts_of,
    expect,
    find_mark,
    marks_between,
    pots,
    settle_state,
    winner_of,
)
from simulate.napalm.solving.race_reply import ReplyTraining, coarser
from simulate.napalm.solving.tree import make_plan, whole_deal
from strategies.standing import standing_of

STAKES = make_rules("stakes")
ODD = make_rules(
    overrides={
        "tie": "nothing",
        "stage1.challenge": False,
        "stage1.lone_award": 3,
        "stage2.penalty": 0,
        "stage3.penalty": 1,
        "target": 4,
    }
)
SHORT = make_rules(overrides={"target": 2})
POOL = 1 << 13


def made_up_race(n, target, seed=1):
    """Make up what states are worth."""
    draw = np.random.default_rng(seed)
    nodes = pots(n, target, 3)
    shape = (target**n, 5, n)
    worths = draw.random(shape) * 9, draw.random(shape) * 9
    return Race(n, target, *worths, marks_between(nodes), *standing_of(n, target, seated=True))


@pytest.mark.parametrize("rules", [STAKES, ODD], ids=["stakes", "odd"])
@pytest.mark.parametrize("n", [4, 5])
def test_a_stage_is_settled_as_the_reference_does(rules, n):
    draw = np.random.default_rng(n)
    race, numbers = made_up_race(n, rules.target), kernel_rules(rules)
    for said, stage in product(range(1 << n), range(3)):
        before = draw.integers(0, rules.target, n)
        pot = int(draw.integers(0, 3 * n))
        worths = draw.integers(0, 3, n).tolist()
        yes = [p for p in range(n) if said >> p & 1]
        best = max((worths[p] for p in yes), default=0)
        win = sum(1 << p for p in yes if worths[p] == best)
        money = Money(collected=before.tolist(), net=[0] * n, pot=pot)
        money.settle(rules, stage + 1, yes, worths)
        after, change = np.zeros(n, np.int64), np.zeros(n)
        left = settle_state(stage, said, win, float(pot), before, race, numbers, after, change)
        assert (left, after.tolist()) == (money.pot, money.collected)
        assert change.tolist() == money.net


@pytest.mark.parametrize(
    ("counts", "winner"),
    [
        ([4, 4, 4, 4], NOBODY),
        ([0, 5, 0, 0], 1),
        ([5, 6, 6, 0], 1),  # the highest count, then the nearest eldest
        ([4, 5, 0, 5], 1),
    ],
)
def test_who_has_won(counts, winner):
    assert winner_of(np.array(counts), made_up_race(4, 5)) == winner


def test_the_next_deal_has_the_next_eldest():
    """Position 1 is eldest in the next deal, and who was eldest deals."""
    race = made_up_race(4, 3)
    counts, turned = np.array([0, 1, 2, 2]), [1, 2, 2, 0]
    number = sum(count * 3**place for place, count in enumerate(turned))
    mark = race.marks[5].tolist().index(race.marks[5, 2])
    found = np.zeros(4)
    expect(race, race.deals, counts, race.marks[5, 2], 1, found)
    for player in range(4):
        assert found[player] == pytest.approx(race.deals[number, mark, (player - 1) % 4])


def test_pots_between_and_beyond():
    marks = np.array([[4.0, 8.0, 16.0]])
    assert find_mark(marks, 0, 6.0, 0.0, 1.0) == (0, 0.5)
    assert find_mark(marks, 0, 14.0, 0.0, 1.0) == (1, 0.75)
    assert find_mark(marks, 0, 2.0, 0.0, 1.0) == (0, 0.0)
    assert find_mark(marks, 0, 2.0, -9.0, 9.0) == (0, -0.5)
    assert find_mark(marks, 0, 20.0, -9.0, 9.0) == (1, 1.5)


@pytest.mark.parametrize("n", [4, 5])
def test_every_decision_has_a_place_of_its_own(n):
    plan = make_plan(n, 3, 7, True)
    words = (1 << n) - 1
    assert plan.size == words * TWOS + (words >> 1) * TWOS + 2 * words * 3
    game = Game(STAKES, n, 1)
    coarse = coarser(game, game.plan, range(4))
    assert len(coarse) == game.plan.fine_size
    assert set(coarse.tolist()) == set(range(game.plan.size))
    assert np.array_equal(coarse[: plan.starts[SECOND]], np.arange(plan.starts[SECOND]))


class Plain:
    """A deal in plain Python: words by certain chances, money by the reference."""

    def __init__(self, game, race, lots, yes):
        self.game, self.race, self.lots, self.yes = game, race, lots, yes
        self.seen = set()

    def speak(self, time, deal, turn, stop, said=0):
        game, plan = self.game, self.game.plan
        stage = max(time - 1, 0)
        classes = TWOS if time < SECOND else plan.classes
        for position in range(stop):
            kind = int(self.lots.kind[stage * game.n + (position + turn) % game.n, deal])
            heard = (1 << position) - 1 + said
            said |= int(self.yes[plan.starts[time] + heard * classes + kind]) << position
        return said

    def settle(self, money, stage, said, deal, turn):
        n = self.game.n
        ranks = [int(self.lots.rank[stage * n + (p + turn) % n, deal]) for p in range(n)]
        money.settle(self.game.rules, stage + 1, [p for p in range(n) if said >> p & 1], ranks)

    def rest(self, worth, money, turned, paid):
        n, target, later = self.game.n, self.game.rules.target, np.zeros(self.game.n)
        reached = [p for p in range(n) if money.collected[p] >= target]
        if reached:
            best = max(money.collected[p] for p in reached)
            winner = next(p for p in reached if money.collected[p] == best)
            return [net + money.pot * (p == winner) for p, net in enumerate(money.net)]
        pot = float(money.pot + n * turned)
        counts = np.array(money.collected)
        expect(self.race, worth, counts, pot, turned, later)
        return [net + more - paid for net, more in zip(money.net, later, strict=True)]

    def play(self, deal, turn, counts, pot):
        n = self.game.n
        money = Money(collected=list(counts), net=[0] * n, pot=pot)
        said = self.speak(FIRST, deal, turn, n)
        dealer = 1 << n - 1
        if said == dealer and self.game.rules.stage1.challenge:
            said = self.speak(CHALLENGED, deal, turn, n - 1) | dealer
            self.seen.add("challenge")
        if said:
            self.settle(money, 0, said, deal, turn)
            return self.rest(self.race.deals, money, 1, 1.0)
        said = self.speak(SECOND, deal, turn, n)
        self.settle(money, 1, said, deal, turn)
        self.seen.add("stage 2")
        return self.rest(self.race.lasts, money, 0, 0.0) if said else None


@pytest.fixture(scope="module")
def drawn():
    """Deals of four, and of four by other rules."""
    games = {rules: Game(rules, 4, 5, pool=POOL) for rules in (STAKES, ODD)}
    return {rules: (game, game.draw()) for rules, game in games.items()}


@pytest.mark.parametrize("rules", [STAKES, ODD], ids=["stakes", "odd"])
def test_a_deal_brings_what_it_brings_in_plain_python(rules, drawn):
    """All words at once, where all chances are 0 or 1: so one of them is what is said."""
    game, lots = drawn[rules]
    draw = np.random.default_rng(3)
    race = made_up_race(game.n, rules.target)
    yes = (draw.random(game.plan.size) < 0.25).astype(np.float32)
    place, plain = Place(game, 0), Plain(game, race, lots, yes)
    for number, turn in ((0, 0), (7, 1), (rules.target**4 - 1, 3)):
        counts = counts_of(number, 4, rules.target)
        pot = 3 * int(counts.sum()) + 4
        pays = [place.pay(race, stage, counts, float(pot)) for stage in (0, 1)]
        at = number % 5 * LOT
        whole_deal(
            game.plan, yes, place.own, place.quiet, lots, turn, at, 0.0, *pays, place.room
        )  # fmt: skip
        for lane in range(size(LOT, 8)):
            wanted = plain.play(at + lane, turn, counts.tolist(), pot)
            if wanted is not None:
                found = place.room.value[FIRST, :4, lane]
                assert found == pytest.approx(wanted, abs=1e-4)
    assert "stage 2" in plain.seen
    if rules.stage1.challenge and size(1, 0):
        assert "challenge" in plain.seen


def test_hands_that_rank_alike_beat_as_many(drawn):
    game, lots = drawn[STAKES]
    assert lots.kind.shape == (12, POOL)
    assert lots.rank.max() == 3
    assert np.all(lots.rank[:4].min(axis=0) == 0)
    order = np.argsort(lots.rank[:4], axis=0, kind="stable")
    kinds = np.take_along_axis(lots.kind[:4], order, axis=0).astype(int)
    assert np.all(np.diff(kinds, axis=0) >= 0)  # at stage 1 classes are hands
    assert np.all(lots.fine[8:] >= lots.kind[8:])
    assert game.plan.fine == lots.fine[4:].max() + 1 or lots.fine[4:].max() < game.plan.fine


def test_coins_are_uniform():
    coins = np.array([toss(np.uint64(7), np.uint64(number)) for number in range(4096)])
    assert 0.0 <= coins.min() < coins.max() < 1.0
    assert abs(coins.mean() - 0.5) < 5 / np.sqrt(12 * 4096)
    assert len(set(coins.tolist())) == 4096


@pytest.fixture(scope="module")
def short():
    """A game to two stakes, solved from few deals."""
    game = Game(SHORT, 4, 3, pool=POOL)
    lots = game.draw()
    seen = look(game, lots, 2048, 1, lambda _: False)
    return game, lots, seen


def solve(short, threads=1, told=lambda _: False, solved=None):
    game, lots, seen = short
    solved = nothing_known(game) if solved is None else solved
    thirds = game.thirds(lots, seen.first.astype(np.float32))
    work = Induction(game, lots, thirds, solved, share_out(seen.often, 200_000, 2048))
    return solved, work.run(threads, told)


def test_what_all_expect_together_is_the_pot(short):
    game, _, _ = short
    solved, whole = solve(short)
    assert whole
    marks = marks_between(game.pots)[game.sums]
    for worth in (solved.deals, solved.lasts):
        assert np.allclose(worth.sum(axis=2), marks, atol=1e-3)
    assert np.all(solved.error > 0)
    assert np.all((solved.chances == 0) | (solved.chances >= 5))


def test_threads_and_pauses_leave_no_trace(short):
    whole, _ = solve(short)
    calls = iter(range(1000))
    stopped, done = solve(short, 2, lambda _: next(calls) > 0)
    again, done_now = solve(short, 3, solved=stopped)
    assert (done, done_now) == (False, True)
    for one, other in zip(whole, again, strict=True):
        assert np.array_equal(one, other)


def test_the_more_a_state_is_met_the_more_it_is_learned(short):
    _, _, seen = short
    assert isinstance(seen, Look)
    assert seen.often[0, 0].sum() > 0
    assert np.all((seen.first >= 0) & (seen.first <= 1))
    share = share_out(np.array([[1.0, 8.0, 1e6]]), 10**7, 128)
    assert np.all(np.diff(share) >= 0)
    assert np.all(share % LOT == 0)
    game = short[0]
    assert [fewest(game, deals) for deals in (1, 10_000, 10**9)] == [64, 64, 4096]


def test_a_best_reply_finds_what_is_wrong(short):
    """Against players who always say Yes only good hands do; against good ones it gains little."""
    game, lots, seen = short
    thirds = game.thirds(lots, seen.first.astype(np.float32))
    share = share_out(seen.often, 200_000, 2048)
    always = nothing_known(game)
    always.chances[:] = 255
    reply = nothing_known(game, fine=True)
    assert ReplyTraining(game, lots, thirds, always, reply, share).run(2, lambda _: False)
    assert np.all(reply.deals[0, 0] > 1.2)  # each would win a fourth of the pot
    starts = game.plan.fine_starts
    eldest = reply.chances[0, 0, starts[FIRST] : starts[FIRST] + TWOS]
    assert np.all(eldest[:30] == 0)
    assert np.all(eldest[-5:] == 255)
    good, _ = solve(short)
    answer = nothing_known(game, fine=True)
    ReplyTraining(game, lots, thirds, good, answer, share).run(1, lambda _: False)
    assert np.all(answer.deals[0, 0] > good.deals[0, 0] - 0.1)
    assert np.all(answer.deals[0, 0] < good.deals[0, 0] + 0.8)
    same = (
        answer.chances[:, :, starts[THIRD] :]
        == good.chances[:, :, coarser(game, game.plan, range(4))[starts[THIRD] :]]
    )
    assert 0.1 < same.mean() < 1.0
