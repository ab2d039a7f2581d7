"""Call compiled functions through their addresses.

Compiled code that names another function is compiled anew with it, and the function once more
within the code. Through an address neither is: a new strategy costs the compilation of what asks it
alone, and the parts of a kernel are compiled side by side (see `simulate.first`).
"""

from __future__ import annotations

from typing import Any

from simulate.jit import numba

from llvmlite import ir  # isort: skip  (all of Numba after simulate.jit, which prepares it)
from numba.core import cgutils, types  # isort: skip
from numba.extending import intrinsic  # isort: skip


def _plain(kind: Any) -> Any:
    """Return the type that an argument is handed on as: whole numbers as int64, keys as uint64."""
    kind = types.unliteral(kind)
    whole = isinstance(kind, types.Integer | types.Boolean) and kind != types.uint64
    return types.int64 if whole else kind


if not numba.config.DISABLE_JIT:

    @intrinsic
    def call_at(typing, address, *arguments):
        """Call the function that begins at an address; it returns a whole number."""
        kinds = tuple(map(_plain, arguments))

        def generate(context, builder, sig, args):
            convention = context.call_conv
            kind = convention.get_function_type(types.int64, kinds)
            function = builder.inttoptr(args[0], ir.PointerType(kind))
            values = cgutils.unpack_tuple(builder, args[1])
            status, result = convention.call_function(builder, function, types.int64, kinds, values)
            with builder.if_then(status.is_error, likely=False):
                convention.return_status_propagate(builder, status)
            return result

        return types.int64(types.int64, types.StarArgTuple(kinds)), generate

else:

    def call_at(address, *arguments):
        return address(*arguments)


def address_of(function: Any, *examples: Any) -> Any:
    """Compile a function, or load it, and return its address; without the compiler, itself.

    Parameters
    ----------
    function : callable
        Returns a whole number. It must live as long as its address is used.
    *examples
        An argument of each type that it is called with.
    """
    if numba.config.DISABLE_JIT:
        return function
    kinds = tuple(_plain(numba.typeof(example)) for example in examples)
    function.compile(kinds)
    compiled = function.overloads[kinds]
    if compiled.signature.return_type != types.int64:
        raise TypeError(f"{function.__name__} returns {compiled.signature.return_type}, not int64")
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
