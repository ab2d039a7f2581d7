"""From a hand's value to its class: strengths, buckets and thresholds as tables.

A value (see `simulate.napalm.hands`) is sparse. Its *index* is dense: ``base[major] +
place[minor]``, where `place` numbers the sets of ranks of one size in ascending order and `base`
leaves room for as many kickers as the category has. Indices order hands as values do, and a table
of their length holds whatever belongs to a class.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.napalm.counts import class_counts, class_strengths

BUCKETS = 100
"""Strength buckets of a stage: at stage 1 the 91 distinct hands in ascending order, at stages 2
and 3 strength in hundredths, rounded down."""

NEVER = 0xFFFFFFFF
"""A cut that no value reaches."""

_RANKS = 13
_STRAIGHT, _FOUR, _STRAIGHT_FLUSH = 4, 7, 8
_TOP_TO_PLACE = -5  # the straight with its top card on rank r starts at place r - 5
# Of each category: how many ranks make it (in the value's major part), how many are kickers.
_MADE = (0, 1, 2, 1, 1, 0, 1, 1, 1)
_KICKERS = (5, 3, 1, 2, 0, 5, 1, 1, 0)


def _mask(ranks: tuple[int, ...]) -> int:
    return sum(1 << rank - 2 for rank in ranks)


def values_of_classes(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the values of the hands of classes of `simulate.napalm.counts`."""
    category = keys >> 20
    made, kickers = np.zeros((2, len(keys)), np.int64)
    for place, shift in enumerate((16, 12, 8, 4, 0)):
        rank = keys >> shift & 15
        bit = np.where(rank > 0, 1 << np.maximum(rank - 2, 0), 0)
        makes = place < np.array(_MADE)[category]
        made |= np.where(makes, bit, 0)
        kickers |= np.where(makes, 0, bit)
    run = (category == _STRAIGHT) | (category == _STRAIGHT_FLUSH)
    made[run] = 1 << (keys[run] >> 16 & 15) + _TOP_TO_PLACE
    flush = category == _STRAIGHT_FLUSH
    made[flush] |= 1 << 12
    return (np.where(flush, _FOUR, category) << 13 | made) << 16 | kickers


@cache
def index_tables() -> tuple[NDArray[np.int32], NDArray[np.int32], int]:
    """Return `base`, shape (65536,), `place`, shape (8192,), and how many indices there are."""
    place = np.zeros(1 << _RANKS, np.int32)
    for size in range(1, 6):
        masks = sorted(_mask(ranks) for ranks in combinations(range(2, 2 + _RANKS), size))
        place[masks] = np.arange(len(masks))
    majors = {}
    for category, (made, kickers) in enumerate(zip(_MADE[:8], _KICKERS[:8], strict=True)):
        for ranks in combinations(range(2, 2 + _RANKS), made):
            majors[category << 13 | _mask(ranks)] = comb(_RANKS, kickers)
    for start in range(10):
        majors[_FOUR << 13 | 1 << 12 | 1 << start] = 1
    base, size = np.zeros(1 << 16, np.int32), 0
    for major in sorted(majors):
        base[major] = size
        size += majors[major]
    return base, place, size


class Strengths(NamedTuple):
    """The tables that compiled code looks strengths up in, small enough for the nearest cache.

    Attributes
    ----------
    base, place : ndarray of uint16
        Of `index_tables`.
    strength : ndarray of float64, shape (3, indices)
        Strength at each stage; 0 at indices that no hand of the stage has.
    bucket : ndarray of uint8, shape (3, indices)
        Strength bucket at each stage.
    """

    base: NDArray[np.uint16]
    place: NDArray[np.uint16]
    strength: NDArray[np.float64]
    bucket: NDArray[np.uint8]


@cache
def _values(stage: int, wheel: bool) -> NDArray[np.int64]:
    return values_of_classes(class_counts(stage, wheel)[0])


@cache
def strength_tables(wheel: bool) -> Strengths:
    """Build the tables for a game with or without the wheel."""
    base, place, size = index_tables()
    strength, bucket = np.zeros((3, size)), np.zeros((3, size), np.uint8)
    for stage in (1, 2, 3):
        values = _values(stage, wheel)
        index = base[values >> 16] + place[values & 0xFFFF]
        share = class_strengths(stage, wheel)
        strength[stage - 1, index] = share
        numbers = np.arange(len(index)) if stage == 1 else (share * BUCKETS).astype(int)
        bucket[stage - 1, index] = np.minimum(numbers, BUCKETS - 1)
    return Strengths(base.astype(np.uint16), place.astype(np.uint16), strength, bucket)


def value_cut(stage: int, wheel: bool, threshold: float) -> int:
    """Return the least value, as compared at that stage, with at least this strength.

    At stage 2 values are inverted. Where no hand is as strong it is `NEVER`.
    """
    values, share = _values(stage, wheel), class_strengths(stage, wheel)
    good = values[share >= threshold]
    if not len(good):
        return NEVER
    return int(good.max() ^ NEVER if stage == 2 else good.min())


@cache
def bucket_names(stage: int) -> tuple[str, ...]:
    """Name the buckets: at stage 1 by hand ("AK", "77"), else by the strength they begin with."""
    if stage != 1:
        return tuple(f"{bucket / BUCKETS:.2f}" for bucket in range(BUCKETS))
    symbols = "..23456789TJQKA"
    names = []
    for key in class_counts(1)[0]:
        high, low = int(key) >> 16 & 15, int(key) >> 12 & 15
        names.append(symbols[high] + symbols[low or high])
    return tuple(names)
