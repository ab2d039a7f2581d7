"""A game of Noddy taken up in its middle goes on as the plain reference plays it."""

from functools import cache

import numpy as np
import pytest
from noddy_players import player

from simulate.cards import NODDY_RANKS, parse_cards
from simulate.noddy import batch, samples
from simulate.noddy.adviser import start_of
from simulate.noddy.record import Moves
from simulate.noddy.reference import by_value, play_game
from simulate.noddy.rules import make_rules
from simulate.noddy.spot import NoddySpot
from simulate.rng import deal_deck, fold_seed

SEED = 2**66 + 3
WAITS = "weighed:hold=1000,chance=1"
LINE_UPS = {  # with the number of games, and of last choices in each, that are looked at
    "two": (["everything", "weighed"], "lay", {"max_deals": 3}, 16, 9),
    "three": (
        ["everything:salt=2", "weighed:size=9", "everything"],
        "hold",
        {"turned_jack": 9},
        6,
        9,
    ),
    "under": (["everything:wild=1", WAITS, "weighed"], "hold", {"turn_up_drawn": False}, 4, 9),
    "four": (["everything", WAITS, "everything:salt=3", WAITS], "hold", {"target": 62}, 3, 6),
    "passing": ([WAITS] * 4, "hold", {"target": 500, "max_deals": 1}, 1, 3),
}


@cache
def company_of(name, first):
    specs, preset, changes, *_ = LINE_UPS[name]
    line_up = [player(spec) for spec in specs]
    return samples.gather(make_rules(preset, changes), line_up[first:] + line_up[:first], SEED)


def asked_of(record, rules, n, key, game):
    """List every choice of a recorded game: what was seen, and the options."""
    found, moves = [], Moves(record["deals"])

    def choose(seat, view, options):
        found.append((view, options))
        return moves(seat, view, options)

    play_game(rules, n, key, game, choose)
    return found


def hands_at(record, rules, deal, turn):
    """Follow a recorded deal up to a turn: hands by position, what was drawn and who passed."""
    deck = np.zeros(52, np.int64)
    deal_deck(fold_seed(SEED), record["index"], deal, deck)
    played, n = record["deals"][deal], len(record["seats"])
    order = [(played["dealer"] + 1 + position) % n for position in range(n)]
    hands = {seat: {int(card) for card in deck[position : 3 * n : n]} for position, seat in
             enumerate(order)}  # fmt: skip
    stock = [int(card) for card in deck[3 * n + 1 :]]
    stock += [int(deck[3 * n])] * rules.turn_up_drawn
    passes, laid = 0, set()
    for done in played["turns"][:turn]:
        passes = passes + 1 if done["do"] == "pass" else 0
        gone = set(parse_cards(done.get("cards", []), NODDY_RANKS))
        laid |= gone
        hands[done["seat"]] -= gone
        for _ in done["drew"]:
            hands[done["seat"]].add(stock.pop(0))
    return order, [hands[seat] for seat in order], stock, laid, passes


@pytest.mark.parametrize("name", LINE_UPS)
def test_every_option_leads_where_the_reference_gets_with_the_same_cards(name):
    specs, preset, changes, games, last = LINE_UPS[name]
    rules, n, key = make_rules(preset, changes), len(specs), fold_seed(SEED)
    line_up = [player(spec) for spec in specs]
    job = batch.prepare(rules, line_up, SEED, fixed_seats=True)
    compared = passed = 0
    for game, record in enumerate(batch.record(job, 0, games)):
        record = {"seats": specs, "index": game, **record}
        for view, options in asked_of(record, rules, n, key, game)[-last:]:
            order, hands, stock, laid, passes = hands_at(record, rules, view.deal, view.turn)
            company = company_of(name, order[0])
            spot = NoddySpot(
                n, view.position, sorted(hands[view.position]), view.turn_up,
                scores=view.scores[:n], laid=sorted(laid), sizes=[len(hand) for hand in hands],
                passes=passes, turn=view.turn, deal=view.deal, rules=rules,
            )  # fmt: skip
            assert spot.options() == options
            assert spot.stock == view.stock
            start = start_of(spot, company)
            cards = samples.Cards(
                np.array([game]), np.zeros((1, 4), np.int64), np.zeros((1, 52), np.int64)
            )
            cards.hands[0, :n] = [sum(1 << card for card in hand) for hand in hands]
            below = [card for card in stock if card != view.turn_up]
            cards.stock[0, : len(below)] = below
            for index in {0, 1, 2, len(options) - 1} & set(range(len(options))):
                answer = by_value(line_up, key, game)

                def choose(seat, seen, offered, view=view, index=index, answer=answer):
                    if (seen.deal, seen.turn) == (view.deal, view.turn):
                        return index
                    return answer(seat, seen, offered)

                other = play_game(rules, n, key, game, choose)
                ends = samples.play(company, start, passes, index, cards)
                seat = other["winner"]
                assert ends.winner[0] == (-1 if seat is None else order.index(seat))
                assert ends.scores[0, :n].tolist() == [other["scores"][seat] for seat in order]
                turns = [0] * n
                for number, deal in enumerate(other["deals"][view.deal :]):
                    for turn in deal["turns"][0 if number else view.turn :]:
                        turns[order.index(turn["seat"])] += 1
                assert ends.turns[0, :n].tolist() == turns
                compared += 1
                passed += passes
    assert compared >= 9
    assert passed or name != "passing"
