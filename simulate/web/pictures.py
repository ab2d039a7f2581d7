"""The question that is asked, as the page draws it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simulate.cards import NAPALM_RANKS, cards_text, parse_cards
from simulate.napalm.ranking import hand_name
from simulate.napalm.telling import STAGE_NAMES
from simulate.play.noddy import cards_in

if TYPE_CHECKING:
    from simulate.play.sitting import Sitting


def situation(sitting: Sitting) -> dict[str, Any]:
    """Return what is asked: the hand, what is to be known beside it, and the choices."""
    ask, game = sitting.ask, sitting.setting.game
    found = _napalm(sitting) if game == "napalm" else _noddy(sitting)
    choices = [
        {"answer": int(choice.answer), "key": choice.key, "text": choice.text}
        for choice in sitting.choices
    ]
    if game == "noddy":
        for choice, option in zip(choices, ask.options, strict=True):
            choice |= {"cards": cards_in(option.cards), "points": option.points}
    return {**found, "choices": choices}


def _napalm(sitting: Sitting) -> dict[str, Any]:
    view = sitting.ask.view
    hand = cards_text(view.cards[: view.count], NAPALM_RANKS)
    wheel = sitting.setting.rules.wheel  # type: ignore[union-attr]  # those of Napalm
    return {
        "hand": hand,
        "name": hand_name(view.stage, parse_cards(hand, NAPALM_RANKS), wheel),
        "strength": view.strength,
        "stage": view.stage,
        "stage_name": STAGE_NAMES[view.stage],
        "challenged": view.turn == 2,
        "pot": view.pot,
        "counts": list(sitting.shown()["deals"][-1]["stages"][-1].get("collected", [])),
    }


def _noddy(sitting: Sitting) -> dict[str, Any]:
    view = sitting.ask.view
    return {"hand": cards_in(view.hand), "stock": view.stock}
