"""Advice for Noddy: right where all orders of the cards can be played, and fair to what is seen."""

import itertools
import random

import numpy as np
import pytest

from simulate import InputError, NoddySpot, advise
from simulate.cards import NODDY_RANKS, cards_text, parse_cards
from simulate.noddy import samples
from simulate.noddy.adviser import known_cards, start_of
from simulate.noddy.reference import Deal, Race, by_value, lays
from simulate.noddy.rules import make_rules
from simulate.rng import fold_seed
from strategies import load


def late_spot(seed, rules):
    """Make up a spot late in a deal of two: five cards have not been seen."""
    deck = random.Random(seed).sample(range(52), 52)
    deck.sort(key=lambda card: card >> 2 == 10)  # no jack is turned up
    turn_up, hand, unseen, laid = deck[0], deck[1:5], deck[5:10], deck[10:]
    scores = [random.Random(seed + 1).randint(12, 30) for _ in range(2)]
    spot = NoddySpot(
        2, 0, hand, turn_up, scores=scores, laid=laid, sizes=[4, 3], bare=[0, 0], rules=rules
    )
    return spot, unseen


def every_order(spot, unseen, strategies):
    """Play every order of the unseen cards, after each option, in plain Python."""
    key, found = fold_seed(1), []
    for index in range(len(spot.options())):
        wins, points = [], []
        for order in itertools.permutations(unseen):
            race = Race(scores=list(spot.scores))
            hands = [list(spot.cards), list(order[:3])]
            stock = [*order[3:], spot.turn_up]
            deal = Deal(spot.rules, race, 0, 1, hands, spot.turn_up, stock, list(spot.laid))
            answer, asked = by_value(strategies, key, 0), []

            def choose(seat, view, options, answer=answer, asked=asked, index=index):
                asked.append(seat)
                return index if len(asked) == 1 else answer(seat, view, options)

            deal.play(choose)
            wins.append(race.winner == 0)
            points.append(race.scores[0] - spot.scores[0])
        found.append((np.mean(wins), np.mean(points)))
    return found


@pytest.mark.parametrize("preset", ["lay", "hold"])
def test_late_in_a_deal_every_option_is_worth_what_playing_all_orders_gives(preset):
    rules = make_rules(preset, {"max_deals": 1})
    strategies = [load("highest", "noddy"), load("keeper", "noddy")]
    looked_at = 0
    for seed in range(40):
        spot, unseen = late_spot(seed, rules)
        if not 2 <= len(spot.options()) <= 6:
            continue
        right = every_order(spot, unseen, strategies)
        advice = advise(spot, field="keeper", own="highest", precision=0.01, games=20_000)
        for choice, (wins, points) in zip(advice.choices, right, strict=True):
            for value, truth in ((choice.values["wins"], wins), (choice.values["score"], points)):
                assert abs(value.value - truth) <= 5 * value.error + 1e-9, (seed, choice.name)
        best = max(wins for wins, _ in right)
        assert right[advice.best][0] >= best - 0.02
        looked_at += 1
    assert looked_at >= 10


def test_a_lay_that_wins_now_is_certain():
    advice = advise(NoddySpot(2, 1, "5h Jd 9c", "7h", scores="20,20", rules="hold"))
    lay, draw = advice.choices
    assert lay.name == "lay fifteen 5h Jd"
    assert (lay.values["wins"].value, lay.values["wins"].error) == (1.0, 0.0)
    assert lay.values["turns"].value == 1.0
    assert advice.best == 0
    assert advice.cost("draw").low > 0
    assert draw.values["wins"].high < 1


def test_a_lone_option_is_no_choice():
    advice = advise(NoddySpot(2, 0, "5h Jd 2c", "7h"))
    assert [choice.name for choice in advice.choices] == ["lay fifteen 5h Jd"]
    assert "there is no choice" in advice.sentence


def dealt(spot, number=20_000):
    company = samples.gather(spot.rules, [load("highest", "noddy")] * spot.players, 3)
    start = start_of(spot, company)
    games = np.arange(number)
    return samples.draw(company, start, known_cards(spot), spot.bare, games)


def test_unseen_cards_are_everywhere_equally_often_and_seen_ones_nowhere():
    spot = NoddySpot(
        3, 1, "5h Jd 9c 2d", "7h", laid="8c 7c 6h 6s", scores="2,0,15", sizes="5,4,3", rules="hold"
    )
    weights, cards = dealt(spot)
    assert weights.all()
    unseen = [c for c in range(52) if not known_cards(spot) >> c & 1]
    assert len(unseen) == 52 - 4 - 4 - 1
    for seat, size in ((0, 5), (2, 3)):
        held = np.array([(cards.hands[:, seat] >> card & 1).sum() for card in range(52)])
        assert held.sum() == size * len(weights)
        assert not held[[c for c in range(52) if c not in unseen]].any()
        expected = size * len(weights) / len(unseen)
        assert ((held[unseen] - expected) ** 2 / expected).sum() < 80  # 42 degrees, less than full
    assert (cards.hands[:, 1] == sum(1 << card for card in spot.cards)).all()
    below = cards.stock[:, : spot.stock - 1]
    assert all(len(set(row)) == len(row) for row in below[:50].tolist())
    first = np.bincount(below[:, 0], minlength=52)
    assert ((first[unseen] - len(weights) / len(unseen)) ** 2).sum() * len(unseen) < 80 * len(
        weights
    )


def test_whoever_must_lay_and_drew_holds_no_combination_but_for_his_last_card():
    spot = NoddySpot(2, 0, "5h Jd 9c", "7h", laid="8c 8d", scores="2,0", sizes="3,5", rules="lay")
    assert spot.bare == (0, 4)
    weights, cards = dealt(spot, 30_000)
    # In plain Python: five cards of which the first four hold nothing.
    draw, unseen = random.Random(1), [c for c in range(52) if not known_cards(spot) >> c & 1]
    trump, held, kept = spot.turn_up % 4, np.zeros(52), 0
    for _ in range(6_000):
        hand = draw.sample(unseen, 5)
        if next(lays(hand[:4], trump, spot.rules), None) is None:
            held[hand] += 1
            kept += 1
    share = weights.mean()
    assert abs(share - kept / 6_000) < 5 * (share * (1 - share) / 6_000) ** 0.5
    fit = cards.hands[weights > 0, 1]
    for rank in range(13):
        counted = [sum((fit >> card & 1).sum() for card in range(4 * rank, 4 * rank + 4)), len(fit)]
        other = [held[4 * rank : 4 * rank + 4].sum(), kept]
        p, q = counted[0] / counted[1], other[0] / other[1]
        assert abs(p - q) < 5 * (1.3 * q / kept) ** 0.5


def test_a_turn_up_that_was_drawn_is_in_a_hand():
    deck = [card for card in range(52) if card not in parse_cards("5h 2d 7h", NODDY_RANKS)]
    laid = deck[:48]
    rules = {"preset": "hold", "max_deals": 1}
    spot = NoddySpot(2, 0, "5h 2d", "7h", laid=laid, scores="20,20", sizes="2,2", rules=rules)
    assert spot.stock == 0
    assert [option.kind for option in spot.options()] == [12]  # pass
    _, cards = dealt(spot, 100)
    assert (
        cards.hands[:, 1] == sum(1 << c for c in [*deck[48:], *parse_cards("7h", NODDY_RANKS)])
    ).all()


BAD = [
    ({"cards": "5h 5h"}, "given twice"),
    ({"cards": ""}, "no cards"),
    ({"cards": "5h Jd 1c"}, "'1c' is not a rank"),
    ({"players": 5}, "2 to 4"),
    ({"position": 2}, "0 to 1"),
    ({"turn_up": "7h 8h"}, "one is turned up"),
    ({"turn_up": "5h"}, "is in hand as well"),
    ({"laid": "5h 5c"}, "is in hand, and laid as well"),
    ({"laid": "7h 7c", "scores": "2,0", "sizes": "3,3"}, "is laid as well"),
    ({"scores": "31,0"}, "score 31 in position 0 has won"),
    ({"scores": "1,2,3"}, "3 numbers: there are 2 players"),
    ({"sizes": "3"}, "1 numbers"),
    ({"sizes": "4,3"}, "3 are named"),
    ({"sizes": "3,50"}, "a deck has 52"),
    ({"passes": 1}, "nobody passes while"),
    ({"turn": 1}, "that of position 1"),
    ({"bare": "0,9"}, "more than the 3 cards"),
    ({"deal": -1}, "deal"),
    ({"rules": "stakes"}, "allowed: lay, hold"),
    ({"cards": None}, "cards is missing"),
    ({"turn_up": None}, "turn_up is missing"),
    ({"cards": 5}, "card 5: cards are wanted"),
    ({"deal": 2}, "scores are missing: this is deal 2"),
    ({"laid": "8c 8d"}, "scores are missing: cards have been laid"),
    ({"laid": "8c 8d", "scores": "0,0", "sizes": "3,3"}, "brought at least 2 points"),
    ({"laid": "8c 9d", "scores": "9,9", "sizes": "3,3"}, "not made up of combinations"),
    ({"laid": "8c 8d", "scores": "0,2"}, "sizes are missing"),
    ({"turn_up": "Jh", "cards": "5h 9d 2c", "scores": "0,0"}, "the jack turned up has brought"),
    ({"sizes": "3,5"}, "nothing has been laid, so everybody has drawn"),
    ({"cards": "7d 9d", "sizes": "2,3"}, "fewer than 3 are held only when the stock is empty"),
    ({"turn": 2}, "it is turn 0"),
    ({"bare": "3,0"}, "his own cards are named, and hold a combination"),
]


@pytest.mark.parametrize(("wrong", "message"), BAD)
def test_what_cannot_be_is_refused_in_one_line(wrong, message):
    spot = {"players": 2, "position": 0, "cards": "5h Jd 2c", "turn_up": "7h", **wrong}
    with pytest.raises(InputError, match=message) as caught:
        NoddySpot(**spot)
    assert "\n" not in str(caught.value)


def test_too_many_cards_to_hold_without_a_combination_are_refused():
    hand = cards_text([0, 4, 8], NODDY_RANKS)
    spot = NoddySpot(2, 0, hand, "7h", laid="8c 8d", scores="2,0", sizes="3,20")
    with pytest.raises(InputError, match="agree with what was seen"):
        advise(spot)


DERIVED = [
    ({"position": 1}, (0, 0), (4, 3), 1),
    ({"position": 0, "cards": "5h Jd 2c 9d"}, (0, 0), (4, 4), 2),
    ({"position": 1, "cards": "5h 9d 2c 8d", "turn_up": "Jh"}, (2, 0), (5, 4), 3),
    ({"players": 3, "position": 1, "turn_up": "Jh", "cards": "5h 9d 2c"}, (2, 2, 0), (4, 3, 3), 1),
    ({"laid": "8c 8d", "scores": "0,2", "sizes": "3,3"}, (0, 2), (3, 3), 2),
]


@pytest.mark.parametrize(("given", "scores", "sizes", "turn"), DERIVED)
def test_what_a_first_deal_has_brought_follows_where_nothing_was_laid(given, scores, sizes, turn):
    spot = NoddySpot(**{"position": 0, "cards": "5h Jd 2c", "turn_up": "7h", **given})
    assert (spot.scores, spot.sizes, spot.turn) == (scores, sizes, turn)
