"""Play games of Napalm: one straight loop over the rules, the games side by side.

Strategies that are tables speak in `simulate.napalm.declare`. Those that are functions are called
through the address of their compiled `simulate.napalm.speak`, once a stage for all lanes: the
kernel is compiled once and for all.
"""

from __future__ import annotations

import numpy as np

from simulate.dealing import deal_places
from simulate.jit import compile_module
from simulate.lanes import WIDTH, load, store, where
from simulate.napalm.declare import speak_by_table
from simulate.napalm.games import begin_deal, copy_game, leave, sit_down
from simulate.napalm.hands import INVERTED, rank_fives, rank_sevens, rank_twos
from simulate.napalm.ledger import write_stage
from simulate.napalm.settlement import go_on, settle
from simulate.napalm.speak import DONE
from simulate.napalm.speaker import call_speaker
from simulate.napalm.table import LANES, NOT_CHALLENGED, around, gather_live, return_live
from simulate.napalm.tally import tally_challenges, tally_stage

LEDGER_FULL = 2


def last_words(table, stage, lanes):
    """Take the first words for the last ones, nobody challenged."""
    for lane in range(0, lanes, WIDTH):
        first = where(load(table.live, 0, lane) != 0, load(table.first, 0, lane), 0)
        store(table.first, 0, lane, first)
        store(table.said, stage, lane, first)
        store(table.second, 0, lane, where(first == first, NOT_CHALLENGED, first))


def play_stage(
    table, stage, step, n, start, key, rules, brains, speaker, strengths, totals, work, ledger,
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
        key, table.game, table.deal, places[stage], places[stage + 1], table.words, table.digits,
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
    only_tables = np.int64(brains.is_table.all())
    if only_tables:
        speak_by_table(table, stage, step, n, key, brains, work.spare, lanes)
    for turn in range(only_tables, 1 + rules.challenge[stage]):  # N7, N8
        if turn == 1:
            last_words(table, stage, lanes)
        status = call_speaker(
            speaker, table, stage, turn, step, n, key, rules, brains, strengths, fault, lanes
        )  # fmt: skip
        if status != DONE:
            return status, filled
    if rules.challenge[stage] == 0:
        last_words(table, stage, lanes)
    settle(table, stage, step, n, rules, lanes)
    tally_stage(table, stage, step, n, strengths, work.scratch, totals, lanes)
    if rules.challenge[stage]:
        tally_challenges(table, stage, step, n, strengths, totals, lanes)
    if len(ledger.lines):
        filled = write_stage(table, stage, step, n, start, strengths, ledger, filled, lanes)
    return DONE, filled


def play(
    key, start, stop, n, rules, plan, kinds, brains, speaker, strengths, space, totals, rows,
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
    speaker : int
        Address of the compiled `simulate.napalm.speak.speak` of these strategies.
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
    # 1. The first games sit down (N1, N17).
    lanes = min(LANES, stop - start)
    queue.taken[0] = 0
    for lane in range(lanes):
        sit_down(full, lane, 0, n, key, start, queue, plan, kinds)
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
                table, stage, step, n, start, key, rules, brains, speaker, strengths, totals, work,
                ledger, filled, fault, playing,
            )  # fmt: skip
            if status != DONE:
                return status, filled
            # 4. Where the deal goes on (N6), its lanes are put side by side after stage 1.
            going_on = go_on(table, stage, rules, playing)
            if going_on == 0:
                break
            if stage == 0 and going_on < lanes:
                table, playing = few, gather_live(full, n, few, lanes)
        if playing < lanes:
            return_live(few, n, full, lanes)
        # 5. Games that are over (N16) or truncated (N18) leave, others take their lanes.
        for lane in range(lanes - 1, -1, -1):
            if full.over[0, lane] == 0 and np.int64(full.deal[0, lane]) + 1 < rules.max_deals:
                full.deal[0, lane] += np.uint64(1)
                continue
            leave(full, lane, step, n, start, plan, kinds, work.own, totals, rows)
            if start + queue.taken[0] < stop:
                sit_down(full, lane, around(step + 1, n), n, key, start, queue, plan, kinds)
            else:
                lanes -= 1
                copy_game(full, n, lanes, lane)
        step = around(step + 1, n)
    return DONE, filled


compile_module(__name__, fills_only=True, inner=("last_words", "play_stage"))
