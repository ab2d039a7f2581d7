"""Two solved games as explicit trees: Kuhn's poker, and Leduc.

H. W. Kuhn, "A simplified two-person poker", 1950; F. Southey and others, "Bayes' bluff: opponent
modelling in poker", UAI 2005.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

CHANCE, OVER = -1, -2
MOST_ACTIONS = 3


class Tree(NamedTuple):
    """A game of two; children of a node stand side by side.

    `player` is 0, 1, `CHANCE` or `OVER`; `row` is where the decision's row of actions begins;
    `share`, of one row, is the chance of a node after a chance node; `payoff` is what the first
    player receives.
    """

    player: np.ndarray
    child: np.ndarray
    children: np.ndarray
    row: np.ndarray
    share: np.ndarray
    payoff: np.ndarray

    @property
    def rows(self):
        return int((self.row + self.children).max())


class Growing:
    def __init__(self, moves):
        """Grow the tree of ``moves(history) -> (player, key, payoff, [(move, chance), ...])``."""
        self.rows, self.length = {}, 0
        nodes, queue = [], [((), 1.0)]
        while len(nodes) < len(queue):
            history, share = queue[len(nodes)]
            player, key, payoff, found = moves(history)
            row = 0
            if player >= 0:
                if key not in self.rows:
                    self.rows[key] = self.length
                    self.length += len(found)
                row = self.rows[key]
            nodes.append((player, len(queue), len(found), row, share, payoff))
            queue += [((*history, move), chance) for move, chance in found]
        columns = zip(*nodes, strict=True)
        kinds = (np.int64, np.int64, np.int64, np.int64, float, float)
        arrays = [np.array(column, kind) for column, kind in zip(columns, kinds, strict=True)]
        arrays[4] = arrays[4].reshape(1, -1)
        self.tree = Tree(*arrays)


def kuhn():
    """Three cards, an ante of 1, one bet of 1."""

    def moves(history):
        dealt, words = history[:2], "".join(history[2:])
        if len(dealt) < 2:
            left = [card for card in range(3) if card not in dealt]
            return CHANCE, None, 0.0, [(card, 1 / len(left)) for card in left]
        sign = 1.0 if dealt[0] > dealt[1] else -1.0
        over = {"pp": sign, "bb": 2 * sign, "pbb": 2 * sign, "bp": 1.0, "pbp": -1.0}
        if words in over:
            return OVER, None, over[words], []
        player = len(words) % 2
        return player, (dealt[player], words), 0.0, [("p", 0.0), ("b", 0.0)]

    return Growing(moves).tree


def betting(words, bet, paid):
    """Play a round of Leduc: who is next (None when it is over), what is paid, who has folded."""
    paid, player = list(paid), 0
    for place, word in enumerate(words):
        if word == "f":
            return None, paid, player
        paid[player] = max(paid) + (bet if word == "r" else 0)
        if word == "c" and place > 0:
            return None, paid, None
        player = 1 - player
    return player, paid, None


def choices(words):
    """List what may be said in Leduc: fold to a bet, check or call, bet or raise once."""
    found = ["f", "c"] if words.endswith("r") else ["c"]
    return [(word, 0.0) for word in [*found, *(["r"] if words.count("r") < 2 else [])]]


def showdown(dealt, stake):
    """Return what the first player wins: a pair with the board, else the higher rank."""
    first, second = (10 * (rank == dealt[2]) + rank for rank in dealt[:2])
    return stake * ((first > second) - (first < second))


def leduc():
    """Two each of three ranks, an ante of 1, bets of 2 and then 4, at most two a round."""

    def chance(taken):
        left = {rank: 2 - taken.count(rank) for rank in range(3)}
        total = sum(left.values())
        return CHANCE, None, 0.0, [(rank, k / total) for rank, k in left.items() if k]

    def moves(history):
        dealt = [move for move in history if isinstance(move, int)]
        if len(dealt) < 2:
            return chance(dealt)
        board_at = history.index(dealt[2], 2) if len(dealt) == 3 else len(history)
        first, second = "".join(history[2:board_at]), "".join(history[board_at + 1 :])
        player, paid, folded = betting(first, 2, (1, 1))
        if player is None and folded is None:
            if len(dealt) == 2:
                return chance(dealt)
            player, paid, folded = betting(second, 4, paid)
        if folded is not None:
            return OVER, None, float(paid[1]) if folded == 1 else -float(paid[0]), []
        if player is None:
            return OVER, None, float(showdown(dealt, paid[0])), []
        key = (player, dealt[player], tuple(dealt[2:]), first, second)
        return player, key, 0.0, choices(second if len(dealt) == 3 else first)

    return Growing(moves).tree


def value(tree, policy):
    """Return what the first player may expect when both play a policy."""
    worth = np.zeros(len(tree.player))
    for node in reversed(range(len(worth))):
        children = slice(tree.child[node], tree.child[node] + tree.children[node])
        if tree.player[node] == OVER:
            worth[node] = tree.payoff[node]
        elif tree.player[node] == CHANCE:
            worth[node] = tree.share[0, children] @ worth[children]
        else:
            chosen = policy[tree.row[node] : tree.row[node] + tree.children[node]]
            worth[node] = chosen @ worth[children]
    return worth[0]


def best_reply(tree, policy, player):
    """Return what the best reply of a player to the other's policy brings him, exactly."""
    sign = 1.0 if player == 0 else -1.0
    nodes = len(tree.player)
    reach, depth, parent = np.ones(nodes), np.zeros(nodes, int), np.zeros(nodes, int)
    for node in range(nodes):
        for place in range(tree.children[node]):
            child = tree.child[node] + place
            depth[child], parent[child] = depth[node] + 1, node
            reach[child] = reach[node]
            if tree.player[node] == CHANCE:
                reach[child] *= tree.share[0, child]
            elif tree.player[node] == 1 - player:
                reach[child] *= policy[tree.row[node] + place]
    worth = np.where(tree.player == OVER, sign * tree.payoff * reach, 0.0)
    for level in range(depth.max(), 0, -1):
        # All decisions of one kind lie at one depth: what is chosen is the same in all of them.
        here = np.flatnonzero((depth == level - 1) & (tree.player != OVER))
        for node in here[tree.player[here] != player]:
            children = slice(tree.child[node], tree.child[node] + tree.children[node])
            worth[node] = worth[children].sum()
        own = here[tree.player[here] == player]
        for row in np.unique(tree.row[own]):
            alike = own[tree.row[own] == row]
            totals = [worth[tree.child[alike] + k].sum() for k in range(tree.children[alike[0]])]
            worth[alike] = worth[tree.child[alike] + int(np.argmax(totals))]
    return worth[0]


def averages(tree, policy):
    """Turn the sums of a solver into chances."""
    found, own = np.zeros(tree.rows), tree.player >= 0
    for row, count in {*zip(tree.row[own], tree.children[own], strict=True)}:
        total = policy[row : row + count].sum()
        found[row : row + count] = policy[row : row + count] / total if total > 0 else 1 / count
    return found
