"""Every hand of five cards against plain Python, and of six cards looked up and enumerated."""

from itertools import combinations

import pytest
from noddy_listing import Compiled, plainly
from noddy_walk import first_difference

from simulate.noddy.rules import make_rules

HOLD = make_rules("hold")
COMPILED = Compiled(HOLD)
OTHER = make_rules("hold", {"court_value": 5, "points": {"pair": 15, "flush": 15, "long_run": 25}})


@pytest.mark.parametrize("lowest", range(48))
def test_every_hand_of_five_cards(lowest):
    for others in combinations(range(lowest + 1, 52), 4):
        hand = (lowest, *others)
        want = plainly(hand, 2, HOLD)
        assert COMPILED.looked_up(hand, 2) == want
        assert COMPILED.listed(hand, 2) == want


@pytest.mark.parametrize("rules", [HOLD, OTHER])
@pytest.mark.parametrize("held", [5, 6])
def test_what_is_looked_up_is_what_is_enumerated(rules, held):
    one, other = Compiled(rules), Compiled(rules)
    one.table.turn_up = other.table.turn_up = 2
    found = first_difference(one.table, other.table, held, one.scoring, one.levels, one.answers)
    assert found == 0
