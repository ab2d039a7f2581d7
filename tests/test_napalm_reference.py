"""The game in plain Python: deals worked out by hand for every rule, N1 to N18.

Unless a test says otherwise four players sit as in `HANDS`, and seat 3 deals, so that the seats
speak in their own order. The words of a stage are one letter each, "nnny", with more of them after
a challenge, "nnnynny".
"""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulate.cards import NAPALM_RANKS, cards_text, parse_cards
from simulate.napalm.ranking import best_class, hand_class, hand_name, strength, two_cards
from simulate.napalm.reference import (
    Deal,
    Money,
    by_answer,
    call_number,
    coin,
    deal_cards,
    play_game,
)
from simulate.napalm.rules import PRESETS, make_rules
from simulate.rng import deal_deck, first_dealer, fold_seed, uniforms

KEY = fold_seed(42)
HANDS = [
    #  stage 1  stage 2    stage 3
    "Ah Ad   7c 5s 3d   Kc Qd",  # pair of aces; pair of aces;            pair of aces
    "Kh Ks   2h 4h 6h   8h Th",  # pair of kings; pair of kings;          king-high flush
    "7h 5d   4c 3c 2d   9s 9d",  # 7-5;           7-5-4-3-2, the lowest;  pair of nines
    "7s 5c   4d 3h 2s   Jc Js",  # 7-5, a tie;    7-5-4-3-2, a tie;       pair of jacks
]
FIFTH = "Qs Tc   Jh 6d 9h   8c 2c"  # Q-T; Q-J-T-9-6; queen-high straight


def cards_of(text):
    return parse_cards(text, NAPALM_RANKS)


def play(words, *, hands=HANDS, dealer=None, pot=0, collected=None, number=0, **overrides):
    """Play one deal with words given; return its stages, the money, the record and the views."""
    preset = overrides.pop("preset", "stakes")
    rules = make_rules(preset, {name.replace("__", "."): v for name, v in overrides.items()})
    cards = [cards_of(hand) for hand in hands]
    assert len({card for hand in cards for card in hand}) == 7 * len(hands)
    money = Money.at_start(len(hands))
    money.pot, money.collected = pot, list(collected or money.collected)
    dealer = len(hands) - 1 if dealer is None else dealer
    deal = Deal(rules, KEY, 0, number, dealer, money, cards)
    letters = iter("".join(words))
    views = []

    def speak(seat, view):
        views.append((seat, view))
        return next(letters) == "y"

    record = deal.play(speak)
    assert next(letters, None) is None, "words were left over"
    return record["stages"], money, record, views


def moved(stage):
    return stage["paid"], stage["taken"], stage["side"]


NO = [0, 0, 0, 0]


# N1, N2: dealing and antes


@pytest.mark.parametrize("n", [4, 5, 6, 7])
def test_n1_the_first_dealer_is_drawn_and_the_next_seat_deals(n):
    for game in range(10):
        record = play_game(make_rules(overrides={"max_deals": 5}), n, KEY, game, lambda *_: False)
        first = first_dealer(KEY, game, n)
        assert [deal["dealer"] for deal in record["deals"]] == [(first + k) % n for k in range(5)]


@pytest.mark.parametrize("n", [4, 7])
def test_n1_cards_go_round_from_eldest(n):
    deck = np.empty(7 * n, np.int64)
    deal_deck(KEY, 5, 3, deck)
    cards = deal_cards(KEY, 5, 3, n, dealer=1)
    for turn in range(7):
        for position in range(n):
            assert cards[(1 + 1 + position) % n][turn] == deck[turn * n + position]


def test_n2_everybody_antes_to_what_is_there_already():
    stages, money, record, _ = play(["nnnn", "nnnn", "nnnn"], pot=9)
    assert record["pot_before"] == 9
    assert [stage["pot"] for stage in stages] == [13, 13, 13]
    assert money.net == [-1, -1, -1, -1]


# N3 to N5: the rankings


def test_n3_two_cards_best_first():
    hands = ["Ac Ad", "Kc Kd", "2c 2d", "Ac Kc", "Ac 2d", "Kc Qc", "5c 4c", "3c 2c"]
    classes = [two_cards(cards_of(hand)) for hand in hands]
    assert all(better > worse for better, worse in pairwise(classes))


def test_n3_suits_and_straights_count_for_nothing():
    assert two_cards(cards_of("9c 8c")) == two_cards(cards_of("8h 9d"))
    assert two_cards(cards_of("9c 8c")) < two_cards(cards_of("Th 2d"))
    assert two_cards(cards_of("As 2s")) < two_cards(cards_of("2c 2d"))


def test_n4_the_lowest_hand_is_seven_high_and_straights_and_flushes_count_against():
    lowest_first = [
        "7c 5d 4c 3c 2c",
        "7c 6d 4c 3c 2c",
        "8c 6d 4c 3c 2c",
        "Kc Qd Jc Tc 8c",
        "Ac 5d 4c 3c 2c",  # no straight, an ace-high hand
        "2c 2d 3c 4c 5c",
        "2c 2d 3c 3d 4c",
        "2c 2d 2h 3c 4c",
        "6c 5d 4c 3c 2c",  # a straight
        "7c 5c 4c 3c 2c",  # a flush
        "2c 2d 2h 3c 3d",
        "2c 2d 2h 2s 3c",
        "6c 5c 4c 3c 2c",
    ]
    for wheel in (False, True):
        strengths = [strength(2, cards_of(hand), wheel) for hand in lowest_first]
        assert all(better > worse for better, worse in pairwise(strengths))
        assert hand_name(2, cards_of("Ac 5d 4c 3c 2c"), wheel) == "A-high, 5-4-3-2"


def test_n5_best_five_of_seven_best_first():
    best_first = [
        ("Ac Kc Qc Jc Tc 9c 8c", "A-high straight flush"),
        ("9h 9d 9c 9s Kd Kc 2h", "four nines, K"),
        ("9h 9d 9c Ks Kd Kc 2h", "full house, kings over nines"),
        ("9h 9d 9c Ks Kd 2c 2h", "full house, nines over kings"),
        ("Ac Jc 9c 5c 2c Ad Ah", "A-high flush, J-9-5-2"),
        ("8h 7d 6c 5s 4d 3c 2h", "8-high straight"),
        ("7h 7d 7c As 4d 3c 2h", "three sevens, A-4"),
        ("Ah Ad Ks Kd Qc Qh 2d", "two pair, aces and kings, Q"),
        ("Ah Ad Ks Jd 9c 5h 2d", "pair of aces, K-J-9"),
        ("Ah Qd Js 9d 8c 5h 2d", "A-high, Q-J-9-8"),
    ]
    classes = [best_class(cards_of(hand), False) for hand, _ in best_first]
    assert all(better > worse for better, worse in pairwise(classes))
    assert [hand_name(3, cards_of(hand)) for hand, _ in best_first] == [n for _, n in best_first]


def test_n5_the_wheel_is_a_straight_only_if_the_rules_say_so_and_then_the_lowest():
    wheel, six_high = cards_of("Ah 2d 3s 4d 5c Kh Qd"), cards_of("6h 2d 3s 4d 5c Kh Qd")
    assert hand_name(3, wheel) == "A-high, K-Q-5-4"
    assert hand_name(3, wheel, wheel=True) == "5-high straight"
    trips = cards_of("Ac Ad As Kd Qc 9h 2d")
    assert hand_class(3, trips) < hand_class(3, wheel, wheel=True) < hand_class(3, six_high)
    assert hand_name(3, cards_of("Ah 2h 3h 4h 5h Kc Qd"), wheel=True) == "5-high straight flush"


def test_names_of_two_cards():
    assert hand_name(1, cards_of("Ah Ad")) == "pair of aces"
    assert hand_name(1, cards_of("2h Ad")) == "A-2, no pair"


# N6: what ends a deal


def test_n6_a_yes_at_stage_one_ends_the_deal_and_only_two_cards_are_shown():
    stages, _, record, _ = play(["ynnn"])
    assert [stage["stage"] for stage in stages] == [1]
    assert record["cards"] == [cards_text(cards_of(hand)[:2], NAPALM_RANKS) for hand in HANDS]


def test_n6_all_no_goes_on_and_a_yes_at_stage_two_does_not_end_it():
    stages, _, record, _ = play(["nnnn", "ynnn", "nnnn"])
    assert [stage["stage"] for stage in stages] == [1, 2, 3]
    assert {len(hand) for hand in record["cards"]} == {7}


def test_n6_ends_on_yes_can_be_turned_round():
    stages, _, record, _ = play(
        ["ynnn", "nynn"], stage1__ends_on_yes=False, stage2__ends_on_yes=True
    )
    assert [stage["stage"] for stage in stages] == [1, 2]
    assert {len(hand) for hand in record["cards"]} == {5}


def test_n6_second_words_count():
    stages, _, _, _ = play(["nnnyynn"])
    assert len(stages) == 1


# N7, N8: declaring


def test_n7_eldest_speaks_first_and_the_dealer_last_hearing_all_before():
    stages, _, _, views = play(["nyny"], dealer=1)
    assert stages[0]["declarations"] == [[2, "no"], [3, "yes"], [0, "no"], [1, "yes"]]
    heard = [(view.position, view.turn, view.spoken, view.yes, view.said) for _, view in views]
    assert heard == [(0, 1, 0, 0, 0), (1, 1, 1, 0, 0), (2, 1, 2, 1, 0b10), (3, 1, 3, 1, 0b10)]


def test_n8_the_dealers_lone_yes_makes_the_others_speak_again():
    stages, _, _, views = play(["nnnynyn"], dealer=1)
    first = [[2, "no"], [3, "no"], [0, "no"], [1, "yes"]]
    assert stages[0]["declarations"] == [*first, [2, "no"], [3, "yes"], [0, "no"]]
    heard = [(view.position, view.turn, view.spoken, view.yes, view.said) for _, view in views[4:]]
    assert heard == [(0, 2, 4, 1, 0b1000), (1, 2, 4, 1, 0b1000), (2, 2, 4, 2, 0b1010)]
    # seat 3 holds 7-5 and loses to the dealer's kings
    assert moved(stages[0]) == ([0, 0, 0, 2], [0, 2, 0, 0], NO)


def test_n8_whoever_answers_may_win():
    stages, _, _, _ = play(["nnnyynn"])
    assert moved(stages[0]) == ([0, 0, 0, 2], [2, 0, 0, 0], NO)


@pytest.mark.parametrize("words", ["ynny", "nnyy", "ynnn", "nnyn"])
def test_n8_there_is_no_challenge_when_another_has_said_yes_or_the_dealer_no(words):
    stages, _, _, _ = play([words])
    assert len(stages[0]["declarations"]) == 4


def test_n8_no_challenge_at_stages_two_and_three_unless_the_rules_say_so():
    stages, _, _, _ = play(["nnnn", "nnny", "nnny"])
    assert [len(stage["declarations"]) for stage in stages] == [4, 4, 4]
    stages, _, _, _ = play(
        ["nnny", "nnnynnn", "nnnynny"],
        stage1__challenge=False,
        stage1__ends_on_yes=False,
        stage2__challenge=True,
        stage3__challenge=True,
    )
    assert [len(stage["declarations"]) for stage in stages] == [4, 7, 7]


# N9 to N14: settling a stage


def test_n9_nobody_says_yes_and_nothing_moves():
    stages, money, _, _ = play(["nnnn", "nnnn", "nnnn"])
    assert [moved(stage) for stage in stages] == [(NO, NO, NO)] * 3
    assert (money.pot, money.collected) == (4, NO)


def test_n10_a_lone_yes_takes_one_stake_unseen_on_whatever_hand():
    stages, money, _, _ = play(["nnyn"])
    assert moved(stages[0]) == (NO, [0, 0, 1, 0], NO)
    assert (money.pot, money.collected, money.net) == (3, [0, 0, 1, 0], [-1, -1, 0, -1])


def test_n10_a_challenge_that_nobody_answers_leaves_a_lone_yes():
    stages, _, _, _ = play(["nnnynnn"])
    assert moved(stages[0]) == (NO, [0, 0, 0, 1], NO)


def test_n10_at_all_stages_and_as_many_stakes_as_the_rules_say():
    awards = {"stage2__lone_award": 2, "stage3__lone_award": 1}
    stages, money, _, _ = play(["nnnn", "nynn", "nnyn"], **awards)
    assert [stage["taken"] for stage in stages] == [NO, [0, 2, 0, 0], [0, 0, 1, 0]]
    assert money.pot == 1


def test_n11_stage_one_losers_pay_two_each():
    stages, money, _, _ = play(["yyyn"])
    assert moved(stages[0]) == ([0, 2, 2, 0], [3, 0, 0, 0], NO)
    assert money.pot == 4 + 2 + 2 - 3
    assert money.net == [2, -3, -3, -1]


def test_n11_stage_two_losers_pay_as_many_as_declared():
    stages, money, _, _ = play(["nnnn", "yyyn", "nnnn"])
    assert moved(stages[1]) == ([3, 3, 0, 0], [0, 0, 3, 0], NO)
    assert money.pot == 4 + 6 - 3


def test_n11_stage_three_losers_pay_as_many_as_declared():
    stages, money, _, _ = play(["nnnn", "nnnn", "yyny"])
    assert moved(stages[2]) == ([3, 0, 0, 3], [0, 3, 0, 0], NO)
    assert money.pot == 4 + 6 - 3


def test_n11_the_penalty_of_each_stage_can_be_set():
    penalties = {"stage1__penalty": "declarers", "stage2__penalty": 0, "stage3__penalty": 7}
    stages, _, _, _ = play(
        ["yyyn", "ynyn", "yynn"], stage1__ends_on_yes=False, target=50, **penalties
    )
    assert [stage["paid"] for stage in stages] == [[0, 3, 3, 0], NO, [7, 0, 0, 0]]


def test_n12_nobody_takes_more_than_the_pot_holds():
    stages, money, _, _ = play(["nynn"], stage1__lone_award=52, target=50)
    assert moved(stages[0]) == (NO, [0, 4, 0, 0], NO)
    assert (money.pot, money.collected) == (0, [0, 4, 0, 0])


def test_n12_losers_pay_before_the_winner_takes():
    """An empty pot, three declarers, a penalty of 1: the two stakes just paid are there to take."""
    stages, money, _, _ = play(
        ["nnnn", "nnyn", "yyny"], stage2__lone_award=4, stage3__penalty=1, target=50
    )
    assert stages[1]["pot"] == 0
    assert moved(stages[2]) == ([1, 0, 0, 1], [0, 2, 0, 0], NO)
    assert (money.pot, money.collected) == (0, [0, 2, 4, 0])


def test_n12_a_pot_that_stays_empty_gives_nothing():
    stages, _, _, _ = play(["nnnn", "nnyn", "yynn"], stage2__lone_award=4, stage3__penalty=0)
    assert moved(stages[2]) == (NO, NO, NO)


def test_n13_split_shares_the_declarers_evenly_and_leaves_the_odd_stake():
    """Seats 2 and 3 tie at 7-5-4-3-2: of 3 stakes each takes 1, one stays, only seat 0 pays."""
    stages, money, _, _ = play(["nnnn", "ynyy", "nnnn"])
    assert moved(stages[1]) == ([3, 0, 0, 0], [0, 0, 1, 1], NO)
    assert money.pot == 4 + 3 - 2


def test_n13_all_of_them_tied_and_nobody_pays():
    stages, money, _, _ = play(["nnyy"])
    assert moved(stages[0]) == (NO, [0, 0, 1, 1], NO)
    assert money.pot == 2


def test_n13_split_of_less_than_the_declarers_when_the_pot_is_small():
    """The pot holds one stake, seats 2 and 3 tie: half of it is no stake, so it stays."""
    stages, money, _, _ = play(
        ["nnyn", "nnyy", "nnnn"], stage1__lone_award=3, stage1__ends_on_yes=False
    )
    assert stages[0]["pot"] == 1
    assert moved(stages[1]) == (NO, NO, NO)
    assert money.pot == 1


def test_n13_nothing_for_the_tied_while_the_others_pay():
    stages, money, _, _ = play(["nnnn", "ynyy", "nnnn"], tie="nothing")
    assert moved(stages[1]) == ([3, 0, 0, 0], NO, NO)
    assert money.pot == 4 + 3
    assert money.collected == NO


def test_n13_nothing_does_not_touch_a_single_winner():
    stages, _, _, _ = play(["yynn"], tie="nothing")
    assert moved(stages[0]) == ([0, 2, 0, 0], [2, 0, 0, 0], NO)


def test_n13_a_tie_for_second_place_is_no_tie():
    stages, _, _, _ = play(["nyyy"])
    assert moved(stages[0]) == ([0, 0, 2, 2], [0, 3, 0, 0], NO)


def test_n13_a_tie_at_stage_three_on_the_best_five_of_seven():
    hands = ["Ah Kd 9c 8s 5d 3h 2c", "Ac Ks 9d 8h 5c 4s 2h", *HANDS[2:]]
    hands[2:] = ["Qh Jd 7c 6s 4d 3c 2d", "Qc Js 7d 6h 4h 3d 2s"]
    stages, _, _, _ = play(["nnnn", "nnnn", "yyyn"], hands=hands)
    assert moved(stages[2]) == ([0, 0, 3, 0], [1, 1, 0, 0], NO)


def test_n14_whoever_said_no_last_neither_takes_nor_pays():
    """Seat 0 holds the aces but said No."""
    stages, money, _, _ = play(["nyyn"])
    assert moved(stages[0]) == ([0, 0, 2, 0], [0, 2, 0, 0], NO)
    assert money.net == [-1, 1, -3, -1]


# N15 to N18: winning


def test_n15_collected_is_gross_and_goes_on_from_deal_to_deal():
    stages, money, _, _ = play(["yynn"], collected=[1, 4, 0, 2])
    assert stages[0]["collected"] == money.collected == [3, 4, 0, 2]


def test_n16_a_showdown_of_five_wins_a_game_at_one_stroke():
    stages, money, _, _ = play(["yyyyy"], hands=[*HANDS, FIFTH], dealer=4, pot=2)
    assert stages[0]["taken"] == [5, 0, 0, 0, 0]
    assert stages[0]["pot"] == 2 + 5 + 8 - 5
    assert (money.winner, money.prize, money.pot) == (0, 10, 0)
    assert money.net == [-1 + 5 + 10, -3, -3, -3, -3]


def test_n16_the_rest_of_the_deal_is_not_played():
    stages, money, record, _ = play(["nnnn", "nnyn"], collected=[0, 0, 4, 0], pot=3)
    assert [stage["stage"] for stage in stages] == [1, 2]
    assert stages[1]["pot"] == 6
    assert (money.winner, money.prize) == (2, 6)
    assert {len(hand) for hand in record["cards"]} == {5}


def test_n16_one_short_of_the_target_goes_on():
    _, money, _, _ = play(["nnnn", "nnyn", "nnnn"], collected=[0, 0, 3, 0])
    assert (money.winner, money.prize, money.pot) == (None, 0, 3)


def test_n16_of_several_over_the_target_the_highest_count_wins():
    _, money, _, _ = play(["nnyy"], collected=[0, 0, 4, 5], target=5)
    assert money.winner == 3


@pytest.mark.parametrize(("dealer", "winner"), [(3, 2), (2, 3), (0, 2), (1, 2)])
def test_n16_and_then_the_one_nearest_eldest(dealer, winner):
    words = "".join("y" if (dealer + 1 + position) % 4 in (2, 3) else "n" for position in range(4))
    _, money, _, _ = play([words], dealer=dealer, collected=[0, 0, 4, 4])
    assert money.winner == winner


def test_n17_a_new_game_starts_with_nothing_and_a_finished_one_adds_up_to_zero():
    record = play_game(make_rules(), 5, KEY, 0, lambda _, view: view.strength > 0.8)
    first = record["deals"][0]
    assert first["pot_before"] == 0
    assert sum(first["stages"][0]["collected"]) == sum(first["stages"][0]["taken"])
    assert sum(record["net"]) == 0
    assert record["winner"] in range(5)


def test_n18_a_game_that_nobody_wins_is_truncated():
    record = play_game(make_rules(overrides={"max_deals": 3}), 4, KEY, 0, lambda *_: False)
    assert len(record["deals"]) == 3
    assert (record["winner"], record["truncated"]) == (None, True)
    assert "prize" not in record
    assert record["net"] == [-3, -3, -3, -3]
    assert record["deals"][-1]["stages"][-1]["pot"] == 12


def test_n18_a_win_in_the_last_deal_is_a_win():
    rules = make_rules(overrides={"max_deals": 1, "target": 1})
    record = play_game(rules, 4, KEY, 0, lambda _, view: view.position == 0)
    assert record["winner"] == (record["deals"][0]["dealer"] + 1) % 4
    assert (record["prize"], "truncated" in record) == (3, False)


# The preset tokens


def test_tokens_a_lone_yes_collects_tokens_and_moves_no_money():
    stages, money, _, _ = play(["nynn", "nnyn", "nnnn"], preset="tokens", stage2__lone_award=3)
    assert [moved(stage) for stage in stages] == [(NO, NO, NO)] * 3
    assert (money.pot, money.collected) == (4, [0, 1, 3, 0])


def test_tokens_losers_pay_the_winner_the_pot_as_a_side_bet():
    stages, money, _, _ = play(["yyyn", "nnnn", "nnnn"], preset="tokens", pot=6)
    assert moved(stages[0]) == (NO, NO, [20, -10, -10, 0])
    assert (money.pot, money.collected) == (10, NO)
    assert money.net == [19, -11, -11, -1]


def test_tokens_a_split_pays_each_of_the_tied_an_even_part_of_the_pot():
    stages, money, _, _ = play(["nnnn", "ynyy", "nnnn"], preset="tokens", pot=3)
    assert moved(stages[1]) == (NO, NO, [-6, 0, 3, 3])  # floor(7 / 2) to each
    assert money.pot == 7


def test_tokens_with_nothing_for_ties_no_money_moves():
    stages, _, _, _ = play(["nnnn", "ynyy", "nnnn"], preset="tokens", tie="nothing")
    assert moved(stages[1]) == (NO, NO, NO)


def test_tokens_all_three_stages_are_dealt_with_a_challenge_at_each():
    stages, _, _, _ = play(["nnnynnn", "nnnynnn", "nnnynnn"], preset="tokens")
    assert [len(stage["declarations"]) for stage in stages] == [7, 7, 7]


def test_tokens_the_prize_is_the_pot_of_antes():
    stages, money, _, _ = play(["nnnn", "ynnn"], preset="tokens", pot=8, collected=[4, 0, 0, 0])
    assert len(stages) == 2
    assert (money.winner, money.prize, money.net) == (0, 12, [11, -1, -1, -1])


# What a player is shown


def test_a_view_shows_what_a_player_knows():
    _, _, _, views = play(
        ["nnnn", "ynny", "nynn"], dealer=1, pot=2, collected=[1, 0, 3, 2], number=6, target=9
    )
    seat, view = views[9]  # the second to speak at stage 3, after seat 2
    assert (seat, view.n, view.stage, view.position, view.turn) == (3, 4, 3, 1, 1)
    hand = cards_of(HANDS[3])
    assert (view.cards, view.count) == (tuple(hand), 7)
    assert view.strength == strength(3, hand)
    assert (view.strength1, view.strength2) == (strength(1, hand[:2]), strength(2, hand[:5]))
    assert (view.high, view.low, view.pair) == (7, 5, False)
    assert (view.yes, view.spoken, view.said) == (0, 1, 0)
    # seats 2 and 1 spoke first and last at stage 2; seat 2's low won 2 stakes, seat 1 paid 2
    assert (view.said1, view.said2) == (0, 0b1001)
    assert (view.pot, view.target, view.deal) == (2 + 4 + 2 - 2, 9, 6)
    assert (view.collected, view.best_other) == (2, 5)
    assert view.counts == (5, 2, 1, 0, 0, 0, 0)
    assert view.random == uniforms(KEY, 0, 6, call_number(3, 1, 1))[0]
    _, leader = views[8]
    assert (leader.position, leader.collected, leader.best_other) == (0, 5, 2)


def test_a_view_shows_no_card_and_no_strength_of_stages_to_come():
    _, _, _, views = play(["nnnn", "nnnn", "nnnn"])
    _, first = views[0]
    assert first.cards == (*cards_of("Ah Ad"), -1, -1, -1, -1, -1)
    assert (first.count, first.pair, first.strength1, first.strength2) == (2, True, 0, 0)
    assert first.strength == strength(1, cards_of("Ah Ad"))
    _, second = views[4]
    assert second.cards[5:] == (-1, -1)
    assert (second.strength1, second.strength2) == (first.strength, 0)


def test_second_words_have_random_numbers_of_their_own():
    calls = [call_number(s, t, p) for s in (1, 2, 3) for t in (1, 2) for p in range(7)]
    assert len(set(calls)) == len(calls)
    assert max(calls) < 64


class Says:
    def __init__(self, function):
        self.answer = function


def test_a_strategy_says_yes_where_the_coin_falls_below_its_answer():
    rules = make_rules("tokens", {"max_deals": 4, "target": 1_000})
    said = []

    def answer(view):
        said.append((view, coin(KEY, 9, view) < 0.3))
        return 0.3

    record = play_game(rules, 4, KEY, 9, by_answer([Says(answer)] * 4, KEY, 9))
    stages = [stage for deal in record["deals"] for stage in deal["stages"]]
    words = [word for stage in stages for _, word in stage["declarations"]]
    assert words == ["yes" if yes else "no" for _, yes in said]
    assert len({view.random for view, _ in said} | {coin(KEY, 9, view) for view, _ in said}) == (
        2 * len(said)
    )
    always = play_game(rules, 4, KEY, 9, by_answer([Says(lambda _: 1.0)] * 4, KEY, 9))
    assert all(word == "yes" for _, word in always["deals"][0]["stages"][0]["declarations"])


# Any game at all

changes = st.fixed_dictionaries(
    {},
    optional={
        "stage1.ends_on_yes": st.booleans(),
        "stage2.ends_on_yes": st.booleans(),
        "stage1.challenge": st.booleans(),
        "stage2.challenge": st.booleans(),
        "stage3.challenge": st.booleans(),
        "stage1.lone_award": st.integers(1, 52),
        "stage3.lone_award": st.integers(1, 3),
        "stage1.penalty": st.integers(0, 52) | st.just("declarers"),
        "stage2.penalty": st.integers(0, 3) | st.just("declarers"),
        "stage3.penalty": st.just(0),
        "tie": st.sampled_from(["split", "nothing"]),
        "wheel": st.booleans(),
        "target": st.integers(1, 30),
    },
)


@settings(max_examples=150, deadline=None)
@given(
    preset=st.sampled_from(sorted(PRESETS)),
    changes=changes,
    n=st.integers(4, 7),
    game=st.integers(0, 2**63 - 1),
    bold=st.floats(0, 1),
)
def test_money_is_conserved_in_every_game(preset, changes, n, game, bold):
    rules = make_rules(preset, {"max_deals": 12, **changes})
    record = play_game(rules, n, KEY, game, by_answer([Says(lambda _: bold)] * n, KEY, game))
    pot, net, collected = 0, [0] * n, [0] * n
    for deal in record["deals"]:
        assert deal["pot_before"] == pot
        pot += n
        net = [amount - 1 for amount in net]
        for stage in deal["stages"]:
            paid, taken, side = moved(stage)
            pot += sum(paid) - sum(taken)
            assert stage["pot"] == pot >= 0
            assert sum(side) == 0
            assert min(paid + taken) >= 0
            net = [a + t + s - p for a, t, s, p in zip(net, taken, side, paid, strict=True)]
            assert all(b >= a for a, b in zip(collected, stage["collected"], strict=True))
            collected = stage["collected"]
    if record["winner"] is None:
        assert sum(record["net"]) + pot == 0
        assert record["net"] == net
        assert len(record["deals"]) == rules.max_deals
        assert max(collected) < rules.target
    else:
        net[record["winner"]] += record["prize"]
        assert record["prize"] == pot
        assert record["net"] == net
        assert sum(net) == 0
        assert collected[record["winner"]] == max(collected) >= rules.target
