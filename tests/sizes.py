"""How much to try: less where the compiler is switched off, which is some hundred times slower."""

from simulate.jit import numba

COMPILED = not numba.config.DISABLE_JIT


def size(compiled: int, interpreted: int) -> int:
    """Choose between two sizes of a sample."""
    return compiled if COMPILED else interpreted
