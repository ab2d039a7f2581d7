"""Every hand of five cards: what is enumerated when compiled is what plain Python enumerates."""

from itertools import combinations

import pytest
from noddy_listing import Compiled, plainly

from simulate.noddy.rules import make_rules

HOLD = make_rules("hold")
COMPILED = Compiled(HOLD)


@pytest.mark.parametrize("lowest", range(48))
def test_every_hand_of_five_cards(lowest):
    for others in combinations(range(lowest + 1, 52), 4):
        hand = (lowest, *others)
        want = plainly(hand, 2, HOLD)
        assert COMPILED.looked_up(hand, 2) == want
        assert COMPILED.listed(hand, 2) == want
