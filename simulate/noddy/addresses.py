"""Numbers of large arrays, read at their address, so that these are neither compiled nor copied.

An address is a float: the parameters of strategies are floats, which hold it exactly. Somebody must
keep the array.
"""

from __future__ import annotations

import ctypes
from typing import Any

import simulate.jit  # noqa: F401

from llvmlite import ir  # isort: skip  (all of Numba after simulate.jit, which prepares it)
from numba.core import types  # isort: skip
from numba.extending import intrinsic, overload  # isort: skip

WORD = ir.IntType(64)


def short_at(address, place):
    """Return a number of an array of int16."""
    return ctypes.c_int16.from_address(int(address) + 2 * int(place)).value


def double_at(address, place):
    """Return a number of an array of float64."""
    return ctypes.c_double.from_address(int(address) + 8 * int(place)).value


def _reader(kind: Any, width: ir.Type) -> Any:
    """Make what reads a number of a kind."""

    @intrinsic
    def read(typing, address, place):
        def generate(context, builder, sig, args):
            begin = builder.inttoptr(builder.fptosi(args[0], WORD), ir.PointerType(width))
            return builder.load(builder.gep(begin, [args[1]], source_etype=width))

        return kind(types.float64, types.int64), generate

    return read


_short, _double = _reader(types.int16, ir.IntType(16)), _reader(types.float64, ir.DoubleType())


@overload(short_at)
def _compiled_short_at(address, place):
    def read(address, place):
        return _short(address, place)

    return read


@overload(double_at)
def _compiled_double_at(address, place):
    def read(address, place):
        return _double(address, place)

    return read
