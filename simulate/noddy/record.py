"""The record of a game of Noddy, as it stands in a game log: audited, and explained.

After the header (see `simulate.gamelog`) come ``deals``, ``winner`` and ``scores``:

- A deal has its ``dealer``, the ``hands`` of three cards in the order dealt, the ``turn_up``, the
  ``stock`` in drawing order without the turn-up, what a turned-up ``jack`` scored each seat (D3),
  its ``turns``, and the ``scores`` when it ended.
- A turn has its ``seat``, what it did (``do``: ``lay``, ``draw`` or ``pass``) and the cards it
  ``drew``; a lay its ``combination``, ``cards`` in ascending order and ``points``. An ``explain``
  shows what the strategy saw and answered; nothing depends on it.
- ``winner`` is a seat; in a truncated game (D8) it is null and ``truncated`` true.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from simulate.cards import NODDY_RANKS, cards_text, parse_cards
from simulate.difference import HEADER, NOTHING, Difference, header_difference, mismatch, shown
from simulate.noddy.reference import (
    Race,
    Strategy,
    as_set,
    ending,
    play_deals,
    values,
)
from simulate.noddy.rules import MAX_PLAYERS, MIN_PLAYERS, NAMES, from_dict
from simulate.noddy.telling import tell
from simulate.noddy.view import DRAW, PASS, Option, View
from simulate.rng import fold_seed

__all__ = ["audit", "explain", "tell"]

PLAYERS = range(MIN_PLAYERS, MAX_PLAYERS + 1)
OVER = "nothing: the game was over"
NAMED = 3  # options that a difference names, of those that were offered


def option_text(option: Option) -> str:
    """Write an option, for example ``"lay fifteen 5h Jd"``."""
    if option.kind in (DRAW, PASS):
        return "draw" if option.kind == DRAW else "pass"
    cards = cards_text((card for card in range(52) if option.cards >> card & 1), NODDY_RANKS)
    return f"lay {NAMES[option.kind]} {' '.join(cards)}"


def _index_of(turn: Mapping[str, Any], options: Sequence[Option]) -> int | None:
    """Find the option that a recorded turn took."""
    if turn["do"] == "lay":
        kind = NAMES.index(turn["combination"])
        cards = as_set(parse_cards(turn["cards"], NODDY_RANKS))
    else:
        kind, cards = {"draw": DRAW, "pass": PASS}[turn["do"]], 0
    found = (i for i, option in enumerate(options) if option.kind == kind and option.cards == cards)
    return next(found, None)


class Moves:
    """A `choose` that does what was done in a record.

    Where the record has no such move it takes the first option: whoever compares will find what is
    wrong. `refused` keeps the first such place, ``(deal, turn)``, and what was offered there.
    """

    def __init__(self, deals: Sequence[Any]) -> None:
        self.deals = deals
        self.refused: tuple[int, int] | None = None
        self.offered: list[Option] = []

    def __call__(self, _: int, view: View, options: list[Option]) -> int:
        """Return the index of the option that was taken."""
        try:
            index = _index_of(self.deals[view.deal]["turns"][view.turn], options)
        except (IndexError, KeyError, TypeError, ValueError, AttributeError):
            index = None
        if index is None and self.refused is None:
            self.refused, self.offered = (view.deal, view.turn), options
        return index or 0


def audit(record: Mapping[str, Any]) -> Difference | None:
    """Play a recorded game again with its own moves and return the first thing wrong in it.

    Parameters
    ----------
    record : mapping
        Any JSON object.

    Returns
    -------
    Difference or None
        None where every card, move, point and result is right, and nothing is missing or added.
    """
    if found := header_difference(record, "noddy", PLAYERS, from_dict):
        return found
    deals = record.get("deals")
    if not isinstance(deals, list):
        written = shown(deals) if "deals" in record else NOTHING
        return Difference(None, None, "deals", written, "a list of deals")
    race, moves = Race.at_start(len(record["seats"])), Moves(deals)
    rules, key = from_dict(record["rules"]), fold_seed(record["seed"])
    number = -1
    for number, right in enumerate(play_deals(rules, race, key, record["index"], moves)):
        if number >= len(deals):
            return Difference(number, None, "deal", NOTHING, "a deal: nobody has won yet")
        if found := deal_difference(number, deals[number], right, moves):
            return found
    if len(deals) > number + 1:
        return Difference(number + 1, None, "deal", shown(deals[number + 1]), OVER)
    end = {name: value for name, value in record.items() if name not in (*HEADER, "deals")}
    wrong = mismatch(end, ending(race), "")
    return Difference(None, None, *wrong) if wrong else None


def deal_difference(
    number: int, written: Any, right: dict[str, Any], moves: Moves
) -> Difference | None:
    """Return the first thing wrong in a deal, in the order in which it was played."""
    if not isinstance(written, dict):
        return Difference(number, None, "deal", shown(written), "a deal")
    for name, value in right.items():
        if name not in written:
            return Difference(number, None, name, NOTHING, "a field of this name")
        if name == "turns":
            if found := _turns_difference(number, written[name], value, moves):
                return found
        else:
            items = ("card",) if name == "stock" else ("seat", "card")
            if wrong := mismatch(written[name], value, name, items):
                return Difference(number, None, *wrong)
    for name in written:
        if name not in right:
            return Difference(number, None, name, shown(written[name]), NOTHING)
    return None


def _turns_difference(
    number: int, written: Any, right: list[dict[str, Any]], moves: Moves
) -> Difference | None:
    if not isinstance(written, list):
        return Difference(number, None, "turns", shown(written), "a list of turns")
    for place, played in enumerate(right):
        what = f"turn {place}"
        if place >= len(written):
            return Difference(number, None, what, NOTHING, "a turn: the deal goes on")
        turn = written[place]
        if not isinstance(turn, dict):
            return Difference(number, None, what, shown(turn), "a turn")
        if wrong := mismatch(turn.get("seat"), played["seat"], f"{what}, seat"):
            return Difference(number, None, *wrong)
        if moves.refused == (number, place):
            move = {name: turn[name] for name in ("do", "combination", "cards") if name in turn}
            return Difference(number, None, what, shown(move), _offered_text(moves.offered))
        facts = {name: value for name, value in turn.items() if name != "explain"}
        if wrong := mismatch(facts, played, what, ("card",)):
            return Difference(number, None, *wrong)
    if len(written) > len(right):
        over = "nothing: the deal was over"
        return Difference(number, None, f"turn {len(right)}", shown(written[len(right)]), over)
    return None


def _offered_text(options: Sequence[Option]) -> str:
    """Name what was offered, or the best and the last of it."""
    texts = [option_text(option) for option in options]
    if len(texts) > NAMED + 1:
        texts = [*texts[:NAMED], f"... ({len(texts)} options)", texts[-1]]
    return f"one of: {', '.join(texts)}"


def explain(record: Mapping[str, Any], strategies: Sequence[Strategy]) -> dict[str, Any]:
    """Add to every turn of a recorded game what the strategy saw and answered.

    Parameters
    ----------
    record : mapping
        A game as it was played.
    strategies : sequence
        The strategy in each seat.

    Returns
    -------
    dict
        The record, with an ``explain`` in every turn that left a choice: the ``view``, and for each
        of the ``options`` its fields and the ``value`` that the strategy gave it.
    """
    key, game = fold_seed(record["seed"]), record["index"]
    moves = Moves(record["deals"])
    explained: dict[tuple[int, int], dict[str, Any]] = {}

    def choose(seat: int, view: View, options: list[Option]) -> int:
        worth = values(strategies[seat], view, options, key, game)
        shown_view = {**view._asdict(), "rules": view.rules._asdict()}
        del shown_view["random"]  # a fresh one for each option
        valued = [o._asdict() | {"value": v} for o, v in zip(options, worth, strict=True)]
        explained[view.deal, view.turn] = {"view": shown_view, "options": valued}
        return moves(seat, view, options)

    race = Race.at_start(len(record["seats"]))
    for _ in play_deals(from_dict(record["rules"]), race, key, game, choose):
        pass  # the views are all that is wanted
    deals = []
    for number, deal in enumerate(record["deals"]):
        turns = [
            turn | ({"explain": explained[number, place]} if (number, place) in explained else {})
            for place, turn in enumerate(deal["turns"])
        ]
        deals.append({**deal, "turns": turns})
    return {**record, "deals": deals}
