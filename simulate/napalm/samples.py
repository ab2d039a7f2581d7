"""Samples of a game taken up in its middle: the cards nobody has seen, and what a word brings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.jit import numba
from simulate.napalm.brains import Brains
from simulate.napalm.lineup import (
    FAULT,
    Asker,
    distinct_functions,
    make_asker,
    make_brains,
)
from simulate.napalm.onward import CARDS, State, deal_hands, play_on, weigh_hands
from simulate.napalm.rules import KernelRules, NapalmRules, kernel_rules
from simulate.napalm.space import Space, make_space
from simulate.napalm.speak import DONE
from simulate.napalm.strength import Strengths, strength_tables
from simulate.napalm.table import lane_rows

if TYPE_CHECKING:
    from strategies import Strategy


class Company(NamedTuple):
    """Who plays on, made ready: the distinct strategies and what compiled code needs of them."""

    strategies: tuple[Strategy, ...]
    who: NDArray[np.int64]
    n: int
    rules: KernelRules
    brains: Brains
    strengths: Strengths
    asker: Asker
    space: Space
    lane_weight: NDArray[np.float64]
    deck: NDArray[np.int64]


def gather(rules: NapalmRules, strategies: Sequence[Strategy]) -> Company:
    """Make strategies ready to play on, compiling what is new among them.

    Parameters
    ----------
    rules : NapalmRules
    strategies : sequence of Strategy
        By position in the deal at which the game is taken up.

    Raises
    ------
    InputError
        When a strategy cannot be compiled.
    """
    distinct = {(s.spec, s.source_hash): s for s in strategies}
    order, different = list(distinct), list(distinct.values())
    n, numbers, strengths = len(strategies), kernel_rules(rules), strength_tables(rules.wheel)
    functions = distinct_functions(strategies)
    brains = make_brains(different, functions, n, rules.wheel)
    return Company(
        strategies=tuple(different),
        who=np.array([order.index((s.spec, s.source_hash)) for s in strategies], np.int64),
        n=n,
        rules=numbers,
        brains=brains,
        strengths=strengths,
        asker=make_asker(functions, brains, numbers, strengths, n),
        space=make_space(len(different), n),
        lane_weight=lane_rows(1, np.float64),
        deck=np.zeros(53, np.int64),
    )


def compile_for(company: Company, state: State) -> None:
    """Compile what samples are played by, or load it, before anybody's patience is tried."""
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]  # set at run time
        return
    games, cards = np.zeros(1, np.uint64), np.zeros((1, CARDS * company.n), np.uint8)
    calls: list[tuple[Any, tuple[Any, ...]]] = [
        (weigh_hands, _to_weigh(company, state, np.uint64(0), games, np.zeros(1))),
        (deal_hands, _to_deal(company, state, np.uint64(0), games, cards)),
        (play_on, _to_play(company, state, np.uint64(0), games, cards, 0)),
    ]
    for function, arguments in calls:
        function.compile(tuple(map(numba.typeof, arguments)))


def _to_weigh(
    company: Company, state: State, key: np.uint64, games: Any, weights: Any
) -> tuple[Any, ...]:
    """Return the arguments of `weigh_hands`; the last one receives what is at fault."""
    return (
        key, games, company.n, state, company.rules, company.brains, company.asker.address,
        company.strengths, company.space, company.deck, company.lane_weight, weights,
        np.zeros(FAULT, np.int64),
    )  # fmt: skip


def _to_deal(
    company: Company, state: State, key: np.uint64, games: Any, cards: Any
) -> tuple[Any, ...]:
    """Return the arguments of `deal_hands`."""
    return key, games, company.n, state, company.space, company.deck, cards


def _to_play(
    company: Company, state: State, key: np.uint64, games: Any, cards: Any, yes: int
) -> tuple[Any, ...]:
    """Return the arguments of `play_on`; the last three receive what is found."""
    return (
        key, games, cards, company.n, state, yes, company.rules, company.brains,
        company.asker.address, company.strengths, company.space, company.lane_weight,
        np.zeros((len(games), company.n), np.int64), np.zeros(len(games), np.int8),
        np.zeros(FAULT, np.int64),
    )  # fmt: skip


def weigh(
    company: Company, state: State, key: np.uint64, games: NDArray[np.uint64]
) -> NDArray[np.float64]:
    """Deal what the player has not seen, once for each of these games, and weigh it.

    Returns
    -------
    ndarray, shape (m,)
        The probability of all words so far (but the player's own), given these cards.
    """
    weights = np.zeros(len(games))
    arguments = _to_weigh(company, state, key, games, weights)
    _raise_fault(company, weigh_hands(*arguments), arguments[-1])
    return weights


def deal(
    company: Company, state: State, key: np.uint64, games: NDArray[np.uint64]
) -> NDArray[np.uint8]:
    """Return the cards that were weighed.

    Returns
    -------
    ndarray of uint8, shape (m, 7 * n)
        Card k of position p in column ``k * n + p``.
    """
    cards = np.zeros((len(games), CARDS * company.n), np.uint8)
    deal_hands(*_to_deal(company, state, key, games, cards))
    return cards


def play(
    company: Company,
    state: State,
    key: np.uint64,
    games: NDArray[np.uint64],
    cards: NDArray[np.uint8],
    yes: bool,
) -> tuple[NDArray[np.int64], NDArray[np.int8]]:
    """Let the player say a word in every sample, and play every game to its end.

    Returns
    -------
    net : ndarray of int64, shape (m, n)
        By position: received from now on less paid; the antes of this deal have been paid.
    winner : ndarray of int8, shape (m,)
        The position, or -1 where nobody won.
    """
    arguments = _to_play(company, state, key, games, cards, int(yes))
    _raise_fault(company, play_on(*arguments), arguments[-1])
    net, winner = arguments[-3:-1]
    return net, winner


def _raise_fault(company: Company, status: int, fault: Any) -> None:
    """Raise what was wrong with an answer."""
    from strategies import StrategyError

    if status != DONE:
        game, deal, stage, turn, position, who = fault.tolist()
        raise StrategyError(
            company.strategies[who].spec,
            "answered no probability from 0 to 1",
            state=f"sample {game}, deal {deal}, stage {stage + 1}, turn {turn + 1}, "
            f"position {position}",
        )
