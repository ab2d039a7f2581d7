"""``simulate advise``: what it prints, and what it says of bad input."""

import json
from dataclasses import replace

import pytest

from simulate.advice import Advice, Choice
from simulate.cli import main
from simulate.commands.advise import show
from simulate.errors import InputError
from simulate.stats import Estimate

NAPALM = ["advise", "napalm", "--position", "2", "--heard", "yes,no", "--cards", "Ah Kd"]
NODDY = ["advise", "noddy", "--position", "0", "--cards", "5h Jd 9c", "--turn-up", "7h"]


def test_napalm_is_a_table_and_a_sentence(capsys):
    assert main([*NAPALM, "--pot", "14", "--collected", "2,1,0,3,0", "--field", "tight"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["net", "stakes", "games", "won", "behind", "(net", "stakes)"]
    assert lines[1].startswith("yes")
    assert lines[2].startswith("no")
    assert "stakes better than" in lines[4]
    assert "field: tight*5" in lines[-1]


def test_json_holds_everything(capsys):
    others = ("tight", "bluffer", "never", "listener")
    field = [word for spec in others for word in ("--field", spec)]
    assert main([*NAPALM, *field, "--own", "racer", "--seed", "7", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [choice["name"] for choice in found["choices"]] == ["yes", "no"]
    assert found["field"] == ["tight", "bluffer", "racer", "never", "listener"]
    assert found["seed"] == 7
    assert found["sentence"].endswith("stakes.")
    net = found["choices"][0]["net"]
    assert net["low"] < net["value"] < net["high"]
    assert net["error"] > 0
    assert found["effective"] <= found["samples"] <= found["dealt"]


def test_noddy_lists_every_option(capsys):
    assert main([*NODDY, "--rules", "hold", "--scores", "20,20"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("lay fifteen 5h Jd *  100.0% ± 0.0%")
    assert lines[2].startswith("draw")


BAD = [
    (["--cards", "Ah Ah"], "'Ah' is given twice"),
    (["--cards", "Ah"], "1 card: at stage 1"),
    (["--heard", "yes,no,no"], "position 2 has not spoken yet"),
    (["--heard", "yes,perhaps"], "'perhaps' is no word"),
    (["--collected", "0,0,7,0,0"], "collected 7 in position 2 has won"),
    (["--collected", "0,0,0,0,0,0,0"], "7 counts: there are 5 players"),
    (["--pot", "2"], "pot 2"),
    (["--stage", "4"], "stage 4"),
    (["--laid", "2c"], "--laid is not for napalm"),
    (["--precision", "tiny"], "precision 'tiny'"),
    (["--rule", "target=no"], "rule target"),
    (["--field", "tigth"], "did you mean 'tight'"),
    (["--measure", "score"], "measure of napalm"),
    (["--games", "3"], "games 3"),
    (["--seed", "-1"], "seed"),
]


@pytest.mark.parametrize(("wrong", "message"), BAD)
def test_bad_input_is_one_line_and_exit_code_2(capsys, wrong, message):
    assert main([*NAPALM, *wrong]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["advise", "chess"], "unknown game 'chess'"),
        (["advise", "napalm", "--cards", "Ah Kd"], "--position is missing"),
        (["advise", "noddy", "--cards", "5h", "--position", "0"], "--turn-up is missing"),
        ([*NODDY, "--heard", "yes"], "--heard is not for noddy"),
        ([*NODDY, "--laid", "5h"], "in hand, and laid"),
        ([*NODDY, "--scores", "31,0"], "has won the game"),
    ],
)
def test_what_is_missing_or_of_the_other_game_is_named(capsys, words, message):
    assert main(words) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("error", [InputError("no code"), RuntimeError("no compiled object yet")])
def test_ctrl_c_is_one_line_whatever_the_compiler_makes_of_it(capsys, monkeypatch, error):
    def stopped(*args, **options):
        try:
            raise KeyboardInterrupt
        finally:
            raise error

    monkeypatch.setattr("simulate.advising.advise", stopped)
    assert main(NAPALM) == 130
    assert capsys.readouterr().err == "simulate: stopped\n"


def test_a_solved_table_is_a_field(capsys):
    words = [
        *NAPALM,
        "--field",
        "solved:napalm-5-deal",
        "--own",
        "solved:napalm-5-deal",
        "--games",
        "2000",
    ]
    assert main([*words, "--slip", "0.02"]) == 0
    assert "field: solved:napalm-5-deal*5" in capsys.readouterr().out


def test_what_was_not_enough_is_said(capsys):
    assert main([*NAPALM, "--precision", "0.001", "--games", "1000"]) == 0
    assert "within 0.001 net stakes: --games allows more" in capsys.readouterr().out


def test_games_that_nobody_wins_are_said_to_be_none(capsys):
    words = ["--field", "never", "--own", "never", "--slip", "0.5", "--rule", "max_deals=2"]
    assert main([*NAPALM, *words, "--games", "1000"]) == 0
    assert "of the games ended without a winner" in capsys.readouterr().out


def test_choices_that_drop_out_early_are_said_to_have():
    nothing = Estimate(0.0, 0.0, 0.0, 0.0, 1)
    choices = [
        Choice(name, {"wins": nothing}, nothing, name == "draw", samples)
        for name, samples in (("draw", 4_096), ("lay pair 5h 5c", 1_000), ("lay flush", 1_600))
    ]
    advice = Advice(
        "noddy", tuple(choices), 0, "wins", 4_096, 4_096.0, 8_192, ("keeper", "first"), 1, 0.005,
        answered=True, given_up=0.0,
    )  # fmt: skip
    assert "; 2 surely worse ones were dropped after 1,000 to 1,600; field" in show(advice)
    one = replace(advice, choices=advice.choices[:2])
    assert "; 1 surely worse choice was dropped after 1,000; field" in show(one)
