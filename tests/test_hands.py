"""The compiled rankings against the plain ones; `exhaustive/test_hands.py` takes every hand."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from every_hand import classes_of, every_hand
from hypothesis import given
from hypothesis import strategies as st
from sizes import size

from simulate.lanes import WIDTH
from simulate.napalm.hands import INVERTED, rank_fives, rank_sevens, rank_twos
from simulate.napalm.ranking import best_class, hand_class, two_cards
from simulate.napalm.strength import values_of_classes

LANES = 4 * WIDTH


def values_of(hands, wheel=0, flip=0):
    """Rank hands of two, five or seven cards, one a lane."""
    count, cards = hands.shape
    lanes = -(-count // WIDTH) * WIDTH
    columns, values = np.zeros((cards, lanes), np.uint8), np.zeros((1, lanes), np.uint32)
    columns[:, :count] = hands.T
    if cards == 2:
        rank_twos(columns, 0, 1, 0, values, count)
    elif cards == 5:
        rank_fives(columns, 0, 1, flip, wheel, 0, values, count)
    else:
        rank_sevens(columns, 0, 1, wheel, 0, values, count)
    return values[0, :count]


def check_order(values, keys):
    """The greater value goes with the higher class, and equal ones with equal ones."""
    pairs = sorted(set(zip(np.asarray(values).tolist(), keys, strict=True)))
    for (value, key), (next_value, next_key) in pairwise(pairs):
        assert value < next_value
        assert key < next_key


def dealt(number, cards, decks=((0, 52),), seed=1):
    """Hands from several decks, each the cards from one to another: small ones give rare hands."""
    generator = np.random.default_rng(seed)
    parts = []
    for first, stop in decks:
        decks_of = np.tile(np.arange(first, stop), (number // len(decks), 1))
        parts.append(generator.permuted(decks_of, axis=1)[:, :cards])
    return np.concatenate(parts)


def in_two_suits(hands):
    """Turn clubs to diamonds and spades to hearts where a hand then still has no card twice."""
    turned = hands // 4 * 4 + 1 + hands % 4 // 2
    apart = (np.diff(np.sort(turned, axis=1), axis=1) > 0).all(axis=1)
    return turned[apart]


DECKS = ((0, 52), (0, 20), (32, 52), (16, 44))


def test_all_hands_of_two_cards():
    hands = np.array(list(combinations(range(52), 2)))
    assert len(hands) == 1_326
    values, keys = values_of(hands), [two_cards(hand) for hand in hands.tolist()]
    check_order(values, keys)
    assert len(set(values.tolist())) == 91
    assert values.tolist() == values_of_classes(np.array(keys)).tolist()


@pytest.mark.parametrize("wheel", [0, 1])
def test_five_cards_of_all_kinds_are_ordered_as_poker_orders_them(wheel):
    hands = dealt(size(40_000, 800), 5, DECKS)
    hands = np.concatenate([hands, in_two_suits(hands)])
    values = values_of(hands, wheel)
    keys = [best_class(hand, bool(wheel)) for hand in hands.tolist()]
    check_order(values, keys)
    assert values.tolist() == values_of_classes(np.array(keys)).tolist()
    assert {key >> 20 for key in keys} == set(range(9))


def test_the_lowest_five_cards_have_the_greatest_value():
    hands = dealt(size(10_000, 400), 5, DECKS)
    check_order(values_of(hands, flip=INVERTED), [-hand_class(2, hand) for hand in hands.tolist()])


@pytest.mark.parametrize("wheel", [0, 1])
def test_seven_cards_are_worth_their_best_five(wheel):
    hands = dealt(size(6_000, 800), 7, DECKS)
    hands = np.concatenate([hands, in_two_suits(hands)])
    values = values_of(hands, wheel)
    keys = [hand_class(3, hand, bool(wheel)) for hand in hands.tolist()]
    check_order(values, keys)
    assert values.tolist() == values_of_classes(np.array(keys)).tolist()
    assert {key >> 20 for key in keys} == set(range(9))


@pytest.mark.parametrize("wheel", [0, 1])
def test_the_hands_dealt_for_the_exhaustive_test_are_judged_right_there(wheel):
    """Its count of ranks and suits agrees with the plain ranking, too."""
    for cards in (5, 7):
        hands = dealt(size(2_000, 400), cards, DECKS)
        classes = np.zeros(len(hands), np.int64)
        classes_of(hands.T.astype(np.uint8), len(hands), wheel, classes)
        assert classes.tolist() == [best_class(hand, bool(wheel)) for hand in hands.tolist()]


def test_every_hand_is_every_hand_once():
    blocks = [cards[:, :hands].copy() for cards, hands in every_hand(2, 100)]
    hands = np.concatenate(blocks, axis=1).T
    assert hands.tolist() == [list(hand) for hand in combinations(range(52), 2)]


@given(st.permutations(range(52)), st.permutations(range(4)), st.randoms())
def test_the_order_of_the_cards_and_the_names_of_the_suits_do_not_matter(deck, suits, random):
    for count in (2, 5, 7):
        hand = deck[:count]
        other = [card // 4 * 4 + suits[card % 4] for card in random.sample(hand, count)]
        one_value, other_value = values_of(np.array([hand, other]))
        assert one_value == other_value


def test_a_hand_is_ranked_from_its_own_rows_and_written_to_its_own_row():
    """As in a game, where position p of n holds the cards in rows p, p + n, ...."""
    generator = np.random.default_rng(1)
    for n in range(4, 8):
        decks = generator.permuted(np.tile(np.arange(52), (LANES, 1)), axis=1)
        decks = np.ascontiguousarray(decks.T, np.uint8)
        values = np.full((3 * n, LANES), 7, np.uint32)
        for position in range(n):
            rank_twos(decks, position, n + position, position, values, LANES)
            rank_fives(decks, position, n, INVERTED, 0, n + position, values, LANES)
            rank_sevens(decks, position, n, 1, 2 * n + position, values, LANES)
        for position in range(n):
            hands = decks[position : 7 * n : n].T
            assert np.array_equal(values[position], values_of(hands[:, :2]))
            assert np.array_equal(values[n + position], values_of(hands[:, :5], flip=INVERTED))
            assert np.array_equal(values[2 * n + position], values_of(hands, wheel=1))


def test_only_the_lanes_asked_for_are_written():
    cards = np.arange(7, dtype=np.uint8)[:, None].repeat(LANES, axis=1)
    values = np.full((3, LANES), 7, np.uint32)
    lanes = WIDTH + 1  # rounded up to two groups
    rank_twos(cards, 0, 1, 0, values, lanes)
    rank_fives(cards, 0, 1, 0, 0, 1, values, lanes)
    rank_sevens(cards, 0, 1, 0, 2, values, lanes)
    assert (values[:, : 2 * WIDTH] != 7).all()
    assert (values[:, 2 * WIDTH :] == 7).all()
