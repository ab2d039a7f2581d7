"""What looking ahead needs in each position: what options are worth, which hands fit (compiled)."""

from __future__ import annotations

from simulate.jit import compile_module
from simulate.noddy.options import find_options, option_at, view_of
from simulate.noddy.race import worth


def fill_worths(table, answers, levels, allowed, finish, still, worths):
    """Fill in what each option of the player is worth by a table; return how many there are."""
    seat = table.seat
    find_options(table, table.hands[seat], table.sizes[seat], answers, levels, allowed)
    for index in range(table.options):
        option = option_at(table, index)
        worths[index] = worth(view_of(table, 0.0), option, finish, still)
    return table.options


def leave_out(table, seat, drawn, hands, answers, levels, allowed, finish, still, worths, weights):
    """Set to 0 the weights of hands with which `seat` would not have drawn so many times.

    Which card came last, nobody knows: any is taken away.
    """
    table.seat = seat
    size = table.sizes[seat]
    for sample in range(len(hands)):
        cards = hands[sample, seat]
        for before in range(1, drawn + 1):
            gone = cards
            for _ in range((7 * sample + before) % (size - before + 1)):
                gone &= gone - 1
            cards ^= gone & -gone
            table.hands[seat], table.sizes[seat] = cards, size - before
            options = fill_worths(table, answers, levels, allowed, finish, still, worths)
            for index in range(options - 1):
                if worths[index] >= worths[options - 1]:
                    weights[sample] = 0.0
    table.sizes[seat] = size


compile_module(__name__)
