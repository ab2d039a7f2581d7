"""Cards as small integers and as text of two characters, rank then suit.

A card is ``4 * place + suit``: its place in the game's own order of ranks (ace high in Napalm,
ace low in Noddy) and one of the suits c, d, h, s.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from simulate.errors import InputError

DECK = 52
SUITS = "cdhs"
SYMBOLS = str.maketrans("♣♦♥♠♧♢♡♤", "cdhscdhs", "\ufe0e\ufe0f")
"""The letters of suits that are written as symbols; what only says how a symbol looks goes."""

CARD = re.compile(r"(?:10|[2-9TJQKA])[cdhs]", re.IGNORECASE)
NAPALM_RANKS = "23456789TJQKA"
NODDY_RANKS = "A23456789TJQK"


def card_text(card: int, ranks: str) -> str:
    """Write one card, for example ``"Ah"``.

    Parameters
    ----------
    card : int
        0 to 51.
    ranks : str
        `NAPALM_RANKS` or `NODDY_RANKS`.
    """
    return ranks[card >> 2] + SUITS[card & 3]


def cards_text(cards: Iterable[int], ranks: str) -> list[str]:
    """Write several cards, in the order given."""
    return [card_text(int(card), ranks) for card in cards]


def parse_card(text: str, ranks: str) -> int:
    """Read one card: ``"Ah"``, ``"a♥"``, ``"Th"`` or ``"10h"``, in either case.

    Raises
    ------
    InputError
        When the text is not a card.
    """
    plain = text.translate(SYMBOLS)
    if plain[:2] == "10":
        plain = f"T{plain[2:]}"
    if len(plain) == 2:
        rank, suit = ranks.find(plain[0].upper()), SUITS.find(plain[1].lower())
        if rank >= 0 and suit >= 0:
            return 4 * rank + suit
    raise InputError(
        f"card {text!r} is not a rank and a suit: ranks are {ranks}, suits are {SUITS}"
    )


def parse_cards(text: str | Iterable[str], ranks: str) -> list[int]:
    """Read cards separated by blanks or commas, or written together, no card twice.

    Raises
    ------
    InputError
        When a card is misspelt or stands there twice.
    """
    if isinstance(text, str):
        words = text.translate(SYMBOLS).replace(",", " ").split()
        words = [card for word in words for card in _apart(word)]
    else:
        words = list(text)
    cards = [parse_card(word, ranks) for word in words]
    for place, card in enumerate(cards):
        if card in cards[:place]:
            raise InputError(f"card {card_text(card, ranks)!r} is given twice: a deck has it once")
    return cards


def _apart(word: str) -> list[str]:
    """Take cards apart that are written together, where that is what they are."""
    cards = CARD.findall(word)
    return cards if "".join(cards) == word else [word]
