"""The cards that games are dealt, on lanes: every card everywhere, and everything independent.

Of N decks, card c lies N / 52 times at place p, give or take. As every deck holds each card once,
those 52 x 52 deviations vary within 51 x 51 dimensions, in each with variance N / 51.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from simulate.dealing import PLACES, deal_places
from simulate.lanes import WIDTH
from simulate.rng import fold_seed

DECKS = 1 << 17
BATCHES = 32
ACCEPTED = 1e-4
PAIRS = [(0, 1), (0, 5), (1, 2), (4, 9), (7, 8), (10, 24), (15, 16), (34, 35), (40, 51), (50, 51)]


def deal(games, deals, seed=1):
    """Deal whole decks on lanes, a row each."""
    lanes = len(games)
    digits, cards = (np.zeros((PLACES, lanes), np.uint8) for _ in range(2))
    refused = np.zeros((1, WIDTH), np.uint64)
    game, number = (np.array(each, np.uint64)[None] for each in (games, deals))
    deal_places(fold_seed(seed), game, number, 0, 52, digits, refused, cards, lanes)
    return cards[:52].T.astype(np.int64)


def many(seed=1, first=0, decks=DECKS):
    return deal(np.arange(first, first + decks), np.zeros(decks), seed)


@pytest.fixture(scope="module")
def decks():
    return many()


def p_of_places(decks):
    """Every card everywhere, all at once."""
    expected = len(decks) / 52
    seen = np.array([np.bincount(cards, minlength=52) for cards in decks.T])
    square = ((seen - expected) ** 2).sum() * 51 / len(decks)
    return 2 * min(stats.chi2.cdf(square, 51**2), stats.chi2.sf(square, 51**2))


def p_of_pairs(decks):
    """Two places hold any two cards equally often."""
    p_values = []
    for one, other in PAIRS:
        first, second = decks[:, one], decks[:, other]
        if (first == second).any():
            return 0.0
        seen = np.bincount(first * 51 + second - (second > first), minlength=52 * 51)
        p_values.append(stats.chisquare(seen).pvalue)
    return min(p_values) * len(p_values)


def p_of_neighbours(decks, others):
    """What lies at a place of one deck says nothing about the same place of the other."""
    p_values = []
    for place in range(52):
        one, other = decks[:, place], others[:, place]
        seen = np.bincount(one * 52 + other, minlength=52**2)
        p_values.append(stats.chisquare(seen).pvalue)
    return min(p_values) * len(p_values)


def test_every_deck_is_a_deck(decks):
    assert (np.sort(decks[:1_000], axis=1) == np.arange(52)).all()


def test_every_card_lies_everywhere_equally_often(decks):
    assert p_of_places(decks) > ACCEPTED


def test_any_two_cards_lie_in_any_two_places_equally_often(decks):
    assert p_of_pairs(decks) > ACCEPTED


def test_deviations_are_as_large_as_chance_makes_them():
    """Over many seeds the p-values are even: the variance is that of drawing without return."""
    p_values = [p_of_places(many(seed, decks=DECKS // 32)) for seed in range(10, 10 + BATCHES)]
    assert stats.kstest(p_values, "uniform").pvalue > ACCEPTED


def test_neighbouring_games_deals_and_seeds_have_nothing_in_common(decks):
    others = {
        "the next game": many(first=1),
        "a game in 2**32": many(first=2**32),
        "the next deal": deal(np.arange(DECKS), np.ones(DECKS)),
        "the next seed": many(seed=2),
    }
    for name, other in others.items():
        assert p_of_neighbours(decks, other) > ACCEPTED, name


def biased_once_in(decks, often):
    """Once in so many deals an ace lies one place further on than it should."""
    decks = decks.copy()
    for deck in decks[::often]:
        if deck[3] >= 48:
            deck[[3, 4]] = deck[[4, 3]]
    return decks


def swapped_with_any(decks):
    """The shuffle that swaps each card with any other, in place of those not yet placed."""
    dice, decks = np.random.default_rng(1), np.tile(np.arange(52), (len(decks), 1))
    rows = np.arange(len(decks))
    for place in range(52):
        other = dice.integers(0, 52, len(decks))
        decks[rows, place], decks[rows, other] = decks[rows, other], decks[rows, place]
    return decks


def cut(decks):
    """Every card everywhere equally often, but in one order."""
    return (decks[:, :1] + np.arange(52)) % 52


def with_return(decks):
    """Drawn from many decks."""
    return np.random.default_rng(1).integers(0, 52, decks.shape)


@pytest.mark.parametrize(
    ("bias", "judge"),
    [
        (lambda decks: biased_once_in(decks, 5), p_of_places),
        (swapped_with_any, p_of_places),
        (cut, p_of_pairs),
        (with_return, p_of_pairs),
    ],
    ids=["an ace too late", "the naive shuffle", "a cut", "many decks"],
)
def test_a_biased_dealer_is_caught(decks, bias, judge):
    assert judge(bias(decks)) < ACCEPTED


def test_a_dealer_who_remembers_the_game_before_is_caught(decks):
    other = many(seed=3)
    again = np.arange(len(decks)) % 200 == 0
    assert p_of_neighbours(decks, other) > ACCEPTED
    other[again] = decks[again]
    assert p_of_neighbours(decks, other) < ACCEPTED
