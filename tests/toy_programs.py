"""The update rule of `simulate.regrets` in games that are explicit trees, see `toy_poker`."""

from __future__ import annotations

import numpy as np
from toy_poker import CHANCE, OVER

from simulate.jit import numba
from simulate.regrets import learn, match_regrets, remember


def draw(weights, row, start, count):
    coin = np.random.random()  # noqa: NPY002
    for place in range(count - 1):
        coin -= weights[row, start + place]
        if coin < 0.0:
            return place
    return count - 1


def walk(tree, node, player, regret, policy, chance, value, depth, weight):
    """Walk the tree as one player sees it: chance and the other are drawn."""
    mover, count = tree.player[node], tree.children[node]
    first, row = tree.child[node], tree.row[node]
    if mover == OVER:
        return tree.payoff[node] if player == 0 else -tree.payoff[node]
    if mover == CHANCE:
        drawn = first + draw(tree.share, 0, first, count)
        return walk(tree, drawn, player, regret, policy, chance, value, depth + 1, weight)
    match_regrets(regret, row, count, chance, depth)
    if mover != player:
        remember(policy, row, count, chance, depth, weight)
        drawn = first + draw(chance, depth, 0, count)
        return walk(tree, drawn, player, regret, policy, chance, value, depth + 1, weight)
    for action in range(count):
        value[depth, action] = walk(
            tree, first + action, player, regret, policy, chance, value, depth + 1, weight
        )
    return learn(regret, row, count, chance, value, depth, weight)


def train(tree, rounds, block, seed, regret, policy, chance, value):
    """Let both players learn in turn."""
    np.random.seed(seed)  # noqa: NPY002
    for number in range(rounds):
        for player in range(2):
            weight = 1.0 + number // block
            walk(tree, 0, player, regret, policy, chance, value, 0, weight)


# Not kept on disk: Numba's cached code of a function that calls itself crashes when it is loaded.
for program in (draw, walk, train):
    globals()[program.__name__] = numba.njit(_nrt=False, error_model="numpy")(program)
