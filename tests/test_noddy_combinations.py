"""What is enumerated when compiled is what plain Python enumerates, in the same order."""

from itertools import combinations, islice

import numpy as np
import pytest
from cribbage import count_cribbage_scores
from hypothesis import example, given
from hypothesis import strategies as st
from noddy_listing import Compiled, plainly
from sizes import size

from simulate.noddy import reference
from simulate.noddy.combinations import (
    kind_of,
    kinds_in,
    label_of,
    levels_of,
    points_of,
    size_of,
)
from simulate.noddy.rules import COMBINATIONS, make_rules
from simulate.noddy.small_hands import LARGEST, all_hands, number_of

KINDS = list(COMBINATIONS)
# Score by score, from 0: hands of four cards with a starter in cribbage, as published.
CRIBBAGE = [
    1_009_008, 99_792, 2_813_796, 505_008, 2_855_676, 697_508, 1_800_268, 751_324, 1_137_236,
    361_224, 388_740, 51_680, 317_340, 19_656, 90_100, 9_168, 58_248, 11_196, 2_708, 0, 8_068,
    2_496, 444, 356, 3_680, 0, 0, 0, 76, 4,
]  # fmt: skip


def kinds_among(lays):
    return sum({1 << kind_of(label) for label, _ in lays})


HOLD = make_rules("hold")
COMPILED = Compiled(HOLD)


@pytest.mark.parametrize("lowest", range(8))
def test_every_hand_of_up_to_four_cards(lowest):
    """All 294,203 of them, shared out by their lowest card; the jack of hearts is trump."""
    for first in range(lowest, 52, 8):
        for more in range(4):
            others_of = combinations(range(first + 1, 52), more)
            for others in islice(others_of, 0, None, size(1, 29)):
                hand = (first, *others)
                want = plainly(hand, 2, HOLD)
                assert COMPILED.listed(hand, 2) == want
                assert len(hand) > LARGEST or COMPILED.looked_up(hand, 2) == want
                assert COMPILED.kinds(hand, 2) == kinds_among(want)


def test_an_empty_hand_holds_nothing():
    assert COMPILED.listed((), 0) == COMPILED.looked_up((), 0) == []


points = st.dictionaries(st.sampled_from(KINDS), st.sampled_from([0, 1, 2, 3, 10, 1000]))
rules_of_all_kinds = st.builds(
    lambda court, points: make_rules("hold", {"court_value": court, "points": points}),
    st.sampled_from([10, 10, 10, *range(1, 14)]),
    points,
)


def hands(low, high):
    return st.lists(st.integers(0, 51), min_size=low, max_size=high, unique=True)


@given(hands(0, LARGEST), st.integers(0, 3), rules_of_all_kinds)
def test_small_hands_under_any_rules(hand, trump, rules):
    compiled, want = Compiled(rules), plainly(hand, trump, rules)
    assert compiled.looked_up(hand, trump) == want
    assert compiled.listed(hand, trump) == want


@given(hands(5, 46), st.integers(0, 3), rules_of_all_kinds, st.sampled_from([1, 7, 63, 64]))
@example(list(range(0, 52, 4)), 0, HOLD, 64)  # thirteen in sequence, all of one suit
@example(list(range(20)), 0, make_rules("hold", {"points.double_pair_royal": 1000}), 64)
@example(list(range(52)), 3, make_rules("hold", {"points.thirty_one": 1}), 64)
@example([c for c in range(52) if min(c // 4 + 1, 10) % 2 == 0], 1, HOLD, 64)  # no odd totals
def test_large_hands_under_any_rules(hand, trump, rules, limit):
    compiled, want = Compiled(rules), plainly(hand, trump, rules, limit)
    assert compiled.listed(hand, trump, limit) == want
    everything = kinds_among(compiled.listed(hand, trump))
    assert compiled.kinds(hand, trump) & everything == everything


@pytest.mark.parametrize("held", [20, 45])
@pytest.mark.parametrize("court_value", [1, 5, 10, 11, 12, 13])
def test_hands_that_only_grew(held, court_value):
    rng = np.random.default_rng(held * court_value)
    for alone in (*KINDS, None):  # each combination for itself, and all together
        others = {f"points.{kind}": 0 for kind in KINDS if alone not in (None, kind)}
        rules = make_rules("hold", {"court_value": court_value, **others})
        hand = rng.permutation(52)[:held].tolist()
        assert Compiled(rules).listed(hand, 1) == plainly(hand, 1, rules)


@given(hands(1, 46), st.integers(0, 3), st.integers(1, 13))
def test_the_kinds_in_a_hand_are_those_that_are_found(hand, trump, court_value):
    for kind in range(len(KINDS)):
        others = {f"points.{name}": 0 for name in KINDS if name != KINDS[kind]}
        rules = make_rules("hold", {"court_value": court_value, **others})
        held = kinds_in(reference.as_set(hand), trump, court_value) >> kind & 1
        assert held == len(plainly(hand, trump, rules, limit=1))


def test_labels_say_what_they_are_made_of_and_rise_in_the_order_of_options():
    made = [(-p, s, k) for p in (0, 1, 31, 1000) for s in (1, 2, 13, 46) for k in range(11)]
    labels = [label_of(kind, size, -points) for points, size, kind in sorted(made)]
    assert labels == sorted(labels)
    assert len(set(labels)) == len(made)
    parts = [(-points_of(label), size_of(label), kind_of(label)) for label in labels]
    assert parts == sorted(made)


def test_levels_leave_out_what_scores_nothing():
    assert levels_of((0,) * 11).tolist() == []
    assert levels_of((1, 15, 25, 31, 2, 6, 12, 1, 2, 4, 10)).tolist() == [
        [1 << 3, 31], [1 << 2, 25], [1 << 1, 15], [1 << 6, 12], [1 << 10, 10], [1 << 5, 6],
        [1 << 9, 4], [1 << 4 | 1 << 8, 2], [1 << 0 | 1 << 7, 1],
    ]  # fmt: skip


def test_every_choice_of_up_to_six_ranks_has_a_number_of_its_own():
    small = all_hands()
    real = [number for number, hand in enumerate(small.tolist()) if hand]
    assert len(small) == size(27_132, 560)
    # No hand is there of no cards at all, nor of five or six cards of a rank.
    assert len(small) - len(real) == size(1 + 13 + 13 * 12 + 13, 1)
    for number in real:
        assert number_of(int(small[number]), int(small[number]).bit_count()) == number


def test_cribbage_comes_out_as_published():
    assert sum(CRIBBAGE) == 12_994_800
    scores = np.zeros(30, np.int64)
    COMPILED.table.turn_up = 0
    count_cribbage_scores(COMPILED.table, COMPILED.levels, scores)
    assert scores.tolist() == CRIBBAGE
