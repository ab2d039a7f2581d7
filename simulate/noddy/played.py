"""The kernel's ledger as rows of games, deals and turns, and as records for a game log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulate.cards import DECK, NODDY_RANKS, card_text, cards_text
from simulate.noddy import ledger as columns
from simulate.noddy.ledger import Ledger
from simulate.noddy.rules import HAND, NAMES
from simulate.noddy.view import DRAW, PASS
from simulate.rng import deal_deck

NOBODY = -1


def _by_seat(name: str, values: NDArray[Any]) -> dict[str, NDArray[Any]]:
    return {f"{name}_{seat}": values[:, seat] for seat in range(values.shape[1])}


def game_rows(ledger: Ledger, start: int, plan: NDArray[np.int8]) -> dict[str, NDArray[Any]]:
    """Make the rows of games.

    Returns
    -------
    dict of ndarray
        `game`, `dealer` (seat of the first), `deals`, `turns`, `winner` (seat, -1 for none), and by
        seat `slot_0`, ..., `score_0`, ....
    """
    lines, n = ledger.games, plan.shape[1]
    games = np.arange(start, start + len(lines))
    rows: dict[str, NDArray[Any]] = {
        "game": games,
        "dealer": lines[:, columns.FIRST_DEALER].astype(np.int8),
        "deals": lines[:, columns.DEALS].astype(np.int32),
        "turns": lines[:, columns.TURNS].astype(np.int32),
        "winner": lines[:, columns.WINNER].astype(np.int8),
    }
    rows |= _by_seat("slot", plan[games % len(plan)])
    scores = lines[:, columns.GAME_SCORES : columns.GAME_SCORES + n]
    return rows | _by_seat("score", scores.astype(np.int32))


def deal_rows(ledger: Ledger, start: int, plan: NDArray[np.int8]) -> dict[str, NDArray[Any]]:
    """Make the rows of deals.

    Returns
    -------
    dict of ndarray
        `game`, `deal`, `dealer`, `turn_up` (a card), `jack` (what it scored each opponent of the
        dealer), `turns`, `dead`, `winner` (seat that won the game with this deal, or -1), and by
        seat `slot_0`, ..., `score_0`, ... after the deal.
    """
    lines, n = ledger.deals, plan.shape[1]
    games = start + lines[:, columns.GAME]
    dead = lines[:, columns.DEAD] == 1
    winner = ledger.games[lines[:, columns.GAME], columns.WINNER]
    rows: dict[str, NDArray[Any]] = {
        "game": games,
        "deal": lines[:, columns.DEAL].astype(np.int32),
        "dealer": lines[:, columns.DEALER].astype(np.int8),
        "turn_up": lines[:, columns.TURN_UP].astype(np.int8),
        "jack": lines[:, columns.JACK].astype(np.int16),
        "turns": lines[:, columns.TURNS_OF_DEAL].astype(np.int16),
        "dead": dead,
        "winner": np.where(dead, NOBODY, winner).astype(np.int8),
    }
    rows |= _by_seat("slot", plan[games % len(plan)])
    scores = lines[:, columns.DEAL_SCORES : columns.DEAL_SCORES + n]
    return rows | _by_seat("score", scores.astype(np.int32))


def turn_rows(ledger: Ledger, start: int, plan: NDArray[np.int8]) -> dict[str, NDArray[Any]]:
    """Make the rows of turns.

    Returns
    -------
    dict of ndarray
        `game`, `deal`, `turn`, `seat`, `slot_moving`, `move` (a kind of `simulate.noddy.view`),
        `points`, the sets of `cards` laid, of the `hand` before the turn and of the cards one
        `drew`, the number of `options`, the `stock` before the turn, the `score` after it.
    """
    lines = ledger.turns
    games = start + lines[:, columns.GAME]
    seats = lines[:, columns.SEAT]
    return {
        "game": games,
        "deal": lines[:, columns.DEAL].astype(np.int32),
        "turn": lines[:, columns.TURN].astype(np.int16),
        "seat": seats.astype(np.int8),
        "slot_moving": plan[games % len(plan), seats],
        "move": lines[:, columns.KIND].astype(np.int8),
        "points": lines[:, columns.POINTS].astype(np.int16),
        "cards": lines[:, columns.CARDS].copy(),
        "hand": lines[:, columns.HAND].copy(),
        "drew": lines[:, columns.DREW].copy(),
        "options": lines[:, columns.OPTIONS].astype(np.int8),
        "stock": lines[:, columns.STOCK].astype(np.int8),
        "score": lines[:, columns.SCORE].astype(np.int32),
    }


def _texts(cards: int, order: Sequence[int]) -> list[str]:
    """Write a set of cards in the order of a sequence that holds them."""
    return cards_text((card for card in order if cards >> card & 1), NODDY_RANKS)


def _turn_record(line: Sequence[int], drawing: Sequence[int]) -> dict[str, Any]:
    kind = line[columns.KIND]
    turn: dict[str, Any] = {"seat": line[columns.SEAT]}
    if kind in (DRAW, PASS):
        turn["do"] = "draw" if kind == DRAW else "pass"
    else:
        turn |= {"do": "lay", "combination": NAMES[kind]}
        turn["cards"] = _texts(line[columns.CARDS], range(DECK))
        turn["points"] = line[columns.POINTS]
    return {**turn, "drew": _texts(line[columns.DREW], drawing)}


def _deal_record(
    line: Sequence[int], turns: Iterator[list[int]], deck: Sequence[int], n: int
) -> dict[str, Any]:
    dealer, turn_up = line[columns.DEALER], line[columns.TURN_UP]
    jack = [0 if seat == dealer else line[columns.JACK] for seat in range(n)]
    stock = deck[HAND * n + 1 :]
    return {
        "dealer": dealer,
        "hands": [_texts(line[columns.HANDS + seat], deck) for seat in range(n)],
        "turn_up": card_text(turn_up, NODDY_RANKS),
        "stock": cards_text(stock, NODDY_RANKS),
        "jack": jack,
        "turns": [
            _turn_record(next(turns), [*stock, turn_up]) for _ in range(line[columns.TURNS_OF_DEAL])
        ],
        "scores": line[columns.DEAL_SCORES : columns.DEAL_SCORES + n],
    }


def records(ledger: Ledger, key: np.uint64, start: int, n: int) -> list[dict[str, Any]]:
    """Write down whole games as the kernel played them.

    Parameters
    ----------
    ledger : Ledger
        With games, deals and turns.
    key : uint64
        From `simulate.rng.fold_seed`: it decides the part of a stock that nobody drew.
    start, n : int
        The game of the first line; players.

    Returns
    -------
    list of dict
        ``deals``, ``winner`` (and ``truncated``) and ``scores`` of each game, as in a game log.
    """
    deals, turns = iter(ledger.deals.tolist()), iter(ledger.turns.tolist())
    written = []
    for game, line in enumerate(ledger.games.tolist(), start=start):
        played = []
        for number in range(line[columns.DEALS]):
            deck = np.empty(DECK, np.int64)
            deal_deck(key, game, number, deck)
            played.append(_deal_record(next(deals), turns, deck.tolist(), n))
        won = line[columns.WINNER] != NOBODY
        end = {"winner": line[columns.WINNER]} if won else {"winner": None, "truncated": True}
        scores = line[columns.GAME_SCORES : columns.GAME_SCORES + n]
        written.append({"deals": played, **end, "scores": scores})
    return written
