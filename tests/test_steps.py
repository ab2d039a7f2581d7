"""Games in steps: who is asked next, what has happened by then, and nothing that has not."""

from __future__ import annotations

import copy

import pytest

from simulate.napalm import reference as napalm
from simulate.napalm.rules import make_rules as napalm_rules
from simulate.noddy import reference as noddy
from simulate.noddy.rules import make_rules as noddy_rules
from simulate.rng import fold_seed

KEY = fold_seed(7)
SPOKEN = ["stage", "declarations"]


def test_napalm_waits_for_each_word_and_writes_down_what_was_said_so_far():
    money = napalm.Money.at_start(4)
    deal = next(napalm.deals_of(napalm_rules(), money, KEY, 3))
    steps = deal.steps()
    order = deal.order
    for place in range(4):
        ask = next(steps) if place == 0 else steps.send(False)
        assert (ask.seat, ask.view.position) == (order[place], place)
        stage = deal.record["stages"][-1]
        assert list(stage) == SPOKEN
        assert stage["declarations"] == [[seat, "no"] for seat in order[:place]]
        assert all(len(hand) == 2 for hand in deal.record["cards"])
    ask = steps.send(False)
    assert ask.view.stage == 2
    assert deal.record["stages"][0]["pot"] == 4
    assert list(deal.record["stages"][1]) == SPOKEN
    assert all(len(hand) == 5 for hand in deal.record["cards"])


def test_noddy_waits_for_each_turn_and_writes_down_what_was_done_so_far():
    race = noddy.Race.at_start(2)
    deal = next(noddy.deals_of(noddy_rules("hold"), race, KEY, 0))
    steps = deal.steps()
    ask, asked = next(steps), 0
    while len(deal.record["turns"]) < 6:
        before = len(deal.record["turns"])
        assert ask.view.turn == before
        assert ask.seat == deal.order[before % 2]
        assert len(ask.options) > 1
        assert "scores" not in deal.record
        ask = steps.send(len(ask.options) - 1)  # draw
        assert deal.record["turns"][before]["do"] == "draw"
        asked += 1
    assert asked


def test_games_side_by_side_do_not_touch_each_other():
    rules = napalm_rules()
    alone = [napalm.play_game(rules, 5, KEY, game, lambda *_: True) for game in (1, 2)]
    whole: list[list[dict]] = [[], []]
    games = [napalm.deals_of(rules, napalm.Money.at_start(5), KEY, game) for game in (1, 2)]
    running = [True, True]
    while any(running):
        for place, deals in enumerate(games):
            deal = next(deals, None)
            running[place] = deal is not None
            if deal is not None:
                deal.play(lambda *_: True)
                whole[place].append(copy.deepcopy(deal.record))
    assert whole == [game["deals"] for game in alone]


def driven(steps, answer):
    """Answer until nobody is asked any more."""
    ask = next(steps, None)
    while ask is not None:
        try:
            ask = steps.send(answer(*ask))
        except StopIteration:
            ask = None


@pytest.mark.parametrize("preset", ["stakes", "tokens"])
def test_napalm_in_steps_is_the_game_itself(preset):
    rules = napalm_rules(preset)
    for game in range(20):

        def speak(_, view):
            return view.strength > 0.8 or view.random < 0.1

        record: dict = {}
        driven(napalm.game_steps(rules, 6, KEY, game, record), speak)
        assert record == napalm.play_game(rules, 6, KEY, game, speak)


@pytest.mark.parametrize("preset", ["lay", "hold"])
def test_noddy_in_steps_is_the_game_itself(preset):
    rules = noddy_rules(preset)
    for game in range(10):

        def choose(_, view, options):
            return (view.turn + view.deal) % len(options)

        record: dict = {}
        driven(noddy.game_steps(rules, 3, KEY, game, record), choose)
        assert record == noddy.play_game(rules, 3, KEY, game, choose)
