"""Configurations: what they accept, their one canonical form, and the hash that names a run."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulate.config import RunConfig
from simulate.errors import InputError
from simulate.napalm.rules import make_rules
from simulate.noddy.rules import make_rules as noddy_rules
from simulate.numerals import int_text, whole_number
from simulate.request import choose_line_up, choose_rules, choose_threads, read_settings

CONFIG = RunConfig(
    game="napalm",
    rules=make_rules(),
    strategies=("a", "b", "a", "c"),
    sources=("1" * 64, "2" * 64, "1" * 64, "3" * 64),
    seed=1,
    games=1_000,
)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1", 1),
        ("1e6", 10**6),
        ("1E+6", 10**6),
        ("1_000_000", 10**6),
        ("10M", 10**7),
        ("250k", 250_000),
        ("2.5m", 2_500_000),
        ("1.50e1", 15),
        ("3G", 3 * 10**9),
        ("0x10", 16),
        (" 7 ", 7),
        (5, 5),
        (1e6, 10**6),
    ],
)
def test_whole_numbers_are_read_as_people_write_them(text, number):
    assert whole_number("games", text, 1) == number


@pytest.mark.parametrize(
    "text",
    [
        "0", "-1", "1.5", "abc", "", "1e-3", "1.55k0", "1,000", "1__0", "k", "1e9999", "²", "nan",
        0, -1, 1.5, True, None, float("inf"), float("nan"), [1],
    ],
)  # fmt: skip
def test_what_is_no_whole_number_is_refused_by_name(text):
    with pytest.raises(InputError, match="games"):
        whole_number("games", text, 1)


@given(st.integers(0, 10**40))
def test_a_whole_number_survives_being_written(number):
    assert whole_number("seed", str(number), 0) == number
    assert whole_number("seed", f"{number:_}", 0) == number
    assert whole_number("seed", hex(number), 0) == number


def test_a_seed_may_be_longer_than_python_likes_to_read():
    seed = whole_number("seed", "9" * 5_000, 0)
    assert seed == 10**5_000 - 1
    config = replace(CONFIG, seed=seed)
    assert RunConfig.from_dict(json.loads(config.canonical())) == config
    assert int_text(seed).startswith("0x")


@pytest.mark.parametrize("seed", [0, 1, 2**53 - 1, 2**53, 2**64, 10**100])
def test_a_configuration_survives_being_written(seed):
    config = replace(CONFIG, seed=seed, detail="deals", fixed_seats=True)
    assert RunConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config


def test_the_canonical_form_and_the_hash_are_stable():
    assert CONFIG.canonical() == CONFIG.canonical()
    assert json.loads(CONFIG.canonical())["rules"]["stage3"]["penalty"] == "declarers"
    assert CONFIG.name == f"napalm-4p-{CONFIG.hash}"
    assert CONFIG.hash == "1e9b5fec22aa066c"  # a change of it makes every old run another run


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 2},
        {"games": 1_001},
        {"detail": "games"},
        {"fixed_seats": True},
        {"rules": make_rules(overrides={"target": 4})},
        {"strategies": ("b", "a", "a", "c")},
        {"strategies": ("a", "b", "a", "c:x=1")},
        {"sources": ("1" * 64, "2" * 64, "1" * 64, "4" * 64)},
    ],
)
def test_everything_that_decides_the_content_changes_the_hash(change):
    other = replace(CONFIG, **change)
    assert other.hash != CONFIG.hash
    assert CONFIG.differences(other)


def test_differences_name_the_field_and_both_values():
    other = replace(CONFIG, rules=make_rules(overrides={"stage3.penalty": 0}))
    assert "rules.stage3.penalty: declarers and 0" in CONFIG.differences(other)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": "napam"}, "did you mean 'napalm'"),
        ({"games": 0}, "games 0"),
        ({"games": 2**63}, "games 9223372036854775808"),
        ({"seed": -1}, "seed -1"),
        ({"seed": 1.5}, "seed 1.5"),
        ({"detail": "turns"}, "detail"),
        ({"detail": "game"}, "did you mean 'games'"),
        ({"fixed_seats": 1}, "fixed seats"),
        ({"rules": noddy_rules()}, "NapalmRules"),
        ({"strategies": ("a",) * 3, "sources": ("",) * 3}, "players 3: napalm takes 4 to 7"),
        ({"strategies": ("a",) * 8, "sources": ("",) * 8}, "players 8: napalm takes 4 to 7"),
        ({"sources": ("1",)}, "source"),
    ],
)
def test_a_configuration_that_cannot_be_is_refused(change, message):
    with pytest.raises(InputError, match=message):
        replace(CONFIG, **change)


@pytest.mark.parametrize("players", [1, 5])
def test_noddy_takes_two_to_four(players):
    with pytest.raises(InputError, match=f"players {players}: noddy takes 2 to 4"):
        choose_line_up("noddy", None, players)


def test_a_missing_field_is_named():
    data = CONFIG.to_dict()
    del data["games"]
    with pytest.raises(InputError, match="games"):
        RunConfig.from_dict(data)


def test_rules_come_as_preset_fields_or_ready_made():
    tokens = make_rules("tokens")
    assert choose_rules("napalm") == make_rules()
    assert choose_rules("napalm", "tokens") == tokens
    assert choose_rules("napalm", tokens) is tokens
    fields = {"preset": "tokens", "stage3": {"lone_award": 2}, "target": 3}
    expected = make_rules("tokens", {"stage3.lone_award": 2, "target": 3})
    assert choose_rules("napalm", fields) == expected
    with pytest.raises(InputError, match="did you mean 'tokens'"):
        choose_rules("napalm", "token")


def test_threads_are_a_number_from_one():
    assert choose_threads("2") == 2
    assert choose_threads() >= 1
    with pytest.raises(InputError, match="threads 0"):
        choose_threads(0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"games = ", "is not TOML"),
        (b"game = 'napalm'\nplayer = 5", "did you mean 'players'"),
        (b"game = '\xff'", "is not TOML"),
    ],
)
def test_a_settings_file_with_something_wrong_is_refused(tmp_path, text, message):
    file = tmp_path / "run.toml"
    file.write_bytes(text)
    with pytest.raises(InputError, match=message):
        read_settings(file)
    with pytest.raises(InputError, match="cannot be read"):
        read_settings(tmp_path / "none.toml")
