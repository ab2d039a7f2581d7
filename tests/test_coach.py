"""The coach asks `simulate.advise` with what the person knows, and is answered for every choice."""

from __future__ import annotations

import importlib

import pytest
from play_games import SETTINGS, played, setting_of

from simulate import NapalmSpot, NoddySpot
from simulate import advise as advise_on
from simulate.advising import advise_with
from simulate.play.adviser import advise, others, spot_of
from simulate.play.sitting import Sitting
from simulate.sampling import Player, play_here
from strategies import StrategyError


@pytest.fixture(params=SETTINGS, ids=lambda case: f"{case[0]}-{len(case[1]) + 1}")
def case(request):
    return request.param


def test_a_spot_can_be_made_of_every_question_and_is_what_the_view_shows(case):
    asked = 0

    def look(sitting):
        nonlocal asked
        if sitting.over:
            return
        spot, view = spot_of(sitting), sitting.ask.view
        assert (spot.players, spot.position, spot.deal) == (view.n, view.position, view.deal)
        if case[0] == "napalm":
            assert (spot.stage, spot.turn, spot.pot) == (view.stage, view.turn, view.pot)
            assert list(spot.collected) == list(view.counts[: view.n])
            assert len(spot.heard) == view.spoken + (view.position if view.turn == 2 else 0)
        else:
            assert spot.options() == sitting.ask.options
            assert (spot.stock, spot.turn) == (view.stock, view.turn)
        asked += 1

    for index in range(8):
        played(case, index, look=look)
    assert asked > 8


def test_the_others_sit_in_the_order_of_positions():
    setting = setting_of(SETTINGS[1])
    for index in range(8):
        sitting = Sitting(setting, index)
        named = [strategy.spec for strategy in others(sitting)]
        view = sitting.ask.view
        seats = [(sitting.ask.seat - view.position + place) % view.n for place in range(view.n)]
        del seats[view.position]
        assert named == [setting.seats[seat] for seat in seats]


@pytest.mark.parametrize("case", [SETTINGS[0], SETTINGS[2]], ids=["napalm", "noddy"])
def test_every_choice_is_valued_and_the_best_costs_nothing(case):
    for index in range(2):
        sitting = Sitting(setting_of(case), index)
        advice = advise(sitting)
        answers = [int(choice.answer) for choice in sitting.choices]
        assert [choice.answer for choice in advice.choices] == answers
        assert all(choice.margin > 0 for choice in advice.choices)
        assert advice.cost(advice.best.answer) == 0
        assert not advice.worse(advice.best.answer)
        assert advice.unit == ("stakes" if case[0] == "napalm" else "wins")
        assert advise(sitting) == advice, "the same question is answered alike"


RAISES = {
    "napalm": "def p_yes(view):\n    return 1.0 / (view.pot * 0)\n",
    "noddy": "def value(view, option):\n    return 1.0 / (view.turn * 0)\n",
}


@pytest.mark.parametrize("game", RAISES)
def test_a_strategy_that_raises_is_named_with_its_line_and_what_it_saw(game, tmp_path):
    bad = tmp_path / "bad.py"
    bad.write_text(RAISES[game])
    if game == "napalm":
        spot = NapalmSpot(position=2, cards="Ah Kd", heard="no,no")
        field, state = [str(bad), "tight", "tight", "tight"], "stage=1, position=0"
    else:
        spot = NoddySpot(position=0, cards="5h Jd 9c", turn_up="7h", rules="hold")
        field, state = [str(bad)], "position=1"
    with pytest.raises(StrategyError, match="raised ZeroDivisionError") as caught:
        advise_on(spot, field=field)
    assert f"{bad}:2" in str(caught.value)
    assert state in str(caught.value)
    assert "\n" not in str(caught.value)


LOOPS = """
def p_yes(view):
    k = 1
    while k > 0:
        k = (k * 5 + 1) % 1000003 + 1
    return float(k)
"""


def test_a_strategy_that_never_answers_is_ended_and_named(tmp_path):
    (tmp_path / "endless.py").write_text(LOOPS)
    spot, named = NapalmSpot(position=0, cards="Ah Kd"), str(tmp_path / "endless.py")
    plays = Player(patience=1.0)
    try:
        with pytest.raises(StrategyError, match="took over 1 s for an answer") as caught:
            advise_with(plays, spot, field=["tight", "tight", "tight", named])
    finally:
        plays.close()
    assert "endless.py' took" in str(caught.value)
    assert "sample 0, n=5, stage=1, position=4" in str(caught.value)


def test_a_strategy_of_the_user_brings_the_same_advice_in_a_child_as_here(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("def p_yes(view):\n    return 1.0 if view.strength > 0.7 else 0.1\n")
    spot = NapalmSpot(position=1, cards="Ah Kd", heard="no")
    asked = {"field": [str(bot), *["tight"] * 3], "games": 2_000}
    there = advise_on(spot, **asked)
    plays = Player()
    plays.play_of = lambda strategies: play_here
    assert advise_with(plays, spot, **asked) == there


def test_a_pair_of_aces_is_worth_a_yes():
    setting = setting_of(SETTINGS[0])
    for index in range(400):
        sitting = Sitting(setting, index)
        view = sitting.ask.view
        if view.pair and view.high >= 13 and view.yes == 0:
            advice = advise(sitting)
            assert advice.best.answer == 1
            assert advice.worse(0)
            return
    raise AssertionError("no such hand in 400 games")


def test_the_coach_and_a_review_are_asked_about_the_same_spots(case):
    module = importlib.import_module(f"simulate.{case[0]}.review")
    spots = []

    def look(sitting):
        if not sitting.over:
            spots.append(spot_of(sitting))

    for index in range(12):
        spots.clear()
        record = played(case, index, look=look).record
        assert spots == [asked.spot for asked in module.decisions(record, case[3])]
