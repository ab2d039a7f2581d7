"""Samples of a game taken up in its middle: cards that were not seen, and what an option brings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.jit import numba
from simulate.noddy.combinations import levels_of
from simulate.noddy.deck import Decks, new_decks
from simulate.noddy.lineup import Chooser, distinct_functions, make_chooser, params_of
from simulate.noddy.onward import draw_cards, play_on
from simulate.noddy.rules import KernelRules, NoddyRules, kernel_rules
from simulate.noddy.small_hands import Answers, answers_for
from simulate.noddy.table import set_table
from simulate.noddy.tally import Totals, empty_totals
from simulate.rng import fold_seed

if TYPE_CHECKING:
    from strategies import Strategy


class Company(NamedTuple):
    """Who plays on, made ready: the distinct strategies and what compiled code needs of them."""

    strategies: tuple[Strategy, ...]
    who: NDArray[np.int64]
    n: int
    rules: KernelRules
    key: np.uint64
    params: NDArray[np.float64]
    answers: Answers
    levels: NDArray[np.int64]
    chooser: Chooser
    decks: Decks
    slots: NDArray[np.int8]
    totals: Totals


def gather(rules: NoddyRules, strategies: Sequence[Strategy], seed: int) -> Company:
    """Make strategies ready to play on, compiling what is new among them.

    Parameters
    ----------
    rules : NoddyRules
    strategies : sequence of Strategy
        By position in the deal at which the game is taken up.
    seed : int

    Raises
    ------
    InputError
        When a strategy cannot be compiled.
    """
    distinct = {(s.spec, s.source_hash): s for s in strategies}
    order, different = list(distinct), list(distinct.values())
    n, key, numbers = len(strategies), fold_seed(seed), kernel_rules(rules)
    functions = distinct_functions(strategies)
    params = params_of(different, functions)
    table = set_table(n, numbers, key, params)
    return Company(
        strategies=tuple(different),
        who=np.array([order.index((s.spec, s.source_hash)) for s in strategies], np.int64),
        n=n,
        rules=numbers,
        key=key,
        params=params,
        answers=answers_for(table),
        levels=levels_of(numbers.points),
        chooser=make_chooser(functions, table),
        decks=new_decks(),
        slots=np.arange(n, dtype=np.int8).reshape(1, n),
        totals=empty_totals(n),
    )


def new_table(company: Company) -> Any:
    """Return an empty table."""
    return set_table(company.n, company.rules, company.key, company.params)


class Cards(NamedTuple):
    """What was dealt, sample by sample: see `simulate.noddy.onward.draw_cards`."""

    games: NDArray[np.int64]
    hands: NDArray[np.int64]
    stock: NDArray[np.int64]

    def some(self, which: Any) -> Cards:
        """Return some of the samples."""
        return Cards(self.games[which], self.hands[which], self.stock[which])


def compile_for(company: Company) -> None:
    """Compile what samples are played by, or load it, before anybody's patience is tried."""
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]  # set at run time
        return
    start, games = new_table(company), np.zeros(1, np.int64)
    cards, numbers = _empty_cards(games), np.zeros(4, np.int64)
    calls: list[tuple[Any, tuple[Any, ...]]] = [
        (draw_cards, _to_draw(company, start, 0, games, numbers, cards, np.zeros(1))),
        (play_on, _to_play(company, new_table(company), start, cards, 0, 0, _no_ends(1))),
    ]
    for function, arguments in calls:
        function.compile(tuple(map(numba.typeof, arguments)))


def _empty_cards(games: NDArray[np.int64]) -> Cards:
    m = len(games)
    return Cards(games, np.zeros((m, 4), np.int64), np.zeros((m, 52), np.int64))


def _no_ends(m: int) -> Ends:
    return Ends(np.zeros(m, np.int8), np.zeros((m, 4), np.int64), np.zeros((m, 4), np.int64))


def _to_draw(
    company: Company, start: Any, known: int, games: Any, bare: Any, cards: Cards, weights: Any
) -> tuple[Any, ...]:
    """Return the arguments of `draw_cards`."""
    return (
        new_table(company), start, known, games, company.levels, bare, np.zeros(53, np.int64),
        cards.hands, cards.stock, weights,
    )  # fmt: skip


def _to_play(
    company: Company, table: Any, start: Any, cards: Cards, passes: int, option: int, ends: Ends
) -> tuple[Any, ...]:
    """Return the arguments of `play_on`."""
    return (
        table, start, company.decks, cards.games, cards.hands, cards.stock, passes, option,
        company.who, company.slots, company.chooser.address, company.answers, company.levels,
        company.totals, ends.winner, ends.scores, ends.turns,
    )  # fmt: skip


def draw(
    company: Company, start: Any, known: int, bare: Sequence[int], games: NDArray[np.int64]
) -> tuple[NDArray[np.float64], Cards]:
    """Deal what the player has not seen, once for each of these games.

    Returns
    -------
    weights : ndarray, shape (m,)
        0 where somebody would have had to lay what he did not, else 1.
    cards : Cards
    """
    weights, cards = np.zeros(len(games)), _empty_cards(games)
    numbers = np.zeros(4, np.int64)
    numbers[: len(bare)] = bare
    draw_cards(*_to_draw(company, start, known, games, numbers, cards, weights))
    return weights, cards


class Ends(NamedTuple):
    """How games ended, sample by sample: the winner's position (or -1), last scores and turns."""

    winner: NDArray[np.int8]
    scores: NDArray[np.int64]
    turns: NDArray[np.int64]


def play(company: Company, start: Any, passes: int, option: int, cards: Cards) -> Ends:
    """Let the player take an option in every sample, and play every game to its end."""
    from strategies import StrategyError

    table, ends = new_table(company), _no_ends(len(cards.games))
    status = play_on(*_to_play(company, table, start, cards, passes, option, ends))
    if status < 0:
        raise StrategyError(
            company.strategies[company.who[table.seat]].spec,
            "answered NaN (not a number): it must return a number",
            state=f"sample {table.game}, deal {table.deal}, turn {table.turn}",
        )
    return ends
