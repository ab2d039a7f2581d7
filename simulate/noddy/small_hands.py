"""The combinations of hands of up to six cards, looked up (compiled).

Most hands are small, and but for flushes and the jack of trumps their combinations depend on
nothing but their ranks. For each of the 27,132 choices of up to six ranks `Answers` holds the list
that `list_lays` makes, cards written by their places in the hand; flushes and the jack are put in
where they belong. Where the compiler is switched off, making so many lists would take longer than
most games: there only hands of up to three cards are looked up.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.jit import compile_module, numba
from simulate.noddy.bits import count_bits, deposit, lowest_bit
from simulate.noddy.combinations import (
    JACK,
    add_flushes,
    holds_flush,
    kind_of,
    kinds_in,
    label_of,
    levels_of,
    list_lays,
    points_of,
    size_of,
)
from simulate.noddy.rules import NoddyRules, kernel_rules
from simulate.noddy.table import set_table
from simulate.noddy.view import FLUSH, KNAVE_NODDY, MAX_OPTIONS

LARGEST = 3 if numba.config.DISABLE_JIT else 6
RANKS = 13
LAST = (1 << 24) - 1  # greater than any label, and of no kind
BY_SUIT = 1 << KNAVE_NODDY | 1 << FLUSH
# Ranks in ascending order r0, r1, ... are number C(r0, 1) + C(r1 + 1, 2) + C(r2 + 2, 3) + ...
# among the choices of as many ranks, and those choices follow the choices of fewer.
STEPS = np.array([[comb(r + place, place + 1) for r in range(RANKS)] for place in range(LARGEST)])
FIRST = np.array([sum(comb(12 + k, k) for k in range(held)) for held in range(LARGEST + 2)])


class Answers(NamedTuple):
    """What is looked up, under some rules.

    Attributes
    ----------
    start : int32
        Where the list for each choice of ranks begins in `lays`, and where the last one ends.
    lays : int32
        Combinations, best first: the label, and in the `LARGEST` lowest bits the places of the
        cards in the hand, the lowest card's lowest.
    by_suit : int64
        The labels of flushes and of the jack of trumps, best first, and `LAST`.
    """

    start: NDArray[np.int32]
    lays: NDArray[np.int32]
    by_suit: NDArray[np.int64]


def number_of(hand, held):
    """Return the number of the ranks of a hand of `held` cards."""
    number = FIRST[held]
    for place in range(held):
        number += STEPS[place, lowest_bit(hand) >> 2]
        hand &= hand - 1
    return number


def fill_answers(table, hands, kinds, levels, start, lays):
    """List the combinations of these kinds in each hand; return how many there are in all."""
    filled = 0
    for number in range(len(hands)):
        start[number] = filled
        hand = hands[number]
        now = kinds_in(hand, 0, table.court_value) & kinds
        count = list_lays(table, hand, now, levels, MAX_OPTIONS)
        for each in range(count):
            places = 0
            for place in range(count_bits(hand)):
                places |= (deposit(1 << place, hand) & table.lays[each, 1] != 0) << place
            lays[filled] = table.lays[each, 0] << LARGEST | places
            filled += 1
    start[len(hands)] = filled
    return filled


def look_up(table, hand, held, answers):
    """List the combinations of a hand of up to `LARGEST` cards, as `list_lays` does."""
    number = number_of(hand, held)
    at, stop = np.int64(answers.start[number]), np.int64(answers.start[number + 1])
    if hand >> 4 * JACK + (table.turn_up & 3) & 1 or holds_flush(hand):
        return look_up_and_add(table, hand, at, stop, answers)
    count = 0
    while at < stop:
        entry = np.int64(answers.lays[at])
        table.lays[count, 0], table.lays[count, 1] = entry >> LARGEST, deposit(entry, hand)
        at += 1
        count += 1
    return count


def look_up_and_add(table, hand, at, stop, answers):
    """Do the same for a hand with flushes or the jack of trumps, which go between the others."""
    jack = hand & 1 << 4 * JACK + (table.turn_up & 3)
    count = 0
    for each in range(len(answers.by_suit)):
        label = answers.by_suit[each]
        while at < stop and count < MAX_OPTIONS and answers.lays[at] >> LARGEST < label:
            entry = np.int64(answers.lays[at])
            table.lays[count, 0], table.lays[count, 1] = entry >> LARGEST, deposit(entry, hand)
            at += 1
            count += 1
        if kind_of(label) == FLUSH:
            count = add_flushes(table, label, size_of(label), hand, count, MAX_OPTIONS)
        elif kind_of(label) == KNAVE_NODDY and jack and count < MAX_OPTIONS:
            table.lays[count, 0], table.lays[count, 1] = label, jack
            count += 1
    return count


compile_module(__name__, fills_only=True, inlined=("look_up", "number_of"))


@cache
def all_hands() -> NDArray[np.int64]:
    """Return a hand of each choice of up to `LARGEST` ranks, by number; 0 where there is none."""
    hands = np.zeros(FIRST[-1], np.int64)
    for held in range(1, LARGEST + 1):
        ranks = np.array(list(combinations_with_replacement(range(RANKS), held)))
        numbers = FIRST[held] + STEPS[np.arange(held), ranks].sum(axis=1)
        suits = np.zeros_like(ranks)
        for place in range(1, held):
            suits[:, place] = (ranks[:, :place] == ranks[:, [place]]).sum(axis=1)
        real = suits.max(axis=1) < 4  # there are no five cards of one rank
        hands[numbers[real]] = (1 << 4 * ranks[real] + suits[real]).sum(axis=1)
    return hands


def answers_for(table: Any) -> Answers:
    """List the combinations of every small hand, under the rules of a table."""
    hands = all_hands()
    start = np.zeros(len(hands) + 1, np.int32)
    lays = np.zeros(len(hands) * MAX_OPTIONS, np.int32)
    points = table.points.tolist()
    levels = levels_of(points)
    kinds = int(levels[:, 0].sum()) & ~BY_SUIT
    filled = fill_answers(table, hands, kinds, levels, start, lays)
    labels = [label_of(KNAVE_NODDY, 1, points[KNAVE_NODDY])]
    labels += [label_of(FLUSH, size, points[FLUSH]) for size in (3, 4)]
    by_suit = sorted(label for label in labels if points_of(label) > 0)
    return Answers(start, lays[:filled].copy(), np.array([*by_suit, LAST], np.int64))


def no_answers() -> Answers:
    """Make room for none."""
    return Answers(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.int64))


def compile_answers() -> None:
    """Compile what lists combinations, or load it."""
    rules = kernel_rules(NoddyRules())
    answers_for(set_table(2, rules, np.uint64(0), np.zeros((0, 1))))
