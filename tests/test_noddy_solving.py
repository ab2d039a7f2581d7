"""Noddy solved: hands, the backward induction, the lone player, and the table that plays."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest
from sizes import size

import strategies
from simulate.alone import alone, turns_alone
from simulate.errors import InputError
from simulate.noddy import batch
from simulate.noddy.reference import options_of
from simulate.noddy.rules import kernel_rules, make_rules
from simulate.noddy.solving import progress
from simulate.noddy.solving.alone import bare_hands, hoarder_turns, hoarding
from simulate.noddy.solving.hands import MOST, RANKS, all_counts, all_hands, number_of
from simulate.noddy.solving.progress import HOME, STATES, chain_of, count_turns, state_of
from simulate.noddy.solving.solution import by_pips, solve_race
from simulate.noddy.view import FLUSH, KNAVE_NODDY
from strategies.race import AT_MOST, FULL, SIZES, TURNS, hand_pips

HOLD = make_rules("hold")
TO_31, TO_25, TO_15 = AT_MOST.index(31), AT_MOST.index(25), AT_MOST.index(15)


@pytest.fixture(scope="module")
def hands():
    return all_hands(kernel_rules(HOLD))


def counts_of(ranks):
    return np.bincount(np.array(ranks, np.int64) - 1, minlength=RANKS).astype(np.int8)


def cards_of(ranks):
    """Put suits to ranks, no three alike where it can be helped."""
    used = Counter()
    cards = []
    for place, rank in enumerate(ranks):
        free = [suit for suit in range(4) if (rank, suit) not in used]
        suit = free[place % len(free)]
        used[rank, suit] += 1
        cards.append((rank - 1) * 4 + suit)
    return cards


def lays_of(ranks):
    """List what a hand can lay by the rules in prose: points and the ranks that stay."""
    cards = cards_of(ranks)
    best = {}
    for option in options_of(cards, 0, 0, 0, HOLD):
        if option.points and option.kind not in (FLUSH, KNAVE_NODDY):
            left = tuple(card // 4 + 1 for card in cards if option.left >> card & 1)
            best[left] = max(option.points, best.get(left, 0))
    return best


# --- Hands --------------------------------------------------------------------------------------


def test_every_hand_is_there_once(hands):
    held = hands.counts.sum(axis=1)
    for cards in range(MOST + 1):
        assert hands.ways[held == cards].sum() == comb(52, cards)
    assert len(np.unique(hands.counts, axis=0)) == len(hands.counts)
    draw = np.random.default_rng(1)
    for number in draw.integers(0, len(hands.counts), 50):
        assert number_of(hands.counts[number]) == number
    assert np.array_equal(all_counts(), hands.counts)


@pytest.mark.parametrize(
    "ranks",
    [
        *[(5, 5, 5), (1, 2, 3), (5, 11, 12), (7, 8, 9, 10), (5, 5, 10, 13), (1, 4, 10, 11, 12)],
        *[(2, 3, 4, 5, 6), (6, 9, 9, 10, 11, 13), (1, 1, 1, 1, 7, 8, 9)],
    ],
)
def test_lays_are_those_of_the_reference(hands, ranks):
    number = number_of(counts_of(ranks))
    found = {}
    for each in range(hands.start[number], hands.start[number + 1]):
        left = np.repeat(np.arange(1, RANKS + 1), hands.counts[hands.left[each]])
        found[tuple(left.tolist())] = int(hands.points[each])
    assert found == lays_of(ranks)


def test_hands_by_pips_have_the_numbers_that_the_kernel_gives_them(hands):
    from simulate.noddy.race import number_of as by_cards

    names, pips = hand_pips(), by_pips(hands)
    assert len(set(names)) == len(names)
    for ranks in [
        (),
        (1,),
        (10, 13),
        (1, 5, 11),
        (4, 4, 4, 9, 12, 12, 13),
        (1, 2, 3, 4, 5, 6, 7, 8),
    ]:
        number = pips[number_of(counts_of(ranks))]
        assert names[number] == tuple(min(rank, 10) for rank in ranks)
        cards = sum(1 << card for card in cards_of(ranks))
        assert by_cards(cards, -1) == number
        if ranks:
            rest = sum(1 << card for card in cards_of(ranks)[:-1])
            assert by_cards(rest, min(ranks[-1], 10) - 1) == number
    assert by_cards((1 << 9) - 1, -1) == -1


# --- Backwards ----------------------------------------------------------------------------------


def wins_at_once(ranks, to_go):
    return any(points >= to_go for points in lays_of(ranks).values())


def deck_without(ranks):
    return Counter(dict.fromkeys(range(1, 14), 4)) - Counter(ranks)


def drawn_up(ranks, wanted):
    """List what a hand becomes with cards of a whole deck, with their chances."""
    if len(ranks) >= wanted:
        return [(tuple(sorted(ranks)), 1.0)]
    deck = deck_without(ranks)
    total = sum(deck.values())
    return [
        (hand, number / total * chance)
        for rank, number in deck.items()
        for hand, chance in drawn_up((*ranks, rank), wanted)
    ]


def two_turns(ranks, to_go):
    """Say what the chance is to win with this turn or the next, by trying everything."""
    if wins_at_once(ranks, to_go):
        return 1.0

    def next_turn(left, wanted, needed):
        return sum(chance for hand, chance in drawn_up(left, wanted) if wins_at_once(hand, needed))

    best = next_turn(ranks, len(ranks) + 1, to_go)
    for left, points in lays_of(ranks).items():
        needed = AT_MOST[int(np.searchsorted(AT_MOST, to_go - points))]
        best = max(best, next_turn(left, 3, needed))
    return best


@pytest.fixture(scope="module")
def last_turns(hands):
    """Solve against somebody who finishes with his third turn from state 0, his second from 1."""
    chance = np.zeros((STATES, STATES + 1))
    chance[0, 1] = chance[1, 2] = chance[2, HOME] = 1.0
    chance[3:, range(3, STATES)] = np.eye(STATES - 3)  # the others never do
    return solve_race(hands, chance)


@pytest.mark.parametrize("row", [TO_31, TO_25, TO_15])
@pytest.mark.parametrize(
    "ranks", [(5, 5, 13), (2, 7, 9), (10, 11, 13), (1, 6, 8, 10), (3, 3, 4, 12)]
)
def test_the_last_two_turns_are_exact(hands, last_turns, row, ranks):
    number = number_of(counts_of(ranks))
    assert last_turns[row, number, 2] == 0.0
    assert last_turns[row, number, 1] == float(wins_at_once(ranks, AT_MOST[row]))
    assert last_turns[row, number, 0] == pytest.approx(two_turns(ranks, AT_MOST[row]), abs=5e-6)


def test_chances_are_conserved(hands, last_turns):
    real = hands.ways > 0
    assert last_turns.min() >= 0.0
    assert last_turns.max() <= 1 + 1e-5
    assert np.allclose(last_turns[:, real, 5], 1.0, atol=1e-4)  # against nobody one always wins
    held = hands.counts.sum(axis=1)
    # Three cards are as good as the mean of all fours that a card makes of them, unless one lays.
    for few, more in ((0, 1), (1, 2), (2, 3)):
        mean = (hands.ways[held == few] @ last_turns[TO_31][held == few]) / comb(52, few)
        of_more = (hands.ways[held == more] @ last_turns[TO_31][held == more]) / comb(52, more)
        assert np.allclose(mean, of_more, atol=1e-4)


def test_fewer_points_to_go_and_a_slower_rival_are_better(hands, last_turns):
    real = hands.ways > 0
    wins = last_turns[:, real]
    assert np.all(wins[:, :, 0] >= wins[:, :, 1] - 1e-6)
    assert np.all(wins[TO_15, :, 0] >= wins[TO_31, :, 0] - 1e-6)


# --- Progress -----------------------------------------------------------------------------------


def rows_of(lines):
    names = progress.Rows._fields
    kinds = (np.int64, np.int32, np.int8, np.int64, np.int64, np.int64, np.int16, np.int32)
    columns = zip(*lines, strict=True)
    return progress.Rows(
        *(np.array(c, kind) for c, kind, _ in zip(columns, kinds, names, strict=True))
    )


def test_turns_are_counted_by_state():
    # game, deal, seat, hand, cards, drew, points, score
    lines = [
        (7, 0, 0, 0b111, 0, 0b1000, 0, 0),  # seat 0 draws: 3 to 4 cards
        (7, 0, 1, 0b111 << 8, 0b11 << 8, 0b11 << 12, 15, 15),  # seat 1 lays two, draws two
        (7, 0, 0, 0b1111, 0b1111, 0, 31, 31),  # seat 0 wins
        (8, 0, 0, 0b111, 0b111, 0, 31, 31),  # a game of one turn: against nobody
    ]
    moves = np.zeros((STATES, STATES + 1), np.int64)
    races = np.zeros((STATES, STATES, 2), np.int64)
    count_turns(31, rows_of(lines), moves, races)
    fresh, four, lower = state_of(31, 3), state_of(31, 4), state_of(16, 3)
    assert moves.sum() == 4
    assert moves[fresh, four] == moves[fresh, lower] == moves[four, HOME] == moves[fresh, HOME] == 1
    assert races[:, :, 0].sum() == 3
    assert races[fresh, fresh].tolist() == [1, 1]
    assert races[fresh, four].tolist() == [1, 0]
    assert races[four, lower].tolist() == [1, 1]


def test_a_race_of_two_chains():
    chance = np.zeros((STATES, STATES + 1))
    chance[:, HOME] = 0.25
    chance[range(STATES), range(STATES)] = 0.75
    assert np.allclose(progress.race(chance), 0.25 / (1 - 0.75**2))
    assert np.allclose(progress.still_going(chance), 0.75 ** np.arange(1, TURNS + 1))
    chain = chain_of(chance)
    assert chain.start.tolist() == list(range(STATES + 1))
    assert np.allclose(chain.chance, 0.75)


# --- The lone player ----------------------------------------------------------------------------


def test_sets_that_make_no_31_are_counted():
    pips = [min(card // 4 + 1, 10) for card in range(52)]
    bare = bare_hands(HOLD)
    assert (bare[3], bare[31], bare[32]) == (comb(52, 3), 32, 1)
    assert bare[4] == comb(52, 4) - sum(sum(four) == 31 for four in combinations(pips, 4))
    draw = np.random.default_rng(1)
    tried, found = size(4_000, 200), 0
    for _ in range(tried):
        sums = 1
        for card in draw.choice(52, 6, replace=False):
            sums |= sums << pips[card]
        found += not sums >> 31 & 1
    share = bare[6] / comb(52, 6)
    assert abs(found / tried - share) < 4 * (share * (1 - share) / tried) ** 0.5


def test_a_lone_hoarder_plays_as_was_reckoned():
    games = size(200_000, 20)
    turns, error = turns_alone("hoarder", games, 3)
    assert float(hoarder_turns(HOLD)) == pytest.approx(4.304258011969886, abs=1e-12)
    assert abs(turns - 4.304258011969886) < 4 * error
    assert [float(each) for each in hoarding(HOLD)[:2]] == [1.0, 1.0]


def test_the_best_lone_player_is_between_the_bounds():
    found = alone(games=size(100_000, 20))
    assert found.fewest < found.turns + 4 * found.error
    assert found.turns < float(found.hoarder) - (0.03 if size(1, 0) else -2.0)
    assert found.fewest > 4.0
    with pytest.raises(InputError, match="games 1 "):
        alone(games=1)


# --- The table that plays -----------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_kernel_plays_the_table_as_plain_python_does(n):
    line_up = strategies.parse_line_up(
        ["solved:noddy", "hoarder", "highest", "random"][:n], "noddy"
    )
    for rules in (HOLD, make_rules("lay"), make_rules("hold", {"court_value": 7, "target": 61})):
        job = batch.prepare(rules, line_up, 5)
        for game, record in enumerate(batch.record(job, 0, size(60, 2))):
            assert record == batch.replay(job, game)


@pytest.mark.parametrize(("other", "least"), [("highest", 0.673), ("hoarder", 0.513)])
def test_the_table_wins_what_it_should(other, least):
    games = size(200_000, 4)
    line_up = strategies.parse_line_up(["solved:noddy", other], "noddy")
    totals = batch.play(batch.prepare(HOLD, line_up, 1), 0, games).totals
    won = totals["seated"][0, ..., 1].sum() / games
    assert won > least - 3 * (0.25 / games) ** 0.5


def test_the_race_table_agrees_with_games_that_it_was_not_made_from():
    table = strategies.load("solved:noddy", "noddy")
    job = batch.prepare(HOLD, [table, table], 99)
    moves = np.zeros((STATES, STATES + 1), np.int64)
    races = np.zeros((STATES, STATES, 2), np.int64)
    games = size(60_000, 20)
    for start in range(0, games, 10_000):
        rows = batch.play(job, start, min(start + 10_000, games), "turns").rows
        count_turns(
            31, progress.Rows(*(rows[name] for name in progress.Rows._fields)), moves, races
        )
    seen, won = races[:, :, 0], races[:, :, 1]
    often = seen >= size(1_000, 5)
    win = table.race.win.reshape(STATES, STATES)[often]
    made_from = table.race.seen.reshape(STATES, STATES)[often]
    error = np.sqrt(win * (1 - win) * (1 / seen[often] + 1 / (made_from + 1)))
    assert often.sum() >= size(20, 1)
    assert np.all(np.abs(won[often] / seen[often] - win) < 4.5 * error + 0.002)
    assert np.all((table.race.won >= 0) & (table.race.won <= table.race.seen))


def test_tables_for_pandas():
    race = strategies.load("solved:noddy", "noddy").race
    finish, still = race.table("finish"), race.table("still")
    row = finish[(finish["to_go"] == 31) & (finish["hand"] == "1 10 10 10")].iloc[0]
    assert row["cards"] == 4
    assert row["turn_1"] > 0.9
    assert list(still.columns) == ["to_go", "cards", *(f"after_{k}" for k in range(1, TURNS + 1))]
    assert len(still) == len(AT_MOST) * SIZES
    assert np.all(np.diff(race.still, axis=-1) <= 1e-12)
    assert np.mean(np.abs(race.finish.astype(int)) > 1.3 * FULL) < 1e-4
    with pytest.raises(InputError, match="unknown table 'races': did you mean 'race'"):
        race.table("races")
