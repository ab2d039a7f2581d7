"""Call a compiled `simulate.napalm.ask.ask` through its address.

Compiled code that names another function is compiled anew with it. Through an address it is not,
so that a new strategy costs the compilation of `ask` alone. One call serves a thousand lanes.
"""

from __future__ import annotations

from typing import Any

from simulate.jit import numba

from llvmlite import ir  # isort: skip  (all of Numba after simulate.jit, which prepares it)
from numba.core import types  # isort: skip
from numba.extending import intrinsic  # isort: skip

if not numba.config.DISABLE_JIT:

    @intrinsic
    def call_asker(
        typing, asker, table, stage, turn, position, step, n, key, rules, brains, strengths, who,
        own,
    ):  # fmt: skip
        """Call it with its arguments; return whether all answers are probabilities."""
        number = types.int64
        kinds = (table, *(number,) * 5, key, rules, brains, strengths, number, number)

        def generate(context, builder, sig, args):
            convention = context.call_conv
            kind = convention.get_function_type(types.boolean, kinds)
            function = builder.inttoptr(args[0], ir.PointerType(kind))
            status, result = convention.call_function(
                builder, function, types.boolean, kinds, args[1:]
            )
            with builder.if_then(status.is_error, likely=False):
                convention.return_status_propagate(builder, status)
            return result

        return types.boolean(number, *kinds), generate

else:

    def call_asker(asker, *arguments):
        return asker(*arguments)


def asker_address(ask: Any, *examples: Any) -> Any:
    """Compile `ask`, or load it, and return its address; without the compiler, itself.

    Parameters
    ----------
    ask : callable
        Must live as long as its address is used.
    *examples
        One argument of each type it is called with.
    """
    if numba.config.DISABLE_JIT:
        return ask
    kinds = tuple(numba.typeof(example) for example in examples)
    ask.compile(kinds)
    compiled = ask.overloads[kinds]
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
