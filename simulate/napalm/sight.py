"""What a player sees when asked (see `simulate.napalm.view`), and what a solved table answers."""

from __future__ import annotations

import numpy as np

from simulate.jit import compile_module
from simulate.napalm.hands import INVERTED
from simulate.napalm.table import around
from simulate.napalm.tally import class_index
from simulate.napalm.view import View


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


def solved_chance(table, lane, stage, turn, position, step, n, said, brains, strengths, who):
    """Look up what a table that a solver made answers: see `strategies.solved`."""
    flip = INVERTED if stage == 1 else 0
    value = np.int64(table.value[stage * n + position, lane]) ^ flip
    kind = np.int64(brains.classed[who, stage, class_index(strengths, value)])
    heard = (1 << position) - 1 + (said & (1 << position) - 1)
    pots = brains.race[who, 0]
    if stage == 2 and pots == 0:
        heard += np.int64(table.said[1, lane]) * ((1 << n) - 1)
    place = brains.starts[who, 2 * stage + turn] + heard * brains.classes[who, stage] + kind
    if pots == 0:
        return brains.solved[place] / 255.0
    # A table for whole games: see `strategies.solved_game`.
    target, size = brains.race[who, 1], brains.race[who, 2]
    code, total = 0, 0
    for other in range(n):
        count = min(np.int64(table.collected[around(other + step, n), lane]), target - 1)
        code += brains.weights[who, position, other, count]
        total += count
    node, pot = 0, np.float64(table.pot[0, lane])
    while node < pots - 2 and pot > brains.pots[who, total, node + 1]:
        node += 1
    below, above = brains.pots[who, total, node], brains.pots[who, total, node + 1]
    part = min(max((pot - below) / (above - below), 0.0), 1.0)
    place += (brains.rows[who, code] * pots + node) * size
    low, high = np.float64(brains.solved[place]), np.float64(brains.solved[place + size])
    return (low + part * (high - low)) / 255.0


compile_module(__name__, fills_only=True, inlined="all", inner="all", literals=False)
