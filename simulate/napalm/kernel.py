"""Play games of Napalm: one straight loop over the rules, the games side by side.

A stage of all games is played by `simulate.napalm.stage`.
"""

from __future__ import annotations

import numpy as np

from simulate.address import call_at
from simulate.jit import compile_module
from simulate.napalm.games import (
    begin_deal,
    count_seats,
    end_deals,
    first_games,
    leave,
    seat_next,
)
from simulate.napalm.settlement import go_on
from simulate.napalm.speak import BAD_ANSWER, DONE
from simulate.napalm.stage import STOPPED
from simulate.napalm.table import LANES, around, gather_live, return_live

LEDGER_FULL = 2


def play(
    key, start, stop, n, rules, plan, kinds, brains, asker, stage_player, strengths, space, totals,
    rows, ledger, fault,
):  # fmt: skip
    """Play games `start` to ``stop - 1``.

    Parameters
    ----------
    key : uint64
        From `simulate.rng.fold_seed`.
    start, stop, n : int
        Games of the run, and players.
    rules : KernelRules
    plan : ndarray of int8, shape (P, n)
        From `simulate.seating.seat_plan`.
    kinds : ndarray of int64, shape (n,)
        Which distinct strategy plays each slot of the line-up.
    brains : Brains
    asker : int
        Address of the compiled `simulate.napalm.ask.ask` of these strategies.
    stage_player : int
        Address of the compiled `simulate.napalm.stage.play_stage`.
    strengths : Strengths
    space : Space
        Work space of this thread.
    totals : Totals
        Added to.
    rows : Rows
        Filled where it has room.
    ledger : Ledger
        Filled where it has room.
    fault : ndarray of int64, shape (6,)
        Where the answer stood that was no probability: see `note_fault`.

    Returns
    -------
    status, filled : int
        `DONE`, `BAD_ANSWER` or `LEDGER_FULL`, and how many lines the ledger has.
    """
    full, few, queue = space.full, space.few, space.queue
    count_seats(start, stop, n, plan, space.own, totals)
    # 1. The first games sit down (N1, N17).
    lanes = min(LANES, stop - start)
    queue.taken[0] = 0
    first_games(full, n, key, start, queue, plan, kinds, lanes)
    step, filled = np.int64(0), np.int64(0)
    while lanes > 0:
        if len(ledger.lines) and filled + 3 * lanes > len(ledger.lines):
            return LEDGER_FULL, filled
        # 2. A deal begins in every lane: the antes (N2).
        begin_deal(full, n, lanes)
        table, playing = full, lanes
        for stage in range(3):
            # 3. Its stages (N3, N4, N5).
            filled = call_at(
                stage_player, table, stage, step, n, start, key, rules, brains, asker, strengths,
                totals, space.scratch, ledger, filled, fault, playing,
            )  # fmt: skip
            if filled == STOPPED:
                return BAD_ANSWER, filled
            # 4. Where the deal goes on (N6), its lanes are put side by side after stage 1
            # where few do.
            going_on = go_on(table, stage, rules, playing)
            if going_on == 0:
                break
            if stage == 0 and 4 * going_on < 3 * lanes:  # else it would cost more than it saves
                table, playing = few, gather_live(full, n, few, lanes)
        if playing < lanes:
            return_live(few, n, full, lanes)
        # 5. Games that are over (N16) or truncated (N18) leave, others take their lanes.
        found = end_deals(full, rules.max_deals, queue, lanes)
        leave(full, step, n, start, queue, plan, space.own, totals, rows, found)
        step = around(step + 1, n)
        lanes = seat_next(full, step, n, key, start, stop, queue, found, plan, kinds, lanes)
    return DONE, filled


compile_module(__name__, fills_only=True)
