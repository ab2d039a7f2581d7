"""The answers of strategies that are functions, one lane after the other.

This file is compiled once more for each set of them: its copy imports their `answer` in place of
the one below (see `simulate.napalm.lineup`). Nothing else depends on strategies.
"""

from __future__ import annotations

import numpy as np

from simulate.jit import compile_module
from simulate.napalm.answer import answer
from simulate.napalm.brains import SOLVED, THRESHOLDS
from simulate.napalm.declare import call_number, situation
from simulate.napalm.sight import solved_chance, view_of
from simulate.rng import uniforms


def ask(table, stage, turn, position, step, n, key, rules, brains, strengths, who, own):
    """Ask a strategy in a position in so many lanes of `Table.own`: fill `Table.chance`.

    Returns
    -------
    int
        1 where all answers are probabilities, or 0.
    """
    kind, good = brains.kind[who], True
    for which in range(own):
        lane = np.int64(table.own[0, which])
        if kind == SOLVED:
            said = np.int64(table.words[0, lane])
            p = solved_chance(
                table, lane, stage, turn, position, step, n, said, brains, strengths, who
            )
        elif kind == THRESHOLDS:
            place = situation(who, stage, turn, position, np.int64(table.heard[0, lane]))
            reached = table.value[stage * n + position, lane] >= brains.cut[place]
            p = brains.above[place] if reached else brains.below[place]
        else:
            said, heard = np.int64(table.words[0, lane]), np.int64(table.heard[0, lane])
            call = call_number(stage, turn, position)
            random, _ = uniforms(key, table.game[0, lane], table.deal[0, lane], call)
            view = view_of(
                table, lane, stage, turn, position, step, n, said, heard, rules, strengths, random
            )  # fmt: skip
            p = answer(who, view, brains.params)
        table.chance[0, lane] = p
        good &= 0.0 <= p <= 1.0
    return np.int64(good)


compile_module(__name__, fills_only=True)
