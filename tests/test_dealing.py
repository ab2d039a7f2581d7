"""Deals side by side: every lane gets the cards that its deal has, in whatever steps they come."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import plain_rng
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sizes import size

from simulate.dealing import PLACES, deal_places
from simulate.lanes import LEHMER_PLACES, LEHMER_WIDTH, WIDTH
from simulate.rng import deal_deck, fold_seed

LANES = 8 * LEHMER_WIDTH
KEY = fold_seed(1)

# Under seed 1, in deal 0: games in which a word is refused, and some in which the next one is, too.
REFUSED = [199, 325, 338, 368, 498, 655, 681, 710, 758, 763, 899, 1_058, 1_090, 1_100, 1_180]
REFUSED_TWICE = [224_904, 508_527, 883_495, 1_295_395, 1_569_319, 1_812_363, 2_552_649, 2_564_227]

STEPS = {
    **{f"the stages of Napalm with {n}": (0, 2 * n, 5 * n, 7 * n) for n in range(4, 8)},
    "the whole deck at once": (0, 52),
    "card by card": tuple(range(53)),
    "a deal that ends early": (0, 11),
}


def deal_in_steps(key, games, deals, steps, lanes):
    """Deal to so many lanes, in several steps; the arrays are full of what was there before."""
    room = (PLACES, LANES)
    digits, cards = np.full(room, 77, np.uint8), np.full(room, 99, np.uint8)
    game, deal = np.zeros((1, LANES), np.uint64), np.zeros((1, LANES), np.uint64)
    game[0, : len(games)], deal[0, : len(games)] = games, deals
    refused = np.full((1, WIDTH), 0x9E37_79B9, np.uint64)
    for first, stop in pairwise(steps):
        deal_places(key, game, deal, first, stop, digits, refused, cards, lanes)
    return cards


def decks(key, games, deals, length):
    dealt = np.empty((len(games), length), np.int64)
    for out, game, deal in zip(dealt, games, deals, strict=True):
        deal_deck(key, game, deal, out)
    return dealt.T


def check(key, games, deals, steps):
    lanes = len(games)
    cards = deal_in_steps(key, games, deals, steps, lanes)
    last = steps[-1]
    assert np.array_equal(cards[:last, :lanes], decks(key, games, deals, last))
    assert (cards[max(last, LEHMER_PLACES) :] == 99).all()  # nothing beyond what was asked for


def test_the_games_named_here_have_refused_words():
    for games, times in ((REFUSED, 1), (REFUSED_TWICE, 2)):
        assert {max(plain_rng.refusals(int(KEY), game, 0)) for game in games} == {times}


def test_words_are_refused_at_every_stage_and_at_odd_and_even_places():
    games = REFUSED + REFUSED_TWICE
    places = {
        place
        for game in games
        for place, times in enumerate(plain_rng.refusals(int(KEY), game, 0))
        if times
    }
    assert {place % 2 for place in places} == {0, 1}
    for n in range(4, 8):
        for first, stop in pairwise((0, 2 * n, 5 * n, 7 * n)):
            assert places & set(range(first, stop)), (n, first)


@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS)
def test_lanes_in_which_words_are_refused_get_the_cards_of_their_deals(steps):
    games = REFUSED + REFUSED_TWICE
    check(KEY, games, [0] * len(games), steps)


@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS)
def test_every_lane_gets_the_cards_of_its_deal(steps):
    """A run of games: in a hundred decks one word is refused."""
    games = size(8_192, 4 * LEHMER_WIDTH)
    for start in range(0, games, LANES):
        lanes = min(LANES, games - start)
        check(KEY, range(start, start + lanes), [3] * lanes, steps)


@settings(max_examples=size(100, 5))
@given(
    st.integers(0, 2**70),
    st.lists(
        st.tuples(st.integers(0, 2**63 - 1), st.integers(0, 10**6 - 1)), min_size=1, max_size=LANES
    ),
    st.lists(st.integers(1, 52), min_size=1, max_size=5, unique=True).map(sorted),
)
def test_any_games_and_deals_in_any_steps(seed, named, stops):
    games, deals = zip(*named, strict=True)
    check(fold_seed(seed), games, deals, (0, *stops))
