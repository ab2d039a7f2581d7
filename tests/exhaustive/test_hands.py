"""The compiled rankings over every hand there is: 1,326, 2,598,960 and 133,784,560."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from every_hand import CLASSES, STRAIGHT_FLUSH, classes_of, enter, every_hand

from simulate.napalm.counts import class_counts
from simulate.napalm.hands import FOUR, INVERTED, rank_fives, rank_sevens
from simulate.napalm.ranking import five_ranks
from simulate.napalm.strength import values_of_classes

ROOM = 1 << 16
FOUR_ACES = FOUR | 1 << 12

# From high card to straight flush.
FIVE = {
    False: [1_303_560, 1_098_240, 123_552, 54_912, 9_180, 5_112, 3_744, 624, 36],
    True: [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40],
}
LOW = [4_080, 14_280, 34_680, 70_380, 127_500, 213_180, 335_580, 503_880]  # 7-high to ace-high
SEVEN_WITH_WHEEL = [
    23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 41_584
]  # fmt: skip
RANKS = {(5, False): 7_462, (5, True): 7_462, (7, False): 4_892, (7, True): 4_824}


def category(values):
    """The category that a value says it is of."""
    major = values >> 16
    return np.where(major > FOUR_ACES, STRAIGHT_FLUSH, major >> 13)


class Census:
    """Every hand of a size, entered by its class: how often it comes, and what value it has."""

    def __init__(self, wheel):
        self.wheel = wheel
        self.classes, self.values = np.zeros(ROOM, np.int64), np.zeros((1, ROOM), np.uint32)
        self.count, self.value = np.zeros(CLASSES, np.int64), np.zeros(CLASSES, np.uint32)
        self.wrong = 0

    def enter(self, cards, hands):
        if len(cards) == 5:
            rank_fives(cards, 0, 1, 0, self.wheel, 0, self.values, hands)
        else:
            rank_sevens(cards, 0, 1, self.wheel, 0, self.values, hands)
        classes_of(cards, hands, self.wheel, self.classes)
        self.wrong += enter(self.classes, self.values[0], hands, self.count, self.value)

    def check(self, size):
        """Hands of one class have one value, and the higher class has the higher one."""
        assert self.wrong == 0
        keys = np.flatnonzero(self.count)
        values = self.value[keys].astype(np.int64)
        assert len(keys) == RANKS[size, bool(self.wheel)]
        assert (np.diff(values) > 0).all()
        assert np.array_equal(values, values_of_classes(np.array(keys)))
        assert np.array_equal(category(values), keys >> 20)
        return keys, values, self.count[keys]

    def by_category(self):
        return self.count.reshape(STRAIGHT_FLUSH + 1, -1).sum(axis=1).tolist()


def censuses(size):
    both = Census(0), Census(1)
    for cards, hands in every_hand(size, ROOM):
        for census in both:
            census.enter(cards, hands)
    return both


@pytest.fixture(scope="module")
def fives():
    return censuses(5)


@pytest.fixture(scope="module")
def sevens():
    return censuses(7)


@pytest.mark.parametrize("wheel", [0, 1])
def test_five_cards(fives, wheel):
    keys, values, counts = fives[wheel].check(5)
    assert fives[wheel].by_category() == FIVE[bool(wheel)]
    for number in range(9):
        assert counts[category(values) == number].sum() == FIVE[bool(wheel)][number]
    if not wheel:
        right_keys, right_counts = class_counts(2)
        assert np.array_equal(keys, right_keys)
        assert np.array_equal(counts, right_counts)
        by_top = [counts[(keys >> 16) == top].sum() for top in range(7, 15)]
        assert by_top == LOW


@pytest.mark.parametrize("wheel", [0, 1])
def test_the_order_of_all_five_card_hands_is_that_of_the_plain_reference(wheel):
    """The reference ranks each set of ranks, suited or not; hands inherit it."""
    pairs = set()
    for cards, hands in every_hand(5, ROOM):
        values = np.zeros((1, ROOM), np.uint32)
        rank_fives(cards, 0, 1, 0, wheel, 0, values, hands)
        suited = (cards[:, :hands] % 4 == cards[0, :hands] % 4).all(axis=0)
        code = suited.astype(np.int64)
        for row in range(4, -1, -1):  # cards ascend: the ranks in descending order
            code = code * 16 + cards[row, :hands] // 4 + 2
        found = np.unique(code.astype(np.uint64) << np.uint64(32) | values[0, :hands])
        pairs |= set(found.tolist())
    assert len(pairs) == 6_175 + 1_287  # one value for each set of ranks, suited or not
    order = []
    for pair in pairs:
        code, value = pair >> 32, pair & 0xFFFFFFFF
        ranks = tuple(code >> shift & 15 for shift in (16, 12, 8, 4, 0))
        order.append((value, five_ranks(ranks, bool(code >> 20), bool(wheel))))
    order.sort()
    for (value, key), (next_value, next_key) in pairwise(order):
        assert (value < next_value) == (key < next_key)
        assert (value == next_value) == (key == next_key)


def test_at_stage_two_the_order_is_turned_round():
    for cards, hands in every_hand(5, ROOM):
        values = np.zeros((2, ROOM), np.uint32)
        rank_fives(cards, 0, 1, 0, 0, 0, values, hands)
        rank_fives(cards, 0, 1, INVERTED, 0, 1, values, hands)
        assert (values[0, :hands] + values[1, :hands] == INVERTED).all()


@pytest.mark.parametrize("wheel", [0, 1])
def test_seven_cards(sevens, wheel):
    keys, values, counts = sevens[wheel].check(7)
    right_keys, right_counts = class_counts(3, bool(wheel))
    assert np.array_equal(keys, right_keys)
    assert np.array_equal(counts, right_counts)
    if wheel:
        assert sevens[wheel].by_category() == SEVEN_WITH_WHEEL
        for number in range(9):
            assert counts[category(values) == number].sum() == SEVEN_WITH_WHEEL[number]
