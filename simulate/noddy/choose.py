"""The choices of strategies (D4).

This file is compiled once more for each set of strategies: its copy imports their `answer` in place
of the one below (see `simulate.noddy.lineup`). Nothing else depends on strategies.
"""

from __future__ import annotations

from simulate.jit import compile_module
from simulate.noddy.answer import answer
from simulate.noddy.options import option_at, view_of
from simulate.noddy.view import MAX_OPTIONS
from simulate.rng import uniforms


def choose(table, who):
    """Ask strategy `who` for its values; return the first option of the highest.

    After a NaN it is -1 less the index of the option.
    """
    chosen, best = 0, 0.0
    for index in range(table.options):
        call = table.turn * MAX_OPTIONS + index
        random, _ = uniforms(table.key, table.game, table.deal, call)
        value = answer(who, view_of(table, random), option_at(table, index), table.params)
        if value != value:
            return -1 - index
        if index == 0 or value > best:
            chosen, best = index, value
    return chosen


compile_module(__name__, fills_only=True)
