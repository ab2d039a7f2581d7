"""Whole games of Napalm, as the compiled game plays them and as plain Python does.

Rules, players and seeds are drawn at random; what is rare in sensible play is forced.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from napalm_games import header, line_ups, plain_game, prepare, random_rules, seeds
from sizes import size

from simulate import gamelog
from simulate.napalm import batch
from simulate.napalm.rules import PRESETS, make_rules
from simulate.napalm.table import LANES

EXAMPLES = int(os.environ.get("NAPALM_EXAMPLES", size(40, 8)))
MOSTLY_NO = "everything:salt=2,yes=0.1,no=0.8"
START = st.sampled_from([0, 1, 719, 5_040, 2**32 - 3, 2**40 + 1])


def compare(job, start, stop):
    """Play games both ways; return what happened in them."""
    seen = Counter()
    for game, record in enumerate(batch.record(job, start, stop), start=start):
        assert record == plain_game(job, game)
        look(record, job.n, seen)
    return seen


def look(record, n, seen):
    """Count what tells kinds of games apart."""
    seen["games"] += 1
    seen["truncated"] += record["winner"] is None
    for deal in record["deals"]:
        seen["deals"] += 1
        seen[f"deals of {len(deal['stages'])} stages"] += 1
        for stage in deal["stages"]:
            words = [word for _, word in stage["declarations"]]
            seen["challenges"] += len(words) > n
            seen["challenges answered"] += "yes" in words[n:]
            seen["all no"] += "yes" not in words
            seen["side bets"] += any(stage["side"])
            takers = [taken for taken in stage["taken"] if taken]
            seen["split"] += len(takers) > 1 or sum(x > 0 for x in stage["side"]) > 1
            seen["nothing taken by many"] += not takers and words.count("yes") > 1
            seen["empty pot"] += stage["pot"] == 0


@settings(max_examples=EXAMPLES)
@given(random_rules, line_ups, seeds, START, st.booleans())
def test_random_rules_players_and_seeds(rules, line_up, seed, start, fixed):
    job = prepare(rules, line_up, seed, fixed)
    compare(job, start, start + size(12, 4))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("n", [4, 5, 6, 7])
def test_the_presets(preset, n):
    names = ["everything", "soft", "leaning", "sure", "threshold", "sharp", "positional"]
    job = prepare(make_rules(preset), names[:n], 1)
    seen = compare(job, 0, size(40, 5))
    assert seen["truncated"] == 0
    if preset == "tokens":
        assert seen["deals of 3 stages"] > 0
        assert seen["side bets"] > 0


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("names", [["soft", "sharp"], [MOSTLY_NO], ["soft", "sure"]])
def test_more_games_than_lie_side_by_side(preset, names):
    """Games take over the lanes of games that are over, while others go on."""
    rules = make_rules(preset, {"target": 2, "max_deals": 5})
    job = prepare(rules, [names[slot % len(names)] for slot in range(4)], 3)
    seen = compare(job, 0, size(LANES + 60, 15))
    assert seen["deals"] > seen["games"]


def test_challenges_at_every_stage():
    rules = make_rules("tokens", {"max_deals": 8})
    job = prepare(rules, ["positional", "soft", "soft", "soft"], 4)
    seen = compare(job, 0, size(60, 10))
    assert seen["challenges"] > 0
    assert seen["challenges answered"] > 0
    assert seen["side bets"] > 0


def test_ties_shared_and_left():
    """All seven say Yes in all stages: ties come up, and the pot is often empty."""
    all_yes = ["threshold:stage1=0,stage2=0,stage3=0"] * 7
    for tie in ("split", "nothing"):
        for preset in PRESETS:
            rules = make_rules(
                preset,
                {"tie": tie, "stage1.ends_on_yes": False, "target": 1_000, "max_deals": 6}
                | {f"stage{stage}.penalty": 0 for stage in (1, 2, 3)},
            )
            seen = compare(prepare(rules, all_yes, 5), 0, size(40, 10))
            if tie == "split":
                assert seen["split"] > 0
            if preset == "stakes":
                assert seen["nothing taken by many"] > 0


def test_a_pot_too_small_for_what_is_due():
    rules = make_rules(overrides={"stage1.lone_award": 52, "stage3.lone_award": 52, "target": 900})
    job = prepare(rules, ["sharp", *["threshold"] * 4], 6)
    assert compare(job, 0, 2)["empty pot"] > 0


def test_games_that_nobody_wins():
    job = prepare(make_rules(overrides={"max_deals": 7}), ["threshold:above=0"] * 5, 7)
    seen = compare(job, 0, 20)
    assert seen["truncated"] == 20
    assert seen["all no"] == 3 * seen["deals"] == 3 * 7 * 20


def test_a_long_game():
    """More deals than the totals tell apart, and more than the kernel first makes room for."""
    rules = make_rules(overrides={"max_deals": size(1_500, 20)})
    job = prepare(rules, ["threshold:above=0"] * 4, 8)
    assert 3 * rules.max_deals > size(batch.LINES_A_GAME + 4_096, 0)
    compare(job, 0, 1)


def test_the_log_of_a_run_passes_the_audit():
    job = prepare(make_rules("tokens"), ["everything", "soft", "sure", "positional"], 9)
    for game, record in enumerate(batch.record(job, 100, 100 + size(20, 3)), start=100):
        line = gamelog.to_line({**header(job, 9, game), **record})
        assert gamelog.audit(gamelog.parse_line(line.encode())) is None
