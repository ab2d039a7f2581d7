"""Strategies that are data: what a table means, and what it may not hold."""

from __future__ import annotations

import numpy as np
import pytest

import strategies
from simulate.errors import InputError
from strategies.samples import samples
from strategies.table import decisions, read_table


@pytest.fixture
def table(tmp_path):
    """Write a table and load it."""

    def write(text, params=""):
        path = tmp_path / "cuts.toml"
        path.write_text(text)
        return strategies.load(f"{path}{params}")

    return write


LAYERED = """
about = "By layers."
[parameters]
cut = 0.8
[[rule]]
stage = [1, 3]
turn = 2
threshold = 0.7
above = 0.9
[[rule]]
position = [-1, 1]
heard = "2+"
chance = 0.25
[[rule]]
threshold = "cut"
below = 0.125
"""


def expected(n, stage, turn, position, heard, strength, cut=0.8):
    """The table above, in Python."""
    if stage in (1, 3) and turn == 2:
        return 0.9 if strength >= 0.7 else 0.0
    if position in (1, n - 1) and heard >= 2:
        return 0.25
    return 1.0 if strength >= cut else 0.125


def test_the_first_rule_that_holds_decides(table):
    loaded = table(LAYERED)
    assert (loaded.kind, loaded.about, loaded.params) == ("toml", "By layers.", {"cut": 0.8})
    seen = set()
    for (view,) in samples("napalm", 20):
        at_edge = view._replace(strength=[0.7, 0.8, view.strength][view.deal % 3])
        state = (at_edge.n, at_edge.stage, at_edge.turn, at_edge.position, at_edge.yes)
        assert loaded.answer(at_edge) == expected(*state, at_edge.strength)
        seen.add(loaded.answer(at_edge))
    assert seen == {0.9, 0.0, 0.25, 1.0, 0.125}


def test_the_arrays_say_what_is_answered(table):
    loaded = table(LAYERED, ":cut=0.6")
    for n in range(4, 8):
        cut, above, below = loaded.table(n)
        assert {array.shape for array in (cut, above, below)} == {(3, 2, 7, 8)}
        assert {array.dtype for array in (cut, above, below)} == {np.dtype(float)}
        reached = np.zeros(cut.shape, bool)
        for stage, turn, position, heard in decisions(n):
            cell = (stage - 1, turn - 1, position, heard)
            reached[cell] = True
            for strength in (0.0, np.nextafter(cut[cell], 0), cut[cell], 1.0):
                p = above[cell] if strength >= cut[cell] else below[cell]
                assert p == expected(n, stage, turn, position, heard, strength, cut=0.6)
        assert not (above + below + cut)[~reached].any()


def test_a_hard_threshold_answers_exactly_no_and_yes():
    loaded = strategies.load("threshold:stage2=0.7", "napalm")
    cut, above, below = loaded.table(5)
    used = np.zeros(cut.shape, bool)
    for stage, turn, position, heard in decisions(5):
        used[stage - 1, turn - 1, position, heard] = True
    assert set(above[used]) == {1.0}
    assert set(below[used]) == {0.0}
    assert [set(cut[stage][used[stage]]) for stage in range(3)] == [{0.8}, {0.7}, {0.8}]


def test_a_strategy_keeps_its_parameters_to_itself(table):
    high, low = table(LAYERED, ":cut=0.9"), table(LAYERED, ":cut=0.1")
    view = next(samples("napalm", 1))[0]._replace(n=5, stage=2, turn=1, position=0, yes=0)
    assert [each.answer(view._replace(strength=0.5)) for each in (high, low)] == [0.125, 1.0]


def test_every_decision_is_listed_once():
    assert len(decisions(4)) == 3 * (1 + 2 + 3 + 4 + 1 + 2 + 3)
    assert len(set(decisions(7))) == len(decisions(7))
    asked = {(v.stage, v.turn, v.position, v.yes) for (v,) in samples("napalm", 60) if v.n == 4}
    assert asked == set(decisions(4))


RULE = "[[rule]]\nthreshold = 0.5\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[rule]\n", r"broken TOML: .*line 1"),
        ("a = 1\na = 2\n", "broken TOML: Cannot overwrite a value"),
        ("", r"there is no rule: write \[\[rule\]\]"),
        ("rule = 5\n", "there is no rule"),
        ("[rule]\nthreshold = 0.5\n", "there is no rule"),
        (f"colour = 1\n{RULE}", "unknown key of .*cuts.toml: 'colour'"),
        (f"{RULE}treshold = 0.5\n", "unknown key in rule 1 .*'treshold': did you mean 'threshold'"),
        (f"about = 1\n{RULE}", "about is 1: it must be text"),
        (f"parameters = 1\n{RULE}", r"parameters is 1: write \[parameters\]"),
        (f"[parameters]\ncut = 1.5\n{RULE}", "'cut' is 1.5: it must be a number from 0 to 1"),
        (f"[parameters]\ncut = true\n{RULE}", "'cut' is True: it must be a number"),
        (f"[parameters]\ncut = nan\n{RULE}", "'cut' is nan: it must be a number"),
        (f"[parameters]\n'a b' = 0.5\n{RULE}", "parameter 'a b': a name is letters"),
        (f"[parameters]\ncut = 0.5\n{RULE}", "parameter 'cut' is used by no rule"),
        ("[[rule]]\nthreshold = -0.1\n", "rule 1: threshold is -0.1: it must be a number from 0"),
        ("[[rule]]\nthreshold = 'cut'\n", "unknown parameter in .* threshold 'cut'"),
        (f"{RULE}above = 1.01\n", "rule 1: above is 1.01"),
        (f"{RULE}below = inf\n", "rule 1: below is inf"),
        ("[[rule]]\nabove = 1\n", "rule 1 must have a threshold"),
        (f"{RULE}chance = 0.5\n", "rule 1 must have a threshold .* or else a chance"),
        (
            "[[rule]]\nchance = 0.5\nbelow = 0.5\n",
            "rule 1 must have a threshold .* or else a chance",
        ),
        (f"{RULE}stage = 4\n{RULE}", "rule 1: stage is 4: it must be a whole number from 1 to 3"),
        (f"{RULE}stage = 1.0\n{RULE}", "rule 1: stage is 1.0"),
        (f"{RULE}turn = true\n{RULE}", "rule 1: turn is True"),
        (f"{RULE}turn = []\n{RULE}", r"rule 1: turn is \[\]"),
        (f"{RULE}position = -8\n{RULE}", "rule 1: position is -8: .* from -7 to 6"),
        (f"{RULE}heard = '2-'\n{RULE}", "rule 1: heard is '2-'"),
        (f"{RULE}heard = '8+'\n{RULE}", r"rule 1: heard is '8\+'"),
        (f"{RULE}stage = [1, 2]\n", "no rule for stage 3, turn 1, position 0 of 4, 0 heard"),
        (f"{RULE}{RULE}stage = 1\n", "rule 2 never decides"),
        (f"{RULE}turn = 2\nheard = 0\n{RULE}", "rule 1 never decides"),
    ],
)
def test_a_wrong_table_is_named_in_one_line(table, text, message):
    with pytest.raises(InputError, match=message) as caught:
        table(text)
    assert "cuts.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_table_is_for_napalm(table, tmp_path):
    table(RULE)
    with pytest.raises(InputError, match="is for napalm, not for noddy"):
        strategies.load(str(tmp_path / "cuts.toml"), "noddy")


def test_the_example_of_the_module_is_a_table(tmp_path):
    import strategies.table as module

    text = module.__doc__.partition("::")[2].partition("Each condition")[0]
    read = read_table(
        tmp_path / "example.toml", "\n".join(line.strip() for line in text.split("\n"))
    )
    assert read.params == {"cut": 0.8}
    assert len(read.rules) == 2
