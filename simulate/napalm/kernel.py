"""Play games of Napalm: one straight loop over the rules, the games side by side.

Strategies that are tables speak in `simulate.napalm.declare`. Those that are functions are called
through the address of their compiled `simulate.napalm.ask`, once a position for all lanes: the
kernel is compiled once and for all.
"""

from __future__ import annotations

import numpy as np

from simulate.dealing import deal_places
from simulate.jit import compile_module
from simulate.lanes import WIDTH, count, load, pack, store, where
from simulate.napalm.declare import speak_by_table
from simulate.napalm.games import (
    begin_deal,
    count_seats,
    end_deals,
    first_games,
    leave,
    seat_next,
)
from simulate.napalm.hands import INVERTED, rank_fives, rank_sevens, rank_twos
from simulate.napalm.ledger import write_stage
from simulate.napalm.settlement import go_on, settle
from simulate.napalm.speak import DONE, speak
from simulate.napalm.table import LANES, NOT_CHALLENGED, around, gather_live, return_live
from simulate.napalm.tally import tally_challenges, tally_stage

LEDGER_FULL = 2


def ask_everybody(table, numbers, lanes):
    """List the lanes in which a deal is being played in `Table.asked`, and count them."""
    asked = 0
    for lane in range(0, lanes, WIDTH):
        live = load(table.live, 0, lane) != 0
        pack(table.asked, 0, asked, live, load(numbers, 0, lane))
        asked += count(live)
    return asked


def last_words(table, stage, n, numbers, lanes):
    """Take the first words for the last ones, and list where the dealer challenges (N8).

    Returns
    -------
    int
        In how many lanes he alone said Yes: they stand in `Table.asked`.
    """
    asked, dealer_alone = 0, 1 << (n - 1)
    for lane in range(0, lanes, WIDTH):
        first = where(load(table.live, 0, lane) != 0, load(table.first, 0, lane), 0)
        store(table.first, 0, lane, first)
        store(table.said, stage, lane, first)
        store(table.second, 0, lane, where(first == first, NOT_CHALLENGED, first))
        pack(table.asked, 0, asked, first == dealer_alone, load(numbers, 0, lane))
        asked += count(first == dealer_alone)
    return asked


def play_stage(
    table, stage, step, n, start, key, rules, brains, asker, strengths, totals, work, ledger,
    filled, fault, lanes,
):  # fmt: skip
    """Deal, rank, declare and settle one stage in every lane.

    Returns
    -------
    status, filled : int
        `DONE` or `BAD_ANSWER`, and how many lines the ledger has.
    """
    places = (0, 2 * n, 5 * n, 7 * n)
    deal_places(
        key, table.game, table.deal, places[stage], places[stage + 1], table.digits,
        table.refused, table.cards, lanes,
    )  # fmt: skip
    for position in range(n):
        row = stage * n + position
        if stage == 0:  # N3
            rank_twos(table.cards, position, n + position, row, table.value, lanes)
        elif stage == 1:  # N4
            rank_fives(table.cards, position, n, INVERTED, 0, row, table.value, lanes)
        else:  # N5
            rank_sevens(table.cards, position, n, rules.wheel, row, table.value, lanes)
    if brains.thresholds:  # N7
        speak_by_table(table, stage, step, n, key, brains, lanes)
    else:
        asked = ask_everybody(table, work.scratch.lanes, lanes)
        status = speak(table, stage, 0, step, n, key, rules, brains, asker, strengths, fault, asked)
        if status != DONE:
            return status, filled
    asked = last_words(table, stage, n, work.scratch.lanes, lanes)
    if rules.challenge[stage]:  # N8
        status = speak(table, stage, 1, step, n, key, rules, brains, asker, strengths, fault, asked)
        if status != DONE:
            return status, filled
    settle(table, stage, step, n, rules, lanes)
    if len(totals.decisions):
        tally_stage(table, stage, step, n, strengths, work.scratch, totals, lanes)
        if rules.challenge[stage]:
            tally_challenges(table, stage, step, n, strengths, totals, asked)
    if len(ledger.lines):
        filled = write_stage(table, stage, step, n, start, strengths, ledger, filled, lanes)
    return DONE, filled


def play(
    key, start, stop, n, rules, plan, kinds, brains, asker, strengths, space, totals, rows,
    ledger, fault,
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
    full, few, queue, work = space.full, space.few, space.queue, space
    count_seats(start, stop, n, plan, work.own, totals)
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
            status, filled = play_stage(
                table, stage, step, n, start, key, rules, brains, asker, strengths, totals, work,
                ledger, filled, fault, playing,
            )  # fmt: skip
            if status != DONE:
                return status, filled
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
        leave(full, step, n, start, queue, plan, work.own, totals, rows, found)
        step = around(step + 1, n)
        lanes = seat_next(full, step, n, key, start, stop, queue, found, plan, kinds, lanes)
    return DONE, filled


compile_module(__name__, fills_only=True, inner=("ask_everybody", "last_words", "play_stage"))
