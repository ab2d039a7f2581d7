"""A game taken up in its middle goes on as the plain reference plays it."""

from functools import cache
from itertools import islice

import numpy as np
import pytest
from napalm_players import player
from sizes import size

from simulate.napalm import batch, samples
from simulate.napalm.games import NOBODY
from simulate.napalm.onward import UNSEEN, State
from simulate.napalm.record import recorded_words
from simulate.napalm.reference import by_answer, play_game
from simulate.napalm.rules import make_rules
from simulate.napalm.table import NOT_CHALLENGED
from simulate.rng import deal_deck, fold_seed

YES = {"yes": 1, "no": 0}


@cache
def company_of(rules, specs):
    return samples.gather(rules, [player(spec) for spec in specs])


def bits(words, order):
    return sum(YES[word] << order.index(seat) for seat, word in words)


def states(record, n):
    """Yield every word of a recorded game: the state before it, and what each had gained so far."""
    gained = [0] * n
    counts = [0] * n
    for number, deal in enumerate(record["deals"]):
        order = [(deal["dealer"] + 1 + position) % n for position in range(n)]
        gained = [net - 1 for net in gained]
        pots = np.zeros(3, np.int64)
        collected = np.zeros((3, n), np.int64)
        first, second = np.zeros(3, np.int64), np.full(3, NOT_CHALLENGED, np.int64)
        pot = deal["pot_before"] + n
        for stage, played in enumerate(deal["stages"]):
            pots[stage], collected[stage] = pot, [counts[seat] for seat in order]
            words = played["declarations"]
            for place in range(len(words)):
                turn, position = divmod(place, n)
                first[stage] = bits(words[:n] if turn else words[:place], order)
                second[stage] = bits(words[n:place], order) if turn else NOT_CHALLENGED
                yield (
                    order,
                    State(
                        stage, turn, position, number, pots.copy(), collected.copy(), first.copy(),
                        second.copy(), np.full(3, UNSEEN, np.int64), np.zeros(n, np.int64),
                        np.zeros(7, np.int64), 2, 0.0,
                    ),
                    list(gained), words[place][1],
                )  # fmt: skip
            first[stage] = bits(words[:n], order)
            if len(words) > n:
                second[stage] = bits(words[n:], order)
            pot, counts = played["pot"], played["collected"]
            change = np.array(played["taken"]) - played["paid"] + played["side"]
            gained = [net + int(brought) for net, brought in zip(gained, change, strict=True)]


LINE_UPS = {
    "functions": [
        "everything:yes=0.1,no=0.85",
        "leaning:cut=0.9",
        "sure:lowest=14,pairs=false",
        "everything:salt=2,wild=1,yes=0.05,no=0.8",
        "everything:salt=3,yes=0.05,no=0.9",
    ],
    "tables": ["soft", "sharp", "sharp", "soft"],
    "both": ["everything:yes=0.05", "soft", "sharp", "sure", "sure:lowest=14", "leaning:cut=0.9"],
}
EACH = 4  # games of each line-up
EVERY = size(1, 7)  # of their words this one is looked at


@pytest.mark.parametrize("preset", ["stakes", "tokens"])
@pytest.mark.parametrize("name", LINE_UPS)
def test_either_word_leads_where_the_reference_gets_with_the_same_cards(name, preset):
    rules = make_rules(preset, {"max_deals": 6, "stage2.challenge": True})
    line_up = [player(spec) for spec in LINE_UPS[name]]
    n, seed = len(line_up), 2**70 + 5
    key = fold_seed(seed)
    played = batch.record(batch.prepare(rules, line_up, seed, fixed_seats=True), 0, EACH)
    compared = set()
    for game, record in enumerate(played):
        answer = by_answer(line_up, key, game)
        for order, state, gained, word in islice(states(record, n), 0, None, EVERY):
            company = company_of(rules, tuple(LINE_UPS[name][seat] for seat in order))
            state = state._replace(who=company.who)
            deck = np.zeros(7 * n, np.int64)
            deal_deck(key, game, state.deal, deck)
            numbers, cards = np.array([game], np.uint64), deck.astype(np.uint8).reshape(1, -1)
            asked = (state.deal, state.stage + 1, state.turn + 1, state.position)
            for yes in (False, True):

                def speak(seat, view, asked=asked, yes=yes, answer=answer):
                    here = (view.deal, view.stage, view.turn, view.position)
                    return yes if here == asked else answer(seat, view)

                other = play_game(rules, n, key, game, speak)
                assert yes != YES[word] or other["net"] == record["net"]
                net, winner = samples.play(company, state, key, numbers, cards, yes)
                wanted = [other["net"][seat] - gained[seat] for seat in order]
                assert net[0].tolist() == wanted, (game, asked, yes)
                seat = other["winner"]
                assert winner[0] == (NOBODY if seat is None else order.index(seat))
                compared.add(asked[1:3])
    assert compared >= {(1, 1), (2, 1), (3, 1)}


def test_second_words_were_looked_at_too():
    """The line-ups above must come to challenges; else nothing would be known of turn 2."""
    turns = set()
    for name, preset in (("both", "stakes"), ("tables", "tokens")):
        rules = make_rules(preset, {"max_deals": 6, "stage2.challenge": True})
        line_up = [player(spec) for spec in LINE_UPS[name]]
        job = batch.prepare(rules, line_up, 2**70 + 5, fixed_seats=True)
        for record in batch.record(job, 0, EACH):
            for _, state, _, _ in states(record, len(line_up)):
                turns.add((preset, state.stage + 1, state.turn + 1))
    assert turns >= {("stakes", 1, 2), ("tokens", 1, 2), ("tokens", 2, 2), ("tokens", 3, 2)}


@pytest.mark.parametrize("name", LINE_UPS)
def test_weights_are_the_probabilities_that_the_strategies_answer(name):
    rules = make_rules("tokens", {"max_deals": 3})
    line_up = [player(spec) for spec in LINE_UPS[name]]
    n, seed = len(line_up), 11
    key = fold_seed(seed)
    played = batch.record(batch.prepare(rules, line_up, seed, fixed_seats=True), 0, 4)
    seen = 0
    for game, record in enumerate(played):
        said = {}

        def speak(seat, view, game=game, said=said, record=record):
            word = recorded_words(record["deals"])(seat, view)
            p = line_up[seat].answer(view)
            place = (view.deal, view.stage, view.turn, view.position)
            said[place] = (view, p if word else 1 - p)
            return word

        play_game(rules, n, key, game, speak)
        for order, state, _, _ in states(record, n):
            company = company_of(rules, tuple(LINE_UPS[name][seat] for seat in order))
            deck = np.zeros(7 * n, np.int64)
            deal_deck(key, game, state.deal, deck)
            # With all seven cards known, the others are dealt theirs as they were in this game.
            hand = deck.reshape(7, n)[:, state.position].copy()
            whole = state._replace(who=company.who, hand=hand, held=7)
            numbers = np.array([game], np.uint64)
            weights = samples.weigh(company, whole, key, numbers)
            assert samples.deal(company, whole, key, numbers)[0].tolist() == deck.tolist()
            words = [
                p
                for (deal, stage, turn, position), (_, p) in said.items()
                if deal == state.deal
                and position != state.position
                and (stage, turn, position) < (state.stage + 1, state.turn + 1, state.position)
            ]
            assert weights[0] == pytest.approx(np.prod(words), rel=1e-12)
            seen += len(words)
    assert seen
