"""Every stage of every deal as it was played, for logs and for rows of deals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.jit import compile_module
from simulate.napalm.hands import INVERTED
from simulate.napalm.settlement import BEST_OF_ALL, LONE, LOST
from simulate.napalm.table import around
from simulate.napalm.tally import class_index

GAME, DEAL, STAGE, DEALER, FIRST, SECOND, SAID, WON, POT = range(9)
"""Columns of `Ledger.lines`. `GAME` counts from the first of the slice; `FIRST` and `SECOND` are
bits by position (see `Table`); `SAID` and `WON` are bits by seat: whose last word was Yes, and
which of them won
or tied or were alone with it."""


class Ledger(NamedTuple):
    """One line a stage, in the order played: deals of one game in order, games mixed.

    Attributes
    ----------
    lines : int32, shape (capacity, 9)
        See the constants above.
    change, collected : int32, shape (capacity, n)
        By seat: stakes brought by the settlement, and the count after it.
    strength : uint8, shape (capacity, n)
        By seat: strength at this stage in 255ths, rounded.
    cards : uint8, shape (capacity, 7 * n), or (0, ...) where cards are not kept
        By deck place: card k of position p in column ``k * n + p``.
    """

    lines: NDArray[np.int32]
    change: NDArray[np.int32]
    collected: NDArray[np.int32]
    strength: NDArray[np.uint8]
    cards: NDArray[np.uint8]


class Deals(NamedTuple):
    """One row a deal.

    Attributes
    ----------
    deal : int32, shape (deals,)
    dealer, stages : int8, shape (deals,)
        Seat of the dealer, and how many stages were played.
    said, won : uint8, shape (3, deals)
        By stage: bits by seat, see above; 0 where it was not played.
    strength : uint8, shape (n, deals)
        By seat, at the last stage played, in 255ths.
    net : int32, shape (n, deals)
        By seat: received less paid in this deal, its ante included.
    """

    deal: NDArray[np.int32]
    dealer: NDArray[np.int8]
    stages: NDArray[np.int8]
    said: NDArray[np.uint8]
    won: NDArray[np.uint8]
    strength: NDArray[np.uint8]
    net: NDArray[np.int32]


def write_stage(table, stage, step, n, start, strengths, ledger, filled, lanes):
    """Write a settled stage of every live lane into the ledger; return how many lines it has."""
    flip = INVERTED if stage == 1 else 0
    dealt = (2, 5, 7)[stage] * n
    for lane in range(lanes):
        if table.live[0, lane] == 0:
            continue
        turned = table.turned[0, lane]
        line = ledger.lines[filled]
        line[GAME] = np.int64(table.game[0, lane]) - start
        line[DEAL] = table.deal[0, lane]
        line[STAGE] = stage
        line[DEALER] = around(around(n - 1 + step, n) + turned, n)
        line[FIRST] = table.first[0, lane]
        line[SECOND] = table.second[0, lane]
        line[SAID], line[WON], line[POT] = 0, 0, table.pot[0, lane]
        for position in range(n):
            row = around(position + step, n)
            seat = around(row + turned, n)
            index = class_index(strengths, np.int64(table.value[stage * n + position, lane]) ^ flip)
            outcome = table.outcome[position, lane]
            line[SAID] |= (outcome >= LONE) << seat
            line[WON] |= (outcome >= LONE and outcome % BEST_OF_ALL != LOST % BEST_OF_ALL) << seat
            ledger.change[filled, seat] = table.change[position, lane]
            ledger.collected[filled, seat] = table.collected[row, lane]
            ledger.strength[filled, seat] = np.int64(strengths.strength[stage, index] * 255 + 0.5)
        if len(ledger.cards):
            for place in range(dealt):
                ledger.cards[filled, place] = table.cards[place, lane]
        filled += 1
    return filled


def fold_deals(ledger, filled, first_row, columns):
    """Make one row a deal of the ledger's lines, in the order of games and deals.

    Parameters
    ----------
    ledger : Ledger
    filled : int
        Lines in use.
    first_row : ndarray of int64, shape (games,)
        Where the deals of each game begin.
    columns : Deals
        Filled; `net` without the prize.
    """
    n = ledger.change.shape[1]
    for at in range(filled):
        line = ledger.lines[at]
        row, stage = first_row[line[GAME]] + line[DEAL], line[STAGE]
        columns.deal[row] = line[DEAL]
        columns.dealer[row], columns.stages[row] = line[DEALER], stage + 1
        columns.said[stage, row], columns.won[stage, row] = line[SAID], line[WON]
        for seat in range(n):
            if stage == 0:
                columns.net[seat, row] = -1  # the ante (N2)
            columns.net[seat, row] += ledger.change[at, seat]
            columns.strength[seat, row] = ledger.strength[at, seat]


compile_module(__name__, fills_only=True, inner=("write_stage",))


def empty_ledger(capacity: int, n: int, cards: bool) -> Ledger:
    """Make room for so many lines."""
    return Ledger(
        lines=np.zeros((capacity, 9), np.int32),
        change=np.zeros((capacity, n), np.int32),
        collected=np.zeros((capacity, n), np.int32),
        strength=np.zeros((capacity, n), np.uint8),
        cards=np.zeros((capacity if cards else 0, 7 * n), np.uint8),
    )


def empty_deals(deals: int, n: int) -> Deals:
    """Make room for so many rows."""
    return Deals(
        deal=np.zeros(deals, np.int32),
        dealer=np.zeros(deals, np.int8),
        stages=np.zeros(deals, np.int8),
        said=np.zeros((3, deals), np.uint8),
        won=np.zeros((3, deals), np.uint8),
        strength=np.zeros((n, deals), np.uint8),
        net=np.zeros((n, deals), np.int32),
    )
