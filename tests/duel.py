"""Stage 1 of Napalm between two players, exactly: over all hands, each counted as often as it is.

A profile is four rows of chances of Yes by class of hand (91, the lowest first): eldest's first
word; the dealer's after a No, and after a Yes; eldest's answer to a challenge. That is the order of
`simulate.napalm.solving.histories`.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
from scipy.optimize import linprog

from simulate.napalm.ranking import hand_class
from simulate.napalm.reference import Money
from simulate.napalm.rules import make_rules

ELDEST, SILENT, HEARD, ANSWER = range(4)
CLASSES = 91


@cache
def deals():
    """Return the chance of each pair of classes: no card is in both hands."""
    hands = list(combinations(range(52), 2))
    keys = [hand_class(1, hand) for hand in hands]
    number = {key: place for place, key in enumerate(sorted(set(keys)))}
    assert len(number) == CLASSES
    kinds = np.array([number[key] for key in keys])
    cards = np.array(hands)
    meet = (cards[:, None, :, None] == cards[None, :, None, :]).any(axis=(2, 3))
    first, second = np.nonzero(~meet)
    counts = np.zeros((CLASSES, CLASSES))
    np.add.at(counts, (kinds[first], kinds[second]), 1.0)
    return counts / counts.sum()


@cache
def payoffs(share):
    """Return what the two receive by (last word of eldest, of the dealer), as class by class."""
    rules = make_rules("stakes")
    tables = np.zeros((2, 2, 2, CLASSES, CLASSES))
    classes = np.arange(CLASSES)
    sides = (classes[:, None] > classes) * 1 - (classes[:, None] < classes) * 1
    for words in np.ndindex(2, 2):
        for side in (-1, 0, 1):
            money = Money(collected=[0, 0], net=[0, 0], pot=2)
            money.settle(rules, 1, [seat for seat in (0, 1) if words[seat]], [side, 0])
            for seat in (0, 1):
                tables[(seat, *words)][sides == side] = money.net[seat] + share * money.pot
    return tables


def values(profile, share):
    """Return what (No, Yes) brings in all at each decision: shape (4, 2, 91)."""
    weight, pay = deals(), payoffs(share)
    eldest, silent, heard, answer = profile
    found = np.zeros((4, 2, CLASSES))

    def to_eldest(first, second, chance):
        return ((weight * pay[0, first, second]) * chance).sum(axis=1)

    def to_dealer(first, second, chance):
        return ((weight * pay[1, first, second]).T * chance).sum(axis=1)

    for word in (0, 1):
        found[ANSWER, word] = to_eldest(word, 1, silent)
    answered = answer * found[ANSWER, 1] + (1 - answer) * found[ANSWER, 0]
    found[ELDEST, 0] = answered + to_eldest(0, 0, 1 - silent)
    found[ELDEST, 1] = to_eldest(1, 1, heard) + to_eldest(1, 0, 1 - heard)
    no = 1 - eldest
    found[SILENT, 0] = to_dealer(0, 0, no)
    found[SILENT, 1] = to_dealer(1, 1, no * answer) + to_dealer(0, 1, no * (1 - answer))
    for word in (0, 1):
        found[HEARD, word] = to_dealer(1, word, eldest)
    return found


def worth(profile, share):
    """Return what both may expect."""
    found = values(profile, share)
    mixed = [profile[k] * found[k, 1] + (1 - profile[k]) * found[k, 0] for k in range(4)]
    return mixed[ELDEST].sum(), mixed[SILENT].sum() + mixed[HEARD].sum()


def gains(profile, share):
    """Return what a best reply of each brings more: their sum is NashConv, exactly."""
    was, found = worth(profile, share), values(profile, share)
    dealer = np.maximum(*found[SILENT]).sum() + np.maximum(*found[HEARD]).sum()
    best = np.array(profile, float)
    best[ANSWER] = found[ANSWER, 1] > found[ANSWER, 0]
    eldest = np.maximum(*values(best, share)[ELDEST]).sum()
    return eldest - was[0], dealer - was[1]


def by_cfr_plus(share, rounds):
    """Solve it by CFR+ over all deals (O. Tammelin, arXiv 1407.5042)."""
    regret, total, profile = np.zeros((4, 2, CLASSES)), np.zeros((4, CLASSES)), None
    reach = np.zeros(CLASSES)
    for number in range(1, rounds + 1):
        for player in ((ELDEST, ANSWER), (SILENT, HEARD)):
            sums = regret.sum(axis=1)
            profile = np.divide(regret[:, 1], sums, out=np.full(sums.shape, 0.5), where=sums > 0)
            found = values(profile, share)
            for k in player:
                mean = profile[k] * found[k, 1] + (1 - profile[k]) * found[k, 0]
                regret[k] = np.maximum(regret[k] + found[k] - mean, 0.0)
        total[:ANSWER] += number * profile[:ANSWER]
        total[ANSWER] += number * (1 - profile[ELDEST]) * profile[ANSWER]
        reach += number * (1 - profile[ELDEST])
    average = total / (rounds * (rounds + 1) / 2)
    average[ANSWER] = np.divide(total[ANSWER], reach, out=np.zeros(CLASSES), where=reach > 0)
    return average


def by_linear_program():
    """Solve it where both share the pot that is left, which leaves nothing to anybody else.

    Eldest's plan: the chance of Yes, of No and then Yes, of No and then No when challenged. The
    dealer takes the better word with every hand, whichever he heard.

    Returns
    -------
    float
        What the deal is worth to eldest.
    """
    weight, pay = deals(), payoffs(0.5)[1]
    yes, then_yes, then_no, heard, silent = (
        slice(k * CLASSES, (k + 1) * CLASSES) for k in range(5)
    )
    size, rows = 5 * CLASSES, []

    def row(bound, terms):
        matrix = np.zeros((CLASSES, size))
        matrix[:, bound] -= np.eye(CLASSES)
        for plan, table in terms:
            matrix[:, plan] += (weight * table).T
        rows.append(matrix)

    row(heard, [(yes, pay[1, 1])])
    row(heard, [(yes, pay[1, 0])])
    row(silent, [(then_yes, pay[1, 1]), (then_no, pay[0, 1])])
    row(silent, [(then_yes, pay[0, 0]), (then_no, pay[0, 0])])
    cost = np.zeros(size)
    cost[heard], cost[silent] = 1.0, 1.0
    plans = np.hstack([np.eye(CLASSES)] * 3 + [np.zeros((CLASSES, 2 * CLASSES))])
    bounds = [(0, None)] * (3 * CLASSES) + [(None, None)] * (2 * CLASSES)
    solved = linprog(cost, np.vstack(rows), np.zeros(4 * CLASSES), plans, np.ones(CLASSES), bounds)
    assert solved.status == 0
    return 2 - solved.fun
