"""Noddy as the person at the table sees it: what is known, what is told, what may be answered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from simulate.cards import DECK, NODDY_RANKS, cards_text, parse_cards
from simulate.noddy.reference import Ask, by_value, game_steps
from simulate.noddy.rules import NAMES
from simulate.noddy.telling import SUIT_NAMES
from simulate.noddy.view import DRAW, PASS, Option
from simulate.play.choice import Choice

if TYPE_CHECKING:
    import numpy as np

    from simulate.noddy.rules import NoddyRules
    from strategies import Strategy

__all__ = ["answer_of", "choices", "game_steps", "lines", "place", "shown"]


def answer_of(strategy: Strategy, ask: Ask, key: np.uint64, index: int) -> int:
    """Ask a strategy which option it takes."""
    choose = by_value({ask.seat: strategy}, key, index)  # type: ignore[arg-type]
    return choose(*ask)


def choices(ask: Ask) -> list[Choice]:
    """Return what may be answered: lays by number, ``d`` to draw, ``p`` to pass."""
    keys = {DRAW: "d", PASS: "p"}
    return [
        Choice(index, keys.get(option.kind, str(index + 1)), option_words(option))
        for index, option in enumerate(ask.options)
    ]


def cards_in(cards: int) -> list[str]:
    """Write a set of cards, lowest first."""
    return cards_text((card for card in range(DECK) if cards >> card & 1), NODDY_RANKS)


def option_words(option: Option) -> str:
    """Say what an option is."""
    if option.kind == DRAW:
        return "draw a card"
    if option.kind == PASS:
        return "pass"
    drawn = f", draw {option.drawn}" if option.drawn else ""
    cards = _in_brackets(cards_in(option.cards))
    return f"{NAMES[option.kind]} {cards} for {option.points}{drawn}"


def place(ask: Ask) -> str:
    """Say where somebody is asked, and with which hand."""
    view = ask.view
    return f"deal {view.deal}, turn {view.turn}, with {_in_brackets(cards_in(view.hand))}"


def shown(record: Mapping[str, Any], rules: NoddyRules, seat: int, over: bool) -> dict[str, Any]:
    """Return what a seat knows of a game.

    A deal has its ``dealer``, ``turn_up``, what a ``jack`` scored, the ``turns`` (``drew`` is null
    where the cards are not shown, ``drawn`` how many they were), and as it stands now the ``hands``
    (null where not shown), ``hand_sizes``, ``scores`` and cards in the ``stock``. Once the game is
    over nothing is hidden.

    Parameters
    ----------
    record : mapping
        The game so far.
    rules : NoddyRules
        Its rules.
    seat : int
        Who looks.
    over : bool
        Whether the game is over.
    """
    deals: list[dict[str, Any]] = []
    scores = [0] * len(record["deals"][0]["hands"])
    for deal in record["deals"]:
        scores = [score + jack for score, jack in zip(scores, deal["jack"], strict=True)]
        hands = [list(hand) for hand in deal["hands"]]
        stock = len(deal["stock"]) + rules.turn_up_drawn
        turns = []
        for turn in deal["turns"]:
            who, drew = turn["seat"], turn["drew"]
            scores[who] += turn.get("points", 0)
            hands[who] = [card for card in hands[who] if card not in turn.get("cards", [])] + drew
            stock -= len(drew)
            seen = drew if over or who == seat else None
            turns.append({**turn, "drew": seen, "drawn": len(drew), "score": scores[who]})
        deals.append(
            {
                "dealer": deal["dealer"],
                "turn_up": deal["turn_up"],
                "jack": deal["jack"],
                "turns": turns,
                "hands": [h if over or s == seat else None for s, h in enumerate(hands)],
                "hand_sizes": [len(hand) for hand in hands],
                "dealt": deal["hands"][seat],
                "stock": stock,
                "scores": list(scores),
            }
        )
    ending = {name: value for name, value in record.items() if name != "deals"}
    return {"deals": deals, **(ending if over else {})}


def lines(
    known: Mapping[str, Any], rules: NoddyRules, seat: int, labels: Sequence[str]
) -> list[str]:
    """Tell what `shown` shows, line by line.

    Parameters
    ----------
    known : mapping
        From `shown`.
    rules : NoddyRules
        The rules of the game.
    seat : int
        Who looks.
    labels : sequence of str
        What each seat is called.
    """
    told: list[str] = []
    over = "winner" in known
    for place, deal in enumerate(known["deals"]):
        trumps = SUIT_NAMES[deal["turn_up"][1]]
        dealer = (
            "You deal" if deal["dealer"] == seat else f"{_capital(labels[deal['dealer']])} deals"
        )
        told.append(f"Deal {place}. {dealer}; turned up: [{deal['turn_up']}], {trumps} are trumps.")
        for who, points in enumerate(deal["jack"]):
            if points:
                told.append(f"  The jack turned up scores {points} for {labels[who]}.")
        told.append(f"  You are dealt {_in_brackets(_sorted(deal['dealt']))}.")
        told += (_told_turn(turn, seat, labels) for turn in deal["turns"])
        if place + 1 < len(known["deals"]) or (over and known["winner"] is None):
            told.append("  Everybody has passed: the deal is dead.")
    if over:
        told += _ending(known, rules, labels)
    return told


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _sorted(cards: Sequence[str]) -> list[str]:
    return cards_text(sorted(parse_cards(cards, NODDY_RANKS)), NODDY_RANKS)


def _in_brackets(cards: Sequence[str]) -> str:
    return " ".join(f"[{card}]" for card in cards)


def _told_turn(turn: Mapping[str, Any], seat: int, labels: Sequence[str]) -> str:
    who = labels[turn["seat"]]
    drew = ""
    if turn["drawn"]:
        number = "a card" if turn["drawn"] == 1 else f"{turn['drawn']} cards"
        own = turn["seat"] == seat
        drew = f"drawn: {_in_brackets(turn['drew'])}" if own else f"{number} drawn"
    if turn["do"] == "pass":
        return f"  {who}: pass"
    if turn["do"] == "draw":
        return f"  {who}: {drew}"
    cards = f"{turn['combination']} {_in_brackets(turn['cards'])}"
    return f"  {who}: {cards} for {turn['points']}, {turn['score']} in all{drew and '; ' + drew}"


def _ending(known: Mapping[str, Any], rules: NoddyRules, labels: Sequence[str]) -> Iterator[str]:
    winner = known["winner"]
    if winner is None:
        yield f"Nobody has won after {len(known['deals'])} deals: the game is given up."
    else:
        yield f"The game is over: won by {labels[winner]}; {rules.target} points were needed."
    scores = zip(labels, known["scores"], strict=True)
    yield f"Points: {', '.join(f'{label} {score}' for label, score in scores)}."
