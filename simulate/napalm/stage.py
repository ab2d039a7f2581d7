"""One stage of Napalm in every lane: the cards, the words and the money (N3 to N14).

The games around it call it through its address (see `simulate.napalm.kernel`), so that the two are
compiled by themselves. Strategies that are tables speak in `simulate.napalm.declare`; those that
are functions are called through the address of their compiled `simulate.napalm.ask`, once a
position for all lanes.
"""

from __future__ import annotations

import numpy as np

from simulate.dealing import deal_places
from simulate.jit import compile_module
from simulate.lanes import WIDTH, count, load, pack, store, where
from simulate.napalm.declare import speak_by_table
from simulate.napalm.hands import INVERTED, rank_fives, rank_sevens, rank_twos
from simulate.napalm.ledger import write_stage
from simulate.napalm.settlement import settle
from simulate.napalm.speak import DONE, speak
from simulate.napalm.table import NOT_CHALLENGED
from simulate.napalm.tally import tally_challenges, tally_stage

STOPPED = -1


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
    table, stage, step, n, start, key, rules, brains, asker, strengths, totals, scratch, ledger,
    filled, fault, lanes,
):  # fmt: skip
    """Deal, rank, declare and settle one stage in every lane.

    Returns
    -------
    int
        How many lines the ledger has, or `STOPPED` after an answer that is no probability.
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
        asked = ask_everybody(table, scratch.lanes, lanes)
        status = speak(table, stage, 0, step, n, key, rules, brains, asker, strengths, fault, asked)
        if status != DONE:
            return STOPPED
    asked = last_words(table, stage, n, scratch.lanes, lanes)
    if rules.challenge[stage]:  # N8
        status = speak(table, stage, 1, step, n, key, rules, brains, asker, strengths, fault, asked)
        if status != DONE:
            return STOPPED
    settle(table, stage, step, n, rules, lanes)
    if len(totals.decisions):
        tally_stage(table, stage, step, n, strengths, scratch, totals, lanes)
        if rules.challenge[stage]:
            tally_challenges(table, stage, step, n, strengths, totals, asked)
    if len(ledger.lines):
        filled = write_stage(table, stage, step, n, start, strengths, ledger, filled, lanes)
    return np.int64(filled)


compile_module(__name__, fills_only=True, inner="all")
