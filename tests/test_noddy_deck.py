"""Decks dealt ahead for many games, or block by block, are those of `simulate.rng.deal_deck`."""

from itertools import pairwise
from types import FunctionType

import noddy_bits
import numpy as np
import plain_rng
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulate.jit import numba
from simulate.noddy import bits
from simulate.noddy.deck import (
    AHEAD,
    LANES,
    PLACES,
    REFUSED,
    WHOLE,
    deal_ahead,
    deal_block,
    new_decks,
    take_deck,
)
from simulate.noddy.rules import kernel_rules, make_rules
from simulate.noddy.table import MAX_PARAMS, set_table
from simulate.rng import deal_deck, first_dealer, fold_seed

KEY = fold_seed(9)


def table(n=2):
    return set_table(n, kernel_rules(make_rules()), KEY, np.zeros((0, MAX_PARAMS + 1)))


def deck_of(game, deal):
    deck = np.empty(52, np.int64)
    deal_deck(KEY, game, deal, deck)
    return deck.tolist()


def drawn(left):
    """The cards between what is left and what is left after the next draw."""
    return [(one ^ two).bit_length() - 1 for one, two in pairwise(left)]


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("start", [0, 77, 2**40])
def test_first_deals_are_dealt_ahead(n, start):
    decks = new_decks()
    deal_ahead(decks, KEY, start, n)
    for lane in range(LANES):
        assert decks.cards[:, lane].tolist() == deck_of(start + lane, 0)[:AHEAD]
        assert decks.dealers[0, lane] == first_dealer(KEY, start + lane, n)


def test_a_first_deal_is_taken_from_what_is_dealt_ahead_a_later_one_is_not():
    decks, here = new_decks(), table()
    deal_ahead(decks, KEY, 5, 2)
    here.game = 8
    take_deck(here, decks, 3)
    assert here.ready == AHEAD
    assert here.left[0] == WHOLE
    assert drawn(here.left[: AHEAD + 1].tolist()) == deck_of(8, 0)[:AHEAD]
    here.deal = 1
    take_deck(here, decks, 3)
    assert (here.ready, here.left[0]) == (0, WHOLE)


@pytest.mark.parametrize("deal", [0, 1, 1_000_000])
def test_whole_decks_are_dealt_block_by_block(deal):
    here = table()
    here.deal = deal
    for game in range(0, 3_000, 50):
        here.game, here.ready, here.left[0] = game, 0, WHOLE
        while here.ready < PLACES:
            deal_block(here)
        assert drawn(here.left.tolist()) == deck_of(game, deal)


def test_words_that_are_refused_are_replaced():
    decks = new_decks()
    games = [game for game in range(3_000) if max(plain_rng.refusals(int(KEY), game, 0)[:AHEAD])]
    assert len(games) > 10
    for game in games:
        deal_ahead(decks, KEY, game, 2)
        assert decks.cards[:, 0].tolist() == deck_of(game, 0)[:AHEAD]
    assert REFUSED.tolist() == [65536 % (52 - place) for place in range(52)]


sets = st.integers(1, (1 << 52) - 1)


def as_plain_code(function):
    """Compile the plain body, as where the processor has no instruction for it."""
    return numba.njit(FunctionType(function.__code__, vars(bits)))


plain_deposit, plain_nth = as_plain_code(bits.deposit), as_plain_code(bits.nth)


@given(sets, st.integers(0, 63), st.integers(0, 51))
def test_bits_mean_compiled_what_they_mean_in_plain_python(mask, few, n):
    places = [place for place in range(52) if mask >> place & 1]
    n %= len(places)
    picked = sum(1 << place for each, place in enumerate(places) if few >> each & 1)
    want = (len(places), places[0], places[-1], picked, 1 << places[n])
    assert noddy_bits.compiled(mask, few, n) == want
    assert plain_deposit(mask=mask, bits=few) == picked
    assert plain_nth(mask, n) == 1 << places[n]
    plainly = (
        bits.count_bits(mask),
        bits.lowest_bit(mask),
        bits.highest_bit(mask),
        bits.deposit(few, mask),
        bits.nth(mask, n),
    )
    assert plainly == want
