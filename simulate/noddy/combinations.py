"""Every combination in a hand (D9), best first and exact for hands of any size (compiled).

A set of cards is a whole number whose bit ``card`` is set for each card in it, so the four cards of
a rank are four neighbouring bits, a *nibble*. `kinds_in` says in a few dozen instructions which
kinds a hand holds; `list_lays` writes the first of them down in the order of options: more points,
then fewer cards, then the order of the kinds, then lowest cards.

A large hand holds more combinations than anybody could list, so they are made in that very order,
and the work ends at the limit. Cards that add up to a total are found by a walk that never enters a
dead end: `reach` knows, for every place of the hand in ascending order, which totals so many of
the cards from there on can make.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from simulate.jit import compile_module
from simulate.noddy.bits import count_bits, highest_bit, lowest_bit
from simulate.noddy.view import (
    DOUBLE_PAIR_ROYAL,
    FIFTEEN,
    FLUSH,
    KNAVE_NODDY,
    LONG_RUN,
    PAIR,
    PAIR_ROYAL,
    RUN_OF_FOUR,
    RUN_OF_THREE,
    THIRTY_ONE,
    TWENTY_FIVE,
)

JACK = 10  # its place in the order of ranks, the ace's is 0
ONES = 0x1111111111111  # the lowest bit of each of the thirteen nibbles
COURTS = 0xFFF << 4 * JACK
TOTALS = (1 << 32) - 1  # a set of totals, 0 to 31
MOST = 22  # cards that can make 31: with courts of 1, sixteen ones, four twos and two threes
REACH = (53, MOST + 2)

# The kinds that can have 1, 2, 3, 4, or 5 and more cards, as sets of kinds.
SUMS = 1 << FIFTEEN | 1 << TWENTY_FIVE | 1 << THIRTY_ONE
BY_SIZE = (
    0,
    1 << KNAVE_NODDY,
    1 << FIFTEEN | 1 << PAIR,
    1 << FIFTEEN | 1 << TWENTY_FIVE | 1 << PAIR_ROYAL | 1 << FLUSH | 1 << RUN_OF_THREE,
    SUMS | 1 << DOUBLE_PAIR_ROYAL | 1 << FLUSH | 1 << RUN_OF_FOUR,
    SUMS | 1 << LONG_RUN,
)


def label_of(kind, size, points):
    """Return the number that lists combinations of a kind and size: it rises in their order."""
    return (1000 - points) << 10 | size << 4 | kind


def kind_of(label):
    """Return the kind of a label."""
    return label & 15


def size_of(label):
    """Return how many cards combinations of a label have."""
    return label >> 4 & 63


def points_of(label):
    """Return what combinations of a label score."""
    return 1000 - (label >> 10)


def pips(card, court_value):
    """Return the pip value of a card (D1)."""
    rank = (card >> 2) + 1
    return court_value if rank > JACK else rank


def worth(value, court_value):
    """Return the set of all cards of a pip value."""
    cards = 15 << 4 * (value - 1) if value <= JACK else 0
    return cards | COURTS if value == court_value else cards


def totals_of(hand, court_value):
    """Return the set of totals up to 31 that some of the cards add up to."""
    totals = np.int64(1)  # sixty-four bits without the compiler, too: what is beyond falls off
    while hand:
        totals |= totals << pips(lowest_bit(hand), court_value)
        hand &= hand - 1
    return totals & TOTALS


def four_make_31(hand, court_value):
    """Return 1 if four cards or more add up to 31: with courts above 10, three may do it too."""
    one, two, three, more = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    while hand:
        value = pips(lowest_bit(hand), court_value)
        more |= (more | three) << value
        three |= two << value
        two |= one << value
        one |= 1 << value
        hand &= hand - 1
    return more >> 31 & 1


def kinds_in(hand, trump, court_value):
    """Return which kinds of combination a hand holds, as a set of kinds.

    Parameters
    ----------
    hand : int
        A set of cards.
    trump : int
        The suit of trumps.
    court_value : int
        Pips of a jack, queen or king.
    """
    totals = totals_of(hand, court_value)
    thirty_one = totals >> 31
    if thirty_one and court_value > 10:
        thirty_one = four_make_31(hand, court_value)
    # How many cards of each rank, in its nibble: bits are added up in pairs, then in fours.
    counts = hand - (hand >> 1 & 5 * ONES)
    counts = (counts & 3 * ONES) + (counts >> 2 & 3 * ONES)
    two, three, four = counts + 6 * ONES & 8 * ONES, counts + 5 * ONES & 8 * ONES, counts & 4 * ONES
    held = counts + 7 * ONES & 8 * ONES
    run3 = held & held >> 4 & held >> 8
    run4 = run3 & held >> 12
    run5 = run4 & held >> 16
    return (
        (hand >> 4 * JACK + trump & 1) << KNAVE_NODDY
        | (totals >> 15 & 1) << FIFTEEN
        | (totals >> 25 & 1) << TWENTY_FIVE
        | thirty_one << THIRTY_ONE
        | (two != 0) << PAIR
        | (three != 0) << PAIR_ROYAL
        | (four != 0) << DOUBLE_PAIR_ROYAL
        | holds_flush(hand) << FLUSH
        | (run3 != 0) << RUN_OF_THREE
        | (run4 != 0) << RUN_OF_FOUR
        | (run5 != 0) << LONG_RUN
    )


def holds_flush(hand):
    """Whether three cards are of one suit."""
    return (
        (count_bits(hand & ONES) > 2)
        | (count_bits(hand & ONES << 1) > 2)
        | (count_bits(hand & ONES << 2) > 2)
        | (count_bits(hand & ONES << 3) > 2)
    )


def fill_reach(table, hand):
    """Find out which totals the cards of a hand can make.

    Bit ``t`` of ``table.reach[place, size]`` is set where `size` of the cards from the `place`-th
    on, in ascending order, add up to ``t``. Returns the number of cards.
    """
    reach, held = table.reach, count_bits(hand)
    reach[held, 0], reach[held, 1] = 1, 0
    for place in range(held - 1, -1, -1):
        card = highest_bit(hand)
        hand ^= 1 << card
        value = pips(card, table.court_value)
        most = min(held - place, MOST)
        reach[place, 0] = 1
        for size in range(1, most + 1):
            with_it = reach[place + 1, size - 1] << value & TOTALS
            reach[place, size] = reach[place + 1, size] | with_it
        reach[place, most + 1] = 0
    return held


def add_sums(table, label, size, total, hand, count, limit):
    """List the choices of `size` cards that add up to `total`."""
    held = count_bits(hand)
    ahead, place, cards = hand, 0, 0  # to choose from: the cards from the `place`-th on
    while True:
        if size == 1:
            among = ahead & worth(total, table.court_value)
            while among:
                if count == limit:
                    return count
                table.lays[count, 0], table.lays[count, 1] = label, cards | among & -among
                among &= among - 1
                count += 1
        elif table.reach[place, size] >> total & 1:
            card = ahead & -ahead
            ahead ^= card
            place += 1
            rest = total - pips(lowest_bit(card), table.court_value)
            if rest > 0 and table.reach[place, size - 1] >> rest & 1:
                cards |= card
                total = rest
                size -= 1
            continue
        if cards == 0:
            return count
        card = highest_bit(cards)  # take the last one back and go on behind it
        cards ^= 1 << card
        total += pips(card, table.court_value)
        size += 1
        ahead = hand & -(2 << card)
        place = held - count_bits(ahead)


def add_pairs(table, label, cards, among, count, limit):
    """List the choices of two cards among some, each together with `cards`."""
    while among:
        first = among & -among
        among ^= first
        others = among
        while others:
            if count == limit:
                return count
            table.lays[count, 0], table.lays[count, 1] = label, cards | first | others & -others
            others &= others - 1
            count += 1
    return count


def add_alike(table, label, size, hand, count, limit):
    """List the choices of `size` cards of one rank."""
    while hand and count < limit:
        lowest = lowest_bit(hand)
        rank = hand & 15 << (lowest & -4)
        hand ^= rank
        spare = count_bits(rank) - size
        if size == 2:
            count = add_pairs(table, label, 0, rank, count, limit)
        elif spare == 0:
            table.lays[count, 0], table.lays[count, 1] = label, rank
            count += 1
        elif spare == 1:  # three of four: the highest is the first to be left out
            for left_out in range(lowest + 3, lowest - 1, -1):
                if count == limit:
                    return count
                table.lays[count, 0], table.lays[count, 1] = label, rank ^ 1 << left_out
                count += 1
    return count


def add_flushes(table, label, size, hand, count, limit):
    """List the choices of three or four cards of one suit."""
    while hand:
        first = lowest_bit(hand)
        hand &= hand - 1
        among = hand & ONES << (first & 3)
        if size == 3:
            count = add_pairs(table, label, 1 << first, among, count, limit)
            continue
        while among:
            cards = 1 << first | among & -among
            among &= among - 1
            count = add_pairs(table, label, cards, among, count, limit)
    return count


def add_runs(table, label, size, hand, count, limit):
    """List the choices of `size` cards in sequence."""
    for first in range(0, 4 * (14 - size), 4):
        last = first + 4 * size - 4
        cards = 0  # the lowest of each rank
        for rank in range(first, last + 4, 4):
            nibble = hand & 15 << rank
            cards |= nibble & -nibble
        if count_bits(cards) < size:
            continue
        rank = last
        while rank >= first and count < limit:
            table.lays[count, 0], table.lays[count, 1] = label, cards
            count += 1
            rank = last  # the next choice: like a counter whose last digit turns fastest
            while rank >= first:
                nibble = hand & 15 << rank
                higher = nibble & -((cards & 15 << rank) << 1)
                cards = cards & ~(15 << rank) | (higher & -higher if higher else nibble & -nibble)
                if higher:
                    break
                rank -= 4
    return count


def add_kind(table, label, hand, count, limit):
    """List the combinations of the kind and size of a label, lowest cards first."""
    kind, size = kind_of(label), size_of(label)
    if count == limit:
        return count
    if 1 << kind & SUMS:
        total = 15 if kind == FIFTEEN else 25 if kind == TWENTY_FIVE else 31
        if size <= MOST and table.reach[0, size] >> total & 1:
            count = add_sums(table, label, size, total, hand, count, limit)
    elif kind == KNAVE_NODDY:
        table.lays[count, 0], table.lays[count, 1] = label, 1 << 4 * JACK + (table.turn_up & 3)
        count += 1
    elif kind == FLUSH:
        count = add_flushes(table, label, size, hand, count, limit)
    elif kind <= DOUBLE_PAIR_ROYAL:
        count = add_alike(table, label, size, hand, count, limit)
    else:
        count = add_runs(table, label, size, hand, count, limit)
    return count


def list_lays(table, hand, kinds, levels, limit):
    """List combinations in a hand, best first, as label and set of cards in `table.lays`.

    Parameters
    ----------
    table : record
        Of `simulate.noddy.table.TABLE`; its turn-up names trumps.
    hand : int
        A set of cards.
    kinds : int
        The set of kinds to list, all of which the hand holds (`kinds_in`).
    levels : ndarray of int64, shape (levels, 2)
        From `levels_of`.
    limit : int
        How many to list at most.

    Returns
    -------
    int
        How many are listed.
    """
    held = fill_reach(table, hand) if kinds & SUMS else count_bits(hand)
    count = 0
    for level in range(len(levels)):
        if levels[level, 0] & kinds == 0:
            continue
        for size in range(1, held + 1):
            now = levels[level, 0] & kinds & BY_SIZE[min(size, 5)]
            while now:
                label = label_of(lowest_bit(now), size, levels[level, 1])
                now &= now - 1
                count = add_kind(table, label, hand, count, limit)
    return count


compile_module(__name__, fills_only=True)


def levels_of(points: Sequence[int]) -> NDArray[np.int64]:
    """Return the sets of kinds that score the same, and what they score, the highest first.

    Parameters
    ----------
    points : sequence of 11 int
        What each kind scores; a kind that scores 0 is in no set.
    """
    levels = sorted({each for each in points if each > 0}, reverse=True)
    sets = [sum(1 << kind for kind, each in enumerate(points) if each == level) for level in levels]
    return np.array([sets, levels], np.int64).T.copy()
