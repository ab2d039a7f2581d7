"""Whole games of Noddy, as the compiled game plays them and as plain Python does.

Rules, players and seeds are drawn at random, and what is rare in sensible play is forced: an empty
stock, passes, dead deals, jacks turned up, games won by them, combinations that score nothing.
`NODDY_EXAMPLES` sets how many random tables are tried.
"""

import os
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from noddy_players import player
from sizes import size

from simulate import gamelog
from simulate.noddy import batch
from simulate.noddy.rules import COMBINATIONS, PRESETS, make_rules
from simulate.seating import seat_plan

PLAYERS = [
    "weighed",
    "weighed:points=0",
    "weighed:points=1,hold=1.5",
    "weighed:points=1,hold=20",
    "weighed:points=-1,hold=40",
    "weighed:points=0,chance=1",
    "weighed:size=9,chance=5",
    "everything",
    "everything:salt=7,wild=0.5",
]
EVERYBODY = [player(spec) for spec in PLAYERS]

fields = st.fixed_dictionaries(
    {},
    optional={
        "turn_up_drawn": st.booleans(),
        "court_value": st.integers(1, 13),
        "turned_jack": st.sampled_from([0, 1, 2, 31, 1000]),
        "target": st.sampled_from([1, 2, 15, 31, 32, 61, 500, 100_000]),
        "max_deals": st.integers(1, 2),
        "points": st.dictionaries(
            st.sampled_from(list(COMBINATIONS)), st.sampled_from([0, 0, 1, 2, 15, 31, 1000])
        ),
    },
)
random_rules = st.builds(make_rules, st.sampled_from(list(PRESETS)), fields)
line_ups = st.lists(st.sampled_from(EVERYBODY), min_size=2, max_size=4)


def compare(rules, line_up, seed, start, stop, fixed=False):
    """Play games both ways, and count what happened in them."""
    job = batch.prepare(rules, line_up, seed, fixed, together=EVERYBODY)
    seen = Counter()
    for game, record in enumerate(batch.record(job, start, stop), start=start):
        assert record == batch.replay(job, game)
        for deal in record["deals"]:
            seen[f"jack {max(deal['jack'])}"] += 1
            seen["no turns"] += not deal["turns"]
            seen["deals"] += 1
            for turn in deal["turns"]:
                seen[turn["do"]] += 1
                seen["lay drew nothing"] += turn["do"] == "lay" and not turn["drew"]
            drawn = [card for turn in deal["turns"] for card in turn["drew"]]
            seen["turn-up drawn"] += deal["turn_up"] in drawn
        seen["truncated"] += record["winner"] is None
        seen["games"] += 1
    return seen


@settings(max_examples=int(os.environ.get("NODDY_EXAMPLES", size(40, 8))))
@given(random_rules, line_ups, st.integers(0, 2**70), st.integers(0, 2**40), st.booleans())
def test_random_rules_players_and_seeds(rules, line_up, seed, start, fixed):
    compare(rules, line_up, seed, start, start + 3, fixed)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_presets(preset, n):
    line_up = [player(spec) for spec in (*PLAYERS[:2], "everything", "weighed:hold=20")[:n]]
    rules = make_rules(preset)
    games = size(100, 12)
    seen = compare(rules, line_up, 1, 0, games)
    assert seen["truncated"] == 0
    assert seen["jack 2"] >= size(1, 0)
    job, plan = batch.prepare(rules, line_up, 1, together=EVERYBODY), seat_plan(n)
    for game, record in enumerate(batch.record(job, games, games + size(50, 2)), start=games):
        seats = [line_up[slot].spec for slot in plan[game % len(plan)]]
        whole = {**gamelog.header("noddy", 1, game, rules, seats), **record}
        assert gamelog.audit(whole) is None


def test_an_empty_stock_passes_and_dead_deals():
    holder = player("weighed:points=-1,hold=40")
    for drawn in (True, False):
        rules = make_rules("hold", {"max_deals": 2, "turn_up_drawn": drawn})
        seen = compare(rules, [holder] * 3, 2, 0, size(8, 2))
        assert seen["truncated"] == seen["games"]
        assert seen["pass"] == 3 * seen["deals"]
        assert seen["turn-up drawn"] == drawn * seen["deals"]
        assert seen["draw"] == (52 - 10 + drawn) * seen["deals"]


def test_a_stock_that_ends_while_others_still_lay():
    rules = make_rules("hold", {"target": 100_000, "max_deals": 2})
    seen = compare(
        rules, [player("weighed:points=1,hold=20"), player("weighed")], 3, 0, size(12, 3)
    )
    assert seen["pass"] > 0
    assert seen["lay drew nothing"] > 0
    assert seen["turn-up drawn"] > 0


def test_whoever_must_lay_lays_with_the_stock_empty():
    rules = make_rules("lay", {"target": 100_000, "max_deals": 1})
    seen = compare(rules, [player("weighed:points=-1")] * 2, 4, 0, 20)
    assert seen["pass"] > 0
    assert seen["lay"] > 0


def test_games_won_by_a_turned_up_jack():
    rules = make_rules("lay", {"turned_jack": 31})
    for n in (2, 3, 4):
        assert compare(rules, [player("weighed")] * n, 5, 0, size(60, 30))["no turns"] > 0


def test_nothing_scores_anything():
    rules = make_rules("lay", {"points": dict.fromkeys(COMBINATIONS, 0), "max_deals": 3})
    seen = compare(rules, [player("everything")] * 2, 6, 0, 6)
    assert seen["lay"] == 0
    assert seen["truncated"] == seen["games"]


def test_more_options_than_are_offered():
    rules = make_rules("hold", {"court_value": 1, "max_deals": 1})
    compare(rules, [player("weighed:points=0,hold=0.9,chance=1")] * 2, 7, 0, 2)
    must = make_rules("lay", {"court_value": 1, "target": 10_000, "max_deals": 1})
    compare(must, [player("weighed:points=0,chance=1")] * 2, 7, 0, 10)
