"""The words of strategies that are functions, one position after the other (N7, N8)."""

from __future__ import annotations

import numpy as np

from simulate.address import call_at
from simulate.jit import compile_module
from simulate.napalm.declare import call_number
from simulate.napalm.table import around
from simulate.rng import uniforms

DONE, BAD_ANSWER = 0, 1


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


def speak(
    table, stage, turn, step, n, key, rules, brains, asker, strengths, fault, asked
):  # fmt: skip
    """Let everybody speak, eldest first, the dealer last (N7), or the others answer the dealer
    (N8), in so many lanes of `Table.asked`.

    Turn 0 fills `table.first`, turn 1 `table.second` and `table.said`.
    """
    dealer_alone = 1 << (n - 1)
    for which in range(asked):
        lane = np.int64(table.asked[0, which])
        table.words[0, lane], table.heard[0, lane] = turn * dealer_alone, turn
    for position in range(n - turn):
        good = 1
        for who in range(len(brains.kind)):
            own = list_lanes_of(table, around(position + step, n), who, asked)
            good &= call_at(
                asker, table, stage, turn, position, step, n, key, rules, brains, strengths, who,
                own,
            )  # fmt: skip
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


compile_module(__name__, fills_only=True, inner="all", literals=False)
