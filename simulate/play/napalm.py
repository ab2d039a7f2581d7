"""Napalm as the person at the table sees it: what is known, what is told, what may be answered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from simulate.cards import NAPALM_RANKS, cards_text, parse_cards
from simulate.napalm.ranking import hand_class, hand_name
from simulate.napalm.reference import Ask, by_answer, game_steps
from simulate.napalm.telling import STAGE_NAMES, amount_text
from simulate.play.choice import Choice

if TYPE_CHECKING:
    import numpy as np

    from simulate.napalm.rules import NapalmRules
    from strategies import Strategy

__all__ = ["answer_of", "choices", "game_steps", "lines", "place", "shown"]

CHOICES = [Choice(True, "y", "Yes"), Choice(False, "n", "No")]
DEALT = {1: 2, 2: 5, 3: 7}


def answer_of(strategy: Strategy, ask: Ask, key: np.uint64, index: int) -> bool:
    """Ask a strategy for its word, with the coin that the compiled game tosses too."""
    speak = by_answer({ask.seat: strategy}, key, index)  # type: ignore[arg-type]
    return speak(*ask)


def choices(ask: Ask) -> list[Choice]:  # noqa: ARG001  (in Noddy it depends)
    """Return what may be answered."""
    return CHOICES


def place(ask: Ask) -> str:
    """Say where somebody is asked, and with which hand."""
    view = ask.view
    challenged = ", challenged" if view.turn == 2 else ""
    hand = _in_brackets(cards_text(view.cards[: view.count], NAPALM_RANKS))
    return f"deal {view.deal}, stage {view.stage}{challenged}, with {hand}"


def shown(record: Mapping[str, Any], rules: NapalmRules, seat: int, over: bool) -> dict[str, Any]:
    """Return what a seat knows of a game, in the form of its record.

    ``cards`` is null for hands that are not shown. Whoever compares hands sees those that he
    compared with once the deal is over, so that nobody knows more while he speaks than a strategy
    does. A stage at which hands were compared has the ``best`` of them.

    Parameters
    ----------
    record : mapping
        The game so far.
    rules : NapalmRules
        Its rules.
    seat : int
        Who looks.
    over : bool
        Whether the game is over: then everything is shown.
    """
    deals = []
    for number, deal in enumerate(record["deals"]):
        done = over or number + 1 < len(record["deals"])
        stages = [_stage(stage, deal["cards"], rules) for stage in deal["stages"]]
        met: dict[int, int] = {}  # those compared with, and the last stage where that was
        for stage in stages if done else ():
            compared = stage.get("compared", [])
            met |= dict.fromkeys(compared, stage["stage"]) if seat in compared else {}
        cards: list[Any] = list(deal["cards"])
        for other in range(len(cards)) if not over else ():
            if other != seat:
                cards[other] = cards[other][: DEALT[met[other]]] if other in met else None
        met.pop(seat, None)
        deals.append({**deal, "cards": cards, "stages": stages, "met": sorted(met.items())})
    ending = {name: value for name, value in record.items() if name != "deals"}
    return {"deals": deals, **(ending if over else {})}


def _stage(
    stage: Mapping[str, Any], cards: Sequence[Sequence[str]], rules: NapalmRules
) -> dict[str, Any]:
    """Add to a settled stage who compared hands, and whose was best: all at the table see that."""
    known = {**stage, "declarations": [list(word) for word in stage["declarations"]]}
    declarers = [seat for seat, word in dict(stage["declarations"]).items() if word == "yes"]
    if "paid" in stage and len(declarers) >= 2:
        number, held = stage["stage"], DEALT[stage["stage"]]
        hands = {seat: parse_cards(cards[seat][:held], NAPALM_RANKS) for seat in declarers}
        classes = {s: hand_class(number, hand, rules.wheel) for s, hand in hands.items()}
        best = (min if number == 2 else max)(classes.values())
        known["compared"] = declarers
        known["best"] = [seat for seat in declarers if classes[seat] == best]
    return known


def lines(
    known: Mapping[str, Any], rules: NapalmRules, seat: int, labels: Sequence[str]
) -> list[str]:
    """Tell what `shown` shows, line by line.

    Parameters
    ----------
    known : mapping
        From `shown`.
    rules : NapalmRules
        The rules of the game.
    seat : int
        Who looks.
    labels : sequence of str
        What each seat is called.
    """
    told: list[str] = []
    number, over = len(known["deals"]), "winner" in known
    for place, deal in enumerate(known["deals"]):
        pot = deal["pot_before"] + len(labels)
        told.append(f"Deal {place}. {_deals(deal['dealer'], seat, labels)}, the pot is {pot}.")
        for stage in deal["stages"]:
            told += _told_stage(stage, deal, rules, seat, labels)
        if over or place + 1 < number:
            told += _shown_hands(deal, rules, labels)
    if over:
        told += _ending(known, labels)
    return told


def _deals(dealer: int, seat: int, labels: Sequence[str]) -> str:
    return "You deal" if dealer == seat else f"{_capital(labels[dealer])} deals"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _in_brackets(cards: Sequence[str]) -> str:
    return " ".join(f"[{card}]" for card in cards)


def _told_stage(
    stage: Mapping[str, Any], deal: Mapping[str, Any], rules: NapalmRules, seat: int,
    labels: Sequence[str],
) -> Iterator[str]:  # fmt: skip
    number, n = stage["stage"], len(labels)
    hand = deal["cards"][seat][: DEALT[number]]
    name = hand_name(number, parse_cards(hand, NAPALM_RANKS), rules.wheel)
    yield f"Stage {number}, {STAGE_NAMES[number]}: you hold {_in_brackets(hand)}, {name}."
    for place, (speaker, word) in enumerate(stage["declarations"]):
        if place == n:
            yield "  The dealer alone says Yes, a challenge: the others speak again."
        yield f"  {labels[speaker]}: {word.capitalize()}"
    if "paid" in stage:
        yield from _settlement(stage, rules, labels)


def _settlement(
    stage: Mapping[str, Any], rules: NapalmRules, labels: Sequence[str]
) -> Iterator[str]:
    last = dict(stage["declarations"])
    declarers = [seat for seat, word in last.items() if word == "yes"]
    unit = rules.currency
    if not declarers:
        yield "  Nobody says Yes: nothing moves."
    elif len(declarers) == 1:
        lone = declarers[0]
        award = rules.stage(stage["stage"]).lone_award if unit == "tokens" else stage["taken"][lone]
        yield f"  Alone with a Yes: {labels[lone]}, for {amount_text(award, unit)}, unseen."
    else:
        kind = "lowest" if stage["stage"] == 2 else "best"
        names = " and ".join(labels[who] for who in stage["best"])
        tie = ", a tie" if len(stage["best"]) > 1 else ""
        yield f"  Hands are compared; the {kind}: {names}{tie}."
        for name, what in (("paid", "into the pot"), ("taken", "from the pot")):
            for who, number in enumerate(stage[name]):
                if number:
                    yield f"  {labels[who]}: {amount_text(number, 'stakes')} {what}."
        for who, number in enumerate(stage["side"]):
            if number:
                yield f"  {labels[who]}: {number:+d} in side bets."
    yield f"  The pot is {stage['pot']}; collected by seat: {_numbers(stage['collected'])}."


def _numbers(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def _shown_hands(
    deal: Mapping[str, Any], rules: NapalmRules, labels: Sequence[str]
) -> Iterator[str]:
    """Tell the hands that the person has compared with, when the deal is over."""
    for other, stage in deal["met"]:
        hand = deal["cards"][other][: DEALT[stage]]
        name = hand_name(stage, parse_cards(hand, NAPALM_RANKS), rules.wheel)
        yield f"  Compared with you: {labels[other]} had {_in_brackets(hand)}, {name}."


def _ending(known: Mapping[str, Any], labels: Sequence[str]) -> Iterator[str]:
    winner = known["winner"]
    if winner is None:
        yield f"Nobody has won after {len(known['deals'])} deals: the game is given up."
    else:
        prize = amount_text(known["prize"], "stakes")
        yield f"The game is over: won by {labels[winner]}, with {prize}."
    results = ", ".join(
        f"{label} {net:+d}" for label, net in zip(labels, known["net"], strict=True)
    )
    yield f"Over the game: {results}."
