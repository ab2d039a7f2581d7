"""The three rankings of Napalm for many hands at once (N3, N4, N5).

A set of ranks is a mask of 13 bits, the deuce lowest. The ranks that a hand holds at least once,
twice, three and four times are four such masks, kept up to date card by card; the four counts of
suits share one 16-bit word, a nibble each. From these a hand's *value* follows without a table,
two 16-bit numbers in one of 32 bits, of which the greater is the higher hand and equal hands have
equal ones:

    major = category << 13 | the ranks that make it,    minor = its kickers.

Categories: 0 high card, 1 pair, 2 two pair, 3 three of a kind, 4 straight, 5 flush, 6 full house,
7 four of a kind. The ranks of a straight are one bit, the place of its lowest card (see
`runs_of_five`); a straight flush is a 7 with that bit and `ABOVE_FOURS`, and so above four aces.

At stage 2 the lowest hand is the best, so values are inverted there: the greater value is the
better hand at every stage.
"""

from __future__ import annotations

from simulate.jit import compile_module
from simulate.lanes import WIDTH, load, store, to_u16, to_u32, where

PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR = (k << 13 for k in range(1, 8))
ABOVE_FOURS = 1 << 12
INVERTED = 0xFFFFFFFF


def without_lowest(ranks):
    """Drop the lowest rank of each mask; of an empty mask nothing."""
    return ranks & (ranks - 1)


def highest(ranks):
    """Keep only the highest rank of each mask."""
    below = ranks | ranks >> 1
    below = below | below >> 2
    below = below | below >> 4
    below = below | below >> 8
    return below ^ below >> 1


def runs_of_five(ranks, wheel):
    """Return the lowest places of five ranks in sequence, with the `wheel` an ace below the deuce.

    Places are shifted by one: bit 0 is the ace below the deuce, bit 1 the deuce.
    """
    line = ranks << 1
    if wheel:
        line = line | (ranks >> 12 & 1)
    pairs = line & line >> 1
    return pairs & pairs >> 2 & line >> 4


def five_highest(ranks):
    """Keep the five highest ranks of masks of up to seven; fewer are kept whole."""
    beyond = without_lowest(without_lowest(without_lowest(without_lowest(without_lowest(ranks)))))
    ranks = where(beyond != 0, without_lowest(ranks), ranks)
    return where(without_lowest(beyond) != 0, without_lowest(ranks), ranks)


def joined(major, minor):
    """Write a value as one number."""
    return to_u32(major) << 16 | to_u32(minor)


def rank_twos(cards, first, second, row, values, lanes):
    """Rank the two cards in rows `first` and `second` (stage 1, N3).

    Parameters
    ----------
    cards : ndarray of uint8, shape (places, lanes)
    first, second : int
        Rows of the two cards.
    row : int
        Row of `values` to fill.
    values : ndarray of uint32, shape (rows, lanes)
    lanes : int
        How many lanes to rank, rounded up to `WIDTH`.
    """
    for lane in range(0, lanes, WIDTH):
        rank1 = to_u16(load(cards, first, lane)) >> 2
        rank2 = to_u16(load(cards, second, lane)) >> 2
        one = (rank1 ^ rank1) | 1
        held1, held2 = one << rank1, one << rank2
        pair = held1 & held2
        major = where(pair != 0, pair | PAIR, 0)
        store(values, row, lane, joined(major, where(pair != 0, 0, held1 | held2)))


def hold(card, once, twice, thrice, four, suits):
    """Add a card to the masks of a hand and to its counts of suits."""
    card = to_u16(card)
    one = (card ^ card) | 1
    rank = one << (card >> 2)
    four = four | thrice & rank
    thrice = thrice | twice & rank
    twice = twice | once & rank
    once = once | rank
    suits = suits + (one << ((card & 3) << 2))
    return once, twice, thrice, four, suits


def value_of_five(once, twice, thrice, four, suits, wheel):
    """Return (major, minor) of five cards, from the weakest category to the strongest."""
    straight, flush = runs_of_five(once, wheel), (suits + 0x3333 & 0x8888) != 0
    full = (thrice != 0) & (twice != thrice)
    major, minor = once ^ once, once
    major, minor = where(twice != 0, twice | PAIR, major), once ^ twice
    major = where(without_lowest(twice) != 0, twice | TWO_PAIR, major)
    three = thrice != 0
    major, minor = where(three, thrice | THREE, major), where(three, once ^ thrice, minor)
    major, minor = where(straight != 0, straight | STRAIGHT, major), where(straight != 0, 0, minor)
    major, minor = where(flush, FLUSH, major), where(flush, once, minor)
    major, minor = where(full, thrice | FULL_HOUSE, major), where(full, twice ^ thrice, minor)
    major, minor = where(four != 0, four | FOUR, major), where(four != 0, once ^ four, minor)
    flush = flush & (straight != 0)
    return where(flush, straight | FOUR | ABOVE_FOURS, major), where(flush, 0, minor)


def flush_ranks(cards, first, step, suits, lane):
    """Return the ranks of the suit that seven cards hold five times or more, or none."""
    five = (suits + 0x3333 & 0x8888) >> 3
    ranks = suits ^ suits
    one = ranks | 1
    for k in range(7):
        card = to_u16(load(cards, first + k * step, lane))
        ranks = ranks | where((five & one << ((card & 3) << 2)) != 0, one << (card >> 2), 0)
    return ranks


def value_of_seven(once, twice, thrice, four, flush, wheel):
    """Return (major, minor) of the best five of seven cards, from the weakest category up.

    A category leaves a fixed number of further ranks, so the kickers are what remains when the
    lowest are dropped.
    """
    straight, straight_flush = runs_of_five(once, wheel), runs_of_five(flush, wheel)
    pair = highest(twice)
    second = highest(twice ^ pair)
    three = highest(thrice)
    full = (three != 0) & (twice != three)
    major, minor = once ^ once, without_lowest(without_lowest(once))
    held = twice != 0
    major = where(held, pair | PAIR, major)
    minor = where(held, without_lowest(without_lowest(once ^ pair)), minor)
    held = second != 0
    major = where(held, pair | second | TWO_PAIR, major)
    minor = where(held, highest(once ^ pair ^ second), minor)
    held = three != 0
    major = where(held, three | THREE, major)
    minor = where(held, without_lowest(without_lowest(once ^ three)), minor)
    held = straight != 0
    major, minor = where(held, highest(straight) | STRAIGHT, major), where(held, 0, minor)
    held = flush != 0
    major, minor = where(held, FLUSH, major), where(held, five_highest(flush), minor)
    major = where(full, three | FULL_HOUSE, major)
    minor = where(full, highest(twice ^ three), minor)
    held = four != 0
    major, minor = where(held, four | FOUR, major), where(held, highest(once ^ four), minor)
    held = straight_flush != 0
    major = where(held, highest(straight_flush) | FOUR | ABOVE_FOURS, major)
    return major, where(held, 0, minor)


def rank_fives(cards, first, step, flip, wheel, row, values, lanes):
    """Rank the five cards in rows `first`, `first` + `step`, ... (stage 2, N4).

    Parameters
    ----------
    cards, row, values, lanes
        As for `rank_twos`.
    first, step : int
        The rows of the cards.
    flip : int
        `INVERTED` where the lowest hand is the best, else 0.
    wheel : int
        Whether A-2-3-4-5 is a straight; never at stage 2.
    """
    for lane in range(0, lanes, WIDTH):
        once = to_u16(load(cards, first, lane))
        once = once ^ once
        twice, thrice, four, suits = once, once, once, once
        for k in range(5):
            card = load(cards, first + k * step, lane)
            once, twice, thrice, four, suits = hold(card, once, twice, thrice, four, suits)
        high, low = value_of_five(once, twice, thrice, four, suits, wheel)
        store(values, row, lane, joined(high, low) ^ flip)


def rank_sevens(cards, first, step, wheel, row, values, lanes):
    """Rank the best five of the seven cards in rows `first`, `first` + `step`, ... (N5)."""
    for lane in range(0, lanes, WIDTH):
        once = to_u16(load(cards, first, lane))
        once = once ^ once
        twice, thrice, four, suits = once, once, once, once
        for k in range(7):
            card = load(cards, first + k * step, lane)
            once, twice, thrice, four, suits = hold(card, once, twice, thrice, four, suits)
        flush = flush_ranks(cards, first, step, suits, lane)
        high, low = value_of_seven(once, twice, thrice, four, flush, wheel)
        store(values, row, lane, joined(high, low))


compile_module(__name__, fills_only=True)
