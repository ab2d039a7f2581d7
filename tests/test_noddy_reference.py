"""Deals of Noddy worked out by hand, rule by rule, against the plain game."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulate.cards import NODDY_RANKS, cards_text, parse_cards
from simulate.noddy.reference import (
    Deal,
    Race,
    by_value,
    ending,
    lays,
    options_of,
    play_game,
    random_for,
)
from simulate.noddy.rules import COMBINATIONS, NAMES, kernel_rules, make_rules
from simulate.noddy.view import DRAW, FIFTEEN, MAX_OPTIONS, PASS, View
from simulate.rng import deal_deck, first_dealer, fold_seed, uniforms

LAY, HOLD = make_rules("lay"), make_rules("hold")
KEY = fold_seed(1)


def cards(text):
    return parse_cards(text, NODDY_RANKS)


def combinations_in(text, rules=HOLD, trump="s"):
    found = lays(cards(text), "cdhs".index(trump), rules)
    return [(NAMES[kind], " ".join(cards_text(laid, NODDY_RANKS)), p) for kind, laid, p in found]


def names_in(text, rules=HOLD, trump="s"):
    return {name for name, _, _ in combinations_in(text, rules, trump)}


def deal(hands, turn_up, stock, rules=HOLD, dealer=0, scores=None):
    """Set up a deal; hands by seat."""
    race = Race(scores or [0] * len(hands))
    drawing = [*cards(stock), *cards(turn_up)] if rules.turn_up_drawn else cards(stock)
    return Deal(rules, race, 0, dealer, [cards(hand) for hand in hands], cards(turn_up)[0], drawing)


class Script:
    """A `choose` that plays moves written down: a combination, or draw, or pass; views are kept."""

    def __init__(self, *moves):
        self.moves, self.views, self.offered = list(moves), [], []

    def __call__(self, seat, view, options):
        self.views.append(view)
        self.offered.append(options)
        move = self.moves.pop(0)
        kinds = {"draw": DRAW, "pass": PASS} | {name: kind for kind, name in enumerate(NAMES)}
        return [option.kind for option in options].index(kinds[move])


def told(record):
    """Write the turns of a deal shortly."""
    lines = []
    for turn in record["turns"]:
        did = (
            f"{turn['combination']} {' '.join(turn['cards'])}"
            if turn["do"] == "lay"
            else turn["do"]
        )
        lines.append(f"{turn['seat']}: {did} > {' '.join(turn['drew'])}".rstrip(" >"))
    return lines


# --- Combinations (D9) -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "name", "points"),
    [
        ("Js", "knave noddy", 1),
        ("7c 8d", "fifteen", 15),
        ("Ac 2c 3c 4c 5d", "fifteen", 15),
        ("Kc 5h", "fifteen", 15),
        ("Kc Qd 5h", "twenty-five", 25),
        ("Kc Qd Th Ac", "thirty-one", 31),
        ("9c 9d", "pair", 2),
        ("9c 9d 9h", "pair royal", 6),
        ("9c 9d 9h 9s", "double pair royal", 12),
        ("2c 9c Kc", "flush", 1),
        ("2c 4c 9c Kc", "flush", 1),
        ("Ac 2d 3h", "run of three", 2),
        ("Tc Jd Qh Kc", "run of four", 4),
        ("3c 4d 5h 6c 7d", "long run", 10),
        ("Ac 2d 3h 4c 5d 6h 7c 8d 9h Tc Jd Qh Kc", "long run", 10),
    ],
)
def test_each_combination_is_seen(hand, name, points):
    whole = [c for c in combinations_in(hand) if len(c[1].split()) == len(hand.split())]
    laid = " ".join(cards_text(sorted(cards(hand)), NODDY_RANKS))
    assert (name, laid, points) in whole


@pytest.mark.parametrize(
    ("hand", "name"),
    [
        ("Jh", "knave noddy"),  # not of trumps
        ("Kc 5h 5d 5c 5s", "knave noddy"),
        ("Kc 4h", "fifteen"),
        ("Qd Kc Ah", "run of three"),  # the ace is low
        ("Jd Qd Kc Ah", "run of four"),
        ("2c 4c 6d", "flush"),
        ("2c 4c", "flush"),
        ("2c 4c 6c 8c Tc", "run of three"),
        ("Tc Jd Qh Kc", "pair"),
        ("Kc Qd Th", "thirty-one"),  # 30
        ("9c Td Jh", "thirty-one"),  # 29
    ],
)
def test_what_is_none(hand, name):
    assert name not in names_in(hand)


def test_sums_have_their_fewest_cards_where_courts_are_worth_more():
    thirteen = make_rules("hold", {"court_value": 13})
    assert "thirty-one" not in names_in("Jc Qd 5h", thirteen)  # 13 + 13 + 5 in three cards
    assert "thirty-one" in names_in("Jc Qd 4h Ac", thirteen)
    assert "fifteen" in names_in("Jc 2h", thirteen)
    assert "twenty-five" in names_in("Jc Ts 2h", thirteen)
    assert "fifteen" not in names_in("Jc 5h", thirteen)
    one = make_rules("hold", {"court_value": 1})
    assert "fifteen" in names_in("Kc 8d 6h", one)


def test_zero_points_take_a_combination_out():
    assert names_in("7c 8d 8h") == {"fifteen", "pair"}
    assert names_in("7c 8d 8h", make_rules("hold", {"points.fifteen": 0})) == {"pair"}
    assert combinations_in("7c 8d 8h", make_rules("hold", {"points.fifteen": 1})) == [
        ("pair", "8d 8h", 2),
        ("fifteen", "7c 8d", 1),
        ("fifteen", "7c 8h", 1),
    ]


def test_options_come_best_first():
    found = combinations_in("5h Jd 5c Td", trump="d")
    assert found == [
        ("twenty-five", "5c Td Jd", 25),
        ("twenty-five", "5h Td Jd", 25),
        ("fifteen", "5c Td", 15),
        ("fifteen", "5c Jd", 15),
        ("fifteen", "5h Td", 15),
        ("fifteen", "5h Jd", 15),
        ("pair", "5c 5h", 2),
        ("knave noddy", "Jd", 1),
    ]


def test_fewer_cards_come_before_lower_ones_and_the_table_decides_between_kinds():
    equal = make_rules("hold", {f"points.{name}": 7 for name in ("fifteen", "pair", "flush")})
    assert combinations_in("2c 7c 7d 8c", equal)[:4] == [
        ("fifteen", "7c 8c", 7),
        ("fifteen", "7d 8c", 7),
        ("pair", "7c 7d", 7),
        ("flush", "2c 7c 8c", 7),
    ]


def is_combination(kind, chosen, trump, court_value):
    """What the table of combinations says, taken literally."""
    ranks = [card // 4 + 1 for card in chosen]
    pips = sum(court_value if rank > 10 else rank for rank in ranks)
    size, suits = len(chosen), {card % 4 for card in chosen}
    steps = {high - low for low, high in pairwise(ranks)}
    return {
        "knave noddy": size == 1 and ranks == [11] and suits == {trump},
        "fifteen": size >= 2 and pips == 15,
        "twenty-five": size >= 3 and pips == 25,
        "thirty-one": size >= 4 and pips == 31,
        "pair": size == 2 and len(set(ranks)) == 1,
        "pair royal": size == 3 and len(set(ranks)) == 1,
        "double pair royal": size == 4 and len(set(ranks)) == 1,
        "flush": size in (3, 4) and len(suits) == 1,
        "run of three": size == 3 and steps == {1},
        "run of four": size == 4 and steps == {1},
        "long run": size >= 5 and steps == {1},
    }[NAMES[kind]]


@given(
    st.lists(st.integers(0, 51), max_size=8, unique=True),
    st.integers(0, 3),
    st.integers(1, 13),
    st.lists(st.integers(0, 3), min_size=11, max_size=11),
)
def test_all_subsets_taken_literally(hand, trump, court_value, scored):
    fields = dict(zip(COMBINATIONS, scored, strict=True))
    rules = make_rules("hold", {"court_value": court_value, "points": fields})
    found = [
        (-scored[kind], size, kind, chosen)
        for size in range(1, len(hand) + 1)
        for chosen in combinations(sorted(hand), size)
        for kind in range(len(NAMES))
        if scored[kind] and is_combination(kind, chosen, trump, court_value)
    ]
    want = [(kind, chosen, -points) for points, _, kind, chosen in sorted(found)]
    assert list(lays(hand, trump, rules)) == want


# --- What a player may do (D5 to D7) -----------------------------------------------------------


def kinds(options):
    return [option.kind for option in options]


def test_whoever_holds_nothing_draws_and_passes_with_the_stock_empty():
    for rules in (LAY, HOLD):
        assert kinds(options_of(cards("2c 4d 8h"), 0, 5, 0, rules)) == [DRAW]
        assert kinds(options_of(cards("2c 4d 8h"), 0, 0, 0, rules)) == [PASS]
        assert kinds(options_of([], 0, 0, 0, rules)) == [PASS]


def test_whoever_holds_a_combination_must_lay_or_may_hold_back():
    hand = cards("7c 8d Ac")
    assert kinds(options_of(hand, 0, 5, 0, LAY)) == [FIFTEEN]
    assert kinds(options_of(hand, 0, 5, 0, HOLD)) == [FIFTEEN, DRAW]
    assert kinds(options_of(hand, 0, 0, 0, LAY)) == [FIFTEEN]
    assert kinds(options_of(hand, 0, 0, 0, HOLD)) == [FIFTEEN, PASS]


@pytest.mark.parametrize(
    ("stock", "score", "drawn"), [(40, 0, 2), (2, 0, 2), (1, 0, 1), (0, 0, 0), (40, 16, 0)]
)
def test_a_lay_draws_up_to_three_but_not_the_one_that_wins(stock, score, drawn):
    option = options_of(cards("7c 8d Ac"), 0, stock, score, LAY)[0]
    assert (option.points, option.size, option.drawn) == (15, 2, drawn)
    assert option.cards == 1 << cards("7c")[0] | 1 << cards("8d")[0]
    assert option.left == 1 << cards("Ac")[0]


def test_a_lay_from_a_larger_hand_draws_less():
    options = options_of(cards("7c 8d Kc 2s 2d"), 0, 40, 0, LAY)
    assert {option.size: option.drawn for option in options} == {2: 0, 3: 1}


def test_at_most_64_are_offered_the_last_one_to_draw_or_pass():
    hand = list(range(20))
    for stock, last in ((5, DRAW), (0, PASS)):
        options = options_of(hand, 0, stock, 0, HOLD)
        assert len(options) == MAX_OPTIONS
        assert kinds(options)[-1] == last
        assert last not in kinds(options)[:-1]
    must = options_of(hand, 0, 5, 0, LAY)
    assert len(must) == MAX_OPTIONS
    assert must[:-1] == options_of(hand, 0, 5, 0, HOLD)[:-1]
    assert must[-1].kind < DRAW


# --- Deals -------------------------------------------------------------------------------------


def test_a_deal_from_the_first_lay_to_the_last_pass():
    script = Script("fifteen", "pair", "fifteen", "pass")
    played = deal(["9s 9d 2c", "7c 8d Ac"], "4h", "Ks 6c 5c Qd Jc Th", scores=[3, 0])
    record = played.play(script)
    assert told(record) == [
        "1: fifteen 7c 8d > Ks 6c",
        "0: pair 9d 9s > 5c Qd",
        "1: draw > Jc",
        "0: fifteen 5c Qd > Th 4h",
        "1: pass",
        "0: pass",
    ]
    assert [turn.get("points") for turn in record["turns"]] == [15, 2, None, 15, None, None]
    assert record["scores"] == [20, 15]
    assert record["hands"] == [["9s", "9d", "2c"], ["7c", "8d", "Ac"]]
    assert (record["turn_up"], record["stock"]) == ("4h", ["Ks", "6c", "5c", "Qd", "Jc", "Th"])
    assert played.race.winner is None


def test_scores_grow_and_the_one_who_reaches_the_target_wins_at_once():
    script = Script("twenty-five", "fifteen")
    played = deal(["7c 8d Ac", "Tc Jd 5h"], "4h", "2s 3c 6d 9s", scores=[20, 0])
    record = played.play(script)
    assert told(record) == ["1: twenty-five 5h Tc Jd > 2s 3c 6d", "0: fifteen 7c 8d"]
    assert record["scores"] == [35, 25]
    assert played.race.winner == 0
    assert ending(played.race) == {"winner": 0, "scores": [35, 25]}


def test_eldest_begins_and_turns_go_round():
    hands = ["2c 4d 8h", "2d 4h 8s", "2h 4s 8c"]
    record = deal(hands, "Kh", "6c 6d Qs", rules=LAY, dealer=1).play(Script())
    assert [turn["seat"] for turn in record["turns"][:3]] == [2, 0, 1]
    assert [turn["drew"] for turn in record["turns"][:3]] == [["6c"], ["6d"], ["Qs"]]


def test_the_turn_up_is_the_last_card_drawn():
    record = deal(["2c 4d 8h", "3d 6h Ts"], "Kh", "Qc", rules=LAY).play(Script())
    assert told(record) == ["1: draw > Qc", "0: draw > Kh", "1: pass", "0: pass"]
    assert record["stock"] == ["Qc"]


def test_or_it_stays_out_of_play():
    rules = make_rules("lay", {"turn_up_drawn": False})
    record = deal(["2c 4d 8h", "3d 6h Ts"], "Kh", "Qc", rules=rules).play(Script())
    assert told(record) == ["1: draw > Qc", "0: pass", "1: pass"]
    assert record["stock"] == ["Qc"]


def test_a_lay_between_passes_keeps_the_deal_alive():
    hands = ["2c 4d 8h", "3d 9h 9s"]
    rules = make_rules("hold", {"turn_up_drawn": False})
    played = deal(hands, "Kh", "", rules=rules)
    record = played.play(Script("pair"))
    assert told(record) == ["1: pair 9h 9s", "0: pass", "1: pass"]
    assert record["scores"] == [0, 2]
    assert played.race.winner is None
    assert ending(played.race) == {"winner": None, "truncated": True, "scores": [0, 2]}
    held = deal(hands, "Kh", "", rules=rules).play(Script("pass"))
    assert told(held) == ["1: pass", "0: pass"]


def test_three_passes_are_needed_at_a_table_of_three():
    rules = make_rules("hold", {"turn_up_drawn": False})
    hands = ["2c 2d 8h", "4h 4s 8s", "3h 6s Ts"]
    record = deal(hands, "Kh", "", rules=rules, dealer=2).play(Script("pass", "pair", "pair"))
    assert told(record) == [
        "0: pass",
        "1: pair 4h 4s",
        "2: pass",
        "0: pair 2c 2d",
        "1: pass",
        "2: pass",
        "0: pass",
    ]


@pytest.mark.parametrize(
    ("turn_up", "turned_jack", "jack"),
    [("Jh", 2, [2, 0, 2]), ("Jh", 7, [7, 0, 7]), ("Jh", 0, [0, 0, 0]), ("Qh", 2, [0, 0, 0])],
)
def test_a_turned_up_jack_scores_for_the_dealers_opponents(turn_up, turned_jack, jack):
    rules = make_rules("lay", {"turn_up_drawn": False, "turned_jack": turned_jack})
    hands = ["2c 4d 8h", "2d 4h 8s", "2h 4s 8c"]
    record = deal(hands, turn_up, "", rules=rules, dealer=1, scores=[1, 1, 1]).play(Script())
    assert record["jack"] == jack
    assert record["scores"] == [1 + points for points in jack]


@pytest.mark.parametrize(
    ("scores", "winner"),
    [([30, 0, 29], 2), ([30, 29, 0], 0), ([29, 30, 30], 2), ([0, 30, 0], None)],
)
def test_a_turned_up_jack_may_win_and_nearest_eldest_is_first(scores, winner):
    rules = make_rules("lay", {"turn_up_drawn": False})
    hands = ["2c 4d 8h", "2d 4h 8s", "2h 4s 8c"]
    played = deal(hands, "Jh", "", rules=rules, dealer=1, scores=list(scores))
    record = played.play(Script())
    assert played.race.winner == winner
    assert (record["turns"] == []) == (winner is not None)
    assert record["scores"] == [scores[0] + 2, scores[1], scores[2] + 2]


def test_the_knave_of_trumps_is_laid_alone():
    script = Script("knave noddy")
    record = deal(["2c 4d 8h", "Jh 3d 6s"], "Kh", "Ts 7c", rules=LAY).play(script)
    assert told(record)[0] == "1: knave noddy Jh > Ts"
    assert record["turns"][0]["points"] == 1


# --- What a strategy is shown ------------------------------------------------------------------


def test_the_view_is_what_a_player_sees():
    script = Script("fifteen", "pair")
    hands = ["9s 9d 2c", "7c 8d Ac", "3c 4s 6d"]
    played = deal(hands, "4h", "Ks 6c 5c Qd Jc Ah", scores=[3, 1, 2], dealer=0)
    played.number = 4
    with pytest.raises(IndexError):  # the script ends, not the deal
        played.play(script)
    first, second = script.views[:2]
    assert first == View(
        n=3,
        position=0,
        score=1,
        best_other=3,
        scores=(1, 2, 3, 0),
        target=31,
        hand=sum(1 << card for card in cards("7c 8d Ac")),
        count=3,
        hand_sizes=(3, 3, 3, 0),
        stock=7,
        seen=1 << cards("4h")[0],
        trump=2,
        turn_up=cards("4h")[0],
        deal=4,
        turn=0,
        random=0.0,
        rules=kernel_rules(HOLD),
    )
    assert (second.position, second.turn, second.score, second.best_other) == (2, 2, 3, 16)
    assert second.scores == (16, 2, 3, 0)
    assert (second.stock, second.hand_sizes) == (4, (3, 4, 3, 0))
    assert second.seen == sum(1 << card for card in cards("4h 7c 8d"))


def test_a_lone_option_is_not_asked_about():
    asked = Script()
    record = deal(["2c 4d 8h", "7c 8d Ac"], "4h", "", rules=LAY).play(asked)
    assert told(record)[0] == "1: fifteen 7c 8d > 4h"
    assert asked.views == []


# --- Whole games -------------------------------------------------------------------------------


class Values:
    """A strategy of one function, which keeps what it was asked."""

    def __init__(self, value):
        self.value, self.asked = value, []

    def answer(self, view, option):
        self.asked.append((view, option))
        return self.value(view, option)


def test_cards_are_dealt_as_the_deck_lies_and_the_deal_goes_round():
    passer = Values(lambda view, option: float(option.kind >= DRAW))
    rules = make_rules("hold", {"max_deals": 3})
    game = play_game(rules, 3, KEY, 11, by_value([passer] * 3, KEY, 11))
    dealer = first_dealer(KEY, 11, 3)
    assert [d["dealer"] for d in game["deals"]] == [(dealer + k) % 3 for k in range(3)]
    for number, played in enumerate(game["deals"]):
        deck = np.empty(52, np.int64)
        deal_deck(KEY, 11, number, deck)
        text = cards_text(deck.tolist(), NODDY_RANKS)
        for seat, hand in enumerate(played["hands"]):
            position = (seat - played["dealer"] - 1) % 3
            assert hand == [text[position], text[3 + position], text[6 + position]]
        assert played["turn_up"] == text[9]
        assert played["stock"] == text[10:]
        drawn = [card for turn in played["turns"] for card in turn["drew"]]
        assert drawn == [*text[10:], text[9]]
        assert [turn["do"] for turn in played["turns"]] == ["draw"] * 43 + ["pass"] * 3
    assert (game["winner"], game["truncated"]) == (None, True)
    jacks = [sum(d["jack"][seat] for d in game["deals"]) for seat in range(3)]
    assert game["scores"] == jacks


def test_the_highest_value_is_played_and_the_first_on_a_tie():
    most = Values(lambda view, option: float(option.points))
    first = Values(lambda view, option: -np.inf)
    one = play_game(HOLD, 2, KEY, 5, by_value([most, most], KEY, 5))
    other = play_game(HOLD, 2, KEY, 5, by_value([first, first], KEY, 5))
    assert one == other
    last = Values(lambda view, option: -float(option.points))
    held = play_game(
        make_rules("hold", {"max_deals": 1}), 2, KEY, 5, by_value([last, last], KEY, 5)
    )
    assert {turn["do"] for turn in held["deals"][0]["turns"]} <= {"draw", "pass"}


def test_random_numbers_are_fresh_for_each_option_and_repeat_with_the_game():
    one, other = (Values(lambda view, option: view.random) for _ in range(2))
    games = [play_game(HOLD, 2, KEY, 9, by_value([s, s], KEY, 9)) for s in (one, other)]
    assert games[0] == games[1]
    assert one.asked == other.asked
    numbers = [view.random for view, _ in one.asked]
    assert len(set(numbers)) == len(numbers)
    view = one.asked[1][0]
    assert view.random == uniforms(KEY, 9, view.deal, view.turn * 64 + 1)[0]
    assert view.random == random_for(KEY, 9, view, 1)


def test_a_game_ends_with_the_deal_that_wins_it():
    most = Values(lambda view, option: float(option.points))
    for game in range(30):
        record = play_game(LAY, 4, KEY, game, by_value([most] * 4, KEY, game))
        assert record["scores"][record["winner"]] >= 31
        assert record["deals"][-1]["scores"] == record["scores"]
        others = [s for seat, s in enumerate(record["scores"]) if seat != record["winner"]]
        assert max(others) < 31
        assert "truncated" not in record
