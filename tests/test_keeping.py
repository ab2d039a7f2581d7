"""Games with a person are kept: stopped anywhere, gone on with, and at the end a game log."""

from __future__ import annotations

import json
import re

import pytest
from play_games import SETTINGS, first_is_best, played, setting_of

from simulate import gamelog
from simulate.errors import InputError
from simulate.play.coach import Advice
from simulate.play.keeping import going_on, open_game
from simulate.play.setting import choose_setting

CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")


@pytest.fixture(params=SETTINGS, ids=lambda case: f"{case[0]}-{len(case[1]) + 1}")
def case(request):
    return request.param


@pytest.fixture
def log(tmp_path):
    return tmp_path / "folder" / "games.jsonl"


def finish(kept, answers):
    while not kept.sitting.over:
        kept.answer(answers[len(kept.sitting.answers)])


def test_a_game_stopped_after_each_answer_is_the_same_as_one_that_was_not(case, log):
    whole = played(case)
    for answer in whole.answers:
        kept = open_game(setting_of(case), log)
        assert kept.resumed == bool(kept.sitting.answers)
        kept.answer(answer)
    assert [record for _, record in gamelog.read(log)] == [whole.record]
    assert not going_on(log).exists()
    assert gamelog.audit_file(log).difference is None


def test_the_file_of_a_game_going_on_holds_no_card(case, log):
    whole = played(case)
    kept = open_game(setting_of(case), log)
    for answer in whole.answers[:-1]:
        kept.answer(answer)
        assert not CARD.search(going_on(log).read_text())
        assert not log.exists()


def test_the_next_game_is_the_one_after_those_in_the_log(case, log):
    for index in range(3):
        kept = open_game(setting_of(case), log)
        assert kept.sitting.index == index
        finish(kept, played(case, index).answers)
    assert [record["index"] for _, record in gamelog.read(log)] == [0, 1, 2]
    assert gamelog.audit_file(log).games == 3
    with pytest.raises(InputError, match=r"game 1 is in .*: it has been played"):
        open_game(setting_of(case), log, 1)
    assert open_game(setting_of(case), log, 7).sitting.index == 7


def test_a_game_that_goes_on_comes_first(case, log):
    kept = open_game(setting_of(case), log, 4)
    kept.answer(kept.sitting.choices[-1].answer)
    if kept.sitting.over:
        return
    with pytest.raises(InputError, match=r"game 4 is going on in .*: finish it before game 2"):
        open_game(setting_of(case), log, 2)
    assert open_game(setting_of(case), log).sitting.index == 4
    with pytest.raises(InputError, match=r"another setting .*: finish that"):
        open_game(setting_of(case, seed=6), log)


def test_what_the_coach_said_is_kept(case, log):
    kept = open_game(setting_of(case), log)
    advice = first_is_best(kept.sitting)
    kept.answer(kept.sitting.choices[-1].answer, advice)
    if not kept.sitting.over:
        assert open_game(setting_of(case), log).advice == [advice]
    assert Advice.from_dict(json.loads(json.dumps(advice.to_dict()))) == advice


def test_a_game_that_was_over_when_it_stopped_is_not_added_twice(case, log):
    whole = played(case)
    kept = open_game(setting_of(case), log)
    for answer in whole.answers[:-1]:
        kept.answer(answer)
    kept.sitting.answer(whole.answers[-1])
    kept.advice.append(None)
    kept.write()  # and stops here
    again = open_game(setting_of(case), log)
    assert again.sitting.over
    kept.write()  # or after the log was written
    assert open_game(setting_of(case), log).sitting.index == 1
    assert gamelog.audit_file(log).games == 1


def test_games_of_other_settings_in_the_log_stay(case, log):
    others = [played(other) for other in SETTINGS if other != case]
    log.parent.mkdir()
    gamelog.write(log, [other.record for other in others])
    whole = played(case)
    finish(open_game(setting_of(case), log), whole.answers)
    assert [r for _, r in gamelog.read(log)] == [*(other.record for other in others), whole.record]


@pytest.mark.parametrize(
    "content",
    ["", "{}", "[]", '{"format": 2}', '{"format": 1, "setting": {}, "index": 0, "answers": [1]}'],
)
def test_a_broken_file_is_named(log, content):
    log.parent.mkdir()
    going_on(log).write_text(content)
    with pytest.raises(InputError, match=r"games.jsonl.going-on.json' is not the file of a game"):
        open_game(setting_of(SETTINGS[0]), log)


def test_answers_that_do_not_fit_are_named(log):
    kept = open_game(setting_of(SETTINGS[0]), log)
    kept.answer(False)
    content = json.loads(going_on(log).read_text())
    content["answers"].append({"answer": 63, "advice": None})
    going_on(log).write_text(json.dumps(content))
    with pytest.raises(InputError, match="answer 1 does not fit: answer 63 is not among"):
        open_game(setting_of(SETTINGS[0]), log)


def test_a_log_that_is_none_is_left_alone(log):
    log.parent.mkdir()
    log.write_text("shopping list\n")
    with pytest.raises(InputError, match="line 1: not a line of JSON"):
        open_game(setting_of(SETTINGS[0]), log)
    assert log.read_text() == "shopping list\n"


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    kept = open_game(setting_of(SETTINGS[0]), tmp_path / "file" / "games.jsonl")
    with pytest.raises(InputError, match="cannot write"):
        kept.answer(True)


def test_where_a_strategy_fails_at_its_own_move_it_is_as_if_nothing_had_been_answered(tmp_path):
    bad = tmp_path / "bad.py"
    bad.write_text("def p_yes(view):\n    return 0.5 if view.deal < 1 else 2.0\n")
    kept = open_game(choose_setting("napalm", others=[f"{bad}*3"]), tmp_path / "games.jsonl")
    asked = []

    def go_on():
        while True:
            asked.append(kept.sitting.ask)
            kept.answer(False)

    with pytest.raises(InputError, match=r"answered 2\.0.*; the game is kept"):
        go_on()
    assert len(kept.sitting.answers) == len(kept.advice) == len(asked) - 1
    assert kept.sitting.ask == asked[-1], "the same is asked again"
    if kept.sitting.answers:
        assert open_game(kept.sitting.setting, kept.log).sitting.ask == asked[-1]
