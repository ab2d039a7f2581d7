"""A game with a person at the table: what is shown, what is hidden, and what it becomes."""

from __future__ import annotations

import json
import re

import pytest
from play_games import SETTINGS, played, setting_of

import simulate
from simulate import gamelog
from simulate.errors import InputError
from simulate.play import napalm, noddy
from simulate.play.setting import choose_setting
from simulate.play.sitting import Sitting

GAMES = range(6)
CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")
DEALT = {1: 2, 2: 5, 3: 7}


def names(case):
    return f"{case[0]}-{len(case[1]) + 1}-{case[2]}"


@pytest.fixture(params=SETTINGS, ids=names)
def case(request):
    return request.param


def cards_in(sitting):
    """Every card that is shown in any way."""
    return set(CARD.findall(json.dumps([sitting.shown(), sitting.lines(), sitting.places])))


def may_be_seen_in_napalm(record, seat):
    """Own cards, and once a deal is over the hands that one has compared with."""
    seen = set()
    for number, deal in enumerate(record["deals"]):
        seen |= set(deal["cards"][seat])
        for stage in deal["stages"] if number + 1 < len(record["deals"]) else ():
            yes = [who for who, word in dict(stage["declarations"]).items() if word == "yes"]
            if seat in yes:
                for who in yes:
                    seen |= set(deal["cards"][who][: DEALT[stage["stage"]]])
    return seen


def may_be_seen_in_noddy(record, seat):
    """Own cards, and those that lie on the table."""
    seen = set()
    for deal in record["deals"]:
        seen |= {deal["turn_up"], *deal["hands"][seat]}
        for turn in deal["turns"]:
            seen |= set(turn.get("cards", ()))
            seen |= set(turn["drew"]) if turn["seat"] == seat else set()
    return seen


def test_no_card_is_shown_that_the_person_may_not_see(case):
    may_be_seen = may_be_seen_in_napalm if case[0] == "napalm" else may_be_seen_in_noddy
    looked = 0

    def look(sitting):
        nonlocal looked
        if not sitting.over:
            looked += 1
            shown = cards_in(sitting)
            assert shown <= may_be_seen(sitting._played, sitting.setting.seat)
            assert shown

    for index in GAMES:
        played(case, index, look=look)
    assert looked >= len(GAMES)


def test_what_is_told_grows_and_is_never_changed(case):
    told = []

    def look(sitting):
        lines = sitting.lines()
        assert lines[: len(told)] == told
        told[:] = lines

    for index in GAMES:
        told.clear()
        played(case, index, look=look)
        assert told[-2].startswith("The game is over")


def test_the_record_is_that_of_a_game_that_can_be_audited_and_told(case):
    for index in GAMES:
        record = played(case, index).record
        assert gamelog.audit(record) is None
        assert record["seats"].index("you") == case[3]
        assert "seat" in gamelog.tell(record)


def test_everything_is_shown_when_the_game_is_over(case):
    sitting = played(case)
    shown = sitting.shown()
    key = "cards" if case[0] == "napalm" else "hands"
    assert all(hand is not None for deal in shown["deals"] for hand in deal[key])
    assert shown["winner"] == sitting.record["winner"]


def test_the_record_is_refused_while_the_game_goes_on(case):
    sitting = Sitting(setting_of(case), 0)
    with pytest.raises(InputError, match="not over"):
        _ = sitting.record


@pytest.mark.parametrize("answer", [17, -1, 0.0, "y", None])
def test_another_answer_than_those_allowed_is_refused(case, answer):
    sitting = Sitting(setting_of(case), 0)
    with pytest.raises(InputError, match="is not among"):
        sitting.answer(answer)
    assert sitting.answers == []


def test_nobody_answers_when_the_game_is_over(case):
    with pytest.raises(InputError, match="game is over"):
        played(case).answer(0)


@pytest.mark.parametrize(
    ("game", "spec", "others"),
    [
        ("napalm", "tight", ["bluffer", "listener", "random", "racer"]),
        ("noddy", "keeper", ["random", "reckoner"]),
    ],
)
def test_who_answers_as_a_strategy_does_plays_the_game_that_is_logged(game, spec, others):
    """The same seed and game give the same cards, and the bots do what they do compiled."""
    line_up = [others[0], spec, *others[1:]]
    config, strategies = simulate.configure(
        game, games=8, seed=11, strategies=line_up, fixed_seats=True
    )
    setting = choose_setting(game, others=others, seat=1, seed=11)
    module = napalm if game == "napalm" else noddy
    for index, logged in enumerate(simulate.records(config, strategies)):
        sitting = Sitting(setting, index)
        while not sitting.over:
            sitting.answer(module.answer_of(strategies[1], sitting.ask, sitting._key, index))
        record = sitting.record
        assert record.pop("seats") == ["you" if s == spec else s for s in logged.pop("seats")]
        assert record == logged


def test_hands_compared_with_the_persons_are_shown_once_the_deal_is_over():
    case = ("napalm", ["always", "always", "always"], "stakes", 0)
    setting = setting_of(case)
    sitting = Sitting(setting, 0)
    assert not any("Compared with you" in line for line in sitting.lines())
    sitting.answer(True)
    assert sum("Compared with you" in line for line in sitting.lines()) == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"game": "bridge"}, "unknown game 'bridge'"),
        ({"players": 3}, "players 3: napalm takes 4 to 7"),
        ({"others": ["tight*7"]}, "players 8: napalm takes 4 to 7"),
        ({"others": ["tight"]}, "players 2: napalm takes 4 to 7"),
        ({"others": ["tight*3"], "players": 5}, "3 strategies and you are 4 players, not 5"),
        ({"others": ["tigth*3"]}, "did you mean 'tight'"),
        ({"seat": 5}, "seat 5"),
        ({"seat": -1}, "seat -1"),
        ({"seed": -1}, "seed -1"),
        ({"rules": "token"}, "did you mean 'tokens'"),
    ],
)
def test_a_table_that_cannot_be_is_refused(options, message):
    with pytest.raises(InputError, match=message):
        choose_setting(**{"game": "napalm", **options})
