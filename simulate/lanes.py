"""Thirty-two games side by side: a vector type for Numba.

Numba widens every small integer to 64 bits and leaves it to LLVM to find out what may be done for
many games at once. Here it is said instead: a *lanes* value holds one number for each of `WIDTH`
games, in as many bits as its array has, and an operator works on all of them. LLVM makes of it
whatever the processor has, one 512-bit operation or several smaller ones.

Without the compiler (``NUMBA_DISABLE_JIT=1``) the same source runs on numpy arrays of `WIDTH`
elements, where the operators mean the same; only the functions at the end need a second body.

Rules of the type: both sides of an operator have the same element type, or the right one is a
plain integer that fits into it; sums wrap around; ``>>`` and ``//`` take numbers not below 0;
comparisons give a mask. Lanes are read from and written to C-contiguous arrays.
"""

from __future__ import annotations

import operator

import numpy as np

from simulate.jit import numba

from llvmlite import ir  # isort: skip  (all of Numba after simulate.jit, which prepares it)
from numba.core import cgutils, types  # isort: skip
from numba.core.typing.templates import AbstractTemplate, infer_global, signature  # isort: skip
from numba.extending import intrinsic, lower_builtin, models, register_model  # isort: skip

WIDTH = 32
"""Lanes of a value: thirty-two 16-bit numbers fill the widest register there is."""

LEHMER_WIDTH, LEHMER_PLACES = 64, 6
"""Lanes and deck places that `step_over` works on at once: enough independent chains to hide their
latency, and a digit once read serves all six."""


class Lanes(types.Type):  # type: ignore[misc]  # numba is untyped
    """The Numba type of one value for each lane; `dtype` is the type of an element."""

    def __init__(self, dtype: types.Type) -> None:
        self.dtype = dtype
        super().__init__(name=f"lanes({dtype})")


def _element(dtype: types.Type) -> ir.IntType:
    return ir.IntType(1 if dtype == types.boolean else dtype.bitwidth)


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager, lanes):
        super().__init__(manager, lanes, ir.VectorType(_element(lanes.dtype), WIDTH))


def _splat(builder, scalar, vector):
    """Repeat a scalar of the element type, or a wider one, in every lane."""
    if scalar.type.width > vector.element.width:
        scalar = builder.trunc(scalar, vector.element)
    elif scalar.type.width < vector.element.width:
        scalar = builder.zext(scalar, vector.element)
    one = builder.insert_element(ir.Constant(vector, ir.Undefined), scalar, ir.IntType(32)(0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), vector.count), [0] * vector.count)
    return builder.shuffle_vector(one, one, zeros)


def _define(function, emit, result):
    """Give a binary operator its meaning on lanes."""

    class Template(AbstractTemplate):  # type: ignore[misc]
        def generic(self, args, kws):
            if len(args) == 2 and isinstance(args[0], Lanes):
                left, right = args
                if isinstance(right, types.Integer) or left == right:
                    kept = types.int64 if isinstance(right, types.Integer) else right
                    return signature(result(left), left, kept)
            return None

    infer_global(function)(Template)

    def lower(context, builder, sig, args):
        left, right = args
        if not isinstance(sig.args[1], Lanes):
            right = _splat(builder, right, left.type)
        return emit(builder, left, right, getattr(sig.args[0].dtype, "signed", False))

    lower_builtin(function, Lanes, Lanes)(lower)
    lower_builtin(function, Lanes, types.Integer)(lower)


def _same(left):
    return left


def _mask(left):
    return Lanes(types.boolean)


for _function, _name in (
    (operator.add, "add"),
    (operator.sub, "sub"),
    (operator.mul, "mul"),
    (operator.and_, "and_"),
    (operator.or_, "or_"),
    (operator.xor, "xor"),
    (operator.lshift, "shl"),
    (operator.rshift, "lshr"),
    (operator.floordiv, "udiv"),
):
    _define(_function, lambda b, x, y, signed, name=_name: getattr(b, name)(x, y), _same)

_ICMP = ("icmp_unsigned", "icmp_signed")

for _function, _name in (
    (operator.lt, "<"),
    (operator.le, "<="),
    (operator.gt, ">"),
    (operator.ge, ">="),
    (operator.eq, "=="),
    (operator.ne, "!="),
):
    _define(
        _function,
        lambda b, x, y, signed, name=_name: getattr(b, _ICMP[signed])(name, x, y),
        _mask,
    )


def _demand(context, builder, inside):
    """Raise IndexError unless a condition holds: where Numba is to check bounds."""
    with builder.if_then(builder.not_(inside), likely=False):
        context.call_conv.return_user_exc(builder, IndexError, ("lanes beyond the array",))


def _address(context, builder, array_type, array, row, lane, vector, number=None):
    """Point at ``array[row, lane:lane + number]``, as many as a vector has when left out."""
    data = context.make_array(array_type)(context, builder, array)
    if numba.config.BOUNDSCHECK:
        rows, lanes = (builder.extract_value(data.shape, axis) for axis in (0, 1))
        end = builder.add(lane, number or ir.Constant(lane.type, vector.count))
        _demand(context, builder, builder.icmp_unsigned("<", row, rows))
        _demand(context, builder, builder.icmp_unsigned("<=", lane, lanes))
        _demand(context, builder, builder.icmp_unsigned("<=", end, lanes))
    row_stride = builder.extract_value(data.strides, 0)
    start = builder.ptrtoint(data.data, row.type)
    size = ir.Constant(lane.type, array_type.dtype.bitwidth // 8)
    offset = builder.add(builder.mul(row, row_stride), builder.mul(lane, size))
    return builder.inttoptr(builder.add(start, offset), vector.as_pointer())


def _true_lanes(builder, mask):
    """How many lanes of a mask are true."""
    bits = builder.bitcast(mask, ir.IntType(mask.type.count))
    return builder.zext(builder.ctpop(bits), ir.IntType(64))


def _refuse_scattered(array):
    """Refuse an array in which lanes do not lie side by side."""
    if array.layout != "C":
        raise numba.core.errors.TypingError(f"lanes of {array}, which is not C-contiguous")


if not numba.config.DISABLE_JIT:

    @intrinsic
    def load(typing, array, row, lane):
        """Return ``array[row, lane:lane + WIDTH]``."""

        def generate(context, builder, sig, args):
            vector = context.get_value_type(sig.return_type)
            where_ = _address(context, builder, sig.args[0], *args, vector)
            return builder.load(where_, align=1)

        _refuse_scattered(array)
        return Lanes(array.dtype)(array, types.int64, types.int64), generate

    @intrinsic
    def store(typing, array, row, lane, value):
        """Set ``array[row, lane:lane + WIDTH]``."""

        def generate(context, builder, sig, args):
            target = _address(context, builder, sig.args[0], *args[:3], args[3].type)
            builder.store(args[3], target, align=1)
            return context.get_dummy_value()

        _refuse_scattered(array)
        if array.dtype != value.dtype:
            raise numba.core.errors.TypingError(f"store {value} into an array of {array.dtype}")
        return types.void(array, types.int64, types.int64, value), generate

    @intrinsic
    def where(typing, mask, yes, no):
        """Choose, lane by lane; either choice may be a plain integer, not both."""
        lanes = yes if isinstance(yes, Lanes) else no
        kept = [x if isinstance(x, Lanes) else types.int64 for x in (yes, no)]

        def generate(context, builder, sig, args):
            vector = context.get_value_type(sig.return_type)
            mask_, *chosen = args
            chosen = [x if x.type == vector else _splat(builder, x, vector) for x in chosen]
            return builder.select(mask_, *chosen)

        return lanes(mask, *kept), generate

    def _cast(dtype, doc):
        @intrinsic
        def cast(typing, lanes):
            def generate(context, builder, sig, args):
                vector = context.get_value_type(sig.return_type)
                width, old = vector.element.width, args[0].type.element.width
                if width == old:
                    return args[0]
                if width < old:
                    return builder.trunc(args[0], vector)
                signed = getattr(sig.args[0].dtype, "signed", False)
                return (builder.sext if signed else builder.zext)(args[0], vector)

            return Lanes(dtype)(lanes), generate

        cast.__doc__ = doc
        return cast

    to_u8 = _cast(types.uint8, "Cut or widen lanes to 8 bits.")
    to_u16 = _cast(types.uint16, "Cut or widen lanes to 16 bits.")
    to_u32 = _cast(types.uint32, "Cut or widen lanes to 32 bits.")
    to_u64 = _cast(types.uint64, "Cut or widen lanes to 64 bits.")
    to_i32 = _cast(types.int32, "Cut or widen lanes to signed 32 bits.")
    to_i64 = _cast(types.int64, "Cut or widen lanes to signed 64 bits.")

    @intrinsic
    def some(typing, mask):
        """Whether the mask is true in any lane."""

        def generate(context, builder, sig, args):
            bits = builder.bitcast(args[0], ir.IntType(WIDTH))
            return builder.icmp_unsigned("!=", bits, ir.Constant(bits.type, 0))

        return types.boolean(mask), generate

    @intrinsic
    def count(typing, mask):
        """How many lanes of the mask are true."""

        def generate(context, builder, sig, args):
            return _true_lanes(builder, args[0])

        return types.int64(mask), generate

    def _masked(builder, name, vector, result, operands):
        """Call one of LLVM's masked operations."""
        kind = ir.FunctionType(result, [operand.type for operand in operands])
        full = f"llvm.masked.{name}.v{WIDTH}i{vector.element.width}"
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, full), operands)

    @intrinsic
    def pack(typing, array, row, lane, mask, value):
        """Write the values of the true lanes side by side from ``array[row, lane]`` on.

        The places that follow, up to `WIDTH` in all, receive anything.
        """

        def generate(context, builder, sig, args):
            vector = args[4].type
            # A register at a time: straight to memory takes longer, and so does a longer vector.
            size = min(WIDTH, 512 // vector.element.width)
            part = ir.VectorType(vector.element, size)
            bits = ir.VectorType(ir.IntType(1), size)
            kind = ir.FunctionType(part, [part, bits, part])
            name = f"llvm.experimental.vector.compress.v{size}i{vector.element.width}"
            compress = cgutils.get_or_insert_function(builder.module, kind, name)
            at = args[2]
            for start in range(0, WIDTH, size):
                places = ir.Constant(
                    ir.VectorType(ir.IntType(32), size), list(range(start, start + size))
                )
                mask_, value_ = (builder.shuffle_vector(x, x, places) for x in (args[3], args[4]))
                target = _address(context, builder, sig.args[0], *args[:2], at, part)
                kept = builder.call(compress, [value_, mask_, ir.Constant(part, ir.Undefined)])
                builder.store(kept, target, align=1)
                at = builder.add(at, _true_lanes(builder, mask_))
            return context.get_dummy_value()

        _refuse_scattered(array)
        return types.void(array, types.int64, types.int64, mask, value), generate

    @intrinsic
    def unpack(typing, array, row, lane, mask, value):
        """Give the true lanes the numbers that stand side by side from ``array[row, lane]`` on."""

        def generate(context, builder, sig, args):
            vector = args[4].type
            number = _true_lanes(builder, args[3])
            source = _address(context, builder, sig.args[0], *args[:3], vector, number)
            flat = builder.bitcast(source, vector.element.as_pointer())
            return _masked(builder, "expandload", vector, vector, [flat, args[3], args[4]])

        _refuse_scattered(array)
        return value(array, types.int64, types.int64, mask, value), generate

    @intrinsic
    def lookup(typing, table, index):
        """Return ``table[index]`` lane by lane; the table is 1-D, the index within it."""

        def generate(context, builder, sig, args):
            vector = context.get_value_type(sig.return_type)
            data = context.make_array(sig.args[0])(context, builder, args[0])
            if numba.config.BOUNDSCHECK:
                size = _splat(builder, builder.extract_value(data.shape, 0), args[1].type)
                inside = builder.icmp_unsigned("<", args[1], size)
                number = _true_lanes(builder, inside)
                everywhere = builder.icmp_unsigned("==", number, ir.Constant(number.type, WIDTH))
                _demand(context, builder, everywhere)
            pointers = builder.gep(data.data, [args[1]], source_etype=vector.element)
            # llvmlite does not know that a vector of indices gives a vector of pointers.
            pointers.type = ir.VectorType(vector.element.as_pointer(), WIDTH)
            name = f"llvm.masked.gather.v{WIDTH}i{vector.element.width}.v{WIDTH}p0"
            mask_type = ir.VectorType(ir.IntType(1), WIDTH)
            kind = ir.FunctionType(vector, [pointers.type, ir.IntType(32), mask_type, vector])
            gather = cgutils.get_or_insert_function(builder.module, kind, name)
            align = ir.IntType(32)(vector.element.width // 8)
            always = ir.Constant(mask_type, [1] * WIDTH)
            nothing = ir.Constant(vector, ir.Undefined)
            return builder.call(gather, [pointers, align, always, nothing])

        _refuse_scattered(table)
        return Lanes(table.dtype)(table, index), generate

    def _hidden(builder, number):
        """Return a number of which LLVM knows nothing, not even that it is the same in a loop."""
        kind = ir.FunctionType(number.type, [number.type])
        return builder.asm(kind, "", "=r,0", [number], side_effect=True)

    def _pieces(builder, words):
        """Look at 64-bit lanes as four times as many pieces of 16 bits."""
        return builder.bitcast(words, ir.VectorType(ir.IntType(16), 4 * WIDTH))

    def _pieces_and(builder, words, number):
        """Look at 64-bit lanes, and at a number repeated for each of them, as pieces."""
        return _pieces(builder, words), _pieces(builder, _splat(builder, number, words.type))

    @intrinsic
    def low_words(typing, first, second):
        """Join the lower 32 bits of 64-bit lanes, and above them those of others."""

        def generate(context, builder, sig, args):
            halves = ir.VectorType(ir.IntType(32), 2 * WIDTH)
            places = [2 * lane + which * 2 * WIDTH for lane in range(WIDTH) for which in (0, 1)]
            chosen = ir.Constant(ir.VectorType(ir.IntType(32), 2 * WIDTH), places)
            joined = builder.shuffle_vector(*(builder.bitcast(x, halves) for x in args), chosen)
            return builder.bitcast(joined, args[0].type)

        return first(first, second), generate

    @intrinsic
    def multiply_pieces(typing, words, factors):
        """Multiply each number's four 16-bit pieces by those of one: upper and lower halves."""

        def generate(context, builder, sig, args):
            # Where LLVM takes the widening of the number out of a loop, it no longer sees that
            # this is a single operation.
            pieces, by = _pieces_and(builder, args[0], _hidden(builder, args[1]))
            wide = ir.VectorType(ir.IntType(32), pieces.type.count)
            product = builder.mul(builder.zext(pieces, wide), builder.zext(by, wide))
            half = ir.Constant(wide, [16] * wide.count)
            upper = builder.trunc(builder.lshr(product, half), pieces.type)
            halves = [builder.bitcast(x, args[0].type) for x in (upper, builder.mul(pieces, by))]
            return context.make_tuple(builder, sig.return_type, halves)

        return types.UniTuple(words, 2)(words, types.uint64), generate

    @intrinsic
    def pieces_below(typing, words, bounds):
        """Set all bits of the 16-bit pieces of each number that are below those of one."""

        def generate(context, builder, sig, args):
            pieces, by = _pieces_and(builder, *args)
            below = builder.icmp_unsigned("<", pieces, by)
            return builder.bitcast(builder.sext(below, pieces.type), args[0].type)

        return words(words, types.uint64), generate

    @intrinsic
    def store_pieces(typing, array, row, lane, first, second):
        """Write the 16-bit pieces of two numbers a lane as bytes: to rows `row` to ``row + 7``."""

        def generate(context, builder, sig, args):
            byte, number = ir.IntType(8), ir.IntType(64)

            def shuffle(left, right, places):
                chosen = ir.Constant(ir.VectorType(ir.IntType(32), len(places)), places)
                return builder.shuffle_vector(left, right, chosen)

            def interleave(left, right, run):
                """Merge two vectors of eight numbers, so many of each in turn."""
                places = [
                    side + start + k
                    for start in range(0, 8, run)
                    for side in (0, 8)
                    for k in range(run)
                ]
                return [shuffle(left, right, places[:8]), shuffle(left, right, places[8:])]

            # Pieces 0 to 3 of the first number in the even bytes, of the second in the odd ones.
            second_ = builder.shl(args[4], ir.Constant(args[4].type, [8] * WIDTH))
            flat = builder.or_(args[3], second_)
            flat = builder.bitcast(flat, ir.VectorType(byte, 8 * WIDTH))
            # Of eight lanes each: one number a row, of eight bytes.
            order = [8 * k + place for place in (0, 2, 4, 6, 1, 3, 5, 7) for k in range(8)]
            eights = [
                shuffle(flat, flat, [start + place for place in order])
                for start in range(0, 8 * WIDTH, 64)
            ]
            a, b, c, d = (builder.bitcast(x, ir.VectorType(number, 8)) for x in eights)
            left, right = interleave(a, b, 1), interleave(c, d, 1)
            pairs = [*interleave(left[0], right[0], 2), *interleave(left[1], right[1], 2)]
            for place in range(8):
                pair, half = pairs[place // 2], place % 2 * 4
                cards = shuffle(pair, pair, list(range(half, half + 4)))
                row_ = builder.add(args[1], ir.Constant(args[1].type, place))
                vector = ir.VectorType(byte, WIDTH)
                target = _address(context, builder, sig.args[0], args[0], row_, args[2], vector)
                builder.store(builder.bitcast(cards, vector), target, align=1)
            return context.get_dummy_value()

        _refuse_scattered(array)
        return types.void(array, types.int64, types.int64, first, second), generate

    @intrinsic
    def step_over(typing, digits, cards, place, lane):
        """Decode the Lehmer digits of six deck places for `LEHMER_WIDTH` lanes of bytes.

        ``cards[place] = digits[place]``, then, for each earlier place from the last to the first,
        one more wherever the card is not below that place's digit.
        """

        def generate(context, builder, sig, args):
            vector = ir.VectorType(ir.IntType(8), LEHMER_WIDTH)
            _, _, place_, lane_ = args

            def at(which, row):
                return _address(context, builder, sig.args[which], args[which], row, lane_, vector)

            # Where LLVM knows the number, it makes numbers of the mask and adds those.
            one = _splat(builder, _hidden(builder, ir.IntType(32)(1)), vector)

            def step(card, gone):
                return builder.select(
                    builder.icmp_unsigned(">=", card, gone), builder.add(card, one), card
                )

            rows = [builder.add(place_, ir.Constant(place_.type, k)) for k in range(LEHMER_PLACES)]
            codes = [builder.load(at(0, row), align=1) for row in rows]
            held = []
            for k, code in enumerate(codes):
                card = code
                for gone in reversed(codes[:k]):
                    card = step(card, gone)
                held.append(cgutils.alloca_once(builder, vector))
                builder.store(card, held[-1])
            last = builder.sub(place_, ir.Constant(place_.type, 1))
            with cgutils.for_range(builder, place_) as loop:
                gone = builder.load(at(0, builder.sub(last, loop.index)), align=1)
                for card in held:
                    builder.store(step(builder.load(card), gone), card)
            for row, card in zip(rows, held, strict=True):
                builder.store(builder.load(card), at(1, row), align=1)
            return context.get_dummy_value()

        _refuse_scattered(digits)
        _refuse_scattered(cards)
        return types.void(digits, cards, types.int64, types.int64), generate

else:

    def load(array, row, lane):
        return array[row, lane : lane + WIDTH].copy()

    def store(array, row, lane, value):
        if array.dtype != value.dtype:
            raise TypeError(f"store {value.dtype} into an array of {array.dtype}")
        array[row, lane : lane + WIDTH] = value

    def where(mask, yes, no):
        dtype = (yes if isinstance(yes, np.ndarray) else no).dtype
        return np.where(mask, yes, no).astype(dtype)

    def to_u8(lanes):
        return lanes.astype(np.uint8)

    def to_u16(lanes):
        return lanes.astype(np.uint16)

    def to_u32(lanes):
        return lanes.astype(np.uint32)

    def to_u64(lanes):
        return lanes.astype(np.uint64)

    def to_i32(lanes):
        return lanes.astype(np.int32)

    def to_i64(lanes):
        return lanes.astype(np.int64)

    def some(mask):
        return bool(mask.any())

    def count(mask):
        return int(mask.sum())

    def pack(array, row, lane, mask, value):
        kept = value[mask]
        array[row, lane : lane + len(kept)] = kept

    def unpack(array, row, lane, mask, value):
        value = value.copy()
        value[mask] = array[row, lane : lane + mask.sum()]
        return value

    def lookup(table, index):
        return table[index]

    def low_words(first, second):
        return (first & np.uint64(0xFFFFFFFF)) | second << np.uint64(32)

    def _by_pieces(words, number):
        pieces = words.view(np.uint16)
        return pieces, np.tile(np.array([number], np.uint64).view(np.uint16), len(words))

    def multiply_pieces(words, factors):
        pieces, by = _by_pieces(words, factors)
        product = pieces.astype(np.uint32) * by
        upper, lower = (product >> 16).astype(np.uint16), product.astype(np.uint16)
        return upper.view(np.uint64), lower.view(np.uint64)

    def pieces_below(words, bounds):
        pieces, by = _by_pieces(words, bounds)
        return np.where(pieces < by, 0xFFFF, 0).astype(np.uint16).view(np.uint64)

    def store_pieces(array, row, lane, first, second):
        for start, words in ((row, first), (row + 4, second)):
            array[start : start + 4, lane : lane + WIDTH] = words.view(np.uint16).reshape(-1, 4).T

    def step_over(digits, cards, place, lane):
        here = slice(lane, lane + LEHMER_WIDTH)
        for row in range(place, place + LEHMER_PLACES):
            card = digits[row, here].copy()
            for earlier in range(row - 1, -1, -1):
                card += card >= digits[earlier, here]
            cards[row, here] = card
