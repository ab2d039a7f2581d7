"""The shared table of counts, against published totals and against hands dealt one by one."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from simulate.napalm.counts import class_counts, class_strengths, count_hands
from simulate.napalm.ranking import best_class

# Categories from high card to straight flush.
ACE_HIGH_FIVE = [1_303_560, 1_098_240, 123_552, 54_912, 9_180, 5_112, 3_744, 624, 36]
STANDARD_SEVEN = [
    23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 41_584
]  # fmt: skip


def categories(keys, counts):
    return [int(counts[keys >> 20 == category].sum()) for category in range(9)]


@pytest.mark.parametrize(
    ("stage", "wheel", "hands", "classes"),
    [
        (1, False, 1_326, 91),
        (2, False, 2_598_960, 7_462),
        (2, True, 2_598_960, 7_462),
        (3, True, 133_784_560, 4_824),
        (3, False, 133_784_560, 4_892),
    ],
)
def test_totals_and_distinct_ranks(stage, wheel, hands, classes):
    keys, counts = class_counts(stage, wheel)
    assert counts.sum() == hands
    assert len(keys) == len(counts) == classes
    assert np.all(np.diff(keys) > 0)
    assert counts.min() > 0


def test_two_cards_by_their_higher_card():
    keys, counts = class_counts(1)
    assert counts[keys >> 20 == 1].sum() == 78
    by_high = {high: counts[keys >> 16 == high].sum() for high in (14, 13, 12, 11)}
    assert by_high == {14: 192, 13: 176, 12: 160, 11: 144}


def test_five_cards_by_category():
    assert categories(*class_counts(2)) == ACE_HIGH_FIVE


def test_stage_two_never_has_the_wheel():
    for with_wheel, without in zip(class_counts(2, True), class_counts(2, False), strict=True):
        assert np.array_equal(with_wheel, without)
    keys, counts = class_counts(2, True)
    ace_to_five = 14 << 16 | 5 << 12 | 4 << 8 | 3 << 4 | 2
    assert counts[keys == ace_to_five] == 1_020
    assert counts[keys == 5 << 20 | ace_to_five] == 4


def test_low_hands_by_their_top_card():
    keys, counts = class_counts(2)
    by_high = [int(counts[keys >> 16 == high].sum()) for high in range(7, 15)]
    assert by_high == [4_080, 14_280, 34_680, 70_380, 127_500, 213_180, 335_580, 503_880]


def test_seven_cards_by_category_with_the_wheel():
    assert categories(*class_counts(3, True)) == STANDARD_SEVEN


def test_seven_cards_without_the_wheel_only_move_hands_out_of_straights():
    change = np.subtract(categories(*class_counts(3, False)), STANDARD_SEVEN)
    assert change[4] < 0
    assert change[8] < 0
    assert change[5] == -change[8]  # a suited A-2-3-4-5 is a flush
    assert change[6] == change[7] == change.sum() == 0


@pytest.mark.parametrize(
    ("ranks", "size", "wheel"),
    [
        ((2, 3, 4, 5, 14), 7, True),
        ((2, 3, 4, 5, 14), 7, False),
        ((10, 11, 12, 13, 14), 6, False),
        ((2, 3, 4, 5, 6, 14), 5, True),
        ((2, 3, 5, 8, 13, 14), 5, False),
    ],
)
def test_small_decks_dealt_hand_by_hand(ranks, size, wheel):
    deck = [(rank - 2) * 4 + suit for rank in ranks for suit in range(4)]
    dealt = Counter(best_class(cards, wheel) for cards in combinations(deck, size))
    keys, counts = count_hands(np.array(ranks), size, wheel)
    assert dict(zip(keys.tolist(), counts.tolist(), strict=True)) == dealt


def test_strength_is_the_share_beaten_with_ties_counting_half():
    aces, deuce_trey = class_strengths(1)[-1], class_strengths(1)[0]
    assert aces == (1_320 + 3) / 1_326
    assert deuce_trey == 8 / 1_326
    assert class_strengths(2)[0] == (2 * (2_598_960 - 1_020) + 1_020) / (2 * 2_598_960)
    assert class_strengths(2)[-1] == 2 / 2_598_960  # the royal flush loses to all but its like
    for stage in (1, 2, 3):
        _, counts = class_counts(stage)
        assert np.average(class_strengths(stage), weights=counts) == pytest.approx(0.5, abs=1e-12)


def test_the_tables_cannot_be_spoilt():
    for table in (*class_counts(3), class_strengths(3)):
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 1
