"""The words of strategies that are functions, one position and one lane after the other (N7, N8).

This file is compiled once more for each set of them: its copy imports their `answer` in place of
the one below (see `simulate.napalm.lineup`). Nothing else depends on strategies.
"""

from __future__ import annotations

import numpy as np

from simulate.jit import compile_module
from simulate.napalm.answer import answer
from simulate.napalm.declare import call_number, situation
from simulate.napalm.hands import INVERTED
from simulate.napalm.table import around
from simulate.napalm.tally import class_index
from simulate.napalm.view import View
from simulate.rng import uniforms

DONE, BAD_ANSWER = 0, 1


def strength_at(table, lane, stage, position, n, strengths):
    """Return the strength of a hand at a stage that has been dealt."""
    flip = INVERTED if stage == 1 else 0
    value = np.int64(table.value[stage * n + position, lane]) ^ flip
    return strengths.strength[stage, class_index(strengths, value)]


def view_of(table, lane, stage, turn, position, step, n, said, heard, rules, strengths, random):
    """Build what a player sees; the compiler leaves out what his strategy does not look at."""
    row = around(position + step, n)
    best_other = 0
    for other in range(n):
        if other != row:
            best_other = max(best_other, np.int64(table.collected[other, lane]))
    cards = (
        np.int64(table.cards[position, lane]),
        np.int64(table.cards[n + position, lane]),
        np.int64(table.cards[2 * n + position, lane]) if stage > 0 else -1,
        np.int64(table.cards[3 * n + position, lane]) if stage > 0 else -1,
        np.int64(table.cards[4 * n + position, lane]) if stage > 0 else -1,
        np.int64(table.cards[5 * n + position, lane]) if stage > 1 else -1,
        np.int64(table.cards[6 * n + position, lane]) if stage > 1 else -1,
    )
    counts = (
        np.int64(table.collected[step, lane]),
        np.int64(table.collected[around(1 + step, n), lane]),
        np.int64(table.collected[around(2 + step, n), lane]),
        np.int64(table.collected[around(3 + step, n), lane]),
        np.int64(table.collected[around(4 + step, n), lane]) if n > 4 else 0,
        np.int64(table.collected[around(5 + step, n), lane]) if n > 5 else 0,
        np.int64(table.collected[around(6 + step, n), lane]) if n > 6 else 0,
    )
    # Numba takes no conditions inside a call of so many arguments.
    first = strength_at(table, lane, 0, position, n, strengths) if stage > 0 else 0.0
    second = strength_at(table, lane, 1, position, n, strengths) if stage > 1 else 0.0
    rank1, rank2 = (cards[0] >> 2) + 2, (cards[1] >> 2) + 2
    spoken = position if turn == 0 else n
    said1 = np.int64(table.said[0, lane]) if stage > 0 else 0
    said2 = np.int64(table.said[1, lane]) if stage > 1 else 0
    pair = rank1 == rank2
    return View(
        n=n,
        stage=stage + 1,
        position=position,
        turn=turn + 1,
        strength=strength_at(table, lane, stage, position, n, strengths),
        strength1=first,
        strength2=second,
        cards=cards,
        count=(2, 5, 7)[stage],
        high=max(rank1, rank2),
        low=min(rank1, rank2),
        pair=pair,
        yes=heard,
        spoken=spoken,
        said=said,
        said1=said1,
        said2=said2,
        pot=np.int64(table.pot[0, lane]),
        target=rules.target,
        collected=np.int64(table.collected[row, lane]),
        best_other=best_other,
        counts=counts,
        deal=np.int64(table.deal[0, lane]),
        random=random,
    )


def note_fault(fault, table, stage, turn, position, step, n, asked):
    """Say where an answer was no probability: game, deal, stage, turn, position, strategy."""
    for which in range(asked):
        lane = np.int64(table.asked[0, which])
        if not 0.0 <= table.chance[0, lane] <= 1.0:
            fault[0], fault[1] = table.game[0, lane], table.deal[0, lane]
            fault[2], fault[3], fault[4] = stage, turn, position
            fault[5] = table.strategy[around(position + step, n), lane]
            return


def list_lanes_of(table, row, who, asked):
    """List in `Table.own` the lanes of `Table.asked` in which a strategy sits in a row."""
    found = 0
    for which in range(asked):
        lane = table.asked[0, which]
        table.own[0, found] = lane
        found += table.strategy[row, lane] == who  # no branch: it could not be foreseen
    return found


def ask(table, stage, turn, position, step, n, key, rules, brains, strengths, who, own):
    """Ask a strategy in a position in so many lanes of `Table.own`: fill `Table.chance`.

    Returns
    -------
    bool
        Whether all answers are probabilities.
    """
    good = True
    for which in range(own):
        lane = np.int64(table.own[0, which])
        said, heard = np.int64(table.words[0, lane]), np.int64(table.heard[0, lane])
        if brains.is_table[who]:
            place = situation(who, stage, turn, position, heard)
            reached = table.value[stage * n + position, lane] >= brains.cut[place]
            p = brains.above[place] if reached else brains.below[place]
        else:
            call = call_number(stage, turn, position)
            random, _ = uniforms(key, table.game[0, lane], table.deal[0, lane], call)
            view = view_of(
                table, lane, stage, turn, position, step, n, said, heard, rules, strengths, random
            )  # fmt: skip
            p = answer(who, view, brains.params)
        table.chance[0, lane] = p
        good &= 0.0 <= p <= 1.0
    return good


def hear(table, stage, turn, position, key, asked):
    """Draw the word of the player in a position in so many lanes of `Table.asked`.

    Not done where he is asked: the answer would be a branch there that cannot be foreseen.
    """
    for which in range(asked):
        lane = np.int64(table.asked[0, which])
        p = table.chance[0, lane]
        word = np.int64(p >= 1.0)
        if 0.0 < p < 1.0:
            call = call_number(stage, turn, position)
            _, coin = uniforms(key, table.game[0, lane], table.deal[0, lane], call)
            word = np.int64(coin < p)
        table.words[0, lane] |= word << position
        table.heard[0, lane] += word


def speak(table, stage, turn, step, n, key, rules, brains, strengths, fault, asked):
    """Let everybody speak, eldest first, the dealer last (N7), or the others answer the dealer
    (N8), in so many lanes of `Table.asked`.

    Turn 0 fills `table.first`, turn 1 `table.second` and `table.said`.
    """
    dealer_alone = 1 << (n - 1)
    for which in range(asked):
        lane = np.int64(table.asked[0, which])
        table.words[0, lane], table.heard[0, lane] = turn * dealer_alone, turn
    for position in range(n - turn):
        good = True
        for who in range(len(brains.is_table)):
            own = list_lanes_of(table, around(position + step, n), who, asked)
            good &= ask(
                table, stage, turn, position, step, n, key, rules, brains, strengths, who, own
            )
        if not good:
            note_fault(fault, table, stage, turn, position, step, n, asked)
            return BAD_ANSWER
        hear(table, stage, turn, position, key, asked)
    for which in range(asked):
        lane = np.int64(table.asked[0, which])
        if turn == 0:
            table.first[0, lane] = table.words[0, lane]
        else:
            table.second[0, lane] = table.words[0, lane] ^ dealer_alone
            table.said[stage, lane] = table.words[0, lane]
    return DONE


compile_module(__name__, fills_only=True, inlined=("strength_at", "view_of"), inner="all")
