"""A clock that compiled code can read: the processor's own count of its cycles."""

from __future__ import annotations

import time

from simulate.jit import numba

from numba.core import types  # isort: skip  (all of Numba after simulate.jit, which prepares it)
from numba.extending import intrinsic  # isort: skip
from llvmlite import ir  # isort: skip

if not numba.config.DISABLE_JIT:

    @intrinsic
    def now(typing):
        """Return the count of cycles, which runs at one speed whatever the processor does."""

        def generate(context, builder, sig, args):
            kind = ir.FunctionType(ir.IntType(64), [])
            name = "llvm.readcyclecounter"
            found = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
            return builder.call(found, [])

        return types.int64(), generate

else:

    def now():
        """Return nanoseconds."""
        return time.perf_counter_ns()
