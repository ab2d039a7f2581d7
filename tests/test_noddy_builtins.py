"""Noddy's built-ins: each does what its docstring says, and the strong one beats them all."""

from itertools import combinations, product
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulate.cards import NODDY_RANKS, cards_text, parse_cards
from simulate.noddy import batch
from simulate.noddy.reference import Deal, Race, play_game
from simulate.noddy.rules import NAMES, make_rules
from simulate.noddy.view import DRAW, PASS
from simulate.rng import fold_seed
from strategies import load
from strategies.catalogue import built_ins
from strategies.compiled import compile_strategy
from strategies.noddy.missing import cards_bringing, chance_of_two, count, lacking
from strategies.noddy.pace import PACE, chance_to_win, others, still_open

LAY, HOLD = make_rules("lay"), make_rules("hold")
PROMISED = ["first", "highest", "threshold", "hoarder", "keeper", "racer", "random", "reckoner"]
STRONG = "reckoner"
NEAR = ["opportunist", "hoarder", "racer"]  # against these it needs more games to show
FAR = sorted(set(built_ins("noddy")) - {STRONG, *NEAR})


def table(hand, rules=HOLD, mine=0, scores=(0,), theirs=("2c 4d 8h",), stock="6d 7d 8s", up="9c"):
    """Set up a deal in which seat 1, eldest, is to play; `scores` and `theirs` are the others'."""
    hands = [parse_cards(each, NODDY_RANKS) for each in (theirs[0], hand, *theirs[1:])]
    race = Race([scores[0], mine, *scores[1:]])
    turn_up = parse_cards(up, NODDY_RANKS)
    drawing = parse_cards(stock, NODDY_RANKS) + turn_up if stock else []
    return Deal(rules, race, 0, 0, hands, turn_up[0], drawing)


def said(option):
    if option.kind in (DRAW, PASS):
        return "draw" if option.kind == DRAW else "pass"
    laid = [card for card in range(52) if option.cards >> card & 1]
    return " ".join([NAMES[option.kind], *cards_text(laid, NODDY_RANKS)])


def worth(spec, deal):
    """Return what a strategy says each option is worth."""
    strategy, view = load(spec, "noddy"), deal.view(0)
    return {said(option): strategy.answer(view, option) for option in deal.options(0)}


def choice(spec, hand, **where):
    values = worth(spec, table(hand, **where))
    return max(values, key=values.__getitem__)


def games_won(line_up, games, rules=HOLD):
    """Return how many of the games the first of a line-up wins; seats rotate."""
    job = batch.prepare(rules, [load(spec, "noddy") for spec in line_up], 1)
    return int(batch.play(job, 0, games).totals["seated"][0, ..., 1].sum())


def test_the_promised_built_ins_are_there():
    assert set(PROMISED) < set(built_ins("noddy"))


def test_modules_that_strategies_share_are_no_strategies():
    assert not {"pace", "missing"} & set(built_ins("noddy"))


# --- What each does ----------------------------------------------------------------------------


def test_first_and_highest_play_alike():
    assert choice("first", "5h 5c Ts") == choice("highest", "5h 5c Ts") == "fifteen 5c Ts"
    assert games_won(["first", "hoarder"], 2_000) == games_won(["highest", "hoarder"], 2_000)


def test_random_says_its_number():
    deal = table("5h 5c Ts")
    strategy, view = load("random", "noddy"), deal.view(0)
    option = deal.options(0)[0]
    assert [strategy.answer(view._replace(random=u), option) for u in (0.1, 0.9)] == [0.1, 0.9]


def test_threshold_lays_nothing_below_it_unless_it_must_or_wins():
    assert choice("threshold", "4h 4c Ts") == "draw"
    assert choice("threshold:points=2", "4h 4c Ts") == "pair 4c 4h"
    assert choice("threshold", "5h 5c Ts") == "fifteen 5c Ts"
    assert choice("threshold:points=25", "5h 5c Ts") == "draw"
    assert choice("threshold", "4h 4c Ts", rules=LAY) == "pair 4c 4h"
    assert choice("threshold", "4h 4c Ts", mine=29) == "pair 4c 4h"


def test_hoarder_waits_for_a_thirty_one():
    assert choice("hoarder", "5h Tc Ts") == "draw"
    assert choice("hoarder", "5h Tc Ts 6h") == "thirty-one 5h 6h Tc Ts"
    assert choice("hoarder", "5h Tc Ts", mine=6) == "twenty-five 5h Tc Ts"


def test_hoarder_parts_with_few_cards_where_it_must():
    assert choice("highest", "2h 3c 4s 4d", rules=LAY) == "pair 4d 4s"
    assert choice("highest", "2h 3c 4s 4d 6d", rules=LAY) == "fifteen 2h 3c 4d 6d"
    assert choice("hoarder", "2h 3c 4s 4d 6d", rules=LAY) == "pair 4d 4s"


def test_hoarder_loses_patience():
    assert choice("hoarder:until=5", "5h Tc Ts 9d") == "draw"
    assert choice("hoarder:until=5", "5h Tc Ts 9d 9s") == "twenty-five 5h Tc Ts"
    assert games_won(["hoarder:until=3", "hoarder"], 2_000) == games_won(
        ["highest", "hoarder"], 2_000
    )


def test_opportunist_lays_its_three_cards_or_hoards():
    assert choice("opportunist", "5h Tc Ts") == "twenty-five 5h Tc Ts"
    assert choice("opportunist", "5h 9c As") == "fifteen As 5h 9c"
    assert choice("opportunist", "6h 6c 6s") == "pair royal 6c 6h 6s"
    assert choice("opportunist", "5h Tc 7s") == "draw"
    assert choice("opportunist", "5h Tc Ts 9d") == "draw"
    assert choice("opportunist", "7h 8c 9s") == "draw"
    assert choice("opportunist:least=2", "7h 8c 9s") == "run of three 7h 8c 9s"
    assert choice("opportunist", "5h Tc Ts 6h") == "thirty-one 5h 6h Tc Ts"


def test_keeper_keeps_what_nearly_makes_fifteen():
    # Two sixes want a nine or a three, two jacks only a five.
    assert choice("highest", "6h 6c Jd Js", rules=LAY) == "pair 6c 6h"
    assert choice("keeper", "6h 6c Jd Js", rules=LAY) == "pair Jd Js"
    assert choice("keeper:fifteen=0", "6h 6c Jd Js", rules=LAY) == "pair 6c 6h"


def test_keeper_counts_the_cards_that_are_left():
    deal = table("6h 6c Jd Js", rules=LAY)  # unseen are 47, of nines all but the turn-up
    values = worth("keeper:fifteen=47", deal)
    assert values["pair Jd Js"] == pytest.approx(2 + 3 + 4)
    assert values["pair 6c 6h"] == pytest.approx(2 + 4)
    deal.laid += parse_cards("9d 3c 3d 5s", NODDY_RANKS)
    values = worth("keeper:fifteen=43", deal)
    assert values["pair Jd Js"] == pytest.approx(2 + 2 + 2)
    assert values["pair 6c 6h"] == pytest.approx(2 + 3)


def test_keeper_expects_no_card_where_there_is_none():
    assert worth("keeper", table("6h 6c Jd Js", stock=""))["pair Jd Js"] == 2


def test_racer_minds_the_others_and_not_its_cards():
    hand = "5s 9c Ah"
    assert choice("racer", hand) == "fifteen Ah 5s 9c"
    assert choice("racer", hand, scores=(25,)) == "draw"
    near = [
        worth("racer", table(hand, scores=(score,), theirs=(theirs,)))["draw"]
        for score, theirs in ((0, "2c 4d 8h"), (0, "2c 4d 8h Ks"), (16, "2c 4d 8h Ks"))
    ]
    assert near == sorted(near, reverse=True)
    assert worth("racer", table("2s 3c 4h"))["draw"] == worth("racer", table("9s Tc Jh"))["draw"]


# --- The strong one ----------------------------------------------------------------------------


def test_reckoner_lays_an_early_twenty_five_but_no_late_one():
    assert choice(STRONG, "5h Tc Ts") == "twenty-five 5h Tc Ts"
    assert choice(STRONG, "5h Tc Ts 9d") == "draw"
    assert choice(STRONG, "5h Tc Ts 9d", mine=6) == "twenty-five 5h Tc Ts"


def test_reckoner_keeps_a_fifteen_that_may_grow_and_parts_with_small_cards():
    assert choice(STRONG, "5c Js 7d") == "draw"  # another ten makes twenty-five
    assert choice(STRONG, "5s 9c Ah") == "fifteen Ah 5s 9c"
    assert choice(STRONG, "5s 2s 2h") == "pair 2h 2s"


def test_reckoner_takes_the_quicker_way_when_another_is_about_to_finish():
    assert choice(STRONG, "9h 6c 5d 5c") == "draw"
    assert choice(STRONG, "9h 6c 5d 5c", scores=(30,)) == "twenty-five 5c 5d 6c 9h"


def test_reckoner_says_what_follows_from_the_next_cards():
    # Even cards make every even total: a thirty-one wants an odd card, any of them.
    deal = table("2h 4h 6h 8h Th Td", theirs=("3c 3d 3h", "Kc Kd Kh 7s"), scores=(0, 15))
    view = deal.view(0)
    unseen = 52 - 6 - 1
    odd = (5 * 4 - 1) / unseen  # the nine of clubs is turned up
    odd_of_two = 2 * 5 * 8 / 13**2
    thirty_one, twenty_five = [1.0], [1.0]
    for chance in PACE[5]:
        thirty_one.append(thirty_one[-1] * (1 - chance))
    for chance in PACE[4][1:]:
        twenty_five.append(twenty_five[-1] * (1 - chance))
    nobody_yet = [x * y for x, y in zip(thirty_one, twenty_five, strict=False)]
    rivals = others(view)
    assert still_open(rivals, 2) / still_open(rivals, 0) == pytest.approx(nobody_yet[2])
    late = chance_to_win(31, 9, rivals, 4) / still_open(rivals, 0)
    third = 1 - (1 - odd) * (1 - odd_of_two)
    expected = late
    for chance, turn in ((third, 3), (odd, 2), (odd, 1)):
        expected = chance * nobody_yet[turn] + (1 - chance) * expected
    assert worth(STRONG, deal)["draw"] == pytest.approx(expected)


def test_reckoner_says_how_probably_it_wins():
    # It is its own opponent, of whom it supposes no more than `PACE` says.
    strategy = load(STRONG, "noddy")
    ask = compile_strategy(strategy)
    for n in (2, 4):
        told, came = [], []
        for game in range(300):
            first = []

            def choose(seat, view, options, first=first):
                values = [ask(view, option) for option in options]
                first.append((seat, min(max(values), 1.0)))
                return values.index(max(values))

            winner = play_game(HOLD, n, fold_seed(7), game, choose)["winner"]
            seat, chance = first[len(first) // 2]
            told.append(chance)
            came.append(seat == winner)
        told, came = np.array(told), np.array(came)
        middle = np.median(told)
        for part in (told <= middle, told > middle):
            error = (told[part] * (1 - told[part])).sum() ** 0.5 / part.sum()
            assert abs(told[part].mean() - came[part].mean()) < 4 * error


@pytest.mark.parametrize(
    ("other", "games"), [*((name, 200_000) for name in NEAR), *((name, 10_000) for name in FAR)]
)
def test_the_strong_one_beats_every_other(other, games):
    for n in (2, 3, 4):
        wins = games_won([STRONG] + [other] * (n - 1), games)
        share = wins / games
        assert share - 2.576 * (share * (1 - share) / games) ** 0.5 > 1 / n


def test_the_strong_one_is_as_strong_as_it_should_be():
    for other, wanted in (("highest", 0.673), ("hoarder", 0.513)):
        games = 300_000
        assert games_won([STRONG, other], games) / games >= wanted


def test_under_lay_nothing_is_much_better_than_highest():
    games = 100_000
    for spec in ("keeper", "racer", "threshold", STRONG):
        assert abs(games_won([spec, "highest"], games, LAY) / games - 0.5) < 0.01


# --- What they share ---------------------------------------------------------------------------

hands = st.sets(st.integers(0, 51), max_size=6)
courts = st.integers(1, 13)


def pips_of(card, court):
    return card // 4 + 1 if card < 40 else court


@given(hands, courts)
def test_what_a_hand_lacks(hand, court):
    sums = {
        sum(pips_of(card, court) for card in some)
        for size in range(len(hand) + 1)
        for some in combinations(hand, size)
    }
    for total, lack in zip((15, 25, 31), lacking(sum(1 << c for c in hand), court), strict=True):
        assert lack == sum(1 << total - each for each in sums if each <= total)


@given(st.integers(0, 2**32 - 1), courts)
def test_the_cards_that_bring_it(lack, court):
    bring = int(cards_bringing(lack, court))
    assert bring == sum(1 << card for card in range(52) if lack >> pips_of(card, court) & 1)
    assert count(bring) == bring.bit_count()


@given(st.integers(0, 2**32 - 1), courts)
def test_the_chance_of_two(lack, court):
    ranks = [pips_of(4 * rank, court) for rank in range(13)]
    both = sum(lack >> one + other & 1 for one, other in product(ranks, ranks))
    assert chance_of_two(lack, court) == pytest.approx(both / 169)


def test_a_lone_player_finishes_as_pace_says():
    view = table("2s 3c 4h").view(0)._replace(n=1)
    rivals = others(view)
    assert still_open(rivals, 5) == 1.0
    chances = [0.0, 0.065, 0.234, 0.48, 0.665, 0.66]
    assert chance_to_win(31, 3, rivals, 1) == pytest.approx(
        1 - prod(1 - chance for chance in chances)
    )
