"""Small compiled programs over lanes, one for each group of operations, for `test_lanes`.

Each reads two rows of numbers and writes what comes out into the rows of `out`, in the order in
which the test lists the operations.
"""

from __future__ import annotations

from simulate.jit import compile_module
from simulate.lanes import (
    LEHMER_PLACES,
    count,
    load,
    lookup,
    low_words,
    multiply_pieces,
    pack,
    pieces_below,
    some,
    step_over,
    store,
    store_pieces,
    to_i32,
    to_i64,
    to_u8,
    to_u16,
    to_u32,
    to_u64,
    unpack,
    where,
)


def arithmetic(rows, number, out):
    x, y = load(rows, 0, 0), load(rows, 1, 0)
    store(out, 0, 0, x + y)
    store(out, 1, 0, x - y)
    store(out, 2, 0, x * y)
    store(out, 3, 0, x & y)
    store(out, 4, 0, x | y)
    store(out, 5, 0, x ^ y)
    store(out, 6, 0, x + number)
    store(out, 7, 0, x - number)
    store(out, 8, 0, x * number)
    store(out, 9, 0, x & number)
    store(out, 10, 0, x | number)
    store(out, 11, 0, x ^ number)


def not_below_zero(rows, distances, number, distance, out):
    x, y, by = load(rows, 0, 0), load(rows, 1, 0), load(distances, 0, 0)
    store(out, 0, 0, x << by)
    store(out, 1, 0, x >> by)
    store(out, 2, 0, x // y)
    store(out, 3, 0, x << distance)
    store(out, 4, 0, x >> distance)
    store(out, 5, 0, x // number)


def comparisons(rows, number, out):
    x, y = load(rows, 0, 0), load(rows, 1, 0)
    zero = x ^ x
    one = zero | 1
    store(out, 0, 0, where(x < y, one, zero))
    store(out, 1, 0, where(x <= y, one, zero))
    store(out, 2, 0, where(x > y, one, zero))
    store(out, 3, 0, where(x >= y, one, zero))
    store(out, 4, 0, where(x == y, one, zero))
    store(out, 5, 0, where(x != y, one, zero))
    store(out, 6, 0, where(x < number, one, zero))
    store(out, 7, 0, where(x <= number, one, zero))
    store(out, 8, 0, where(x > number, one, zero))
    store(out, 9, 0, where(x >= number, one, zero))
    store(out, 10, 0, where(x == number, one, zero))
    store(out, 11, 0, where(x != number, one, zero))


def choices(rows, number, out):
    x, y, z = load(rows, 0, 0), load(rows, 1, 0), load(rows, 2, 0)
    below, alike = x < y, x < z
    store(out, 0, 0, where(below, y, z))
    store(out, 1, 0, where(below, number, z))
    store(out, 2, 0, where(below, y, number))
    store(out, 3, 0, where(below & alike, x, y))
    store(out, 4, 0, where(below | alike, x, y))
    store(out, 5, 0, where(below ^ alike, x, y))


def casts(rows, u8, u16, u32, u64, i32, i64):
    x = load(rows, 0, 0)
    store(u8, 0, 0, to_u8(x))
    store(u16, 0, 0, to_u16(x))
    store(u32, 0, 0, to_u32(x))
    store(u64, 0, 0, to_u64(x))
    store(i32, 0, 0, to_i32(x))
    store(i64, 0, 0, to_i64(x))


def casts_of_masks(rows, u8, u16, u32, u64, i32, i64):
    mask = load(rows, 0, 0) < load(rows, 1, 0)
    store(u8, 0, 0, to_u8(mask))
    store(u16, 0, 0, to_u16(mask))
    store(u32, 0, 0, to_u32(mask))
    store(u64, 0, 0, to_u64(mask))
    store(i32, 0, 0, to_i32(mask))
    store(i64, 0, 0, to_i64(mask))


def by_pieces(words, number, out):
    x, y = load(words, 0, 0), load(words, 1, 0)
    upper, lower = multiply_pieces(x, number)
    store(out, 0, 0, upper)
    store(out, 1, 0, lower)
    store(out, 2, 0, pieces_below(x, number))
    store(out, 3, 0, low_words(x, y))


def spread(words, array, row, lane):
    store_pieces(array, row, lane, load(words, 0, 0), load(words, 1, 0))


def truths(rows):
    mask = load(rows, 0, 0) < load(rows, 1, 0)
    return some(mask), count(mask)


def move(source, row, lane, target, to_row, to_lane):
    store(target, to_row, to_lane, load(source, row, lane))


def pack_where_below(rows, out, row, lane):
    x, y = load(rows, 0, 0), load(rows, 1, 0)
    pack(out, row, lane, x < y, x)


def unpack_where_below(rows, source, row, lane, out):
    x, y = load(rows, 0, 0), load(rows, 1, 0)
    store(out, 0, 0, unpack(source, row, lane, x < y, x))


def element(array, place):
    return array[place]


def look_up(table, indices, out):
    store(out, 0, 0, lookup(table, load(indices, 0, 0)))


def decode(digits, cards, lane):
    for place in range(0, len(digits), LEHMER_PLACES):
        step_over(digits, cards, place, lane)


compile_module(__name__, fills_only=True)
