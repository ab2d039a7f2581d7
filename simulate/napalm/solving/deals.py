"""Deals for a solver, many at a time: classes and values of all hands, and a coin for each word."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.dealing import PLACES, deal_places
from simulate.jit import compile_module
from simulate.napalm.hands import INVERTED, rank_fives, rank_sevens, rank_twos
from simulate.napalm.solving.classes import Edges, class_table
from simulate.napalm.strength import strength_tables
from simulate.napalm.table import LANES, lane_rows
from simulate.rng import STRATEGY, philox

BLOCK = 16 * LANES
"""Deals in a block: everybody learns from all of them before the others hear of it."""

UNIT = np.float32(2.0**-24)


class Deals(NamedTuple):
    """Some deals; position p at stage s (from 0) is column ``s * n + p``.

    Attributes
    ----------
    kind, fine : ndarray of uint8, shape (deals, 3 n)
        The class of each hand: as the solver tells them apart, and as a best reply does.
    value : ndarray of uint32, shape (deals, 3 n)
        See `simulate.napalm.hands`: the greater is the better at every stage.
    coin : ndarray of float32, shape (deals, 4 n)
        Uniform in [0, 1): who says Yes with chance c does where his coin is below c. Column
        ``t * n + p`` is for position p at time t (see `simulate.napalm.solving.histories`).
    """

    kind: NDArray[np.uint8]
    fine: NDArray[np.uint8]
    value: NDArray[np.uint32]
    coin: NDArray[np.float32]


class Bench(NamedTuple):
    """Work space to make deals in: see `simulate.napalm.table.Table`."""

    game: NDArray[np.uint64]
    deal: NDArray[np.uint64]
    digits: NDArray[np.uint8]
    refused: NDArray[np.uint64]
    cards: NDArray[np.uint8]
    value: NDArray[np.uint32]


class Classes(NamedTuple):
    """The class of a hand by the index of its value: see `simulate.napalm.strength`.

    Attributes
    ----------
    base, place : ndarray of uint16
        From a value to its index.
    kind, fine : ndarray of uint8, shape (3, indices)
        The class by stage, as in `Deals`.
    """

    base: NDArray[np.uint16]
    place: NDArray[np.uint16]
    kind: NDArray[np.uint8]
    fine: NDArray[np.uint8]


def toss_coins(key, game, coin, row):
    """Fill a row of coins, four from each group of random words."""
    for group in range((coin.shape[1] + 3) // 4):
        words = philox(key, np.uint64(game), np.uint64(0), STRATEGY | np.uint64(group))
        for piece in range(min(4, coin.shape[1] - 4 * group)):
            coin[row, 4 * group + piece] = np.float32(words[piece] >> np.uint64(8)) * UNIT


def make_deals(key, first, n, stages, wheel, classes, bench, deals, start, stop):
    """Make deals, a multiple of `LANES`.

    Parameters
    ----------
    key : uint64
    first : int
        The number of the deal in row 0; a deal depends on nothing but the key and its number.
    n, stages, wheel : int
        Players, stages that are dealt, and whether A-2-3-4-5 is a straight at stage 3.
    classes : Classes
    bench : Bench
    deals : Deals
    start, stop : int
        Rows `start` to ``stop - 1`` are filled.
    """
    for row in range(start, stop, LANES):
        make_lanes(key, first + row, n, stages, wheel, classes, bench, deals, row)


def make_lanes(key, first, n, stages, wheel, classes, bench, deals, start):
    """Make `LANES` deals, from number `first` on."""
    for lane in range(LANES):
        bench.game[0, lane] = first + lane
        bench.deal[0, lane] = 0
    places = (0, 2 * n, 5 * n, 7 * n)
    for stage in range(stages):
        deal_places(
            key, bench.game, bench.deal, places[stage], places[stage + 1], bench.digits,
            bench.refused, bench.cards, LANES,
        )  # fmt: skip
        flip = INVERTED if stage == 1 else 0
        for position in range(n):
            row = stage * n + position
            if stage == 0:
                rank_twos(bench.cards, position, n + position, row, bench.value, LANES)
            elif stage == 1:
                rank_fives(bench.cards, position, n, INVERTED, 0, row, bench.value, LANES)
            else:
                rank_sevens(bench.cards, position, n, wheel, row, bench.value, LANES)
            for lane in range(LANES):
                value = bench.value[row, lane]
                plain = np.int64(value) ^ flip
                index = np.int64(classes.base[plain >> 16]) + np.int64(
                    classes.place[plain & 0xFFFF]
                )
                deals.value[start + lane, row] = value
                deals.kind[start + lane, row] = classes.kind[stage, index]
                deals.fine[start + lane, row] = classes.fine[stage, index]
    for lane in range(LANES):
        toss_coins(key, first + lane, deals.coin, start + lane)


compile_module(__name__, fills_only=True, inner=("make_lanes",))


def empty_deals(n: int, deals: int = BLOCK) -> Deals:
    """Make room for so many deals, a multiple of `LANES`."""
    return Deals(
        kind=np.zeros((deals, 3 * n), np.uint8),
        fine=np.zeros((deals, 3 * n), np.uint8),
        value=np.zeros((deals, 3 * n), np.uint32),
        coin=np.zeros((deals, 4 * n), np.float32),
    )


def make_bench(n: int) -> Bench:
    """Make the work space for deals of n players."""
    return Bench(
        game=lane_rows(1, np.uint64),
        deal=lane_rows(1, np.uint64),
        digits=lane_rows(PLACES, np.uint8),
        refused=lane_rows(1, np.uint64),
        cards=lane_rows(PLACES, np.uint8),
        value=lane_rows(3 * n, np.uint32),
    )


def make_classes(wheel: bool, edges: Edges, fine: Edges) -> Classes:
    """Make the tables of the classes that a solver, and a best reply, tells apart."""
    strengths = strength_tables(wheel)
    kind, finer = class_table(wheel, edges), class_table(wheel, fine)
    return Classes(strengths.base, strengths.place, kind, finer)
