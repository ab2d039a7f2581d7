"""What `rank` says of a Napalm hand, against hands compared one by one."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from simulate.cards import NAPALM_RANKS, parse_cards
from simulate.napalm.odds import chance_best, standing
from simulate.napalm.ranking import hand_class


def cards(text):
    return parse_cards(text, NAPALM_RANKS)


@pytest.mark.parametrize("hand", ["Ah Kd", "2c 2d", "3c 2d", "Ac As", "9h 8h"])
def test_standing_against_every_pair_of_cards(hand):
    own = hand_class(1, cards(hand))
    others = [hand_class(1, pair) for pair in combinations(range(52), 2)]
    found = standing(1, cards(hand))
    assert found.beats == sum(other < own for other in others)
    assert found.ties == sum(other == own for other in others)
    assert found.all == len(others)


def test_standing_at_the_edges():
    assert standing(2, cards("7c 5d 4h 3s 2c")).loses == 0
    assert standing(2, cards("Ac Kc Qc Jc Tc")).beats == 0
    assert standing(3, cards("Ac Kc Qc Jc Tc 2d 2h")).loses == 0
    wheel = cards("Ac 2d 3h 4s 5c 9d Jh")
    assert standing(3, wheel, wheel=True).beats > standing(3, wheel, wheel=False).beats


@pytest.mark.parametrize(
    ("stage", "hand"), [(1, "Ah 9d"), (2, "Kc 8d 6h 3s 2c"), (3, "Ac 2d 3h 4s 9c 9d Jh")]
)
def test_the_chance_to_be_best_agrees_with_hands_dealt_and_ranked_in_plain_python(stage, hand):
    own, deals, players = cards(hand), 3_000, 4
    rest = [card for card in range(52) if card not in own]
    draw, best = random.Random(1), 0
    for _ in range(deals):
        dealt = draw.sample(rest, 3 * len(own))
        hands = [dealt[k * len(own) : (k + 1) * len(own)] for k in range(3)]
        ranks = [hand_class(stage, other) for other in hands]
        mine = hand_class(stage, own)
        best += mine <= min(ranks) if stage == 2 else mine >= max(ranks)
    found = chance_best(stage, own, players)
    error = (found.value * (1 - found.value) / deals) ** 0.5
    assert abs(best / deals - found.value) < 4 * error
    assert found.margin < 0.001


def test_nothing_beats_a_pair_of_aces():
    assert chance_best(1, cards("Ac As"), 7).value == 1.0
    assert chance_best(1, cards("3c 2d"), 7).value < 0.01
