"""Advice for Napalm: right where the truth can be counted, and as sure as it says it is."""

import itertools

import numpy as np
import pytest

import simulate
from simulate import InputError, NapalmSpot, advise, executors
from simulate.cards import NAPALM_RANKS, parse_cards
from simulate.napalm.ranking import hand_class, strength

ONE_DEAL = {"max_deals": 1}
PAIRS = list(itertools.combinations(range(52), 2))


def against_one(own, weight, win=2.0, lose=-2.0, tie=1.0):
    """Count what Yes brings against one other Yes, over every hand the other may hold."""
    hand = parse_cards(own, NAPALM_RANKS)
    mine, total, value = hand_class(1, hand), 0.0, 0.0
    for other in PAIRS:
        if set(other) & set(hand):
            continue
        w, his = weight(other), hand_class(1, other)
        total += w
        value += w * (win if mine > his else lose if mine < his else tie)
    return value / total


SPOTS = {
    "nothing is known": ("always", lambda hand: 1.0),
    "a pair": ("pair", lambda hand: float(hand[0] // 4 == hand[1] // 4)),
    "a bluff now and then": ("bluffer:bluff=0.1", lambda h: 1.0 if strength(1, h) >= 0.75 else 0.1),
}


@pytest.mark.parametrize("name", SPOTS)
@pytest.mark.parametrize("cards", ["Ah Kd", "2c 2d", "9h 3s"])
def test_a_showdown_with_one_other_brings_what_counting_all_his_hands_gives(name, cards):
    spec, weight = SPOTS[name]
    spot = NapalmSpot(4, 3, cards, heard="yes,no,no", rules=ONE_DEAL)
    advice = advise(spot, field=[spec, "never", "never"], precision=0.02)
    yes, no = advice.choices
    right = against_one(cards, weight)
    assert abs(yes.values["net"].value - right) <= 4 * yes.values["net"].error
    assert yes.values["net"].margin <= 0.021
    assert no.values["net"][:4] == (0.0, 0.0, 0.0, 0.0)
    assert yes.values["wins"].value == 0.0
    assert advice.choices[advice.best].name == ("yes" if right > 0 else "no")


def test_a_lone_yes_that_reaches_the_target_takes_the_pot_for_certain():
    cards = "2c 3d 7h 9s Jc Kd 2h"
    spot = NapalmSpot(
        5, 4, cards, heard=["no"] * 4, stage=3, stage2=["no"] * 5, pot=23, collected="0,1,2,3,4"
    )
    advice = advise(spot, field="tight")
    yes, no = advice.choices
    assert (yes.values["net"].value, yes.values["net"].error) == (23.0, 0.0)
    assert (yes.values["wins"].value, yes.values["wins"].error) == (1.0, 0.0)
    assert advice.decided
    assert advice.choices[advice.best].name == "yes"
    assert advice.cost("no").value > 0
    assert advice.cost("yes").value == 0
    assert no.values["wins"].value < 1


def test_a_lone_yes_of_the_dealer_takes_one_stake_and_that_is_all():
    spot = NapalmSpot(
        5, 4, "2c 3d 7h 9s Jc", heard=["no"] * 4, stage=2, pot=8,
        rules={"max_deals": 1, "stage2.ends_on_yes": True},
    )  # fmt: skip
    advice = advise(spot, field="never", own="never", games=1000)
    assert [choice.values["net"].value for choice in advice.choices] == [1.0, 0.0]
    assert advice.cost("no")[:4] == (1.0, 1.0, 1.0, 0.0)


def test_choices_that_come_to_the_same_are_not_told_apart():
    """Nobody wins a game that is given up after this deal."""
    spot = NapalmSpot(4, 0, "Ah Ad", rules={"max_deals": 1, "stage1.penalty": 0, "tie": "nothing"})
    advice = advise(spot, field="never", own="never", measure="wins", games=2000)
    assert not advice.decided
    assert [choice.values["wins"].value for choice in advice.choices] == [0.0, 0.0]
    assert "they come to the same" in advice.sentence


def test_who_won_a_showdown_before_tells_of_his_hand():
    """At stage 2 two said Yes; whose hand was the lower one changes what they hold at stage 3."""
    spot = {"players": 4, "position": 3, "cards": "2c 3d 7h 9s Jc Kd 2h", "stage": 3, "pot": 9}
    spot["collected"] = "2,2,0,0"
    heard = {"heard": "no,yes,no", "stage2": "yes,yes,no,no", "rules": ONE_DEAL}
    field, values = ["random", "random", "never"], []
    for won in ("0", "1", None):
        advice = advise(
            NapalmSpot(**spot, **heard, won2=won), field=field, precision=0.02, games=100_000
        )
        values.append(advice.choices[0].values["net"])
    lost_low, won_low, unknown = values  # of position 1, the one to beat
    assert lost_low.high < unknown.low < unknown.high < won_low.low


def test_the_same_seed_gives_the_same_advice_and_another_one_within_the_error():
    spot = NapalmSpot(5, 1, "Qh Jd", heard="no", pot=12, collected="1,0,3,0,0")
    first, again = advise(spot, seed=3), advise(spot, seed=3)
    assert first == again
    other = advise(spot, seed=4)
    assert other != first
    for a, b in zip(first.choices, other.choices, strict=True):
        for measure in ("net", "wins"):
            x, y = a.values[measure], b.values[measure]
            assert abs(x.value - y.value) < 5 * np.hypot(x.error, y.error)


def test_any_number_of_processors_gives_the_same_advice(monkeypatch):
    found = []
    for number in (1, 2, 5):
        monkeypatch.setattr(executors, "processors", lambda number=number: number)
        found.append(
            advise(NapalmSpot(5, 2, "Ah Kd", heard="yes,no"), field="tight", precision=0.3)
        )
    assert found[0] == found[1] == found[2]
    assert found[0].samples > 5_000


def test_advice_agrees_with_the_conditional_means_of_a_run():
    """The first word of eldest, over all his hands, is worth what a whole run gives him there."""
    field = ["threshold:stage1=0.7"] * 5
    results = simulate.records(*simulate.configure("napalm", strategies=field, games=4000, seed=8))
    net, weights = [], []
    for record in results:
        dealer = record["deals"][0]["dealer"]
        eldest = (dealer + 1) % 5
        cards = record["deals"][0]["cards"][eldest][:2]
        if strength(1, parse_cards(cards, NAPALM_RANKS)) >= 0.98:  # tens and higher pairs
            net.append(record["net"][eldest] + 1)  # the ante has been paid
            weights.append(" ".join(sorted(cards)))
    values = [
        advise(
            NapalmSpot(5, 0, f"{rank}h {rank}d"), field="threshold:stage1=0.7", precision=0.1
        ).choices[0].values["net"].value
        for rank in "TJQKA"
    ]  # fmt: skip
    mean, error = np.mean(net), np.std(net) / np.sqrt(len(net))
    assert len(net) > 60
    assert abs(mean - np.mean(values)) < 4 * error


def test_intervals_cover_the_truth_as_often_as_they_say():
    spot = NapalmSpot(4, 3, "Ah 9d", heard="yes,no,no", rules=ONE_DEAL)
    spec, weight = SPOTS["a bluff now and then"]
    right = against_one("Ah 9d", weight)
    for kwargs in ({}, {"precision": 0.1}):
        covered = {"net": 0, "behind": 0}
        for seed in range(300):
            advice = advise(spot, field=[spec, "never", "never"], seed=seed, **kwargs)
            net, behind = advice.choices[0].values["net"], advice.choices[1 - advice.best].behind
            covered["net"] += net.low <= right <= net.high
            truth = abs(right) if (right > 0) == (advice.best == 0) else -abs(right)
            covered["behind"] += behind.low <= truth <= behind.high
        for count in covered.values():
            assert count >= 300 * 0.95 - 4 * (300 * 0.05 * 0.95) ** 0.5


def test_slips_make_every_word_possible_and_weigh_by_how_often_they_happen():
    """A field of which one in five words is wrong: a Yes may come without a pair."""
    spot = NapalmSpot(4, 3, "9h 3s", heard="yes,no,no", rules=ONE_DEAL)
    field = ["pair", "never", "never"]
    right = against_one("9h 3s", lambda hand: 0.8 if hand[0] // 4 == hand[1] // 4 else 0.2)
    net = advise(spot, field=field, slip=0.2, precision=0.02).choice("yes").values["net"]
    assert abs(net.value - right) < 4 * net.error
    with pytest.raises(InputError, match="agree with what was heard"):
        advise(NapalmSpot(5, 2, "Ah Kd", heard="no,no"), field="always")
    assert advise(NapalmSpot(5, 2, "Ah Kd", heard="no,no"), field="always", slip=0.01).effective


BAD = [
    ({"cards": "Ah Ah"}, "given twice"),
    ({"cards": "Ah"}, "1 card: "),
    ({"cards": "Ah Kd 2c 3c 4c 5c 6c"}, "7 cards: at stage 1"),
    ({"cards": [1, 52]}, "52"),
    ({"players": 8}, "4 to 7"),
    ({"position": 5}, "0 to 4"),
    ({"heard": "yes"}, "speaks after 2"),
    ({"heard": "yes,no,no"}, "position 2 has not spoken yet"),
    ({"heard": "yes,maybe"}, "'maybe' is no word"),
    ({"heard": "no,no,no,no,no"}, "alone has said Yes"),
    ({"heard": "no,no,no,no,yes"}, "2 second ones"),
    ({"heard": "no,no,no,no,yes,no,no,no"}, "2 second ones"),
    ({"position": 4, "heard": "no,no,no,no,yes"}, "does not answer himself"),
    ({"collected": "0,0,5,0,0"}, "collected 5 in position 2 has won"),
    ({"collected": "0,0,0,0,0,0,0"}, "7 counts: there are 5 players"),
    ({"pot": 4}, "at least 5"),
    ({"stage": 2, "cards": "Ah Kd 2c 3c 4c", "stage1": "no,yes,no,no,no"}, "ends the deal"),
    ({"stage": 2, "cards": "Ah Kd 2c 3c 4c", "stage1": "no,no"}, "5 are spoken"),
    ({"stage": 3, "cards": "Ah Kd 2c 3c 4c 5c 6c"}, "words at stage 2 are missing"),
    ({"stage1": "no,no,no,no,no"}, "the deal is at stage 1"),
    ({"deal": 1000}, "0 to 999"),
    ({"rules": {"target": 0}}, "target"),
    ({"rules": 7}, "allowed is a preset"),
    ({"position": None}, "position is missing"),
    ({"cards": 5}, "cards 5: cards are wanted"),
    ({"collected": 3}, "collected 3: several whole numbers"),
    ({"collected": "2,1,0,3,0"}, "say what is in it now with pot"),
    ({"deal": 5}, "deal 5: say what is in the pot"),
]


@pytest.mark.parametrize(("wrong", "message"), BAD)
def test_what_cannot_be_is_refused_in_one_line(wrong, message):
    spot = {"players": 5, "position": 2, "cards": "Ah Kd", "heard": "no,no", **wrong}
    with pytest.raises(InputError, match=message) as caught:
        NapalmSpot(**spot)
    assert "\n" not in str(caught.value)


LATE = {"position": 0, "stage": 3, "cards": "2c 7d 4h 9s Jc Jd 2h"}
DERIVED = [
    ({"stage2": "no,no,no,no,no"}, 5, (0, 0, 0, 0, 0)),
    ({"stage2": "no,no,yes,no,no"}, 4, (0, 0, 1, 0, 0)),
    ({"stage2": "no,no,yes,no,no", "pot": 9}, 9, (0, 0, 1, 0, 0)),
    ({"stage2": "yes,no,yes,no,no", "won2": 2}, 5, (0, 0, 2, 0, 0)),
    ({"stage2": "yes,no,yes,no,yes", "won2": 4}, 8, (0, 0, 0, 0, 3)),
    ({"stage2": "yes,no,yes,no,yes", "won2": "0,4"}, 6, (1, 0, 0, 0, 1)),
    ({"stage2": "no,no,yes,no,no", "rules": {"stage2.lone_award": 3}}, 2, (0, 0, 3, 0, 0)),
    ({"stage1": "no,no,no,no,no", "stage2": "yes,no,no,no,no", "rules": "tokens"},
     5, (1, 0, 0, 0, 0)),
]  # fmt: skip


@pytest.mark.parametrize(("words", "pot", "collected"), DERIVED)
def test_pot_and_counts_follow_from_the_words_of_this_deal(words, pot, collected):
    spot = NapalmSpot(**LATE, **words)
    assert (spot.pot, spot.collected) == (pot, collected)
    assert spot.money_before()[1][0] == [0] * 5
    assert spot.money_before()[0][0] == (9 + 1 if words.get("pot") else 5)


UNLIKELY = [
    ({"stage2": "yes,no,yes,no,no"}, "0 and 2 compared hands at stage 2: say whose was the best"),
    ({"stage2": "yes,no,yes,no,no", "pot": 5, "collected": "0,0,0,0,0"}, "one of them has taken"),
    ({"stage2": "yes,no,yes,no,no", "won2": 2, "collected": "2,0,0,0,0", "pot": 5},
     "collected 0 in position 2: he has taken 2"),
    ({"stage2": "no,no,yes,no,no", "pot": 3}, "it holds at least 4 now"),
    ({"stage2": "no,no,yes,no,no", "collected": "0,0,0,0,0", "pot": 9}, "he has taken 1"),
    ({"stage2": "yes,yes,yes,yes,yes", "won2": 1}, "collected 5 in position 1 has won"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "message"), UNLIKELY)
def test_a_table_that_the_words_cannot_have_left_is_refused(words, message):
    with pytest.raises(InputError, match=message) as caught:
        NapalmSpot(**LATE, **words)
    assert "\n" not in str(caught.value)


def test_five_players_sit_at_a_table_where_nothing_is_said_of_it():
    assert NapalmSpot(position=1, cards="AhKd", heard="no").players == 5


WRONG = [
    ({"field": 7}, "field 7: strategies are wanted"),
    ({"field": ["tight", "tight"]}, "field names 2 strategies"),
    ({"field": "tihgt"}, "did you mean 'tight'"),
    ({"own": "tight*2"}, "own names 2"),
    ({"measure": "score"}, "allowed: net, wins"),
    ({"precision": 0}, "above 0"),
    ({"precision": "much"}, "not a number"),
    ({"slip": 0.6}, "from 0 to 0.5"),
    ({"slip": "often"}, "not a number"),
    ({"games": 10}, ">=|from 1000"),
    ({"seed": -1}, "seed"),
    ({"field": ["always", "never", "never", "never"]}, "agree with what was heard"),
]


@pytest.mark.parametrize(("wrong", "message"), WRONG)
def test_what_cannot_be_asked_is_refused(wrong, message):
    spot = NapalmSpot(5, 2, "Ah Kd", heard="no,no")
    with pytest.raises(InputError, match=message):
        advise(spot, **wrong)
