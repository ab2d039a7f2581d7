"""Call a compiled `simulate.noddy.choose.choose` through its address.

Compiled code that names another function is compiled anew with it. Through an address it is not, so
that a new strategy costs the compilation of `choose` alone.
"""

from __future__ import annotations

from typing import Any

from simulate.jit import numba

from llvmlite import ir  # isort: skip  (all of Numba after simulate.jit, which prepares it)
from numba.core import types  # isort: skip
from numba.extending import intrinsic, overload  # isort: skip


def call_chooser(chooser, table, who):
    """Let strategy `who` choose among the options on the table."""
    return chooser(table, who)


@intrinsic
def _call(typing, address, table, who):
    kinds = (table, types.int64)

    def generate(context, builder, sig, args):
        convention = context.call_conv
        kind = convention.get_function_type(types.int64, kinds)
        function = builder.inttoptr(args[0], ir.PointerType(kind))
        status, result = convention.call_function(builder, function, types.int64, kinds, args[1:])
        with builder.if_then(status.is_error, likely=False):
            convention.return_status_propagate(builder, status)
        return result

    return types.int64(types.int64, *kinds), generate


@overload(call_chooser)
def _compiled_call_chooser(chooser, table, who):
    return lambda chooser, table, who: _call(chooser, table, who)


def chooser_address(choose: Any, table: Any) -> Any:
    """Compile `choose`, or load it, and return its address; without the compiler, itself.

    Parameters
    ----------
    choose : callable
        Must live as long as its address is used.
    table : record
        A table as it is called with.
    """
    if numba.config.DISABLE_JIT:
        return choose
    kinds = (numba.typeof(table), types.int64)
    choose.compile(kinds)
    compiled = choose.overloads[kinds]
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
