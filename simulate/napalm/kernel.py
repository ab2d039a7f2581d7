"""Play games of Napalm: one straight loop over the rules, the games side by side.

Where strategies are Python functions, this file is compiled once more for each set of them: its copy imports
their `answer` in place of the one below (see `simulate.napalm.lineup`). Whatever does not depend on
strategies therefore stands in other files.
"""

from __future__ import annotations

import numpy as np

from simulate.dealing import deal_places
from simulate.jit import compile_module
from simulate.lanes import WIDTH, load, store, where
from simulate.napalm.answer import TABLES_ONLY, answer
from simulate.napalm.declare import call_number, situation, speak_by_table
from simulate.napalm.games import begin_deal, copy_game, leave, sit_down
from simulate.napalm.hands import INVERTED, rank_fives, rank_sevens, rank_twos
from simulate.napalm.ledger import write_stage
from simulate.napalm.settlement import go_on, settle
from simulate.napalm.table import LANES, NOT_CHALLENGED, gather_live, return_live
from simulate.napalm.tally import class_index, tally_challenges, tally_stage
from simulate.napalm.view import View
from simulate.rng import uniforms

DONE, BAD_ANSWER, LEDGER_FULL = range(3)


def strength_at(table, lane, stage, position, n, strengths):
    """Return the strength of a hand at a stage that has been dealt."""
    flip = INVERTED if stage == 1 else 0
    value = np.int64(table.value[stage * n + position, lane]) ^ flip
    return strengths.strength[stage, class_index(strengths, value)]


def view_of(table, lane, stage, turn, position, step, n, said, heard, rules, strengths, random):
    """Build what a player sees; the compiler leaves out what his strategy does not look at."""
    row = (position + step) % n
    best_other = 0
    for other in range(n):
        if other != row:
            best_other = max(best_other, np.int64(table.collected[other, lane]))
    cards = (
        np.int64(table.cards[position, lane]),
        np.int64(table.cards[n + position, lane]),
        np.int64(table.cards[2 * n + position, lane]) if stage > 0 else -1,
        np.int64(table.cards[3 * n + position, lane]) if stage > 0 else -1,
        np.int64(table.cards[4 * n + position, lane]) if stage > 0 else -1,
        np.int64(table.cards[5 * n + position, lane]) if stage > 1 else -1,
        np.int64(table.cards[6 * n + position, lane]) if stage > 1 else -1,
    )
    counts = (
        np.int64(table.collected[step % n, lane]),
        np.int64(table.collected[(1 + step) % n, lane]),
        np.int64(table.collected[(2 + step) % n, lane]),
        np.int64(table.collected[(3 + step) % n, lane]),
        np.int64(table.collected[(4 + step) % n, lane]) if n > 4 else 0,
        np.int64(table.collected[(5 + step) % n, lane]) if n > 5 else 0,
        np.int64(table.collected[(6 + step) % n, lane]) if n > 6 else 0,
    )
    # Numba takes no conditions inside a call of so many arguments.
    first = strength_at(table, lane, 0, position, n, strengths) if stage > 0 else 0.0
    second = strength_at(table, lane, 1, position, n, strengths) if stage > 1 else 0.0
    rank1, rank2 = (cards[0] >> 2) + 2, (cards[1] >> 2) + 2
    spoken = position if turn == 0 else n
    said1 = np.int64(table.said[0, lane]) if stage > 0 else 0
    said2 = np.int64(table.said[1, lane]) if stage > 1 else 0
    pair = rank1 == rank2
    return View(
        n=n,
        stage=stage + 1,
        position=position,
        turn=turn + 1,
        strength=strength_at(table, lane, stage, position, n, strengths),
        strength1=first,
        strength2=second,
        cards=cards,
        count=(2, 5, 7)[stage],
        high=max(rank1, rank2),
        low=min(rank1, rank2),
        pair=pair,
        yes=heard,
        spoken=spoken,
        said=said,
        said1=said1,
        said2=said2,
        pot=np.int64(table.pot[0, lane]),
        target=rules.target,
        collected=np.int64(table.collected[row, lane]),
        best_other=best_other,
        counts=counts,
        deal=np.int64(table.deal[0, lane]),
        random=random,
    )


def note_fault(fault, table, lane, stage, turn, position, step, n):
    """Say where an answer was no probability: game, deal, stage, turn, position, strategy."""
    fault[0], fault[1] = table.game[0, lane], table.deal[0, lane]
    fault[2], fault[3], fault[4] = stage, turn, position
    fault[5] = table.strategy[(position + step) % n, lane]


def speak(table, stage, turn, step, n, key, rules, brains, strengths, fault, lanes):
    """Let everybody speak, eldest first, the dealer last (N7), or the others answer the dealer (N8).

    Turn 0 fills `table.first` for all lanes, turn 1 `table.second` for those where the dealer alone said Yes.
    """
    dealer_alone = 1 << (n - 1)
    for lane in range(lanes):
        said, heard, speakers = 0, 0, n
        if table.live[0, lane] == 0:
            speakers = 0
        if turn == 1:
            said, heard, speakers = dealer_alone, 1, n - 1
            if table.first[0, lane] != dealer_alone:
                continue
        for position in range(speakers):
            who = table.strategy[(position + step) % n, lane]
            game, deal = table.game[0, lane], table.deal[0, lane]
            call = call_number(stage, turn, position)
            if brains.is_table[who]:
                place = situation(who, stage, turn, position, heard)
                reached = table.value[stage * n + position, lane] >= brains.cut[place]
                p = brains.above[place] if reached else brains.below[place]
            else:
                random, _ = uniforms(key, game, deal, call)
                view = view_of(
                    table, lane, stage, turn, position, step, n, said, heard, rules, strengths,
                    random,
                )  # fmt: skip
                p = answer(who, view, brains.params)
                if not 0.0 <= p <= 1.0:
                    note_fault(fault, table, lane, stage, turn, position, step, n)
                    return BAD_ANSWER
            word = p >= 1.0
            if 0.0 < p < 1.0:
                _, coin = uniforms(key, game, deal, call)
                word = coin < p
            if word:
                said |= 1 << position
                heard += 1
        if turn == 0:
            table.first[0, lane] = said
        else:
            table.second[0, lane] = said ^ dealer_alone
            table.said[stage, lane] = said
    return DONE


def last_words(table, stage, lanes):
    """Take the first words for the last ones, nobody challenged."""
    for lane in range(0, lanes, WIDTH):
        first = where(load(table.live, 0, lane) != 0, load(table.first, 0, lane), 0)
        store(table.first, 0, lane, first)
        store(table.said, stage, lane, first)
        store(table.second, 0, lane, where(first == first, NOT_CHALLENGED, first))


def play_stage(
    table, stage, step, n, start, key, rules, brains, strengths, totals, work, ledger, filled,
    fault, lanes,
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
    if TABLES_ONLY:
        speak_by_table(table, stage, step, n, key, brains, work.spare, lanes)
    for turn in range(TABLES_ONLY, 1 + rules.challenge[stage]):  # N7, N8
        if turn == 1:
            last_words(table, stage, lanes)
        status = speak(
            table, stage, turn, step, n, key, rules, brains, strengths, fault, lanes
        )
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
    key, start, stop, n, rules, plan, kinds, brains, strengths, space, totals, rows, ledger, fault
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
    full, few, work = space.full, space.few, space
    # 1. The first games sit down (N1, N17).
    lanes = min(LANES, stop - start)
    for lane in range(lanes):
        sit_down(full, lane, 0, n, key, start + lane, plan, kinds)
    waiting, step, filled = start + lanes, np.int64(0), np.int64(0)
    while lanes > 0:
        if len(ledger.lines) and filled + 3 * lanes > len(ledger.lines):
            return LEDGER_FULL, filled
        # 2. A deal begins in every lane: the antes (N2).
        begin_deal(full, n, lanes)
        table, playing = full, lanes
        for stage in range(3):
            # 3. Its stages (N3, N4, N5).
            status, filled = play_stage(
                table, stage, step, n, start, key, rules, brains, strengths, totals, work, ledger,
                filled, fault, playing,
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
            if waiting < stop:
                sit_down(full, lane, step + 1, n, key, waiting, plan, kinds)
                waiting += 1
            else:
                lanes -= 1
                copy_game(full, n, lanes, lane)
        step += 1
    return DONE, filled


compile_module(__name__, fills_only=True)
