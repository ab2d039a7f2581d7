"""Games of Noddy in bulk: what the runner, the comparisons and the logs call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.beside import beside
from simulate.cards import DECK, NODDY_RANKS, cards_text
from simulate.noddy.combinations import levels_of
from simulate.noddy.deck import new_decks
from simulate.noddy.kernel import LEDGER_FULL
from simulate.noddy.kernel import play as play_games
from simulate.noddy.ledger import Ledger, empty_ledger
from simulate.noddy.lineup import Chooser, distinct_functions, make_chooser, params_of
from simulate.noddy.played import deal_rows, game_rows, records, turn_rows
from simulate.noddy.reference import by_value, play_game
from simulate.noddy.rules import KernelRules, NoddyRules, kernel_rules
from simulate.noddy.small_hands import Answers, answers_for, no_answers
from simulate.noddy.table import set_table
from simulate.noddy.tables import MOVES, summary_tables
from simulate.noddy.tally import Totals, empty_totals
from simulate.rng import fold_seed
from simulate.seating import seat_plan

if TYPE_CHECKING:
    import pyarrow as pa

    from strategies import Strategy

DEALS_A_GAME, TURNS_A_GAME, SPARE = 2, 24, 1024
"""First guesses at what the ledger must hold; it grows where they are too low."""

ROW_NAMES = {"move": MOVES, "turn_up": cards_text(range(DECK), NODDY_RANKS)}
"""What the numbers in columns of rows stand for, when they are kept."""


class Job(NamedTuple):
    """What a run plays, made ready.

    Attributes
    ----------
    rules : NoddyRules
    line_up : tuple of Strategy
        By slot.
    who : ndarray of int64, shape (n,)
        Which distinct strategy plays each slot.
    key : uint64
    plan : ndarray of int8
        See `simulate.seating.seat_plan`.
    """

    rules: NoddyRules
    line_up: tuple[Strategy, ...]
    who: NDArray[np.int64]
    key: np.uint64
    plan: NDArray[np.int8]
    kernel_rules: KernelRules
    params: NDArray[np.float64]
    answers: Answers
    levels: NDArray[np.int64]
    chooser: Chooser

    @property
    def n(self) -> int:
        """Number of players."""
        return len(self.line_up)


class Slice(NamedTuple):
    """What some games gave: sums that add up, and rows in the order of games."""

    totals: dict[str, NDArray[np.int64]]
    rows: dict[str, NDArray[Any]]


def prepare(
    rules: NoddyRules,
    strategies: Sequence[Strategy],
    seed: int,
    fixed_seats: bool = False,
    together: Sequence[Strategy] = (),
) -> Job:
    """Make a line-up ready to play, compiling what is new in it.

    Parameters
    ----------
    rules : NoddyRules
    strategies : sequence of Strategy
        By slot of the line-up, 2 to 4 of them.
    seed : int
        A whole number >= 0.
    fixed_seats : bool
        Slot s sits in seat s in every game.
    together : sequence of Strategy
        Who else plays at other tables: compiled together, they are compiled once for all tables.

    Raises
    ------
    InputError
        When a strategy cannot be compiled.
    """
    distinct = {(s.spec, s.source_hash): s for s in strategies}
    order, different = list(distinct), list(distinct.values())
    n, key, numbers = len(strategies), fold_seed(seed), kernel_rules(rules)
    functions = distinct_functions([*strategies, *together])
    params = params_of(different, functions)
    table, plan = set_table(n, numbers, key, params), seat_plan(n, fixed_seats)
    levels = levels_of(numbers.points)
    who = np.array([order.index((s.spec, s.source_hash)) for s in strategies], np.int64)
    with beside("simulate.noddy.small_hands:compile_answers") as first_time:
        chooser = make_chooser(functions, table)
        if first_time:  # the games around the choices, too
            play_games(
                table, new_decks(), 0, 0, plan, who, chooser.address, no_answers(), levels,
                empty_totals(n), empty_ledger(0, 0, 0),
            )  # fmt: skip
    return Job(
        rules=rules,
        line_up=tuple(strategies),
        who=who,
        key=key,
        plan=plan,
        kernel_rules=numbers,
        params=params,
        answers=answers_for(table),
        levels=levels,
        chooser=chooser,
    )


class _Played(NamedTuple):
    """Totals, and the lines of the ledger that are filled."""

    totals: Totals
    ledger: Ledger


def _play(
    job: Job, start: int, stop: int, want_games: bool, want_deals: bool, want_turns: bool
) -> _Played:
    """Play games, keeping a ledger of what is wanted."""
    room = stop - start
    deal_room = (DEALS_A_GAME * room + SPARE) * want_deals
    turn_room = (TURNS_A_GAME * room + SPARE) * want_turns
    while True:
        totals = empty_totals(job.n)
        ledger = empty_ledger(room * want_games, deal_room, turn_room)
        table = set_table(job.n, job.kernel_rules, job.key, job.params)
        status = play_games(
            table, new_decks(), start, stop, job.plan, job.who, job.chooser.address, job.answers,
            job.levels, totals, ledger,
        )  # fmt: skip
        if status < 0:
            _raise_bad_answer(job, table, option=-1 - status)
        if status != LEDGER_FULL:
            deals, turns = ledger.deals[: table.deals_kept], ledger.turns[: table.turns_kept]
            return _Played(totals, Ledger(ledger.games, deals, turns))
        deal_room, turn_room = 2 * deal_room, 2 * turn_room


def _raise_bad_answer(job: Job, table: Any, option: int) -> None:
    """Raise what plain Python finds wrong with an answer that was NaN when compiled."""
    from strategies import StrategyError

    replay(job, int(table.game))
    slot = job.plan[table.game % len(job.plan), table.seat]
    raise StrategyError(
        job.line_up[slot].spec,
        f"compiled, answered NaN (not a number) in game {table.game}, deal {table.deal}, "
        f"turn {table.turn}, for option {option}: it must return a number",
    )


def replay(job: Job, game: int) -> dict[str, Any]:
    """Play one game in plain Python; a strategy at fault is named with what it saw.

    Raises
    ------
    StrategyError
        When a strategy raises, or answers no number.
    """
    order = job.plan[game % len(job.plan)]
    seats = [job.line_up[slot] for slot in order]
    return play_game(job.rules, job.n, job.key, game, by_value(seats, job.key, game))


def _find_raising(job: Job, start: int, stop: int) -> int:
    """Return the first game in which a compiled strategy raises."""
    while stop - start > 1:
        middle = (start + stop) // 2
        try:
            _play(job, start, middle, False, False, False)
        except Exception:  # noqa: BLE001  (whatever it was: the game is what is looked for)
            stop = middle
        else:
            start = middle
    return start


def play(job: Job, start: int, stop: int, detail: str = "summary") -> Slice:
    """Play games `start` to ``stop - 1``.

    Parameters
    ----------
    job : Job
    start, stop : int
    detail : str
        ``"summary"``: no rows; ``"games"``, ``"deals"``, ``"turns"``: one for each;
        ``"results"``: as ``"games"``.

    Returns
    -------
    Slice
        `totals` by the names of `simulate.noddy.tally.Totals`. Rows: see `simulate.noddy.played`.

    Raises
    ------
    StrategyError
        When a strategy raises or answers NaN: which one, and in what state.
    """
    from strategies import StrategyError

    deals, turns = detail in ("deals", "turns"), detail == "turns"
    try:
        played = _play(job, start, stop, detail != "summary", deals, turns)
    except StrategyError:
        raise
    except (ArithmeticError, LookupError, ValueError, RuntimeError):
        replay(job, _find_raising(job, start, stop))
        raise
    rows: dict[str, NDArray[Any]] = {}
    if detail in ("games", "results"):
        rows = game_rows(played.ledger, start, job.plan)
    elif detail == "deals":
        rows = deal_rows(played.ledger, start, job.plan)
    elif detail == "turns":
        rows = turn_rows(played.ledger, start, job.plan)
    return Slice(played.totals._asdict(), rows)


def tables(
    rules: NoddyRules, strategies: Sequence[Strategy], totals: Mapping[str, NDArray[np.int64]]
) -> dict[str, pa.Table]:
    """Turn totals into the tables of the summary: see `simulate.noddy.tables`."""
    return summary_tables([s.spec for s in strategies], rules, totals)


def record(job: Job, start: int, stop: int) -> list[dict[str, Any]]:
    """Play games and return their records as the compiled game played them.

    They are those of `simulate.noddy.reference.play_game`.
    """
    ledger = _play(job, start, stop, True, True, True).ledger
    return records(ledger, job.key, start, job.n)
