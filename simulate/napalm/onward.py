"""Take up a game of Napalm in its middle, and play it on (N1 to N18), many times side by side.

A sample is a whole table: what everybody holds in this deal, and the number of a game, from which
his later cards and all coins follow. `weigh_hands` deals the cards that one player has not seen, as
far as words were said about them, and weighs each sample by the words that he has heard; most
weigh nothing. `deal_hands` deals all cards of the others, and `play_on` lets the player say a given
word, and plays the rest of the deal and of the game: with another word the same samples bring the
same cards.

Everybody's row is his position in the deal at which the game is taken up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.dealing import deal_places
from simulate.jit import compile_module
from simulate.lanes import WIDTH, load, store
from simulate.napalm.declare import speak_by_table
from simulate.napalm.games import NOBODY, begin_deal, copy_game, end_deals, winner_row
from simulate.napalm.hands import INVERTED, rank_fives, rank_sevens, rank_twos
from simulate.napalm.hearing import NOT_KNOWN, hear_words
from simulate.napalm.settlement import go_on, settle
from simulate.napalm.speak import DONE, speak
from simulate.napalm.stage import ask_everybody, last_words
from simulate.napalm.table import LANES, NOT_CHALLENGED, around, gather_live, return_live

CARDS = 7
UNSEEN = -1


class State(NamedTuple):
    """Where a game stands when a player is to speak. Stage and turn count from 0.

    Attributes
    ----------
    stage, turn, position : int
        Who is to speak when.
    deal : int
    pot : ndarray of int64, shape (3,)
        Before the words of each stage so far.
    collected : ndarray of int64, shape (3, n)
        The same, by position.
    first, second : ndarray of int64, shape (3,)
        By stage, bits by position: who said Yes at turn 1 and, if the dealer challenged, at turn 2
        (`NOT_CHALLENGED` if not); of the stage being played as far as it was said.
    best : ndarray of int64, shape (3,)
        By earlier stage: who of several that said Yes had the best hand; `UNSEEN` where there
        was no showdown, or nothing is known of it.
    who : ndarray of int64, shape (n,)
        Which distinct strategy plays in each position from now on.
    hand : ndarray of int64, shape (7,)
        The player's cards; he has seen the first `held` of them.
    held : int
    slip : float
        How often somebody is taken to have said the opposite of what his strategy would.
    """

    stage: int
    turn: int
    position: int
    deal: int
    pot: NDArray[np.int64]
    collected: NDArray[np.int64]
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    best: NDArray[np.int64]
    who: NDArray[np.int64]
    hand: NDArray[np.int64]
    held: int
    slip: float


def take_seats(table, n, state, games, at, lanes):
    """Set up the table in every lane, with the samples from number `at` on."""
    table.over[0, :] = 0
    table.live[0, :] = 0
    table.live[0, :lanes] = 1
    for stage in range(3):
        table.said[stage, :] = 0
    for lane in range(lanes):
        table.game[0, lane] = games[at + lane]
        table.order[0, lane] = at + lane  # which sample
        table.deal[0, lane] = state.deal
        table.turned[0, lane] = 0
        for row in range(n):
            table.strategy[row, lane] = state.who[row]
            table.net[row, lane] = 0


def set_money(table, n, state, stage, lanes):
    """Put on the table what there was before the words of a stage."""
    for lane in range(lanes):
        table.pot[0, lane] = state.pot[stage]
        for row in range(n):
            table.collected[row, lane] = state.collected[stage, row]


def deal_unseen(table, key, n, state, number, deck, lanes):
    """Deal the first so many cards, a round to everybody after the other.

    The player gets those he has seen, all others come from the deck of the lane's game and deal,
    without the cards he has seen.
    """
    held, position = state.held, state.position
    seen = 0
    for card in range(held):
        seen |= 1 << state.hand[card]
    places = min(52, number + held)
    deal_places(
        key, table.game, table.deal, 0, places, table.digits, table.refused, table.cards, lanes
    )
    for lane in range(lanes):
        left = 0
        for place in range(places):
            card = np.int64(table.cards[place, lane])
            deck[left] = card
            left += 1 - (seen >> card & 1)
        at = 0
        for place in range(number):
            card = deck[at]
            if place % n == position and place // n < held:
                card = state.hand[place // n]
            else:
                at += 1
            table.cards[place, lane] = card


def rank_stage(table, stage, n, wheel, lanes):
    """Rank everybody's hand at a stage (N3, N4, N5)."""
    for position in range(n):
        row = stage * n + position
        if stage == 0:
            rank_twos(table.cards, position, n + position, row, table.value, lanes)
        elif stage == 1:
            rank_fives(table.cards, position, n, INVERTED, 0, row, table.value, lanes)
        else:
            rank_sevens(table.cards, position, n, wheel, row, table.value, lanes)


def clear_words(table, words, heard, lanes):
    """Ask in every lane, where these words have been said."""
    for lane in range(lanes):
        table.asked[0, lane] = lane
        table.words[0, lane], table.heard[0, lane] = words, heard


def check_best(table, stage, n, said, best, weight, lanes):
    """Rule out the samples in which others of those who said Yes had the best hand."""
    for lane in range(lanes):
        value = 0
        for position in range(n):
            if said >> position & 1:
                value = max(value, np.int64(table.value[stage * n + position, lane]))
        found = 0
        for position in range(n):
            if np.int64(table.value[stage * n + position, lane]) == value:
                found |= said & 1 << position
        if found != best:
            weight[0, lane] = 0.0


def weigh_stage(
    table, stage, n, key, state, rules, brains, asker, strengths, weight, fault, lanes
):  # fmt: skip
    """Weigh the samples by the words of one stage, as far as they were said."""
    alone, own = 1 << (n - 1), state.position
    here = stage == state.stage
    stop = own if here and state.turn == 0 else n
    clear_words(table, 0, 0, lanes)
    status = hear_words(
        table, stage, 0, 0, stop, state.first[stage], own, 0, n, state.slip, key, rules, brains,
        asker, strengths, weight, fault, lanes,
    )  # fmt: skip
    if status != DONE or (here and state.turn == 0):
        return status
    said = state.first[stage]
    if state.second[stage] != NOT_CHALLENGED:
        stop = own if here else n - 1
        clear_words(table, alone, 1, lanes)
        status = hear_words(
            table, stage, 1, 0, stop, state.second[stage], own, 0, n, state.slip, key, rules,
            brains, asker, strengths, weight, fault, lanes,
        )  # fmt: skip
        said |= state.second[stage]
    if not here:
        table.said[stage, :lanes] = said
        if state.best[stage] != UNSEEN:
            check_best(table, stage, n, said, state.best[stage], weight, lanes)
    return status


def weigh_hands(
    key, games, n, state, rules, brains, asker, strengths, space, deck, lane_weight, weights, fault
):  # fmt: skip
    """Deal the cards that the player has not seen, and weigh each sample by what was said.

    Parameters
    ----------
    key : uint64
        From `simulate.rng.fold_seed`.
    games : ndarray of uint64, shape (m,)
        The samples.
    n : int
    state : State
    rules, brains, asker, strengths, space, fault
        As for `simulate.napalm.kernel.play`.
    deck, lane_weight : ndarray
        Work space, shape (53,) of int64 and (1, lanes) of float64.
    weights : ndarray of float64, shape (m,)
        Filled: the probability of all that was said, given these cards.

    Returns
    -------
    int
        `DONE` or `BAD_ANSWER`.
    """
    table = space.full
    for at in range(0, len(games), LANES):
        lanes = min(LANES, len(games) - at)
        take_seats(table, n, state, games, at, lanes)
        deal_unseen(table, key, n, state, (2, 5, 7)[state.stage] * n, deck, lanes)
        lane_weight[0, :lanes] = 1.0
        for stage in range(state.stage + 1):
            set_money(table, n, state, stage, lanes)
            rank_stage(table, stage, n, rules.wheel, lanes)
            status = weigh_stage(
                table, stage, n, key, state, rules, brains, asker, strengths, lane_weight, fault,
                lanes,
            )  # fmt: skip
            if status != DONE:
                return status
        for lane in range(lanes):
            weights[at + lane] = lane_weight[0, lane]
    return DONE


def deal_hands(key, games, n, state, space, deck, cards):
    """Deal all cards of samples, the same as `weigh_hands` does.

    Parameters
    ----------
    key, games, n, state, space, deck
        As there.
    cards : ndarray of uint8, shape (m, 7 * n)
        Filled: card k of position p in column ``k * n + p``.
    """
    table = space.full
    for at in range(0, len(games), LANES):
        lanes = min(LANES, len(games) - at)
        take_seats(table, n, state, games, at, lanes)
        deal_unseen(table, key, n, state, CARDS * n, deck, lanes)
        for lane in range(lanes):
            for place in range(CARDS * n):
                cards[at + lane, place] = table.cards[place, lane]


def finish_stage(
    table, stage, step, n, key, rules, brains, asker, strengths, work, fault, lanes
):  # fmt: skip
    """Hear who answers a challenge (N8) when all have spoken, and settle the stage."""
    asked = last_words(table, stage, n, work.scratch.lanes, lanes)
    if rules.challenge[stage]:
        status = speak(
            table, stage, 1, step, n, key, rules, brains, asker, strengths, fault, asked
        )  # fmt: skip
        if status != DONE:
            return status
    settle(table, stage, step, n, rules, lanes)
    return DONE


def play_stage(
    table, stage, step, n, key, rules, brains, asker, strengths, work, fault, lanes, dealt
):  # fmt: skip
    """Play a stage from its beginning in every lane; deal its cards unless they are dealt."""
    if not dealt:
        places = (0, 2 * n, 5 * n, 7 * n)
        deal_places(
            key, table.game, table.deal, places[stage], places[stage + 1], table.digits,
            table.refused, table.cards, lanes,
        )  # fmt: skip
    rank_stage(table, stage, n, rules.wheel, lanes)
    if brains.thresholds:
        speak_by_table(table, stage, step, n, key, brains, lanes)
    else:
        asked = ask_everybody(table, work.scratch.lanes, lanes)
        status = speak(
            table, stage, 0, step, n, key, rules, brains, asker, strengths, fault, asked
        )  # fmt: skip
        if status != DONE:
            return status
    return finish_stage(
        table, stage, step, n, key, rules, brains, asker, strengths, work, fault, lanes
    )  # fmt: skip


def say_and_settle(
    table, n, key, state, choice, rules, brains, asker, strengths, work, lane_weight,
    fault, lanes,
):  # fmt: skip
    """Say the player's word, hear those after him, and settle the stage."""
    stage, own, alone = state.stage, state.position, 1 << (n - 1)
    turn, words, heard = state.turn, state.first[stage], 0
    if turn == 1:
        words = alone | state.second[stage]
    words |= choice << own
    for position in range(n):
        heard += words >> position & 1
    clear_words(table, words, heard, lanes)
    status = hear_words(
        table, stage, turn, own + 1, n - turn, NOT_KNOWN, own, 0, n, state.slip, key, rules,
        brains, asker, strengths, lane_weight, fault, lanes,
    )  # fmt: skip
    if status != DONE:
        return status
    if turn == 0:
        for lane in range(0, lanes, WIDTH):
            store(table.first, 0, lane, load(table.words, 0, lane))
        return finish_stage(
            table, stage, 0, n, key, rules, brains, asker, strengths, work, fault, lanes
        )  # fmt: skip
    for lane in range(lanes):
        table.first[0, lane] = alone
        table.second[0, lane] = table.words[0, lane] ^ alone
        table.said[stage, lane] = table.words[0, lane]
    settle(table, stage, 0, n, rules, lanes)
    return DONE


def finish_deal(
    space, n, key, state, choice, rules, brains, asker, strengths, lane_weight, fault,
    lanes,
):  # fmt: skip
    """Play the rest of the deal in which the game is taken up; its cards are dealt."""
    table, stage = space.full, state.stage
    status = say_and_settle(
        table, n, key, state, choice, rules, brains, asker, strengths, space,
        lane_weight, fault, lanes,
    )  # fmt: skip
    while status == DONE and go_on(table, stage, rules, lanes) > 0 and stage < 2:
        stage += 1
        status = play_stage(
            table, stage, np.int64(0), n, key, rules, brains, asker, strengths, space, fault,
            lanes, 1,
        )  # fmt: skip
    return status


def play_deal(space, step, n, key, rules, brains, asker, strengths, fault, lanes):
    """Play a whole deal in every lane, as `simulate.napalm.kernel.play` does."""
    full, few = space.full, space.few
    begin_deal(full, n, lanes)
    table, playing = full, lanes
    for stage in range(3):
        status = play_stage(
            table, stage, step, n, key, rules, brains, asker, strengths, space, fault, playing, 0
        )  # fmt: skip
        if status != DONE:
            return status
        going_on = go_on(table, stage, rules, playing)
        if going_on == 0:
            break
        if stage == 0 and 4 * going_on < 3 * lanes:
            table, playing = few, gather_live(full, n, few, lanes)
    if playing < lanes:
        return_live(few, n, full, lanes)
    return DONE


def enter_results(table, step, n, state, queue, net, winner, found):
    """Write down what the games that are over brought, from where they were taken up."""
    for place in range(found):
        lane = np.int64(queue.leaving[0, place])
        sample = np.int64(table.order[0, lane])
        won = winner_row(table, lane, step, n) if table.over[0, lane] else NOBODY
        antes = np.int64(table.deal[0, lane]) - state.deal
        for row in range(n):
            prize = np.int64(table.pot[0, lane]) if row == won else 0
            net[sample, row] = table.net[row, lane] - antes + prize  # N2, N16
        winner[sample] = won


def close_up(table, n, queue, found, lanes):
    """Move the last lanes to the places of those whose game is over; return how many are left."""
    for place in range(found):
        lane = np.int64(queue.leaving[0, found - 1 - place])
        lanes -= 1
        copy_game(table, n, lanes, lane)
    return lanes


def play_on(
    key, games, cards, n, state, choice, rules, brains, asker, strengths, space,
    lane_weight, net, winner, fault,
):  # fmt: skip
    """Let the player say a word in every sample, and play the game to its end.

    Parameters
    ----------
    key, games, n, state, rules, brains, asker, strengths, space, lane_weight, fault
        As for `weigh_hands`.
    cards : ndarray of uint8, shape (m, 7 * n)
        What everybody holds.
    choice : int
        His word, 1 for Yes.
    net : ndarray of int64, shape (m, n)
        Filled, by position: all that is received from now on less all that is paid; the antes of
        this deal have been paid.
    winner : ndarray of int8, shape (m,)
        Filled: the position, or `NOBODY`.

    Returns
    -------
    int
        `DONE` or `BAD_ANSWER`.
    """
    full = space.full
    for at in range(0, len(games), LANES):
        lanes = min(LANES, len(games) - at)
        take_seats(full, n, state, games, at, lanes)
        set_money(full, n, state, state.stage, lanes)
        for lane in range(lanes):
            for place in range(CARDS * n):
                full.cards[place, lane] = cards[at + lane, place]
        for stage in range(state.stage + 1):
            rank_stage(full, stage, n, rules.wheel, lanes)
            if stage < state.stage:
                second = state.second[stage]
                more = 0 if second == NOT_CHALLENGED else second
                full.said[stage, :lanes] = state.first[stage] | more
        status = finish_deal(
            space, n, key, state, choice, rules, brains, asker, strengths, lane_weight,
            fault, lanes,
        )  # fmt: skip
        step = np.int64(0)
        while status == DONE:
            found = end_deals(full, rules.max_deals, space.queue, lanes)
            enter_results(full, step, n, state, space.queue, net, winner, found)
            lanes = close_up(full, n, space.queue, found, lanes)
            if lanes == 0:
                break
            step = around(step + 1, n)  # the next seat deals (N1)
            status = play_deal(
                space, step, n, key, rules, brains, asker, strengths, fault, lanes
            )  # fmt: skip
        if status != DONE:
            return status
    return DONE


compile_module(
    __name__,
    fills_only=True,
    inner=(
        "take_seats", "set_money", "deal_unseen", "rank_stage", "clear_words", "check_best",
        "weigh_stage", "finish_stage", "play_stage", "say_and_settle", "finish_deal", "play_deal",
        "enter_results", "close_up",
    ),
)  # fmt: skip
