"""A strategy at fault deep in a run: the message names it, the state, and what it did."""

from __future__ import annotations

from functools import partial

import pytest
from napalm_games import plain_game, prepare
from napalm_players import player
from sizes import size

from simulate.errors import InputError
from simulate.napalm import batch
from simulate.napalm.rules import make_rules
from strategies import StrategyError

FAULTS = {
    1: "answered NaN (not a number): it must return a probability from 0 to 1",
    2: "answered 1.1: it must return a probability from 0 to 1",
    3: "answered -0.1: it must return a probability from 0 to 1",
    4: "answered inf: it must return a probability from 0 to 1",
    5: "raised ZeroDivisionError: division by zero",
    6: "raised IndexError: tuple index out of range",
    7: "raised ValueError: seven",
    8: "raised AssertionError",
    9: "raised Exception: nine",
    10: "raised ValueError: ",  # compiled it answers NaN
}
FIRST, START, STOP = 570, size(0, 565), size(4_000, 575)  # the first game that goes wrong
RULES = make_rules("tokens", {"max_deals": 3})


def job_with(kind):
    return prepare(RULES, [f"faulty:kind={kind}", "soft", "leaning:cut=0", "leaning:cut=0"], 1)


def test_it_plays_well_almost_always():
    """In all games without the fault, and with it in all before the first that goes wrong."""
    assert batch.play(job_with(0), START, STOP).totals["games"][0] == STOP - START
    job = job_with(2)
    for game in (FIRST - 1, FIRST + 1):
        plain_game(job, game)
    with pytest.raises(StrategyError):
        plain_game(job, FIRST)


@pytest.mark.parametrize("detail", ["summary", "games", "deals", "record"])
@pytest.mark.parametrize("kind", FAULTS)
def test_strategy_state_and_value_are_named(kind, detail):
    job = job_with(kind)
    play = batch.record if detail == "record" else partial(batch.play, detail=detail)
    with pytest.raises(StrategyError) as caught:
        play(job, START, STOP)
    assert isinstance(caught.value, InputError)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(f"strategy {player(f'faulty:kind={kind}').spec!r} {FAULTS[kind]}")
    assert "faulty.py" in message
    for part in ("in state: n=4, stage=", "position=", "yes=3, said=", "cards="):
        assert part in message
    hand = message.split("cards=")[1]
    assert sorted(card[0] for card in hand.split()[:2]) == ["8", "Q"]


@pytest.mark.parametrize("kind", [1, 7])
def test_games_before_the_fault_and_after_it_can_be_played(kind):
    job = job_with(kind)
    assert batch.play(job, START, FIRST).totals["games"][0] == FIRST - START
    assert len(batch.record(job, START, FIRST)) == FIRST - START
    for start, stop in ((FIRST, FIRST + 1), (FIRST, STOP)):
        with pytest.raises(StrategyError):
            batch.play(job, start, stop)
    assert batch.play(job, FIRST + 1, FIRST + 2).totals["games"][0] == 1
