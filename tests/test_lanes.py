"""Lanes: every operation in every lane gives what whole numbers of Python give, cut to size."""

from __future__ import annotations

import operator

import lane_programs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sizes import COMPILED

from simulate.jit import numba
from simulate.lanes import LEHMER_PLACES, LEHMER_WIDTH, WIDTH

UNSIGNED = [np.dtype(kind) for kind in (np.uint8, np.uint16, np.uint32, np.uint64)]
SIGNED = [np.dtype(kind) for kind in (np.int32, np.int64)]
KINDS = UNSIGNED + SIGNED

every_kind = pytest.mark.parametrize("kind", KINDS, ids=str)
few = settings(max_examples=30)  # of 32 lanes each


def numbers(kind, low=None, high=None):
    """Whole numbers that fit, those at the borders often; as plain integers they fit int64."""
    info = np.iinfo(kind)
    low, high = info.min if low is None else low, info.max if high is None else high
    special = {x for x in (low, low + 1, -1, 0, 1, high - 1, high) if low <= x <= high}
    return st.sampled_from(sorted(special)) | st.integers(low, high)


def plain_number(kind, low=None):
    return numbers(kind, low, min(np.iinfo(kind).max, 2**63 - 1))


def rows(kind, number=2, low=None, high=None):
    """Rows of lanes; now and then most lanes are alike, so that they tie."""
    elements = numbers(kind, low, high)
    return arrays(kind, (number, WIDTH), elements=elements, fill=elements)


def cut(value, kind):
    """Keep the bits that an element has."""
    bits = 8 * kind.itemsize
    value &= (1 << bits) - 1
    return value - (1 << bits) if kind.kind == "i" and value >> bits - 1 else value


def expected(kind, function, *operands):
    """Apply a function to whole numbers, lane by lane; a plain integer goes to all of them."""
    columns = [x.tolist() if isinstance(x, np.ndarray) else [x] * WIDTH for x in operands]
    return [cut(int(function(*lane)), kind) for lane in zip(*columns, strict=True)]


def blank(kind, number):
    return np.zeros((number, WIDTH), kind)


ARITHMETIC = [
    operator.add, operator.sub, operator.mul, operator.and_, operator.or_, operator.xor
]  # fmt: skip
COMPARISONS = [
    operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne
]  # fmt: skip


@every_kind
@few
@given(data=st.data())
def test_arithmetic_wraps_around(kind, data):
    x_y, number = data.draw(rows(kind)), data.draw(plain_number(kind))
    out = blank(kind, 12)
    lane_programs.arithmetic(x_y, number, out)
    for row, function in enumerate(ARITHMETIC):
        assert out[row].tolist() == expected(kind, function, *x_y), function
        assert out[row + 6].tolist() == expected(kind, function, x_y[0], number), function


@every_kind
@few
@given(data=st.data())
def test_shifts_and_division_of_numbers_not_below_zero(kind, data):
    x_y, number = data.draw(rows(kind, low=0)), data.draw(plain_number(kind, low=1))
    x_y[1] |= 1  # a divisor
    bits = 8 * kind.itemsize
    by, distance = data.draw(rows(kind, 1, 0, bits - 1)), data.draw(st.integers(0, bits - 1))
    out = blank(kind, 6)
    lane_programs.not_below_zero(x_y, by, number, distance, out)
    assert out[0].tolist() == expected(kind, operator.lshift, x_y[0], by[0])
    assert out[1].tolist() == expected(kind, operator.rshift, x_y[0], by[0])
    assert out[2].tolist() == expected(kind, operator.floordiv, *x_y)
    assert out[3].tolist() == expected(kind, operator.lshift, x_y[0], distance)
    assert out[4].tolist() == expected(kind, operator.rshift, x_y[0], distance)
    assert out[5].tolist() == expected(kind, operator.floordiv, x_y[0], number)


@every_kind
@few
@given(data=st.data())
def test_comparisons_know_the_sign(kind, data):
    x_y, number = data.draw(rows(kind)), data.draw(plain_number(kind))
    same = data.draw(arrays(bool, WIDTH))
    x_y[1, same] = x_y[0, same]
    out = blank(kind, 12)
    lane_programs.comparisons(x_y, number, out)
    for row, function in enumerate(COMPARISONS):
        assert out[row].tolist() == expected(kind, function, *x_y), function
        assert out[row + 6].tolist() == expected(kind, function, x_y[0], number), function


@every_kind
@few
@given(data=st.data())
def test_choices_by_masks(kind, data):
    x_y_z, number = data.draw(rows(kind, 3)), data.draw(plain_number(kind))
    out = blank(kind, 6)
    lane_programs.choices(x_y_z, number, out)
    right = [
        lambda x, y, z: y if x < y else z,
        lambda x, y, z: number if x < y else z,
        lambda x, y, z: y if x < y else number,
        lambda x, y, z: x if x < y and x < z else y,
        lambda x, y, z: x if x < y or x < z else y,
        lambda x, y, z: x if (x < y) != (x < z) else y,
    ]
    for row, function in enumerate(right):
        assert out[row].tolist() == expected(kind, function, *x_y_z), row


@every_kind
@few
@given(data=st.data())
def test_casts_keep_the_value_where_it_fits_and_else_its_low_bits(kind, data):
    x_y = data.draw(rows(kind))
    out = [blank(to, 1) for to in KINDS]
    lane_programs.casts(x_y, *out)
    for to, row in zip(KINDS, out, strict=True):
        assert row[0].tolist() == expected(to, int, x_y[0]), to
    lane_programs.casts_of_masks(x_y, *out)
    for to, row in zip(KINDS, out, strict=True):
        assert row[0].tolist() == expected(to, operator.lt, *x_y), to


WORD = np.dtype(np.uint64)
ROW, LANE = st.integers(0, 2), st.integers(0, 2 * WIDTH)


@few
@given(data=st.data())
def test_words_are_multiplied_and_compared_piece_by_piece(data):
    words, number = data.draw(rows(WORD)), np.uint64(data.draw(numbers(WORD)))
    out = blank(WORD, 4)
    lane_programs.by_pieces(words, number, out)
    upper, lower, below, joined = (row.view(np.uint16).reshape(WIDTH, 4).tolist() for row in out)
    pieces, others = (row.view(np.uint16).reshape(WIDTH, 4).tolist() for row in words)
    factors = np.array([number]).view(np.uint16).tolist()
    for lane in range(WIDTH):
        products = [x * y for x, y in zip(pieces[lane], factors, strict=True)]
        assert upper[lane] == [product >> 16 for product in products]
        assert lower[lane] == [product & 0xFFFF for product in products]
        smaller = [x < y for x, y in zip(pieces[lane], factors, strict=True)]
        assert below[lane] == [0xFFFF * less for less in smaller]
        assert joined[lane] == pieces[lane][:2] + others[lane][:2]


@few
@given(data=st.data())
def test_pieces_are_spread_over_rows(data):
    words, row, lane = data.draw(rows(WORD)), data.draw(ROW), data.draw(LANE)
    words &= np.uint64(0x00FF_00FF_00FF_00FF)
    array = data.draw(arrays(np.uint8, (10, 3 * WIDTH), elements=st.integers(0, 255)))
    right = array.copy()
    for k in range(WIDTH):
        right[row : row + 8, lane + k] = words[:, k].copy().view(np.uint16)
    lane_programs.spread(words, array, row, lane)
    assert np.array_equal(array, right)


@every_kind
@few
@given(data=st.data())
def test_how_many_lanes_are_true_and_whether_any_is(kind, data):
    x_y = data.draw(rows(kind))
    if data.draw(st.booleans()):
        x_y[0] = np.maximum(*x_y)  # then none, or
        lane = data.draw(st.integers(-1, WIDTH - 1))
        if lane >= 0:  # one
            x_y[:, lane] = 0, 1
    true = int((x_y[0] < x_y[1]).sum())
    assert tuple(lane_programs.truths(x_y)) == (true > 0, true)


@every_kind
@few
@given(data=st.data())
def test_loads_and_stores_touch_their_own_lanes_only(kind, data):
    source = data.draw(arrays(kind, (3, 3 * WIDTH), elements=numbers(kind)))
    target = data.draw(arrays(kind, (3, 3 * WIDTH), elements=numbers(kind)))
    row, to_row, lane, to_lane = (data.draw(place) for place in (ROW, ROW, LANE, LANE))
    right = target.copy()
    right[to_row, to_lane : to_lane + WIDTH] = source[row, lane : lane + WIDTH]
    lane_programs.move(source, row, lane, target, to_row, to_lane)
    assert np.array_equal(target, right)


@every_kind
@few
@given(data=st.data())
def test_true_lanes_are_packed_side_by_side(kind, data):
    x_y, row, lane = data.draw(rows(kind)), data.draw(ROW), data.draw(LANE)
    out = data.draw(arrays(kind, (3, 3 * WIDTH), elements=numbers(kind)))
    right, kept = out.copy(), x_y[0, x_y[0] < x_y[1]]
    right[row, lane : lane + len(kept)] = kept
    lane_programs.pack_where_below(x_y, out, row, lane)
    anything = np.s_[row, lane + len(kept) : lane + WIDTH]
    out[anything] = right[anything]
    assert np.array_equal(out, right)


@every_kind
@few
@given(data=st.data())
def test_true_lanes_are_unpacked_in_order(kind, data):
    x_y, row, lane = data.draw(rows(kind)), data.draw(ROW), data.draw(LANE)
    source = data.draw(arrays(kind, (3, 3 * WIDTH), elements=numbers(kind)))
    coming, right = iter(source[row, lane:].tolist()), x_y[0].tolist()
    for k in range(WIDTH):
        if x_y[0, k] < x_y[1, k]:
            right[k] = next(coming)
    out = blank(kind, 1)
    lane_programs.unpack_where_below(x_y, source, row, lane, out)
    assert out[0].tolist() == right


@every_kind
@few
@given(data=st.data())
def test_a_lookup_takes_each_lane_from_the_table(kind, data):
    table = data.draw(arrays(kind, st.integers(1, 300), elements=numbers(kind)))
    places = data.draw(rows(np.dtype(np.int32), 1, 0, len(table) - 1))
    out = blank(kind, 1)
    lane_programs.look_up(table, places, out)
    assert out[0].tolist() == table[places[0]].tolist()


@few
@given(st.integers(0, 2**32), st.sampled_from((0, LEHMER_WIDTH)))
def test_a_lehmer_code_is_decoded_in_every_lane(seed, lane):
    lanes, places = 2 * LEHMER_WIDTH, 52 // LEHMER_PLACES * LEHMER_PLACES
    generator = np.random.default_rng(seed)
    shape = (places, lanes)
    digits = generator.integers(0, 52 - np.arange(places)[:, None], shape).astype(np.uint8)
    cards = np.full(shape, 99, np.uint8)
    lane_programs.decode(digits, cards, lane)
    for column in range(lane, lane + LEHMER_WIDTH):
        left = list(range(52))
        assert cards[:, column].tolist() == [left.pop(digit) for digit in digits[:, column]]
    others = np.delete(cards, np.s_[lane : lane + LEHMER_WIDTH], axis=1)
    assert (others == 99).all()


def test_an_array_whose_lanes_lie_apart_is_never_read_wrongly():
    """Compiled it is refused, without the compiler numpy reads it."""
    array = np.arange(3 * WIDTH, dtype=np.uint8).reshape(WIDTH, 3).T
    out = blank(array.dtype, 3)
    if COMPILED:
        with pytest.raises(numba.core.errors.TypingError, match="not C-contiguous"):
            lane_programs.move(array, 1, 0, out, 0, 0)
    else:
        lane_programs.move(array, 1, 0, out, 0, 0)
        assert np.array_equal(out[0], array[1])
