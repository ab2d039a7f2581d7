"""Games of Napalm in bulk: what the runner, the comparisons and the logs call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.beside import beside
from simulate.napalm.brains import Brains
from simulate.napalm.games import NOBODY, empty_rows
from simulate.napalm.kernel import LEDGER_FULL
from simulate.napalm.kernel import play as play_games
from simulate.napalm.ledger import Ledger, empty_deals, empty_ledger, fold_deals
from simulate.napalm.lineup import (
    FAULT,
    Asker,
    distinct_functions,
    make_asker,
    make_brains,
)
from simulate.napalm.played import records
from simulate.napalm.reference import by_answer, play_game
from simulate.napalm.rules import KernelRules, NapalmRules, kernel_rules
from simulate.napalm.space import make_space
from simulate.napalm.speak import BAD_ANSWER
from simulate.napalm.stage_player import stage_player
from simulate.napalm.strength import BUCKETS, Strengths, strength_tables
from simulate.napalm.tables import summary_tables
from simulate.napalm.tally import empty_totals
from simulate.rng import fold_seed
from simulate.seating import seat_plan

if TYPE_CHECKING:
    import pyarrow as pa

    from strategies import Strategy

LINES_A_GAME = 16
"""First guess at how many stages a game has; the ledger grows where it is too low."""


class Job(NamedTuple):
    """What a run plays, made ready.

    Attributes
    ----------
    rules : NapalmRules
    line_up : tuple of Strategy
        By slot.
    strategies : tuple of Strategy
        The distinct ones.
    kinds : ndarray of int64, shape (n,)
        Which of them plays each slot.
    key : uint64
    plan : ndarray of int8
        See `simulate.seating.seat_plan`.
    """

    rules: NapalmRules
    line_up: tuple[Strategy, ...]
    strategies: tuple[Strategy, ...]
    kinds: NDArray[np.int64]
    key: np.uint64
    plan: NDArray[np.int8]
    kernel_rules: KernelRules
    brains: Brains
    strengths: Strengths
    asker: Asker

    @property
    def n(self) -> int:
        """Number of players."""
        return len(self.line_up)


class Slice(NamedTuple):
    """What some games gave: sums that add up, and rows in the order of games."""

    totals: dict[str, NDArray[np.int64]]
    rows: dict[str, NDArray[Any]]


def prepare(
    rules: NapalmRules,
    strategies: Sequence[Strategy],
    seed: int,
    fixed_seats: bool = False,
    together: Sequence[Strategy] = (),
) -> Job:
    """Make a line-up ready to play, compiling what is new in it.

    Parameters
    ----------
    rules : NapalmRules
    strategies : sequence of Strategy
        By slot of the line-up, 4 to 7 of them.
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
    distinct, kinds = _distinct(strategies)
    n, numbers = len(strategies), kernel_rules(rules)
    with beside("simulate.napalm.stage_player:stage_player") as first_time:
        strengths = strength_tables(rules.wheel)
        functions = distinct_functions([*strategies, *together])
        brains = make_brains(distinct, functions, n, rules.wheel)
        job = Job(
            rules=rules,
            line_up=tuple(strategies),
            strategies=tuple(distinct),
            kinds=np.array(kinds, np.int64),
            key=fold_seed(seed),
            plan=seat_plan(n, fixed_seats),
            kernel_rules=numbers,
            brains=brains,
            strengths=strengths,
            asker=make_asker(functions, brains, numbers, strengths, n),
        )
        if first_time:
            _play_nothing(job)
    stage_player()
    return job


def _distinct(strategies: Sequence[Strategy]) -> tuple[list[Strategy], list[int]]:
    """List the distinct ones of a line-up, and which of them plays each slot."""
    distinct = {(s.spec, s.source_hash): s for s in strategies}
    order = list(distinct)
    return list(distinct.values()), [order.index((s.spec, s.source_hash)) for s in strategies]


def _play_nothing(job: Job) -> None:
    """Compile the games around the stages, or load them."""
    n = job.n
    play_games(
        job.key, 0, 0, n, job.kernel_rules, job.plan, job.kinds, job.brains, job.asker.address, 0,
        job.strengths, make_space(1, n), empty_totals(1, n), empty_rows(0, n),
        empty_ledger(0, n, cards=False), np.zeros(FAULT, np.int64),
    )  # fmt: skip


class _Played(NamedTuple):
    totals: Any
    rows: Any
    ledger: Ledger
    lines: int


def _play(
    job: Job,
    start: int,
    stop: int,
    rows: bool,
    lines: int,
    cards: bool,
    decisions: bool = True,
) -> _Played:
    """Play games, with rows and a ledger of so many lines where they are wanted."""
    from strategies import StrategyError

    n, distinct = job.n, len(job.strategies)
    space = make_space(distinct, n)
    while True:
        totals = empty_totals(distinct, n, decisions)
        games = empty_rows(stop - start if rows else 0, n)
        ledger = empty_ledger(lines, n, cards)
        fault = np.zeros(FAULT, np.int64)
        status, filled = play_games(
            job.key, start, stop, n, job.kernel_rules, job.plan, job.kinds, job.brains,
            job.asker.address, stage_player(), job.strengths, space, totals, games, ledger, fault,
        )  # fmt: skip
        if status == BAD_ANSWER:
            replay(job, int(fault[0]))
            game, deal, stage, turn, position, who = fault.tolist()
            raise StrategyError(
                job.strategies[who].spec,
                "answered no probability from 0 to 1 when compiled, though it does in plain Python",
                state=f"game {game}, deal {deal}, stage {stage + 1}, turn {turn + 1}, "
                f"position {position}",
            )
        # These took what does not count: how often depends on the slice.
        totals.decisions[-BUCKETS:] = 0
        if status != LEDGER_FULL:
            return _Played(totals, games, ledger, filled)
        lines *= 2


def replay(job: Job, game: int) -> dict[str, Any]:
    """Play one game in plain Python; a strategy at fault is named with what it saw.

    Raises
    ------
    StrategyError
        When a strategy raises, or answers no probability.
    """
    order = job.plan[game % len(job.plan)]
    seats = [job.line_up[slot] for slot in order]
    return play_game(job.rules, job.n, job.key, game, by_answer(seats, job.key, game))


def _play_or_explain(
    job: Job,
    start: int,
    stop: int,
    rows: bool,
    lines: int,
    cards: bool,
    decisions: bool = True,
) -> _Played:
    """Play games; where a strategy raises, find the state in which it does."""
    from strategies import StrategyError

    try:
        return _play(job, start, stop, rows, lines, cards, decisions)
    except (StrategyError, MemoryError):
        raise
    except Exception:
        replay(job, _find_raising(job, start, stop))
        raise


def _find_raising(job: Job, start: int, stop: int) -> int:
    """Return the first game in which a compiled strategy raises."""
    while stop - start > 1:
        middle = (start + stop) // 2
        try:
            _play(job, start, middle, rows=False, lines=0, cards=False)
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
        ``"summary"``: no rows; ``"games"``: one a game; ``"deals"``: one a deal; ``"results"``:
        `deals`, `winner` and nets of each game, and no decision is counted.

    Returns
    -------
    Slice
        `totals` by the names of `simulate.napalm.tally.Totals`. Rows of games: `game`, `dealer`
        (seat of the first), `deals`, `winner` (seat, -1 for none), `prize`, and by seat `slot_0`,
        ..., `net_0`, .... Rows of deals: see `deal_rows`.

    Raises
    ------
    StrategyError
        When a strategy raises or gives no probability: which one, and in what state.
    """
    lines = LINES_A_GAME * (stop - start) + 4096 if detail == "deals" else 0
    played = _play_or_explain(
        job,
        start,
        stop,
        rows=detail != "summary",
        lines=lines,
        cards=False,
        decisions=detail != "results",
    )
    rows: dict[str, NDArray[Any]] = {}
    if detail == "games":
        rows = game_rows(job, start, stop, played.rows)
    elif detail == "results":
        rows = {"deals": played.rows.deals, "winner": played.rows.winner}
        rows |= {f"net_{seat}": played.rows.net[:, seat] for seat in range(job.n)}
    elif detail == "deals":
        rows = deal_rows(job, start, played)
    return Slice(played.totals._asdict(), rows)


def game_rows(job: Job, start: int, stop: int, games: Any) -> dict[str, NDArray[Any]]:
    """Name the columns of rows of games."""
    slots = job.plan[np.arange(start, stop) % len(job.plan)]
    rows: dict[str, NDArray[Any]] = {
        "game": np.arange(start, stop),
        "dealer": games.dealer,
        "deals": games.deals,
        "winner": games.winner,
        "prize": games.prize,
    }
    rows |= {f"slot_{seat}": slots[:, seat] for seat in range(job.n)}
    rows |= {f"net_{seat}": games.net[:, seat] for seat in range(job.n)}
    return rows


def deal_rows(job: Job, start: int, played: _Played) -> dict[str, NDArray[Any]]:
    """Make the rows of deals.

    Returns
    -------
    dict of ndarray
        `game`, `deal`, `dealer` (seat), `stages` (how many were played), `said_1` to `said_3` and
        `won_1` to `won_3` (bits by seat: whose last word was Yes, who of them took the stage),
        `winner` (seat that won the game with this deal, or -1), and by seat `slot_0`, ...,
        `strength_0`, ... (at the last stage, in 255ths), `net_0`, ... (antes and prize included).
    """
    games = played.rows
    last = np.cumsum(games.deals, dtype=np.int64) - 1
    deals = empty_deals(int(last[-1]) + 1, job.n)
    fold_deals(played.ledger, played.lines, last + 1 - games.deals, deals)
    winner = np.full(len(deals.deal), NOBODY, np.int8)
    winner[last] = games.winner
    won = games.winner != NOBODY
    deals.net[games.winner[won], last[won]] += games.prize[won]
    numbers = np.arange(start, start + len(games.deals))
    rows: dict[str, NDArray[Any]] = {
        "game": np.repeat(numbers, games.deals),
        "deal": deals.deal,
        "dealer": deals.dealer,
        "stages": deals.stages,
    }
    rows |= {f"said_{stage + 1}": deals.said[stage] for stage in range(3)}
    rows |= {f"won_{stage + 1}": deals.won[stage] for stage in range(3)}
    rows["winner"] = winner
    slots = job.plan[numbers % len(job.plan)]
    rows |= {f"slot_{seat}": np.repeat(slots[:, seat], games.deals) for seat in range(job.n)}
    rows |= {f"strength_{seat}": deals.strength[seat] for seat in range(job.n)}
    rows |= {f"net_{seat}": deals.net[seat] for seat in range(job.n)}
    return rows


def tables(
    rules: NapalmRules, strategies: Sequence[Strategy], totals: Mapping[str, NDArray[np.int64]]
) -> dict[str, pa.Table]:
    """Write the totals as tidy tables: see `simulate.napalm.tables`."""
    del rules
    distinct, kinds = _distinct(strategies)
    return summary_tables([s.spec for s in distinct], kinds, dict(totals))


def record(job: Job, start: int, stop: int) -> list[dict[str, Any]]:
    """Play games and write down all of each as the kernel played it.

    Returns
    -------
    list of dict
        ``deals``, ``winner``, ``prize`` (or ``truncated``) and ``net`` of a game log.
    """
    lines = LINES_A_GAME * (stop - start) + 4096
    played = _play_or_explain(job, start, stop, rows=True, lines=lines, cards=True)
    return records(played.ledger, played.lines, played.rows, job.rules.currency == "tokens")
