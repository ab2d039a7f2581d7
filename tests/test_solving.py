"""What a solver of Napalm is built of: against the plain reference, on any number of threads."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from sizes import size

from simulate.errors import InputError
from simulate.napalm.reference import Deal, Money, deal_cards
from simulate.napalm.rules import kernel_rules, make_rules
from simulate.napalm.solving.deals import BLOCK
from simulate.napalm.solving.histories import (
    CHALLENGED,
    FIRST,
    SECOND,
    THIRD,
    TWOS,
    make_layout,
    place_of,
)
from simulate.napalm.solving.lesson import refresh
from simulate.napalm.solving.money import settle_one
from simulate.napalm.solving.proof import prove
from simulate.napalm.solving.reply import AS_BEFORE, NOBODY, Reply, Trial, try_reply
from simulate.napalm.solving.school import SOLVER, Desk, School, Setting, check_rules
from simulate.rng import fold_seed
from strategies.solved import two_cards

STAKES = make_rules("stakes")
ODD = make_rules(
    overrides={
        "tie": "nothing",
        "stage1.challenge": False,
        "stage1.lone_award": 3,
        "stage2.penalty": 0,
        "stage2.ends_on_yes": True,
        "stage3.penalty": 1,
        "wheel": True,
    }
)


@pytest.mark.parametrize("rules", [STAKES, ODD], ids=["stakes", "odd"])
def test_a_stage_is_settled_as_the_reference_does(rules):
    draw = np.random.default_rng(1)
    numbers = kernel_rules(rules)
    for n, said, stage in product((4, 7), range(1 << 7), range(3)):
        said &= (1 << n) - 1
        value = draw.integers(0, 3, (2, 3 * n)).astype(np.uint32)
        pot = int(draw.integers(0, 2 * n))
        worths = value[1, stage * n : stage * n + n].tolist()
        money = Money(collected=[0] * n, net=[0] * n, pot=pot)
        money.settle(rules, stage + 1, [p for p in range(n) if said >> p & 1], worths)
        for position in range(n):
            found = settle_one(said, value, 1, stage, n, pot, numbers, position)
            assert found == (money.net[position], money.pot)


@pytest.mark.parametrize("n", [2, 4, 7])
def test_every_decision_has_a_place_of_its_own(n):
    layout = make_layout(n, 3, 2)
    places = []
    for position in range(n):
        for said in range(1 << position):
            for time, classes in ((FIRST, TWOS), (CHALLENGED, TWOS), (SECOND, 3)):
                if time != CHALLENGED or position < n - 1:
                    places += [place_of(layout, time, position, said, 0, k) for k in range(classes)]
            for said2, kind in product(range(1 << n), range(2)):
                places.append(place_of(layout, THIRD, position, said, said2, kind))
    assert sorted(places) == list(range(layout.size))


def speaker(setting, chances, coins, deal, hands):
    """Speak as the solver's players do: by its chances and coins."""
    layout = setting.layout

    def speak(seat, view):
        time = (FIRST, CHALLENGED)[view.turn - 1] if view.stage == 1 else view.stage
        kind = two_cards(view.high, view.low)
        if view.stage > 1:
            edges = setting.edges[view.stage - 2]
            kind = int(np.searchsorted(edges, view.strength, "right"))
        said = view.said & (1 << seat) - 1
        place = place_of(layout, time, seat, said, view.said2, kind)
        assert hands[deal, (view.stage - 1) * layout.n + seat] == kind
        return coins[deal, time * layout.n + seat] < np.float32(chances[place])

    return speak


@pytest.mark.parametrize(("n", "rules"), [(5, ODD), (4, STAKES), (7, STAKES)][: size(3, 1)])
def test_deals_bring_what_they_bring_in_the_reference(n, rules):
    """The same cards, the same coins, and for one player in turn no coins at all."""
    setting = Setting(rules, n, seed=5)
    draw = np.random.default_rng(n)
    layout = setting.layout
    # Mostly No at first, or hardly any deal comes to the later stages.
    chances = draw.random(layout.size)
    chances[: layout.starts[1]] *= 0.3
    desk = Desk(setting)
    for task in desk.tasks(0):
        task()
    key, no_race = fold_seed(5) ^ SOLVER, replace(rules, target=1000)
    reached = set()
    for player in range(n):
        own = chances.copy()
        for time in range(4):
            if time == CHALLENGED and player == n - 1:
                continue
            for said in range(1 << player):
                for said2 in range(1 << n if time == THIRD else 1):
                    at = place_of(layout, time, player, said, said2, 0)
                    stop = at + layout.classes[time]
                    own[at:stop] = draw.random(stop - at) < chances[at:stop].mean()
        worth, gains = np.zeros((n, BLOCK)), np.zeros((n, BLOCK))
        fine = setting.fine_layout.size
        reply = Reply(np.zeros(fine), np.zeros(fine), np.full(fine, AS_BEFORE, np.int8))
        trial = Trial(own.astype(np.float32), layout, setting.fine_layout, NOBODY, 0.0)
        try_reply(trial, reply, desk.deals, setting.numbers, player, worth, gains)
        assert not gains.any()
        for number in range(size(400, 20)):
            money = Money.at_start(n)
            cards = deal_cards(key, number, 0, n, n - 1)
            speak = speaker(setting, own, desk.deals.coin, number, desk.deals.kind)
            record = Deal(no_race, key, number, 0, n - 1, money, cards).play(speak)
            assert worth[player, number] == money.net[player] + 1  # the ante apart
            reached.add((len(record["stages"]), len(record["stages"][0]["declarations"])))
    assert {stages for stages, _ in reached} >= {1, 3}
    if rules is STAKES and size(1, 0):
        assert any(words > n for _, words in reached)


def test_threads_and_pauses_leave_no_trace():
    setting = Setting(STAKES, 4, seed=3)
    blocks = 6

    def enough(school, deals):
        return lambda done: done >= deals

    whole = School(setting)
    whole.learn(blocks, 1, lambda _: False)
    for threads in (2, 3):
        school = School(setting)
        school.learn(blocks, threads, enough(school, BLOCK))
        again = School(setting)
        again.restore(school.pupil.regret, school.pupil.policy, school.blocks)
        again.learn(blocks - school.blocks, threads, lambda _: False)
        assert again.deals == whole.deals == blocks * BLOCK
        assert np.array_equal(again.pupil.regret, whole.pupil.regret)
        assert np.array_equal(again.pupil.policy, whole.pupil.policy)
        assert np.array_equal(again.pupil.yes, whole.pupil.yes)
    proofs = [
        prove(setting, whole.chances(), trained=1, fresh=1, threads=threads) for threads in (1, 2)
    ]
    for one, other in zip(*proofs, strict=True):
        assert np.array_equal(one, other)
    other = School(Setting(STAKES, 4, seed=4))
    other.learn(blocks, 1, lambda _: False)
    assert not np.array_equal(other.pupil.regret, whole.pupil.regret)


def test_ctrl_c_leaves_whole_blocks():
    setting = Setting(STAKES, 4, seed=3)
    school, whole = School(setting), School(setting)

    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        school.learn(5, 2, stop)
    whole.learn(1, 1, lambda _: False)
    assert school.deals == BLOCK
    assert np.array_equal(school.pupil.regret, whole.pupil.regret)
    assert np.array_equal(school.pupil.yes, whole.pupil.yes)


def test_others_are_heard_by_what_they_have_learned():
    school = School(Setting(STAKES, 4, seed=3))
    school.pupil.regret[:4] = [1.0, 3.0, -1.0, -2.0]
    refresh(school.pupil, 0, 2)
    assert school.pupil.yes[:2].tolist() == [0.75, 0.5]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"currency": "tokens"}, "currency = tokens: a deal is solved with stakes only"),
        ({"stage1.ends_on_yes": False}, "stage1.ends_on_yes = false"),
        ({"stage2.challenge": True}, "stage2.challenge = true: a deal is solved with false only"),
    ],
)
def test_rules_that_do_not_fit_are_refused(change, words):
    with pytest.raises(InputError) as caught:
        check_rules(make_rules(overrides=change))
    assert words in str(caught.value)


@pytest.mark.parametrize("n", [4, 5])
def test_a_solved_deal_leaves_little_to_gain(n):
    """With a tenth of the deals, three times what is asked of a solution."""
    school = School(Setting(STAKES, n, seed=1))
    school.learn(200, 1, lambda _: False)
    proof = prove(school.setting, school.chances(), trained=800_000, fresh=400_000)
    assert -4 * proof.total_error < proof.total < 0.03
    assert np.all(np.diff(proof.worth) > 0)  # who speaks later knows more
