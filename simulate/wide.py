"""Sums of squares that outgrow 64 bits: kept in digits of 32 bits, each summed up apart.

Digits add up in any order, exactly, over billions of games; only the end result is rounded. By the
rules of Napalm one game may bring 10^14 stakes, and a square of that is beyond 64 bits.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simulate.jit import compile_module

DIGITS = 3
"""Digits of a sum, the lowest first."""

PLAIN = 1 << 16
"""Numbers below it have squares of a single digit."""

HALF, LOW_HALF = 24, (1 << 24) - 1
DIGIT, LOW_DIGIT = 32, (1 << 32) - 1


def add_square(number: int, sums: NDArray[np.int64], at: int) -> None:
    """Add the square of a number below 2^47 to the digits ``sums[at]``, ``sums[at + 1]``, ...."""
    if -PLAIN < number < PLAIN:
        sums[at] += number * number
        return
    high, low = abs(number) >> HALF, abs(number) & LOW_HALF
    middle = 2 * high * low  # the square is high^2 * 2^48 + middle * 2^24 + low^2
    lowest = low * low + ((middle & LOW_HALF) << HALF)
    rest = ((high * high + (middle >> HALF)) << 16) + (lowest >> DIGIT)
    sums[at] += lowest & LOW_DIGIT
    sums[at + 1] += rest & LOW_DIGIT
    sums[at + 2] += rest >> DIGIT


compile_module(__name__, fills_only=True, inlined="all", inner="all")


def number(digits: NDArray[np.int64]) -> NDArray[np.float64]:
    """Put numbers together from their digits, the lowest first along the first axis, and round."""
    exact = digits.astype(object)
    total = sum(digit << DIGIT * place for place, digit in enumerate(exact))
    return np.asarray(total, np.float64)


def product_digits(results: NDArray[np.float64]) -> NDArray[np.int64]:
    """Sum up the products of every two results of a game.

    Parameters
    ----------
    results : ndarray, shape (games, k)
        Whole numbers.

    Returns
    -------
    ndarray of int64, shape (DIGITS, k, k)
        The digits of each sum, the lowest first; where it is negative the highest is.
    """
    greatest = max(results.max(initial=0), -results.min(initial=0))
    if greatest * greatest * len(results) < 1 << 53:  # floats hold every sum on the way
        products = (results.T @ results).astype(np.int64)
    else:
        exact = results.astype(np.int64).astype(object)
        products = exact.T @ exact
    digits = []
    for _ in range(DIGITS - 1):
        digits.append(products & LOW_DIGIT)
        products = products >> DIGIT
    return np.array([*digits, products], np.int64)
