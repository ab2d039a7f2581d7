"""Write the state a strategy was asked in, short enough for one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulate.cards import NAPALM_RANKS, NODDY_RANKS, card_text, cards_text
from simulate.napalm.view import View as NapalmView

if TYPE_CHECKING:
    from simulate.noddy.view import Option
    from simulate.noddy.view import View as NoddyView

NAPALM = "n stage position turn strength yes said pot collected best_other deal random"
NODDY = "n position score best_other target stock deal turn random"


def state_text(view: NapalmView | NoddyView, option: Option | None = None) -> str:
    """Name the fields that matter, as ``n=5, stage=2, ..., cards=Ah Kd 2c``."""
    if isinstance(view, NapalmView):
        fields, cards = NAPALM, cards_text(view.cards[: view.count], NAPALM_RANKS)
    else:
        fields, cards = NODDY, _set_text(view.hand)
    words = [f"{name}={getattr(view, name)!r}" for name in fields.split()]
    words.append(f"cards={' '.join(cards)}")
    if option is not None:
        words += [
            f"option.{name}={getattr(option, name)!r}"
            for name in ("kind", "points", "size", "drawn")
        ]
        words.append(f"option.cards={' '.join(_set_text(option.cards))}")
    return ", ".join(words)


def _set_text(mask: int) -> list[str]:
    return [card_text(card, NODDY_RANKS) for card in range(52) if mask >> card & 1]
