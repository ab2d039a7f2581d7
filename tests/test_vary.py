"""What a sweep varies, as it is written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulate.errors import InputError
from simulate.vary import Varied, grid, parse_vary


@pytest.mark.parametrize(
    ("text", "target", "values"),
    [
        ("tight.chance=0.2:0.4:0.1", "tight.chance", ("0.2", "0.3", "0.4")),
        ("tight.chance=0.2:0.45:0.1", "tight.chance", ("0.2", "0.3", "0.4")),
        ("0.bluff=0:0.3:0.15", "0.bluff", ("0", "0.15", "0.3")),
        ("a.b=-0.1:0.1:0.1", "a.b", ("-0.1", "0", "0.1")),
        ("a.b=3:3", "a.b", ("3",)),
        ("a.b=1e2:3e2:1e2", "a.b", ("100", "200", "300")),
        ("players=4:7", "players", ("4", "5", "6", "7")),
        ("rule.target=3:5", "rule.target", ("3", "4", "5")),
        (" rule.tie = split, nothing ", "rule.tie", ("split", "nothing")),
        ("rule.stage1.penalty=0,2,declarers", "rule.stage1.penalty", ("0", "2", "declarers")),
        ("my.bot.cut=0.5", "my.bot.cut", ("0.5",)),
    ],
)
def test_reads_ranges_and_lists(text, target, values):
    assert parse_vary(text) == Varied(target, values)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("tight.chance=0:1:0", "has a step of 0"),
        ("tight.chance=1:0:0.1", "runs backwards"),
        ("tight.chance=0:1:-0.1", "runs backwards"),
        ("tight.chance=0:one:0.1", "three numbers"),
        ("tight.chance=0:1:0.1:2", "three numbers"),
        ("tight.chance=0:nan:0.1", "three numbers"),
        ("tight.chance=0:inf:0.1", "three numbers"),
        ("tight.chance=0::0.1", "three numbers"),
        ("tight.chance=0:1:0.0001", "has 10,001 values: at most 500"),
        ("tight.chance=", "is not a target and its values"),
        ("tight.chance", "is not a target and its values"),
        ("tight=0:1:0.1", "is not a target and its values"),
        ("=0:1:0.1", "is not a target and its values"),
        ("tight.chance=0.1,,0.2", "empty value"),
        ("tight.chance=0.1,0.2,0.1", "names a value twice"),
    ],
)
def test_refuses_what_is_no_range(text, words):
    with pytest.raises(InputError, match=words):
        parse_vary(text)


def test_tells_rules_players_and_parameters_apart():
    rule, player, number = map(parse_vary, ["rule.stage1.penalty=0", "a.b.cut=1", "players=5"])
    assert (rule.rule, rule.player) == ("stage1.penalty", None)
    assert (player.rule, player.player, player.parameter) == (None, "a.b", "cut")
    assert (number.rule, number.player) == (None, None)


def test_columns_are_numbers_where_all_are():
    assert parse_vary("a.b=0.1:0.3:0.1").column == [0.1, 0.2, 0.3]
    assert parse_vary("rule.stage1.penalty=0,declarers").column == ["0", "declarers"]


def test_grid_takes_every_value_with_every_other():
    varied = (parse_vary("a.b=1:3"), parse_vary("rule.tie=split,nothing"))
    assert grid(varied) == [(a, b) for a in "123" for b in ("split", "nothing")]


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ([], "0 things are varied"),
        (["a.b=1", "a.c=1", "a.d=1"], "3 things are varied"),
        (["a.b=1:3", "a.b=5:6"], "a.b is varied twice"),
        (["a.b=1:30", "a.c=1:30"], "has 900 points: at most 500"),
    ],
)
def test_refuses_grids_of_other_shapes(texts, words):
    with pytest.raises(InputError, match=words):
        grid(tuple(map(parse_vary, texts)))


@given(st.integers(-1000, 1000), st.integers(1, 300), st.integers(0, 400))
def test_every_value_of_a_range_is_exact(low, step, count):
    text = f"a.b={low / 1000:.3f}:{(low + step * count) / 1000:.3f}:{step / 1000:.3f}"
    values = parse_vary(text).column
    assert values == [float(f"{(low + step * place) / 1000:.3f}") for place in range(count + 1)]
