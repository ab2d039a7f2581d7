"""The operations on sets of cards, compiled."""

from __future__ import annotations

from simulate.jit import compile_module
from simulate.noddy.bits import count_bits, deposit, highest_bit, lowest_bit, nth


def compiled(mask, few, n):
    """Apply each of them."""
    one, two, three = count_bits(mask), lowest_bit(mask), highest_bit(mask)
    return one, two, three, deposit(few, mask), nth(mask, n)


compile_module(__name__)
