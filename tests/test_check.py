"""The check of strategies: every kind of bad one is told what is wrong, and where."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import strategies
from simulate.errors import InputError
from strategies.check import check
from strategies.examine import examine
from strategies.samples import samples
from strategies.skeleton import TEXTS, write_skeleton


@pytest.fixture
def bot(tmp_path):
    def write(text, name="bot.py"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


@pytest.fixture(autouse=True)
def compiler_on(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "0")


BAD = [
    ("return a + view.strength", "answered 1.", 1, "must return a probability from 0 to 1"),
    ("return -a * view.strength", "answered -0.", 1, "must return a probability from 0 to 1"),
    ("return a if view.stage < 3 else float('nan')", "answered NaN", 1, "stage=3"),
    ("return a if view.turn == 1 else 2", "answered 2", 1, "turn=2"),
    ("return a if view.position < 6 else 2", "answered 2", 1, "n=7, stage=1, position=6"),
    ("return a if view.strength < 1 else 2", "answered 2", 1, "strength=1.0"),
    ("return a if view.random > 0 else 2", "answered 2", 1, "random=0.0"),
    ("return None if view.pair else a", "answered nothing (None)", 1, "cards="),
    ("return 'yes' if view.pair else a", "answered 'yes', a str", 1, "cards="),
    ("return a / view.yes", "raised ZeroDivisionError", 2, "yes=0"),
    ("return a * view.cards[view.position + 2] ** 0", "raised IndexError", 2, "position=5"),
    ("return a + view.strenght", "raised AttributeError", 2, "no attribute 'strenght'"),
    ("return half(a, view)", "raised ZeroDivisionError", 6, "position=0"),
    ("raise SystemExit(a)", "raised SystemExit: 0.5", 2, "position=0"),
]


@pytest.mark.parametrize(("body", "problem", "line", "detail"), BAD)
def test_a_wrong_answer_is_named_with_its_state(bot, body, problem, line, detail):
    half = "def half(a, view):\n    return a / view.position\n"
    path = bot(f"def p_yes(view, a=0.5):\n    {body}\n\n\n{half}")
    found = next(examine(strategies.load(path)))
    assert problem in found.problem
    assert detail in str(found)
    assert found.place == f"{path}:{line}"
    assert "\n" not in str(found)


def test_a_good_one_passes_and_may_print(bot):
    path = bot("def p_yes(view, a=0.5):\n    print('thinking', a)\n    return a\n")
    assert check(path) == []
    assert check(strategies.load(f"{path}:a=0.25")) == []
    assert check("positional", "napalm") == []


def test_one_that_loops_is_stopped_at_its_line(bot):
    path = bot(
        "def p_yes(view):\n"
        "    while view.stage == 2 and view.position == 3:\n"
        "        pass\n"
        "    return 1\n"
    )
    (found,) = check(path, timeout=2)
    assert found.problem == "took over 2 s for answering: does it loop?"
    assert found.place == f"{path}:2" or found.place == f"{path}:3"
    assert "stage=2, position=3" in found.state


def test_a_file_that_loops_when_run_is_stopped(bot):
    path = bot("def p_yes(view):\n    return 1\n\nwhile True:\n    pass\n")
    (found,) = check(path, timeout=0.5)
    assert found.problem == "took over 0.5 s for running the file: does it loop?"
    assert found.place in (f"{path}:4", f"{path}:5")


def test_one_that_holds_the_interpreter_is_stopped(bot, monkeypatch):
    monkeypatch.setattr("strategies.check.GRACE", 1.0)
    path = bot("def p_yes(view, big=10):\n    return big ** big ** big > 1\n")
    (found,) = check(path, timeout=2)
    assert "gave no sign of life for 3 s while answering" in found.problem
    assert found.place == str(path)


def test_one_that_eats_memory_is_stopped(bot):
    path = bot(
        "def p_yes(view):\n    x = [0.5]\n    while True:\n        x = x + x\n    return x[0]\n"
    )
    found = check(path, memory=400)[0]
    assert found.problem == "took more than 400 MiB of memory"
    assert found.place == f"{path}:4"


def test_one_that_dies_is_reported(bot):
    path = bot("import os\n\n\ndef p_yes(view):\n    os.abort()\n    return 1\n")
    (found,) = check(path)
    assert "ended its process (SIGABRT)" in found.problem


def test_one_that_remembers_is_found(bot):
    path = bot("SEEN = []\n\n\ndef p_yes(view):\n    SEEN.append(view)\n    return len(SEEN) % 2\n")
    problems = [found.problem for found in check(path)]
    assert "asked the same again: a strategy keeps nothing between calls" in problems[0]
    assert "SEEN is a list outside the function" in problems[1]


def test_one_that_cannot_be_compiled_is_found(bot):
    path = bot("def p_yes(view):\n    return sum(c > 8 for c in view.cards) / 7\n")
    (found,) = check(path)
    assert found.place == f"{path}:2"
    assert "cannot be compiled" in found.problem
    assert found.state is None


def test_one_whose_compiled_answers_differ_is_found(bot):
    # Compiled whole numbers have 64 bits.
    path = bot("def p_yes(view):\n    big = view.deal + (1 << 62)\n    return big * 4 > 0\n")
    found = check(path)[0]
    assert "answered 1.0 in Python, but 0.0 compiled" in found.problem
    assert "deal=0" in found.state


def test_a_parameter_that_does_nothing_is_found(bot):
    (found,) = check(bot("def p_yes(view, a=0.5, b=2):\n    return a\n"))
    assert found.problem == "parameter 'b' is never used: leave it out"


def test_noddy_is_checked_too(bot):
    assert check(bot("def value(view, option, a=1.0):\n    return a * option.points\n")) == []
    path = bot("def value(view, option):\n    return option.points / option.drawn\n")
    found = check(path)[0]
    assert "raised ZeroDivisionError" in found.problem
    assert "option.drawn=0" in found.state
    assert "option.cards=" in found.state
    path = bot(
        "def value(view, option):\n    return option.size if option.size else float('nan')\n"
    )
    assert "answered NaN" in check(path)[0].problem


def test_what_is_no_strategy_is_bad_input(tmp_path, bot):
    for spec, message in (
        (tmp_path / "none.py", "does not exist"),
        (bot("x = 1\n"), "has no function"),
        ("tigth", "did you mean 'tight'"),
    ):
        with pytest.raises(InputError, match=message):
            check(spec)


def test_it_works_from_any_folder(tmp_path, bot):
    (tmp_path / "strategies").mkdir()
    (tmp_path / "strategies" / "__init__.py").write_text("raise RuntimeError\n")
    bot("def p_yes(view):\n    return 1\n")
    code = "from strategies.check import check; print(check('bot.py'))"
    root = str(Path(strategies.__file__).parent.parent)
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": root},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"


def test_the_samples_cover_every_decision():
    asked = [view for (view,) in samples("napalm", 30)]
    assert len(asked) > 3_000
    kinds = {(view.n, view.stage, view.position, view.turn) for view in asked}
    assert len(kinds) == sum(3 * (n + n - 1) for n in range(4, 8))
    for view in asked:
        assert view.yes == view.said.bit_count() <= view.spoken
        assert view.said >> view.n == 0
        assert view.counts[view.position] == view.collected
        assert max(view.collected, view.best_other) == max(view.counts) < view.target
        assert [card >= 0 for card in view.cards] == [place < view.count for place in range(7)]
    assert {0.0, 0.5, 1.0} < {view.strength for view in asked}
    assert all(0 <= view.random < 1 for view in asked)

    table = list(samples("noddy", 100))
    assert {(view.n, view.position) for view, _ in table} == {
        (n, p) for n in (2, 3, 4) for p in range(n)
    }
    assert {option.kind for _, option in table} >= set(range(13)) - {6, 10}
    for view, option in table:
        assert view.hand & option.cards == option.cards == view.hand & ~option.left
        assert option.cards.bit_count() == option.size
        assert view.hand & view.seen == 0
        assert view.stock >= 0


def test_the_same_views_are_asked_every_time():
    assert list(samples("napalm", 2)) == list(samples("napalm", 2))


# --- the skeleton ------------------------------------------------------------------------------


@pytest.mark.parametrize("game", TEXTS)
def test_the_skeleton_passes(game, tmp_path):
    path = tmp_path / "my.py"
    write_skeleton(game, path)
    loaded = strategies.load(path)
    assert (loaded.game, list(examine(loaded))) == (game, [])
    with pytest.raises(InputError, match="is there already: it is not overwritten"):
        write_skeleton(game, path)


def test_where_no_skeleton_can_be_written(tmp_path):
    for path, message in (
        (tmp_path / "my.txt", "is not the name of a .py file"),
        (tmp_path / "no" / "my.py", "cannot be written: No such file"),
    ):
        with pytest.raises(InputError, match=message):
            write_skeleton("napalm", path)
    with pytest.raises(InputError, match="unknown game 'napam': did you mean 'napalm'"):
        write_skeleton("napam", tmp_path / "my.py")
