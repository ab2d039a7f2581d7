"""The update rule of every solver here: regret matching, with linear weights.

A decision has a row of numbers for its actions in two flat arrays: what each action would have
gained over what was done (its regret), and how often each was chosen, both summed with the weights
that the caller gives. He who plays each action in proportion to its regret above zero, and weights
round t with t (N. Brown, T. Sandholm, "Solving imperfect-information games via discounted regret
minimization", 2019, doi:10.1609/aaai.v33i01.33011829), has on average little to regret; in a game
of two players with fixed sums the averages then come near to an equilibrium.
"""

from __future__ import annotations

from simulate.jit import compile_module


def match_regrets(regret, at, actions, chance, row):
    """Choose each action in proportion to its regret above zero; where none is, all alike.

    Parameters
    ----------
    regret : ndarray of float64
    at, actions : int
        Where the row of the decision begins, and how long it is.
    chance : ndarray of float64, shape (rows, most actions)
    row : int
        Which row of `chance` to fill.
    """
    total = 0.0
    for action in range(actions):
        total += max(regret[at + action], 0.0)
    for action in range(actions):
        if total > 0.0:
            chance[row, action] = max(regret[at + action], 0.0) / total
        else:
            chance[row, action] = 1.0 / actions


def learn(regret, at, actions, chance, value, row, weight):
    """Learn from what each action would have brought; return what the choice brings on average.

    Parameters
    ----------
    regret : ndarray of float64
        Added to.
    at, actions : int
        As for `match_regrets`.
    chance, value : ndarray of float64, shape (rows, most actions)
        Row `row` holds the chance of each action, and what it would have brought.
    row : int
    weight : float
        How much this round counts.
    """
    mean = 0.0
    for action in range(actions):
        mean += chance[row, action] * value[row, action]
    for action in range(actions):
        regret[at + action] += weight * (value[row, action] - mean)
    return mean


def remember(policy, at, actions, chance, row, weight):
    """Add what is chosen now to the policy, of which the average is wanted in the end.

    A choice counts as much as the player's own choices lead there: it is remembered where *others*
    learn and draw his choices, or with the chance of his getting there as a part of its weight.
    """
    for action in range(actions):
        policy[at + action] += weight * chance[row, action]


compile_module(__name__, fills_only=True)
