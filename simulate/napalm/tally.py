"""What is remembered of millions of games: counts and sums that add up."""

from __future__ import annotations

import mmap
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.jit import compile_module
from simulate.lanes import WIDTH, count, load, pack, store, to_u16, where
from simulate.napalm.hands import INVERTED
from simulate.napalm.settlement import BEST_OF_ALL, LONE, OUTCOMES
from simulate.napalm.strength import BUCKETS
from simulate.napalm.table import LANES, around, lane_rows
from simulate.wide import DIGITS

SUMS = 3 + DIGITS
"""Sums kept of results: games, games won, net, and the digits of its square."""

UNPAIRED = 78
"""Distinct hands of two cards without a pair."""

LENGTHS = 1024
"""Lengths of games told apart; the last stands for itself and all longer ones."""

MANY = 1 << 14
"""So many numbers lie on pages of their own: the system lends only those that are touched, and has
them back as soon as a slice is counted, where an allocator would keep some for each thread."""


class Totals(NamedTuple):
    """Sums over games, all int64; K distinct strategies, n slots of the line-up and n seats.

    Attributes
    ----------
    decisions : shape (K * 3 * 2 * n * n * OUTCOMES * BUCKETS + BUCKETS,)
        How often: strategy, stage, turn, position, heard, outcome (see
        `simulate.napalm.settlement`), bucket; the last buckets take what does not count. Most
        outcomes are rare: with the buckets innermost the cells in use stay close together. Empty
        where decisions are not counted.
    money : shape (K * 3 * 2 * n * n * BUCKETS,)
        The stakes that each last Yes brought at its stage; empty likewise.
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
    """Work space for one stage, by position but for `yes` and `lanes`.

    Attributes
    ----------
    situation, cell : uint16
        Where each decision belongs in the tables of `Totals`, buckets apart: without its outcome,
        and with it.
    bucket : uint16
    yes : uint16, 1 row
        The lanes of those who said Yes at one position.
    lanes : uint16, 1 row
        The numbers of the lanes.
    """

    situation: NDArray[np.uint16]
    cell: NDArray[np.uint16]
    bucket: NDArray[np.uint16]
    yes: NDArray[np.uint16]
    lanes: NDArray[np.uint16]


def bucket_of_two(table, position, n, lane):
    """Return the bucket of two cards: the 91 hands ascending (N3), 78 unpaired ones, 13 pairs."""
    rank1 = to_u16(load(table.cards, position, lane)) >> 2
    rank2 = to_u16(load(table.cards, n + position, lane)) >> 2
    high, low = where(rank1 > rank2, rank1, rank2), where(rank1 > rank2, rank2, rank1)
    return where(high == low, high + UNPAIRED, (high * (high - 1) >> 1) + low)


def class_index(strengths, value):
    """Return the index of a value in the tables of strength."""
    return np.int64(strengths.base[value >> 16]) + np.int64(strengths.place[value & 0xFFFF])


def bucket_at(table, stage, position, n, strengths, lane):
    """Look the bucket of a hand up."""
    flip = INVERTED if stage == 1 else 0
    value = np.int64(table.value[stage * n + position, lane]) ^ flip
    return strengths.bucket[stage, class_index(strengths, value)]


def situation_at(who, stage, turn, position, heard, n):
    """Return the number of a situation: which strategy speaks when, after how many Yes."""
    return who * (3 * 2 * n * n) + heard + ((stage * 2 + turn) * n + position) * n


def find_cells(table, stage, step, n, scratch, nowhere, lanes):
    """Find out where the words of turn 1 belong: `situation`, `cell`, and `bucket` at stage 1."""
    for lane in range(0, lanes, WIDTH):
        live = load(table.live, 0, lane) != 0
        first = to_u16(load(table.first, 0, lane))
        heard = first ^ first
        for position in range(n):
            who = load(table.strategy, around(position + step, n), lane)
            place = situation_at(who, stage, 0, position, heard, n)
            word = first >> position & 1
            outcome = load(table.outcome, position, lane)
            # Who said No first and Yes when challenged said No here: only his hand counts.
            top = where(outcome >= LONE + BEST_OF_ALL, (first ^ first) | 1, 0)
            outcome = where((word == 0) & (outcome >= LONE), top, outcome)
            store(scratch.situation, position, lane, place)
            store(scratch.cell, position, lane, where(live, place * OUTCOMES + outcome, nowhere))
            if stage == 0:
                store(scratch.bucket, position, lane, bucket_of_two(table, position, n, lane))
            heard = heard + word


def tally_stage(table, stage, step, n, strengths, scratch, totals, lanes):
    """Count what everybody said at turn 1 of a settled stage, and how it came out."""
    nowhere = len(totals.decisions) // BUCKETS - 1
    find_cells(table, stage, step, n, scratch, nowhere, lanes)
    for position in range(n):
        if stage > 0:
            for lane in range(lanes):
                bucket = bucket_at(table, stage, position, n, strengths, lane)
                scratch.bucket[position, lane] = bucket
        for lane in range(lanes):
            place = np.int64(scratch.cell[position, lane]) * BUCKETS
            totals.decisions[place + np.int64(scratch.bucket[position, lane])] += 1
        spoken = 0
        for lane in range(0, lanes, WIDTH):
            said_yes = load(table.first, 0, lane) >> position & 1
            said_yes = (said_yes & load(table.live, 0, lane)) != 0
            pack(scratch.yes, 0, spoken, said_yes, load(scratch.lanes, 0, lane))
            spoken += count(said_yes)
        for which in range(spoken):
            lane = scratch.yes[0, which]
            place = np.int64(scratch.situation[position, lane]) * BUCKETS
            place += np.int64(scratch.bucket[position, lane])
            totals.money[place] += table.change[position, lane]


def tally_challenges(table, stage, step, n, strengths, totals, asked):
    """Count what was answered to so many challenges (N8), and how it came out."""
    for which in range(asked):
        lane = table.asked[0, which]
        second = table.second[0, lane]
        heard = 1
        for position in range(n - 1):
            bucket = np.int64(bucket_at(table, stage, position, n, strengths, lane))
            who = np.int64(table.strategy[around(position + step, n), lane])
            place = situation_at(who, stage, 1, position, heard, n)
            cell = place * OUTCOMES + np.int64(table.outcome[position, lane])
            totals.decisions[cell * BUCKETS + bucket] += 1
            if second >> position & 1:
                totals.money[place * BUCKETS + bucket] += table.change[position, lane]
                heard += 1


compile_module(
    __name__,
    fills_only=True,
    inlined=("bucket_of_two", "bucket_at", "class_index", "situation_at"),
    inner="all",
)


def empty_totals(strategies: int, n: int, decisions: bool = True) -> Totals:
    """Make totals of nothing, with room for decisions where they are to be counted."""
    cells = strategies * 3 * 2 * n * n * BUCKETS if decisions else 0

    def zeros(size: int) -> NDArray[np.int64]:
        if size < MANY:
            return np.zeros(size, np.int64)
        return np.frombuffer(mmap.mmap(-1, 8 * size), np.int64)

    return Totals(
        decisions=zeros(cells * OUTCOMES + BUCKETS if decisions else 0),
        money=zeros(cells),
        results=zeros(n * n * SUMS),
        shared=zeros(strategies * SUMS),
        lengths=zeros(LENGTHS),
        games=zeros(3),
    )


def empty_scratch(n):
    """Make the work space."""
    return Scratch(
        situation=lane_rows(n, np.uint16),
        cell=lane_rows(n, np.uint16),
        bucket=lane_rows(n, np.uint16),
        yes=lane_rows(1, np.uint16),
        lanes=np.arange(LANES, dtype=np.uint16).reshape(1, LANES),
    )
