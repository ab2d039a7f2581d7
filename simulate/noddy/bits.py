"""Sets of cards as whole numbers: count the bits, find one of them, pick some.

Each of these is one instruction of the processor, for which Numba has no name. The bodies here are
what runs in plain Python, and the meaning of what runs compiled.
"""

from __future__ import annotations

from simulate.jit import numba

from llvmlite import ir  # isort: skip  (all of Numba after simulate.jit, which prepares it)
from numba.core import types  # isort: skip
from numba.extending import intrinsic, overload  # isort: skip

HAS_DEPOSIT = "+bmi2" in numba.config.CPU_FEATURES
WORD = ir.IntType(64)
TRUE = ir.IntType(1)(1)


def count_bits(bits):
    """Return how many bits are set."""
    return int(bits).bit_count()


def lowest_bit(bits):
    """Return the number of the lowest bit that is set; `bits` is not 0."""
    return int(bits & -bits).bit_length() - 1


def highest_bit(bits):
    """Return the number of the highest bit that is set; `bits` is not 0."""
    return int(bits).bit_length() - 1


def deposit(bits, mask):
    """Return the set bits of `mask` that `bits` picks: bit 0 stands for the lowest of them."""
    picked = 0
    while bits and mask:
        if bits & 1:
            picked |= mask & -mask
        mask &= mask - 1
        bits >>= 1
    return picked


def nth(mask, n):
    """Return the set bit of `mask` that has `n` others below it, as a set."""
    place = 0
    for width in (32, 16, 8, 4, 2, 1):
        below = count_bits(mask >> place & ((1 << width) - 1))
        if n >= below:
            n -= below
            place += width
    return 1 << place


@intrinsic
def _count(typing, bits):
    def generate(context, builder, sig, args):
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate


@intrinsic
def _zeros_below(typing, bits):
    def generate(context, builder, sig, args):
        return builder.cttz(args[0], TRUE)  # TRUE: of 0 it is undefined

    return types.int64(types.int64), generate


@intrinsic
def _zeros_above(typing, bits):
    def generate(context, builder, sig, args):
        return builder.ctlz(args[0], TRUE)

    return types.int64(types.int64), generate


@intrinsic
def _deposit(typing, bits, mask):
    def generate(context, builder, sig, args):
        kind = ir.FunctionType(WORD, [WORD, WORD])
        function = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", fnty=kind)
        return builder.call(function, args)

    return types.int64(types.int64, types.int64), generate


@overload(count_bits)
def _compiled_count_bits(bits):
    return lambda bits: _count(bits)


@overload(lowest_bit)
def _compiled_lowest_bit(bits):
    return lambda bits: _zeros_below(bits)


@overload(highest_bit)
def _compiled_highest_bit(bits):
    return lambda bits: 63 - _zeros_above(bits)


@overload(deposit)
def _compiled_deposit(bits, mask):
    return (lambda bits, mask: _deposit(bits, mask)) if HAS_DEPOSIT else deposit


@overload(nth)
def _compiled_nth(mask, n):
    return (lambda mask, n: _deposit(1 << n, mask)) if HAS_DEPOSIT else nth
