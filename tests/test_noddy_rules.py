"""The rules of Noddy as a record: presets, overrides, checks, and the text that goes with them."""

import dataclasses
import json
import re

import numpy as np
import pytest

from simulate.errors import InputError
from simulate.noddy import rules as module
from simulate.noddy import view
from simulate.noddy.rules import (
    COMBINATIONS,
    FIELDS,
    NAMES,
    PRESETS,
    NoddyRules,
    Points,
    field_listing,
    from_dict,
    kernel_rules,
    make_rules,
    parse_value,
    value_text,
)

POINTS = {
    "knave_noddy": 1,
    "fifteen": 15,
    "twenty_five": 25,
    "thirty_one": 31,
    "pair": 2,
    "pair_royal": 6,
    "double_pair_royal": 12,
    "flush": 1,
    "run_of_three": 2,
    "run_of_four": 4,
    "long_run": 10,
}
LAY = {
    "must_lay": True,
    "turn_up_drawn": True,
    "court_value": 10,
    "turned_jack": 2,
    **{f"points.{name}": points for name, points in POINTS.items()},
    "target": 31,
    "max_deals": 1_000,
}
RANGES = {
    "court_value": (1, 13),
    "turned_jack": (0, 1_000),
    **{f"points.{name}": (0, 1_000) for name in POINTS},
    "target": (1, 100_000),
    "max_deals": (1, 1_000_000),
}
WRONG_TYPES = [None, 1.0, "x", "1", "", [], 1 + 0j, b"lay", float("nan")]


@pytest.mark.parametrize(("preset", "must_lay"), [("lay", True), ("hold", False)])
def test_presets_are_those_of_the_table(preset, must_lay):
    rules = make_rules(preset)
    assert {name: rules.get(name) for name in FIELDS} == LAY | {"must_lay": must_lay}
    assert rules.preset_name() == preset


def test_lay_is_the_default():
    assert make_rules() == NoddyRules() == PRESETS["lay"]


def test_overrides_by_dotted_name_and_nested():
    dotted = make_rules("hold", {"points.pair": 0, "points.flush": 9, "target": 61})
    nested = make_rules("hold", {"points": {"pair": 0, "flush": 9}, "target": 61})
    assert dotted == nested
    assert dotted.points == Points(pair=0, flush=9)
    assert (dotted.target, dotted.must_lay, dotted.preset_name()) == (61, False, None)


def test_rules_cannot_be_changed_in_place():
    with pytest.raises(dataclasses.FrozenInstanceError):
        make_rules().target = 3
    with pytest.raises(dataclasses.FrozenInstanceError):
        make_rules().points.pair = 3


def test_numbers_of_numpy_become_plain():
    rules = make_rules(overrides={"target": np.int64(61), "points.pair": np.int8(3)})
    assert type(rules.target) is int
    assert type(rules.points.pair) is int
    assert json.dumps(rules.to_dict())


@pytest.mark.parametrize("name", FIELDS)
def test_every_allowed_value_is_taken_and_every_other_refused(name):
    if name in RANGES:
        low, high = RANGES[name]
        good, bad = [low, high], [low - 1, high + 1, True, False, -(10**30)]
        assert FIELDS[name].allowed == f"a whole number from {low} to {high:,}"
    else:
        good, bad = [True, False], [0, 1, "true"]
        assert FIELDS[name].allowed == "true or false"
    for value in good:
        assert make_rules(overrides={name: value}).get(name) == value
    for value in [*bad, *WRONG_TYPES]:
        with pytest.raises(InputError) as error:
            make_rules(overrides={name: value})
        assert str(error.value) == f"rule {name} = {value!r}: allowed is {FIELDS[name].allowed}"


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("targt", "target"),
        ("points.fifteeen", "points.fifteen"),
        ("points.twenty-five", "points.twenty_five"),
        ("points.", "allowed: "),
        ("points", "allowed: "),
        ("points.pair.royal", "points.pair_royal"),
        ("wheel", "allowed: "),
    ],
)
def test_unknown_fields_are_refused_with_the_nearest(name, near):
    with pytest.raises(InputError, match=f"unknown rule {name!r}.*{near}"):
        make_rules(overrides={name: 1})
    with pytest.raises(InputError, match=f"unknown rule {name!r}.*{near}"):
        parse_value(name, "1")


@pytest.mark.parametrize("preset", ["la", "", None, 3, [], "Lay", "stakes"])
def test_unknown_presets_are_refused(preset):
    with pytest.raises(InputError, match="unknown preset"):
        make_rules(preset)


def test_direct_construction_is_checked_too():
    with pytest.raises(InputError, match="rule target = 0"):
        NoddyRules(target=0)
    with pytest.raises(InputError, match=r"rule points\.pair = -1"):
        NoddyRules(points=Points(pair=-1))
    with pytest.raises(InputError, match="rule points = 3"):
        NoddyRules(points=3)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("target", "7", 7),
        ("target", "100_000", 100_000),
        ("must_lay", "false", False),
        ("turn_up_drawn", " True ", True),
        ("points.pair", "0", 0),
        ("court_value", "13", 13),
    ],
)
def test_values_are_read_from_text(name, text, value):
    got = parse_value(name, text)
    assert got == value
    assert type(got) is type(value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("target", "0"),
        ("target", "1e2"),
        ("target", "5.0"),
        ("target", "true"),
        ("target", ""),
        ("target", "9" * 5_000),
        ("must_lay", "1"),
        ("must_lay", "yes"),
        ("court_value", "14"),
        ("points.pair", "-1"),
    ],
)
def test_other_texts_are_refused(name, text):
    with pytest.raises(InputError) as error:
        parse_value(name, text)
    assert str(error.value) == f"rule {name} = {text}: allowed is {FIELDS[name].allowed}"


def test_dictionaries_hold_every_field_and_come_back():
    for rules in (*PRESETS.values(), make_rules("hold", {"points.long_run": 0, "court_value": 5})):
        data = json.loads(json.dumps(rules.to_dict()))
        assert from_dict(data) == rules
        assert data.get("preset") == rules.preset_name()
        data.pop("preset", None)
        plain = {name for name in FIELDS if "." not in name}
        assert set(data) == plain | {"points"}
        assert set(data["points"]) == set(POINTS)


def without(data, name):
    outer, dot, inner = name.partition(".")
    if dot:
        return {**data, outer: {key: v for key, v in data[outer].items() if key != inner}}
    return {key: value for key, value in data.items() if key != name}


@pytest.mark.parametrize("name", FIELDS)
def test_incomplete_dictionaries_are_refused(name):
    with pytest.raises(InputError, match=f"rules lack the field {re.escape(name)}: allowed is"):
        from_dict(without(make_rules().to_dict(), name))


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "lay",
        {},
        {"preset": "lay"},
        {**make_rules().to_dict(), "preset": "hold"},
        {**make_rules().to_dict(), "preset": 3},
        {**make_rules().to_dict(), "points": 3},
        {**make_rules().to_dict(), "points": None},
        {**make_rules().to_dict(), "target": {"a": 1}},
        {**make_rules().to_dict(), "wheel": False},
    ],
)
def test_wrong_dictionaries_are_refused(data):
    with pytest.raises(InputError):
        from_dict(data)


def test_kernel_rules_are_the_same_numbers():
    rules = make_rules("hold", {"points.pair": 0, "turn_up_drawn": False, "max_deals": 7})
    numbers = kernel_rules(rules)
    assert (numbers.must_lay, numbers.turn_up_drawn) == (0, 0)
    assert (numbers.court_value, numbers.turned_jack) == (10, 2)
    assert (numbers.target, numbers.max_deals) == (31, 7)
    assert numbers.points == (1, 15, 25, 31, 0, 6, 12, 1, 2, 4, 10)
    assert {type(number) for number in (*numbers[:6], *numbers.points)} == {int}


def test_kinds_are_the_combinations_in_their_order():
    constants = [getattr(view, field.upper()) for field in COMBINATIONS]
    assert constants == list(range(len(COMBINATIONS)))
    assert (view.DRAW, view.PASS) == (11, 12)
    assert [field.replace("_", "-") for field in COMBINATIONS] == [
        n.replace(" ", "-") for n in NAMES
    ]


def test_the_listing_shows_every_field_in_both_presets():
    listing = field_listing()
    assert [line[0] for line in listing] == list(FIELDS)
    for name, allowed, lay, hold, about in listing:
        assert allowed == FIELDS[name].allowed
        assert about
        assert (lay, hold) == tuple(value_text(rules.get(name)) for rules in PRESETS.values())
        assert parse_value(name, lay) == PRESETS["lay"].get(name)
    assert (value_text(False), value_text(31)) == ("false", "31")


def test_the_prose_names_every_rule_and_combination():
    for rule in range(1, 10):
        assert f"\nD{rule}. " in module.__doc__
    for name in NAMES:
        assert f"\n{name} " in module.__doc__
