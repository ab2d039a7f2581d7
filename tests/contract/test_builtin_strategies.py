"""Every built-in strategy keeps the contract that users' strategies are held to."""

from __future__ import annotations

import warnings

import pytest

import strategies
from strategies.catalogue import BUILT_IN, built_ins
from strategies.examine import examine
from strategies.source import FUNCTIONS

BUILT_INS = [(game, name) for game in FUNCTIONS for name in built_ins(game)]


@pytest.mark.parametrize(("game", "name"), BUILT_INS)
def test_a_built_in_keeps_the_contract(game, name):
    assert list(examine(strategies.load(name, game))) == []


@pytest.mark.parametrize(("game", "name"), BUILT_INS)
def test_a_built_in_explains_itself(game, name):
    loaded = strategies.load(name, game)
    first = loaded.about.split("\n")[0]
    assert len(first) > 20
    assert first.endswith(".")
    assert loaded.spec == loaded.name == name


@pytest.mark.parametrize("game", FUNCTIONS)
def test_all_are_listed_by_name(game):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what other packages of this environment announce
        names = [
            loaded.name for loaded in strategies.listing(game) if loaded.path.parent.name == game
        ]
    assert names == sorted(names) == list(built_ins(game))


@pytest.mark.parametrize("game", FUNCTIONS)
def test_each_name_is_one_file(game):
    files = [path for path in (BUILT_IN / game).iterdir() if path.suffix in (".py", ".toml")]
    assert len(files) == len({path.stem for path in files})


def test_napalm_has_the_strategies_it_promises():
    promised = "always never random pair threshold positional bluffer listener racer challenger"
    assert set(promised.split()) < set(built_ins("napalm"))
