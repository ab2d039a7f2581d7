"""Random numbers against published vectors and a second implementation; the deal as a shuffle.

The judges at the end return a p-value. The true dealer is deterministic, so that a test of it
passes or fails for good; dealers that cheat in one way each must be caught by the same judges.
"""

from __future__ import annotations

import itertools

import numpy as np
import plain_rng
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sizes import size

from simulate.errors import InputError
from simulate.rng import deal_deck, first_dealer, fold_seed, philox, uniforms

KEYS = st.integers(0, 2**64 - 1).map(np.uint64)
GAMES = st.integers(0, 2**63 - 1)
DEALS = st.integers(0, 10**6)

# Under seed 1: deals in which a word is refused, and some in which the one in its place is, too.
REFUSED_ONCE = [199, 325, 338, 368, 498, 655, 681, 710]
REFUSED_TWICE = [224_904, 508_527, 883_495, 1_295_395, 1_569_319]
# Under seed 1: players, and a game whose first word for the dealer is refused.
DEALER_REFUSED = [(5, 4_907_844_399), (6, 196_452_074), (7, 2_925_912_019)]


def deal(key, game, number, length=52):
    out = np.empty(length, np.int64)
    deal_deck(key, game, number, out)
    return out


# --- The generator -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counter", "key", "words"),
    [
        ("00000000 00000000 00000000 00000000", "00000000 00000000",
         "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff",
         "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0",
         "d16cfe09 94fdcceb 5001e420 24126ea1"),
    ],
)  # fmt: skip
def test_known_answers_of_philox(counter, key, words):
    """The vectors that come with Random123."""
    counter, key, words = ([int(x, 16) for x in text.split()] for text in (counter, key, words))
    assert plain_rng.philox(tuple(counter), tuple(key)) == tuple(words)
    c0, c1, c2, c3 = counter
    k0, k1 = key
    got = philox(*(np.uint64(x) for x in (k0 | k1 << 32, c0 | c1 << 32, c2, c3)))
    assert [int(word) for word in got] == words


@given(KEYS, st.integers(0, 2**64 - 1), st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1))
def test_philox_is_the_plain_one(key, game, deal, item):
    got = philox(key, np.uint64(game), np.uint64(deal), np.uint64(item))
    assert tuple(int(word) for word in got) == plain_rng.words(int(key), game, deal, item)


@given(KEYS, GAMES, DEALS, st.integers(0, 2**20))
def test_uniforms_are_the_plain_ones(key, game, deal, call):
    assert uniforms(key, game, deal, call) == plain_rng.uniforms(int(key), game, deal, call)


# --- Seeds -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seed", "key"),
    [
        (0, 15_793_235_383_387_715_774),
        (1, 7_434_755_675_892_716_031),
        (2**64 + 1, 1_784_231_692_315_648_907),
        (10**50, 12_381_216_144_965_361_321),
    ],
)
def test_a_seed_gives_the_same_key_for_ever(seed, key):
    assert fold_seed(seed) == key
    assert type(fold_seed(seed)) is np.uint64


def test_seeds_of_any_size_give_keys_of_their_own():
    seeds = [*range(2_000), *(2**bits + k for bits in range(32, 2_048, 32) for k in range(3))]
    assert len({int(fold_seed(seed)) for seed in seeds}) == len(set(seeds))


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64, np.uint64])
def test_whole_numbers_of_numpy_are_seeds(kind):
    assert fold_seed(kind(7)) == fold_seed(7)


@pytest.mark.parametrize(
    "seed", [-1, -(10**30), 1.0, 1.5, True, False, "1", None, np.int64(-1), np.float64(1), [1]]
)
def test_anything_else_is_no_seed(seed):
    with pytest.raises(InputError) as caught:
        fold_seed(seed)
    assert str(caught.value) == f"seed {seed!r} is not a whole number >= 0"


# --- The deal ----------------------------------------------------------------------------------


@pytest.mark.parametrize("bits", [16, 32])
def test_a_number_is_chosen_exactly_uniformly(bits):
    """Of all words that are not refused, equally many give each number."""
    if bits == 16:
        for choices in range(1, 53):
            numbers = [plain_rng.chosen(word, 16, choices) for word in range(1 << 16)]
            times = np.bincount([number for number in numbers if number is not None])
            assert len(times) == choices
            assert times.min() == times.max() == (1 << 16) // choices
    else:  # too many words: those at the borders tell where each number begins
        for choices in range(4, 8):
            accepted = (1 << 32) // choices
            for number in range(choices):
                first = -(-(number << 32) // choices)
                beyond = -(-(number + 1 << 32) // choices)
                at_borders = (*range(first, first + 3), *range(beyond - 3, beyond))
                chosen = [plain_rng.chosen(word, 32, choices) for word in at_borders]
                assert set(chosen) <= {number, None}
                assert beyond - first - chosen.count(None) == accepted


@given(KEYS, GAMES, DEALS)
def test_the_deck_is_the_plain_one(key, game, number):
    deck = deal(key, game, number)
    assert deck.tolist() == plain_rng.deck(int(key), game, number)
    assert sorted(deck) == list(range(52))


@pytest.mark.parametrize("game", REFUSED_ONCE + REFUSED_TWICE)
def test_the_deck_is_the_plain_one_where_words_are_refused(game):
    key = fold_seed(1)
    assert max(plain_rng.refusals(int(key), game, 0)) == (2 if game in REFUSED_TWICE else 1)
    assert deal(key, game, 0).tolist() == plain_rng.deck(int(key), game, 0)


@given(KEYS, GAMES, DEALS, st.integers(0, 52))
def test_part_of_a_deck_is_its_beginning(key, game, number, length):
    assert deal(key, game, number, length).tolist() == deal(key, game, number)[:length].tolist()


@given(KEYS, GAMES, st.integers(2, 7))
def test_the_first_dealer_is_the_plain_one(key, game, n):
    assert first_dealer(key, game, n) == plain_rng.first_dealer(int(key), game, n)[0]


@pytest.mark.parametrize(("n", "game"), DEALER_REFUSED)
def test_the_first_dealer_is_the_plain_one_where_a_word_is_refused(n, game):
    seat, refused = plain_rng.first_dealer(int(fold_seed(1)), game, n)
    assert refused == 1
    assert first_dealer(fold_seed(1), game, n) == seat


# --- The judges --------------------------------------------------------------------------------

DECKS = size(30_000, 3_000)
CHEATED = 20_000
ACCEPTED = 1e-4


def p_value(seen, expected):
    """Chi-square: the p-value of counts along the first axis, or the least of several such."""
    p_values = np.atleast_1d(stats.chisquare(seen, expected).pvalue).ravel()
    return min(1.0, p_values.min() * len(p_values))


def judge_places(decks):
    """Every card is equally likely at every place."""
    games, places = decks.shape
    seen = [np.bincount(decks[:, place], minlength=52) for place in range(places)]
    return p_value(np.transpose(seen), games / 52)


def together(decks, others, of_card, kinds):
    """Count what two decks hold at once: shape (kind and kind, place and place)."""
    held, held_by = (
        (of_card(cards)[:, :, None] == np.arange(kinds)).astype(np.float32).reshape(len(cards), -1)
        for cards in (decks, others)
    )
    places = decks.shape[1]
    counts = (held.T @ held_by).astype(float).reshape(places, kinds, places, kinds)
    return counts.transpose(1, 3, 0, 2).reshape(kinds**2, places**2)


SUITS, RANKS = (lambda cards: cards % 4, 4), (lambda cards: cards // 4, 13)


def judge_pairs(decks):
    """Any two places hold any two suits, and any two ranks, as often as they should."""
    games, places = decks.shape
    two = np.flatnonzero(np.triu(np.ones((places, places)), 1))
    p_values = []
    for of_card, kinds in (SUITS, RANKS):
        seen = together(decks, decks, of_card, kinds)[:, two]
        alike = 52 // kinds
        pairs_of_cards = np.full((kinds, kinds), alike * alike) - alike * np.eye(kinds)
        p_values.append(p_value(seen, pairs_of_cards.reshape(-1, 1) * games / (52 * 51)))
    return min(p_values) * 2


def judge_neighbours(decks, others):
    """What one deck holds at a place says nothing about what another holds at any place."""
    p_values = []
    for of_card, kinds in (SUITS, RANKS):
        seen = together(decks, others, of_card, kinds)
        p_values.append(p_value(seen, len(decks) / kinds**2))
    return min(p_values) * 2


def judge_spread(decks):
    """How many of some cards a part of a deck holds varies as in drawing without replacement."""
    p_values = []
    for drawn, marked in ((PLACES, 26), (PLACES, 13), (PLACES // 2, 26), (7, 16), (2, 4)):
        held = (decks[:, :drawn] < marked).sum(axis=1)
        mean, variance, excess = stats.hypergeom(52, marked, drawn).stats("mvk")
        error = np.sqrt((excess + 2) / len(decks))  # of the variance found, relative
        z = (((held - mean) ** 2).mean() / variance - 1) / error
        p_values.append(2 * stats.norm.sf(abs(z)))
    return min(p_values) * len(p_values)


PLACES = 35  # as many as seven players are dealt at stage 2


def dealt(games, numbers=None, seed=1):
    key = fold_seed(seed)
    numbers = np.zeros(len(games), int) if numbers is None else numbers
    return np.array(
        [deal(key, game, number, PLACES) for game, number in zip(games, numbers, strict=True)]
    )


@pytest.fixture(scope="module")
def decks():
    return dealt(range(DECKS))


@pytest.mark.parametrize("judge", [judge_places, judge_pairs, judge_spread])
def test_the_dealer_is_fair(decks, judge):
    assert judge(decks) > ACCEPTED


@pytest.mark.parametrize("judge", [judge_places, judge_pairs, judge_spread])
def test_the_dealer_is_fair_deal_after_deal_of_one_game(judge):
    assert judge(dealt([2**40] * (DECKS // 3), range(DECKS // 3))) > ACCEPTED


def test_neighbouring_games_deals_and_seeds_are_independent(decks):
    third = DECKS // 3
    others = {
        "the next game": decks[1 : third + 1],
        "a game in 2**32": dealt(range(2**32, 2**32 + third)),
        "the next deal": dealt(range(third), [1] * third),
        "the next seed": dealt(range(third), seed=2),
        "a seed in 2**64": dealt(range(third), seed=2**64 + 1),
    }
    for name, other in others.items():
        assert judge_neighbours(decks[:third], other) > ACCEPTED, name


def generator(seed=1):
    return np.random.default_rng(seed)


def fair_decks(seed=1):
    return generator(seed).permuted(np.tile(np.arange(52), (CHEATED, 1)), axis=1)[:, :PLACES]


def dealer_of_the_naive_shuffle():
    """Swaps every card with any other, in place of those not yet placed."""
    decks, games = np.tile(np.arange(52), (CHEATED, 1)), np.arange(CHEATED)
    others = generator().integers(0, 52, (52, CHEATED))
    for place, other in enumerate(others):
        decks[games, place], decks[games, other] = decks[games, other], decks[games, place]
    return decks[:, :PLACES]


def dealer_who_only_cuts():
    """Every card everywhere equally often, but always in one order."""
    return (generator().integers(0, 52, (CHEATED, 1)) + np.arange(PLACES)) % 52


def dealer_with_many_decks():
    """Draws with replacement."""
    return generator().integers(0, 52, (CHEATED, PLACES))


def dealer_who_keeps_an_ace():
    """Once in four deals takes an ace that his neighbour should get."""
    decks = fair_decks()
    for deck in decks[::4]:
        if deck[3] >= 48:
            deck[[3, 4]] = deck[[4, 3]]
    return decks


@pytest.mark.parametrize(
    ("dealer", "judge"),
    [
        (fair_decks, judge_places),
        (fair_decks, judge_pairs),
        (fair_decks, judge_spread),
        (dealer_of_the_naive_shuffle, judge_places),
        (dealer_who_only_cuts, judge_pairs),
        (dealer_who_only_cuts, judge_spread),
        (dealer_with_many_decks, judge_pairs),
        (dealer_with_many_decks, judge_spread),
        (dealer_who_keeps_an_ace, judge_places),
    ],
)
def test_a_dealer_who_cheats_is_caught_and_no_other(dealer, judge):
    assert (judge(dealer()) > ACCEPTED) == (dealer is fair_decks)


def test_a_dealer_who_repeats_himself_is_caught():
    """In one deal of twenty the next game begins with the same card."""
    decks, others = fair_decks(1), fair_decks(2)
    assert judge_neighbours(decks, others) > ACCEPTED
    others[::20, 0] = decks[::20, 0]
    assert judge_neighbours(decks, others) < ACCEPTED


def test_strategies_draw_from_a_stream_of_their_own():
    """Uniform, and independent of each other, of the coin, of the next call, and of the cards."""
    key, games = fold_seed(1), size(20_000, 400)
    first = np.array([uniforms(key, game, 0, 0) for game in range(games)])
    second = np.array([uniforms(key, game, 0, 1) for game in range(games)])
    cards = np.array([deal(key, game, 0, 1)[0] / 52 for game in range(games)])
    for numbers in (*first.T, *second.T):
        assert 0.0 <= numbers.min() < 0.01
        assert 0.99 < numbers.max() < 1.0
        assert p_value(np.bincount((numbers * 20).astype(int)), games / 20) > ACCEPTED
    for one, other in itertools.combinations((*first.T, *second.T, cards), 2):
        seen = np.histogram2d(one, other, bins=4, range=[(0, 1), (0, 1)])[0]
        assert p_value(seen.ravel(), games / 16) > ACCEPTED


def test_everybody_deals_first_equally_often():
    key, games = fold_seed(1), size(50_000, 1_000)
    for n in range(2, 8):
        seats = [int(first_dealer(key, game, n)) for game in range(games)]
        assert p_value(np.bincount(seats, minlength=n), games / n) > ACCEPTED
