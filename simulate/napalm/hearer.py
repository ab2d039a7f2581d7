"""Call a compiled `simulate.napalm.hearing.hear_words` through its address.

See `simulate.napalm.speaker`, which does the same for whole stages.
"""

from __future__ import annotations

from simulate.jit import numba

from llvmlite import ir  # isort: skip  (all of Numba after simulate.jit, which prepares it)
from numba.core import types  # isort: skip
from numba.extending import intrinsic  # isort: skip

if not numba.config.DISABLE_JIT:

    @intrinsic
    def call_hearer(
        typing, hearer, table, stage, turn, first, stop, said, own, step, n, key, rules, brains,
        strengths, weight, fault, asked,
    ):  # fmt: skip
        """Call it with its arguments; return its status."""
        number = types.int64
        numbers = (number,) * 8
        kinds = (table, *numbers, key, rules, brains, strengths, weight, fault, number)

        def generate(context, builder, sig, args):
            convention = context.call_conv
            kind = convention.get_function_type(number, kinds)
            function = builder.inttoptr(args[0], ir.PointerType(kind))
            status, result = convention.call_function(builder, function, number, kinds, args[1:])
            with builder.if_then(status.is_error, likely=False):
                convention.return_status_propagate(builder, status)
            return result

        return number(number, *kinds), generate

else:

    def call_hearer(hearer, *arguments):
        return hearer(*arguments)
