"""The words of one stage as far as they are known, and from there on as strategies speak (N7, N8).

Where a game is taken up in its middle, some have spoken already. How likely each strategy was to
say what its player said is the weight of the cards he was dealt; whoever has yet to speak is asked.
"""

from __future__ import annotations

import numpy as np

from simulate.address import call_at
from simulate.jit import compile_module
from simulate.napalm.speak import BAD_ANSWER, DONE, hear, list_lanes_of, note_fault
from simulate.napalm.table import around

NOT_KNOWN = -1


def hear_words(
    table, stage, turn, first, stop, said, own, step, n, slip, key, rules, brains, asker,
    strengths, weight, fault, asked,
):  # fmt: skip
    """Let the players in positions `first` to ``stop - 1`` speak, in so many lanes of
    `Table.asked`: add to `Table.words` and `Table.heard`.

    Parameters
    ----------
    said : int
        Who of them said Yes, as bits by position; `NOT_KNOWN` where they have yet to speak.
    own : int
        The position of whoever looks back at these words: his own tell him nothing.
    slip : float
        How often a player is taken to say the opposite of what his strategy would.
    weight : ndarray of float64, shape (1, lanes)
        Multiplied by the probability of each known word.

    Returns
    -------
    int
        `DONE` or `BAD_ANSWER`.
    """
    for position in range(first, stop):
        if said == NOT_KNOWN or position != own:
            good = 1
            for who in range(len(brains.kind)):
                found = list_lanes_of(table, around(position + step, n), who, asked)
                good &= call_at(
                    asker, table, stage, turn, position, step, n, key, rules, brains, strengths,
                    who, found,
                )  # fmt: skip
            if not good:
                note_fault(fault, table, stage, turn, position, step, n, asked)
                return BAD_ANSWER
        if said == NOT_KNOWN:
            hear(table, stage, turn, position, key, asked)
            continue
        word = said >> position & 1
        for which in range(asked):
            lane = np.int64(table.asked[0, which])
            if position != own:
                p = slip + (1.0 - 2.0 * slip) * table.chance[0, lane]
                weight[0, lane] *= p if word else 1.0 - p
            table.words[0, lane] |= word << position
            table.heard[0, lane] += word
    return DONE


compile_module(__name__, fills_only=True, inner="all")
