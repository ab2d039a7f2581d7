"""The record of a game of Napalm, as it stands in a game log: audited, and explained.

After the header (see `simulate.gamelog`) come ``deals``, ``winner``, ``prize`` and ``net``:

- A deal has its ``dealer``, ``pot_before`` the antes, the ``cards`` of each seat in the order
  dealt, as many as the stages played dealt, and its ``stages``.
- A stage has its number ``stage``, the ``declarations`` in the order spoken, ``[seat, "yes"]`` or
  ``[seat, "no"]``, with second words after a challenge (N8), what each seat ``paid`` into the pot
  and has ``taken`` out of it (antes and prize apart), direct payments ``side``, then the ``pot``
  and what each has ``collected``. An ``explain`` shows what strategies saw and answered; nothing
  depends on it.
- ``winner`` is a seat and ``prize`` the pot it took; in a truncated game (N18) ``winner`` is null,
  ``truncated`` true, and there is no prize. ``net`` is the result of each seat over the whole game.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from simulate.difference import HEADER, NOTHING, Difference, header_difference, mismatch, shown
from simulate.napalm.reference import Money, Speak, Strategy, coin, ending, play_deals
from simulate.napalm.rules import MAX_PLAYERS, MIN_PLAYERS, NapalmRules, from_dict
from simulate.napalm.telling import tell
from simulate.napalm.view import View
from simulate.rng import fold_seed

__all__ = ["audit", "explain", "tell"]

PLAYERS = range(MIN_PLAYERS, MAX_PLAYERS + 1)
DEALT_AT = (1, 1, 2, 2, 2, 3, 3)  # the stage at which each card is dealt
OVER = "nothing: the game was over"


def _is_word(word: object, seat: int) -> bool:
    return isinstance(word, list) and word in ([seat, "yes"], [seat, "no"]) and type(word[0]) is int


def recorded_words(deals: Sequence[Any]) -> Speak:
    """Make a `speak` that says what was said in a record.

    Where the record has no such word it says No: whoever compares will find what is missing.
    """

    def speak(seat: int, view: View) -> bool:
        place = view.position if view.turn == 1 else view.n + view.position
        try:
            word = deals[view.deal]["stages"][view.stage - 1]["declarations"][place]
        except (IndexError, KeyError, TypeError):
            return False
        return bool(word == [seat, "yes"])

    return speak


@lru_cache(maxsize=16)
def _read_rules(text: str) -> NapalmRules:
    return from_dict(json.loads(text))


def read_rules(data: object) -> NapalmRules:
    """Read the rules of a record; the games of a log mostly have the same."""
    return _read_rules(json.dumps(data))


def audit(record: Mapping[str, Any]) -> Difference | None:
    """Play a recorded game again with its own words and return the first thing wrong in it.

    Parameters
    ----------
    record : mapping
        Any JSON object.

    Returns
    -------
    Difference or None
        None where every card, word, payment and result is right, and nothing is missing or added.
    """
    if found := header_difference(record, "napalm", PLAYERS, read_rules):
        return found
    deals = record.get("deals")
    if not isinstance(deals, list):
        written = shown(deals) if "deals" in record else NOTHING
        return Difference(None, None, "deals", written, "a list of deals")
    money = Money.at_start(len(record["seats"]))
    played = play_deals(
        read_rules(record["rules"]),
        money,
        fold_seed(record["seed"]),
        record["index"],
        recorded_words(deals),
    )
    number = -1
    for number, right in enumerate(played):
        if number >= len(deals):
            return Difference(number, None, "deal", NOTHING, "a deal: nobody has won yet")
        if found := deal_difference(number, deals[number], right):
            return found
    if len(deals) > number + 1:
        return Difference(number + 1, None, "deal", shown(deals[number + 1]), OVER)
    end = {name: value for name, value in record.items() if name not in (*HEADER, "deals")}
    wrong = mismatch(end, ending(money), "")
    return Difference(None, None, *wrong) if wrong else None


def deal_difference(number: int, written: Any, right: dict[str, Any]) -> Difference | None:
    """Return the first thing wrong in a deal, in the order in which it was played."""
    if json.dumps(written) == json.dumps(right):  # nearly always, and much faster than a search
        return None
    if not isinstance(written, dict):
        return Difference(number, None, "deal", shown(written), "a deal")
    for name in right:
        if name not in written:
            return Difference(number, None, name, NOTHING, "a field of this name")
    for name in ("dealer", "pot_before"):
        if wrong := mismatch(written[name], right[name], name):
            return Difference(number, None, *wrong)
    return (
        _cards_difference(number, written["cards"], right["cards"])
        or _stages_difference(number, written["stages"], right["stages"])
        or _rest_difference(number, written, right)
    )


def _cards_difference(number: int, written: Any, right: list[list[str]]) -> Difference | None:
    """Compare the cards that both have: how many there should be depends on the stages."""
    if not isinstance(written, list) or not all(isinstance(hand, list) for hand in written):
        return Difference(number, None, "cards", shown(written), "a list of cards for each seat")
    for seat, (hand, dealt) in enumerate(zip(written, right, strict=False)):
        for place, (card, true) in enumerate(zip(hand, dealt, strict=False)):
            if wrong := mismatch(card, true, f"cards, seat {seat}, card {place}"):
                return Difference(number, DEALT_AT[place], *wrong)
    return None


def _stages_difference(number: int, written: Any, right: list[dict[str, Any]]) -> Difference | None:
    if not isinstance(written, list):
        return Difference(number, None, "stages", shown(written), "a list of stages")
    for stage, played in enumerate(right, start=1):
        if stage > len(written):
            return Difference(number, stage, "stage", NOTHING, "a stage: the deal goes on")
        if found := _stage_difference(number, stage, written[stage - 1], played):
            return found
    if len(written) > len(right):
        over = "nothing: the deal was over"
        return Difference(number, len(right) + 1, "stage", shown(written[len(right)]), over)
    return None


def _stage_difference(
    number: int, stage: int, written: Any, right: dict[str, Any]
) -> Difference | None:
    if not isinstance(written, dict):
        return Difference(number, stage, "stage", shown(written), "a stage")
    words = written.get("declarations")
    if isinstance(words, list) and (found := _words_difference(number, stage, words, right)):
        return found
    facts = {name: value for name, value in written.items() if name != "explain"}
    wrong = mismatch(facts, right, "")
    return Difference(number, stage, *wrong) if wrong else None


def _words_difference(
    number: int, stage: int, written: list[Any], right: dict[str, Any]
) -> Difference | None:
    """Compare who spoke when; what each said is taken as it is written."""
    for place, (seat, _) in enumerate(right["declarations"]):
        word = written[place] if place < len(written) else None
        if not _is_word(word, seat):
            what = f"declarations, word {place}"
            said = shown(word) if place < len(written) else NOTHING
            return Difference(number, stage, what, said, f'[{seat}, "yes"] or [{seat}, "no"]')
    spoken = len(right["declarations"])
    if len(written) > spoken:
        what = f"declarations, word {spoken}"
        over = "nothing: everybody has spoken"
        return Difference(number, stage, what, shown(written[spoken]), over)
    return None


def _rest_difference(number: int, written: Any, right: dict[str, Any]) -> Difference | None:
    """Compare how many cards there are, and the names of fields."""
    cards = written["cards"]
    wrong = mismatch([len(hand) for hand in cards], [len(hand) for hand in right["cards"]], "cards")
    if wrong:
        return Difference(number, None, f"number of {wrong.what}", wrong.written, wrong.right)
    for name in written:
        if name not in right:
            return Difference(number, None, name, shown(written[name]), NOTHING)
    return None


def explain(record: Mapping[str, Any], strategies: Sequence[Strategy]) -> dict[str, Any]:
    """Add to every stage of a recorded game what each strategy saw and answered.

    Parameters
    ----------
    record : mapping
        A game as it was played.
    strategies : sequence
        The strategy in each seat.

    Returns
    -------
    dict
        The record, with a list ``explain`` in every stage: for each word the ``seat``, the
        ``view``, the strategy's ``p_yes``, and the ``coin`` that makes it a Yes where it is below.
    """
    key, game = fold_seed(record["seed"]), record["index"]
    words = recorded_words(record["deals"])
    explained: dict[tuple[int, int], list[dict[str, Any]]] = {}

    def speak(seat: int, view: View) -> bool:
        answer = {"seat": seat, "view": view._asdict(), "p_yes": strategies[seat].answer(view)}
        answer["coin"] = coin(key, game, view)
        explained.setdefault((view.deal, view.stage), []).append(answer)
        return words(seat, view)

    money = Money.at_start(len(record["seats"]))
    for _ in play_deals(from_dict(record["rules"]), money, key, game, speak):
        pass  # the views are all that is wanted
    deals = []
    for number, deal in enumerate(record["deals"]):
        stages = deal["stages"]
        stages = [stage | {"explain": explained[number, stage["stage"]]} for stage in stages]
        deals.append(deal | {"stages": stages})
    return {**record, "deals": deals}
