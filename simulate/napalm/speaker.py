"""Call a compiled `simulate.napalm.speak.speak` through its address.

Compiled code that names another function is compiled anew with it. Through an address it is not,
so that a new strategy costs the compilation of `speak` alone. One call serves a thousand lanes.
"""

from __future__ import annotations

from typing import Any

from simulate.jit import numba

from llvmlite import ir  # isort: skip  (all of Numba after simulate.jit, which prepares it)
from numba.core import types  # isort: skip
from numba.extending import intrinsic  # isort: skip

if not numba.config.DISABLE_JIT:

    @intrinsic
    def call_speaker(
        typing, speaker, table, stage, turn, step, n, key, rules, brains, strengths, fault, lanes
    ):
        """Call it with its arguments; return its status."""
        number = types.int64
        numbers = (number,) * 4
        kinds = (table, *numbers, key, rules, brains, strengths, fault, number)

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

    def call_speaker(speaker, *arguments):
        return speaker(*arguments)


def speaker_address(speak: Any, *examples: Any) -> Any:
    """Compile `speak`, or load it, and return its address; without the compiler, itself.

    Parameters
    ----------
    speak : callable
    *examples
        One argument of each type it is called with.
    """
    if numba.config.DISABLE_JIT:
        return speak
    kinds = tuple(numba.typeof(example) for example in examples)
    speak.compile(kinds)
    compiled = speak.overloads[kinds]
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
