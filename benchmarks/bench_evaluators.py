"""Ranking seven cards beside the evaluators that a user would take instead, on the same hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.evaluators import RIVALS, Rival, order_of
from benchmarks.measure import Case, Effort, measure, ratios
from benchmarks.row import Row, Target
from benchmarks.whole_deal import sevens_only
from simulate.rng import deal_deck, fold_seed

TITLE = "The best five of seven cards: the same hands, ranked in the same order"
HANDS = 4096
OURS = "narrow lanes"
TARGETS = {"eval7": Target(200.0, of="ratio")}


def random_hands(number: int) -> np.ndarray:
    """Return so many hands of seven cards, one a column."""
    key, deck = fold_seed(7), np.zeros(7, np.int64)
    hands = np.zeros((7, number), np.uint8)
    for hand in range(number):
        deal_deck(key, hand, 0, deck)
        hands[:, hand] = deck
    return hands


def ranked(hands: np.ndarray) -> list[int]:
    """Return the compiled values of hands."""
    values = np.zeros((1, hands.shape[1]), np.uint32)
    sevens_only(1, hands, values)
    return [int(value) for value in values[0]]


def our_work(hands: np.ndarray):
    """Return work that ranks the hands over and over, all at once."""
    values = np.zeros((1, hands.shape[1]), np.uint32)

    def work(count: int) -> int:
        times = -(-count // hands.shape[1])
        sevens_only(times, hands, values)
        return times * hands.shape[1]

    return work


def their_work(value: Any, hands: Sequence[Any]):
    """Return work that ranks the hands over and over, one by one."""

    def work(count: int) -> int:
        rounds, rest = divmod(count, len(hands))
        for _ in range(rounds):
            for hand in hands:
                value(hand)
        for hand in hands[:rest]:
            value(hand)
        return count

    return work


def check_order(name: str, rival: Rival, hands: np.ndarray) -> None:
    """Refuse a comparison with something that ranks otherwise."""
    theirs = [rival.value(rival.prepared(hand)) for hand in hands.T.tolist()]
    if order_of(theirs, rival.higher) != order_of(ranked(hands), higher=True):
        raise RuntimeError(f"{name} orders {hands.shape[1]} hands otherwise than the kernel does")


def run(effort: Effort) -> list[Row]:
    """Measure our evaluator and every rival that is installed."""
    hands = random_hands(HANDS)
    checked = hands if effort.full else hands[:, : HANDS // 16].copy()
    cases, absent = [Case(OURS, "hands", our_work(hands))], []
    for name, make in RIVALS.items():
        try:
            rival = make()
        except ImportError as error:
            absent.append(Row(name, "hands/s", note=f"not installed: {error}"))
            continue
        check_order(name, rival, checked)
        prepared = [rival.prepared(hand) for hand in hands.T.tolist()]
        work = their_work(rival.value, prepared)
        cases.append(Case(name, "hands", work, TARGETS.get(name)))
    ours, *theirs = measure(cases, effort)
    note = f"the same order over {checked.shape[1]:,} hands"
    beside = [
        row.compared("ours / theirs", ratios(ours.samples, row.samples), note) for row in theirs
    ]
    return [ours, *beside, *absent]
