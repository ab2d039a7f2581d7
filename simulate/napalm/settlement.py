"""What a stage brings (N9 to N16), for all lanes at once."""

from __future__ import annotations

from simulate.jit import compile_module
from simulate.lanes import WIDTH, load, some, store, to_i64, to_u16, where
from simulate.napalm.table import around

# How a stage came out for a player: his last word was No, his hand not, or was, among the best of
# all n; or it was Yes, and he was alone with it, or won, tied or lost the showdown. To these
# `BEST_OF_ALL` is added where his hand was among the best of all n.
SAID_NO, SAID_NO_BEST, LONE, WON, TIED, LOST = range(6)
BEST_OF_ALL = 4
OUTCOMES = 10


def share_of(stakes, players):
    """Divide stakes among up to seven players, rounding down."""
    part = stakes
    for number in range(2, 8):
        part = where(players == number, stakes // number, part)
    return part


def compare_hands(table, stage, n, lane):
    """Find the declarers of a stage and their best hands.

    Returns
    -------
    yes, tied : lanes of int32
        How many said Yes last (Y), and how many of them hold their best hand.
    best, best_of_all : lanes of uint32
        The best value among those who said Yes, and among all n.
    """
    said = load(table.said, stage, lane)
    yes = said ^ said
    value = load(table.value, stage * n, lane)
    best, best_of_all = value ^ value, value
    for position in range(n):
        value = load(table.value, stage * n + position, lane)
        word = said >> position & 1
        yes = yes + word
        best = where((word != 0) & (value > best), value, best)
        best_of_all = where(value > best_of_all, value, best_of_all)
    tied = said ^ said
    for position in range(n):
        value = load(table.value, stage * n + position, lane)
        tied = tied + where(value == best, said >> position & 1, 0)
    return yes, tied, best, best_of_all


def outcome_of(word, value, yes, tied, best, best_of_all):
    """Name the outcome of a player by the constants above."""
    top = where(value == best_of_all, (yes ^ yes) | 1, 0)
    showdown = where(value == best, where(tied > 1, (yes ^ yes) | TIED, WON), LOST)
    said_yes = where(yes == 1, LONE, showdown) + top * BEST_OF_ALL
    return where(word != 0, said_yes, top)


def settle(table, stage, step, n, rules, lanes):
    """Settle a stage in every lane: pot, collected counts, nets, and who has won the game.

    Parameters
    ----------
    table : Table
        `said` and `value` of this stage must be there; `said` is 0 in lanes that do not play.
    stage : int
        0, 1, 2.
    step : int
        The block's step, which tells the rows of the positions.
    n : int
    rules : KernelRules
    lanes : int
    """
    lone, penalty = rules.lone[stage], rules.penalty[stage]
    most = n if rules.split else 1  # N13: how many may share; else the tied take nothing
    for lane in range(0, lanes, WIDTH):
        yes, tied, best, best_of_all = compare_hands(table, stage, n, lane)
        pot = load(table.pot, 0, lane)
        showdown = yes > 1
        losers = where(showdown, yes - tied, 0)
        shared = tied <= most
        if rules.tokens:
            # A side bet of the pot from each loser to the winner, floor(pot / t) to each of t tied.
            stake = where(showdown & shared, pot, 0)
            if some(tied > 1):
                stake = share_of(stake, tied)
            takes, pays, alone = stake * losers, stake * tied, yes ^ yes
            counts, counts_alone = yes ^ yes, (yes ^ yes) | lone
        else:
            pays = yes if penalty < 0 else (yes ^ yes) | penalty  # N11
            after = pot + losers * pays  # N12: losers pay before the winner takes
            takes = where(showdown & shared, where(yes < after, yes, after), 0)
            if some(tied > 1):
                takes = share_of(takes, tied)
            alone = where(pot < lone, pot, lone)  # N10, N12
            counts, counts_alone = takes, alone
            taken = where(yes == 1, alone, where(showdown, takes * tied, 0))
            store(table.pot, 0, lane, pot + losers * pays - taken)
        said = load(table.said, stage, lane)
        over = load(table.over, 0, lane)
        for position in range(n):
            row = around(position + step, n)
            word = said >> position & 1
            value = load(table.value, stage * n + position, lane)
            outcome = outcome_of(word, value, yes, tied, best, best_of_all)
            result = where(yes == 1, alone, where(value == best, takes, (yes ^ yes) - pays))
            change = where((word != 0) & (yes != 0), result, 0)
            won = where(yes == 1, counts_alone, where(value == best, counts, 0))
            collected = load(table.collected, row, lane) + where(word != 0, won, 0)
            store(table.outcome, position, lane, to_u16(outcome))
            store(table.change, position, lane, change)
            store(table.collected, row, lane, collected)
            store(table.net, row, lane, load(table.net, row, lane) + to_i64(change))
            over = where(collected >= rules.target, 1, over)  # N16
        store(table.over, 0, lane, over)


def go_on(table, stage, rules, lanes):
    """Take out the lanes whose deal ends with this stage (N6, N16), and count the others."""
    playing = 0
    for lane in range(0, lanes, WIDTH):
        live = where(load(table.over, 0, lane) != 0, 0, load(table.live, 0, lane))
        if rules.ends[stage]:
            live = where(load(table.said, stage, lane) != 0, 0, live)
        store(table.live, 0, lane, live)
    for lane in range(lanes):
        playing += table.live[0, lane]
    return playing


compile_module(
    __name__, fills_only=True, inlined=("share_of", "compare_hands", "outcome_of"), inner="all"
)
