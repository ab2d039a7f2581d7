"""What is remembered of millions of games: counts and sums that add up."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.jit import compile_module
from simulate.lanes import WIDTH, count, load, lookup, pack, store, to_i32, to_u32, where
from simulate.napalm.hands import INVERTED
from simulate.napalm.settlement import BEST_OF_ALL, LONE, OUTCOMES
from simulate.napalm.strength import BUCKETS
from simulate.napalm.table import LANES, NOT_CHALLENGED, around
from simulate.wide import DIGITS

SUMS = 3 + DIGITS
"""Sums kept of results: games, games won, net, and the digits of its square."""

UNPAIRED = 78
"""Distinct hands of two cards without a pair."""

LENGTHS = 1024
"""Lengths of games told apart; the last stands for itself and all longer ones."""


class Totals(NamedTuple):
    """Sums over games, all int64; K distinct strategies, n slots of the line-up and n seats.

    Attributes
    ----------
    decisions : shape (K * 3 * 2 * n * n * OUTCOMES * BUCKETS + 1,)
        How often: strategy, stage, turn, position, heard, outcome (see
        `simulate.napalm.settlement`), bucket; the last cell takes what does not count. Most
        outcomes are rare: with the buckets innermost the cells in use stay close together.
    money : shape (K * 3 * 2 * n * n * BUCKETS,)
        The stakes that each last Yes brought at its stage.
    results : shape (n * n * SUMS,)
        By slot and seat: games, games won, sum of net results, sum of their squares (see
        `simulate.wide`).
    shared : shape (K * SUMS,)
        The same by strategy, the results of its seats in a game taken together.
    lengths : shape (LENGTHS,)
        Games by number of deals.
    games : shape (3,)
        Games, truncated games (N18), deals.
    """

    decisions: NDArray[np.int64]
    money: NDArray[np.int64]
    results: NDArray[np.int64]
    shared: NDArray[np.int64]
    lengths: NDArray[np.int64]
    games: NDArray[np.int64]


class Scratch(NamedTuple):
    """Work space for one stage: cells of decisions, and cells and stakes of those who said Yes.

    Cells are unsigned: an index that may be negative costs a comparison.
    """

    cell: NDArray[np.uint32]
    yes_cell: NDArray[np.uint32]
    yes_stakes: NDArray[np.int32]


def bucket_of_two(table, position, n, lane):
    """Return the bucket of two cards: the 91 hands ascending (N3), 78 unpaired ones, 13 pairs."""
    rank1 = to_i32(load(table.cards, position, lane)) >> 2
    rank2 = to_i32(load(table.cards, n + position, lane)) >> 2
    high, low = where(rank1 > rank2, rank1, rank2), where(rank1 > rank2, rank2, rank1)
    return where(high == low, high + UNPAIRED, (high * (high - 1) >> 1) + low)


def bucket_of_more(table, stage, position, n, strengths, lane):
    """Look the bucket of a hand of stage 2 or 3 up."""
    flip = INVERTED if stage == 1 else 0
    value = load(table.value, stage * n + position, lane) ^ flip
    made = lookup(strengths.base, to_i32(value >> 16))
    index = made + lookup(strengths.place, to_i32(value & 0xFFFF))
    return lookup(strengths.bucket, index + stage * strengths.size)


def tally_stage(table, stage, step, n, strengths, scratch, totals, lanes):
    """Count what everybody said at turn 1 of a settled stage, and how it came out."""
    nowhere = len(totals.decisions) - 1
    spoken = 0
    for lane in range(0, lanes, WIDTH):
        live = load(table.live, 0, lane) != 0
        first = load(table.first, 0, lane)
        heard = first ^ first
        for position in range(n):
            if stage == 0:
                bucket = bucket_of_two(table, position, n, lane)
            else:
                bucket = bucket_of_more(table, stage, position, n, strengths, lane)
            who = load(table.strategy, around(position + step, n), lane)
            cell = ((who * 3 + stage) * 2 * n + position) * n + heard
            word = first >> position & 1
            outcome = load(table.outcome, position, lane)
            # Who said No first and Yes when challenged said No here: only his hand counts.
            top = where(outcome >= LONE + BEST_OF_ALL, (first ^ first) | 1, 0)
            outcome = where((word == 0) & (outcome >= LONE), top, outcome)
            place = (cell * OUTCOMES + outcome) * BUCKETS + bucket
            store(scratch.cell, position, lane, to_u32(where(live, place, nowhere)))
            said_yes = live & (word != 0)
            pack(scratch.yes_cell, 0, spoken, said_yes, to_u32(cell * BUCKETS + bucket))
            pack(scratch.yes_stakes, 0, spoken, said_yes, load(table.change, position, lane))
            spoken += count(said_yes)
            heard = heard + word
    for position in range(n):
        for lane in range(lanes):
            totals.decisions[scratch.cell[position, lane]] += 1
    for place in range(spoken):
        totals.money[scratch.yes_cell[0, place]] += scratch.yes_stakes[0, place]


def class_index(strengths, value):
    """Return the index of a value in the tables of strength."""
    return strengths.base[value >> 16] + strengths.place[value & 0xFFFF]


def tally_challenges(table, stage, step, n, strengths, totals, lanes):
    """Count what was answered to challenges (N8), and how it came out."""
    flip = INVERTED if stage == 1 else 0
    for lane in range(lanes):
        second = table.second[0, lane]
        if second == NOT_CHALLENGED or table.live[0, lane] == 0:
            continue
        heard = 1
        for position in range(n - 1):
            index = class_index(strengths, np.int64(table.value[stage * n + position, lane]) ^ flip)
            bucket = strengths.bucket[index + stage * strengths.size]
            who = table.strategy[around(position + step, n), lane]
            cell = (((who * 3 + stage) * 2 + 1) * n + position) * n + heard
            outcome = table.outcome[position, lane]
            totals.decisions[(cell * OUTCOMES + outcome) * BUCKETS + bucket] += 1
            if second >> position & 1:
                totals.money[cell * BUCKETS + bucket] += table.change[position, lane]
                heard += 1


compile_module(
    __name__,
    fills_only=True,
    inlined=("bucket_of_two", "bucket_of_more", "class_index"),
    inner="all",
)


def empty_totals(strategies: int, n: int) -> Totals:
    """Make totals of nothing."""
    cells = strategies * 3 * 2 * n * n * BUCKETS

    def zeros(*shape: int) -> NDArray[np.int64]:
        return np.zeros(shape, np.int64)

    return Totals(
        decisions=zeros(cells * OUTCOMES + 1),
        money=zeros(cells),
        results=zeros(n * n * SUMS),
        shared=zeros(strategies * SUMS),
        lengths=zeros(LENGTHS),
        games=zeros(3),
    )


def empty_scratch(n):
    """Make the work space."""
    return Scratch(
        np.zeros((n, LANES), np.uint32),
        np.zeros((1, n * LANES), np.uint32),
        np.zeros((1, n * LANES), np.int32),
    )
