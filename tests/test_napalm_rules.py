"""The rules of Napalm as a record: presets, overrides, checks, and the text that goes with them."""

import dataclasses
import json

import numpy as np
import pytest

from simulate.errors import InputError
from simulate.napalm import rules as module
from simulate.napalm.rules import (
    FIELDS,
    PRESETS,
    NapalmRules,
    StageRules,
    field_listing,
    from_dict,
    kernel_rules,
    make_rules,
    parse_value,
    value_text,
)

STAKES = {
    "currency": "stakes",
    "stage1.ends_on_yes": True,
    "stage2.ends_on_yes": False,
    "stage1.challenge": True,
    "stage2.challenge": False,
    "stage3.challenge": False,
    "stage1.lone_award": 1,
    "stage2.lone_award": 1,
    "stage3.lone_award": 1,
    "stage1.penalty": 2,
    "stage2.penalty": "declarers",
    "stage3.penalty": "declarers",
    "tie": "split",
    "wheel": False,
    "target": 5,
    "max_deals": 1_000,
}
TOKENS = STAKES | {
    "currency": "tokens",
    "stage1.ends_on_yes": False,
    "stage2.challenge": True,
    "stage3.challenge": True,
}
RANGES = {"lone_award": (1, 52), "penalty": (0, 52), "target": (1, 1_000), "max_deals": (1, 10**6)}
WRONG_TYPES = [None, 1.0, "x", "", [], {}, 1 + 0j, b"split", float("nan")]


def leaf(name):
    return name.rpartition(".")[2]


@pytest.mark.parametrize(("preset", "values"), [("stakes", STAKES), ("tokens", TOKENS)])
def test_presets_are_those_of_the_table(preset, values):
    rules = make_rules(preset)
    assert {name: rules.get(name) for name in FIELDS} == values
    assert rules.preset_name() == preset


def test_stakes_is_the_default():
    assert make_rules() == NapalmRules() == PRESETS["stakes"]


def test_overrides_by_dotted_name_and_nested():
    dotted = make_rules("tokens", {"stage3.penalty": 0, "target": 3, "wheel": True})
    nested = make_rules("tokens", {"stage3": {"penalty": 0}, "target": 3, "wheel": True})
    assert dotted == nested
    assert dotted.stage3 == StageRules(challenge=True, penalty=0)
    assert (dotted.target, dotted.wheel, dotted.preset_name()) == (3, True, None)


def test_rules_cannot_be_changed_in_place():
    with pytest.raises(dataclasses.FrozenInstanceError):
        make_rules().target = 3


def test_numbers_of_numpy_become_plain():
    rules = make_rules(overrides={"target": np.int64(7)})
    assert type(rules.target) is int
    assert json.dumps(rules.to_dict())


@pytest.mark.parametrize("name", FIELDS)
def test_every_allowed_value_is_taken_and_every_other_refused(name):
    field = FIELDS[name]
    if leaf(name) in RANGES:
        low, high = RANGES[leaf(name)]
        good, bad = [low, high], [low - 1, high + 1, True, -(10**30)]
    elif field.words:
        good, bad = list(field.words), [0, 1, True, *(word.upper() for word in field.words)]
    else:
        good, bad = [True, False], [0, 1, "true"]
    good += [word for word in field.words if word not in good]
    for value in good:
        assert make_rules(overrides={name: value}).get(name) == value
    for value in [*bad, *WRONG_TYPES]:
        if isinstance(value, dict):
            continue  # {} names no field at all
        with pytest.raises(InputError) as error:
            make_rules(overrides={name: value})
        message = str(error.value)
        assert message == f"rule {name} = {value!r}: allowed is {field.allowed}"


def test_penalty_may_be_the_number_of_declarers():
    assert make_rules(overrides={"stage1.penalty": "declarers"}).stage1.penalty == "declarers"


def test_allowed_values_are_put_into_words():
    assert FIELDS["stage1.penalty"].allowed == "a whole number from 0 to 52, or 'declarers'"
    assert FIELDS["tie"].allowed == "'split' or 'nothing'"
    assert FIELDS["wheel"].allowed == "true or false"


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("targt", "target"),
        ("stage1.penalti", "stage1.penalty"),
        ("stage4.penalty", "stage"),
        ("stage3.ends_on_yes", "stage2.ends_on_yes"),
        ("stage1", "allowed: "),
    ],
)
def test_unknown_fields_are_refused_with_the_nearest(name, near):
    with pytest.raises(InputError, match=f"unknown rule {name!r}.*{near}"):
        make_rules(overrides={name: 1})
    with pytest.raises(InputError, match=f"unknown rule {name!r}.*{near}"):
        parse_value(name, "1")


@pytest.mark.parametrize("preset", ["token", "", None, 3, [], "Stakes"])
def test_unknown_presets_are_refused(preset):
    with pytest.raises(InputError, match="unknown preset"):
        make_rules(preset)


def test_direct_construction_is_checked_too():
    with pytest.raises(InputError, match="rule target = 0"):
        NapalmRules(target=0)
    with pytest.raises(InputError, match=r"rule stage2\.penalty = 53"):
        NapalmRules(stage2=StageRules(penalty=53))
    with pytest.raises(InputError, match="rule stage1 = 3"):
        NapalmRules(stage1=3)
    with pytest.raises(InputError, match=r"stage3\.ends_on_yes"):
        NapalmRules(stage3=StageRules(ends_on_yes=False))


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("target", "7", 7),
        ("max_deals", "1_000", 1_000),
        ("wheel", "true", True),
        ("wheel", " False ", False),
        ("tie", "nothing", "nothing"),
        ("stage2.penalty", "declarers", "declarers"),
        ("stage2.penalty", "0", 0),
        ("currency", "TOKENS", "tokens"),
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
        ("wheel", "1"),
        ("wheel", "yes"),
        ("tie", "half"),
        ("stage1.penalty", "all"),
        ("stage1.lone_award", "declarers"),
    ],
)
def test_other_texts_are_refused(name, text):
    with pytest.raises(InputError) as error:
        parse_value(name, text)
    assert str(error.value) == f"rule {name} = {text}: allowed is {FIELDS[name].allowed}"


def test_dictionaries_hold_every_field_and_come_back():
    for rules in (*PRESETS.values(), make_rules("tokens", {"stage1.penalty": 7, "wheel": True})):
        data = json.loads(json.dumps(rules.to_dict()))
        assert from_dict(data) == rules
        assert data.get("preset") == rules.preset_name()
        data.pop("preset", None)
        assert set(data) == {
            *["stage1", "stage2", "stage3", "currency", "tie", "wheel", "target", "max_deals"]
        }
        assert set(data["stage1"]) == {"ends_on_yes", "challenge", "lone_award", "penalty"}
        assert set(data["stage3"]) == {"challenge", "lone_award", "penalty"}


@pytest.mark.parametrize("name", FIELDS)
def test_a_dictionary_lacking_a_field_is_refused(name):
    data = make_rules().to_dict()
    stage, dot, inner = name.partition(".")
    del (data[stage] if dot else data)[inner if dot else name]
    with pytest.raises(InputError, match=f"lack the field {name}"):
        from_dict(data)


def test_a_dictionary_must_be_the_preset_that_it_names():
    with pytest.raises(InputError, match="not that preset unchanged"):
        from_dict(make_rules().to_dict() | {"target": 4})
    with pytest.raises(InputError, match="not that preset unchanged"):
        from_dict(make_rules(overrides={"target": 4}).to_dict() | {"preset": ["stakes"]})
    with pytest.raises(InputError, match="table of fields"):
        from_dict([])


def test_kernel_rules_are_plain_whole_numbers():
    stakes = kernel_rules(make_rules())
    assert stakes == (0, 0, 1, 5, 1_000, (1, 0, 1), (1, 0, 0), (1, 1, 1), (2, -1, -1))
    changes = {"tie": "nothing", "wheel": True, "stage2.lone_award": 3, "stage3.penalty": 0}
    tokens = kernel_rules(make_rules("tokens", changes))
    assert tokens == (1, 1, 0, 5, 1_000, (0, 0, 1), (1, 1, 1), (1, 3, 1), (2, -1, 0))
    flat = [item for value in tokens for item in (value if isinstance(value, tuple) else [value])]
    assert {type(item) for item in flat} == {int}


def test_the_listing_shows_every_field_with_values_that_can_be_typed():
    listing = field_listing()
    assert [name for name, *_ in listing] == list(FIELDS)
    for name, allowed, stakes, tokens, about in listing:
        assert parse_value(name, stakes) == STAKES[name]
        assert parse_value(name, tokens) == TOKENS[name]
        assert allowed == FIELDS[name].allowed
        assert about
    assert value_text(True) == "true"


def test_the_prose_has_every_rule():
    for number in range(1, 19):
        assert f"\nN{number}. " in module.__doc__
