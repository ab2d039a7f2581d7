"""A way in from Python to what only compiled code calls, for `test_wide`."""

from __future__ import annotations

from simulate.jit import compile_module
from simulate.wide import add_square


def add_squares(numbers, sums, at):
    for number in numbers:
        add_square(number, sums, at)


compile_module(__name__, fills_only=True)
