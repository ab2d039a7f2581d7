"""The table in a terminal, driven by what a person types, and ``simulate play`` itself."""

from __future__ import annotations

import io
import subprocess
import sys

import pytest
from play_games import SETTINGS, first_is_best, setting_of
from rich.console import Console

from simulate import gamelog
from simulate.cli import main
from simulate.errors import InputError
from simulate.play.keeping import held, open_game
from simulate.play.terminal import Stopped, TerminalTable, pretty

NAPALM, _, NODDY, _ = SETTINGS
ENOUGH = 200


@pytest.fixture
def table(tmp_path):
    """Play at a table with these answers, and return everything that was printed."""

    def play(case, words, *, encoding="utf-8", colour=False, **options):
        raw = io.BytesIO()
        sink = io.TextIOWrapper(raw, encoding=encoding, write_through=True)
        console = Console(file=sink, width=100, force_terminal=colour, legacy_windows=False)
        typed = iter(words)

        def read(prompt):
            console.print(prompt)
            word = next(typed, None)
            if word is None:
                raise EOFError
            return word

        kept = open_game(setting_of(case), tmp_path / "games.jsonl")
        try:
            TerminalTable(kept, console, read, **options).play()
        except Stopped:
            sink.write("(stopped)")
        return raw.getvalue().decode(encoding)

    return play


def test_a_game_of_napalm_is_played_to_its_end(table, tmp_path):
    said = table(NAPALM, ["y"] * ENOUGH)
    assert "Napalm, game 0 of seed 5. You sit in seat 0 of 4." in said
    assert "Stage 1, best two cards: you hold" in said
    assert "The game is over: won by" in said
    assert "Yes or No? (y/n, ?)" in said
    audit = gamelog.audit_file(tmp_path / "games.jsonl")
    assert (audit.games, audit.difference) == (1, None)


def test_a_game_of_noddy_is_played_to_its_end(table, tmp_path):
    said = table(NODDY, ["1"] * ENOUGH)
    assert "Noddy, game 0 of seed 5. You sit in seat 1 of 2." in said
    assert "are trumps" in said
    assert "draw a card" in said
    assert "The game is over: won by" in said
    assert gamelog.audit_file(tmp_path / "games.jsonl").difference is None


def test_words_keys_and_options_are_understood_in_any_case(table):
    said = table(NAPALM, [" YES ", "No"])
    assert "you: Yes" in said
    assert "you: No" in said


def test_an_option_may_be_written_out(table):
    assert "a card" in table(NODDY, ["draw a CARD"])


def test_what_is_not_understood_is_asked_again(table):
    said = table(NAPALM, ["maybe", "", "?", "t", "h", "q"])
    assert "'maybe' is none of y/n; ? for help" in said
    assert "'' is none of y/n" in said
    assert "'h' is none of y/n" in said, "there is no coach here"
    assert "q: stop here, the game is kept" in said
    assert said.count("Deal 0. ") == 2
    assert said.endswith("(stopped)")


def test_what_was_stopped_goes_on(table):
    table(NAPALM, ["y", "n"])
    said = table(NAPALM, ["n", "q"])
    assert "game 0 of seed 5, going on. You sit" in said
    assert said.count("you: ") >= 3, "what was answered is told again"


def test_the_coach_says_after_each_answer_what_it_cost(table):
    said = table(NAPALM, ["n", "y", "q"], advise=first_is_best)
    assert "Coach: that cost 1.00 ± 0.20 stakes: Yes was best, +0.00 ± 0.10 stakes." in said
    assert "Coach: Yes was best, +0.00 ± 0.10 stakes." in said


def test_a_hint_values_every_answer_and_costs_nothing(table, tmp_path):
    said = table(NODDY, ["h", "q"], advise=first_is_best)
    assert ", draw 1: 0.0% ± 10.0% to win the game" in said
    assert "draw a card: -" in said
    assert list(tmp_path.iterdir()) == [], "nothing is answered yet"


def knows_nothing(sitting):
    raise InputError("hardly any cards agree with what was heard")


def test_a_coach_who_knows_nothing_says_so_and_the_game_goes_on(table, tmp_path):
    said = table(NAPALM, ["h", *["y"] * ENOUGH], advise=knows_nothing)
    assert "No hint: hardly any cards agree with what was heard." in said
    assert "Coach: this cannot be judged: hardly any cards agree with what was heard." in said
    assert gamelog.audit_file(tmp_path / "games.jsonl").difference is None


def test_without_a_coach_only_hints_tell_what_an_answer_is_worth(table):
    said = table(NAPALM, ["n", "h", "n", *["n"] * ENOUGH], advise=first_is_best, coach=False)
    assert "Coach:" not in said
    assert "Of 1 answer 1 cost something, 2.00 stakes in all:" in said


def test_mistakes_are_summed_up_by_cost(table):
    said = table(NAPALM, ["n"] * ENOUGH, advise=first_is_best)
    _, _, end = said.partition("cost something, ")
    assert "stakes in all:" in end
    lines = [line for line in end.splitlines() if ": No, not Yes: " in line]
    costs = [float(line.rsplit(": ", 1)[1].split(" ")[0]) for line in lines]
    assert len(costs) > 2
    assert costs == sorted(costs, reverse=True)


def test_in_noddy_mistakes_cost_chances_to_win(table):
    said = table(NODDY, ["d"] + ["1"] * ENOUGH, advise=first_is_best)
    assert "100.0% of the chance to win in all:" in said
    assert "draw a card, not " in said


def test_a_flawless_game_is_said_to_be_one(table):
    said = table(NAPALM, ["y"] * ENOUGH, advise=first_is_best)
    assert "none was surely behind the best" in said


def test_cards_have_symbols_and_colours_where_the_terminal_has_them(table):
    assert pretty("you hold [Ah] [2c].").plain == "you hold A♥ 2♣."
    assert "♥" in table(NAPALM, ["n"] * 9) or "♦" in table(NAPALM, ["n"])
    assert "\x1b[1;31m" in table(NAPALM, ["n"] * 9, colour=True)


def test_a_terminal_without_symbols_has_letters(table):
    said = table(NAPALM, ["y", "q"], encoding="latin-1")
    assert "♥" not in said
    assert "?" not in said.split("you hold ")[1].split(",")[0]


# --- The command ----------------------------------------------------------------------------------


def child(folder, *words, typed):
    command = [sys.executable, "-m", "simulate", "play", "--no-coach", *words]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=folder, input=typed
    )


def test_the_command_stops_and_goes_on(tmp_path):
    first = child(tmp_path, "napalm", "-s", "tight*3", typed="y\n")
    assert first.returncode == 0
    assert first.stderr.count("\n") == 1
    assert "the same command goes on with it" in first.stderr
    second = child(tmp_path, "napalm", "-s", "tight*3", typed="n\n" * ENOUGH)
    assert (second.returncode, second.stderr) == (0, "")
    assert "going on. You sit" in second.stdout
    (log,) = (tmp_path / "results" / "played").iterdir()
    assert log.name.startswith("napalm-4p-")
    assert gamelog.audit_file(log).difference is None


def test_two_do_not_play_at_the_same_table(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    log = tmp_path / "games.jsonl"
    with held(log):
        assert main(["play", "napalm", "-s", "tight*3", "--out", str(log)]) == 2
    said = capsys.readouterr().err
    assert "games.jsonl is being played by process" in said
    assert said.count("\n") == 1
    assert list(tmp_path.iterdir()) == [], "the lock is gone with its holder"


BAD = [
    ([], "no game is named"),
    (["napam"], "did you mean 'napalm'"),
    (["napalm", "--players", "8"], "players 8: napalm takes 4 to 7"),
    (["napalm", "-s", "tight*7"], "players 8: napalm takes 4 to 7"),
    (["napalm", "-s", "tight*3", "--players", "5"], "3 strategies and you are 4 players"),
    (["napalm", "-s", "tigth*3"], "did you mean 'tight'"),
    (["noddy", "-s", "tight"], "tight"),
    (["noddy", "--seat", "2"], "seat 2 is not a whole number from 0 to 1"),
    (["noddy", "--seat", "x"], "seat x"),
    (["noddy", "--seed", "-1"], "seed -1"),
    (["noddy", "--game", "-1"], "game -1"),
    (["noddy", "--game", "1.5"], "game 1.5"),
    (["noddy", "--rules", "holt"], "did you mean 'hold'"),
    (["noddy", "--rule", "target=0"], "target = 0"),
    (["noddy", "--gane", "1"], "did you mean '--game'"),
]


@pytest.mark.parametrize(("argv", "message"), BAD, ids=lambda value: " ".join(value)[:40])
def test_what_cannot_be_played_is_refused(capsys, tmp_path, monkeypatch, argv, message):
    monkeypatch.chdir(tmp_path)
    assert main(["play", *argv]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert message in said.err
    assert list(tmp_path.iterdir()) == []


def test_a_strategy_that_fails_at_the_table_is_named_and_the_game_kept(tmp_path):
    text = "def p_yes(view):\n    return 0.5 if view.deal < 1 else 2.0\n"
    (tmp_path / "bad.py").write_text(text)
    done = child(tmp_path, "napalm", "-s", "bad.py*3", typed="n\n" * ENOUGH)
    assert done.returncode == 2
    assert "strategy 'bad.py' answered 2.0" in done.stderr
    assert not done.stdout.count("Traceback")
