"""Every hand of five or six cards of Noddy, looked up and enumerated (compiled)."""

from __future__ import annotations

from simulate.jit import compile_module
from simulate.noddy.combinations import kinds_in, list_lays
from simulate.noddy.small_hands import look_up
from simulate.noddy.view import MAX_OPTIONS


def first_difference(table, other, held, kinds, levels, answers):
    """Return the first hand for which the two differ, as a set of cards, or 0.

    Hands go by the numbers that their sets are, the lowest first.
    """
    hand = (1 << held) - 1
    while hand < 1 << 52:
        count = look_up(table, hand, held, answers)
        now = kinds_in(hand, table.turn_up & 3, table.court_value) & kinds
        if list_lays(other, hand, now, levels, MAX_OPTIONS) != count:
            return hand
        for each in range(count):
            if table.lays[each, 0] != other.lays[each, 0]:
                return hand
            if table.lays[each, 1] != other.lays[each, 1]:
                return hand
        lowest = hand & -hand  # the next number with as many bits set
        ripple = hand + lowest
        hand = ripple | ((hand ^ ripple) // lowest >> 2)
    return 0


compile_module(__name__, fills_only=True)
