"""Cards as small integers and as text of two characters, rank then suit.

A card is ``4 * place + suit``: its place in the game's own order of ranks (ace high in Napalm,
ace low in Noddy) and one of the suits c, d, h, s.
"""

from __future__ import annotations

from collections.abc import Iterable

from simulate.errors import InputError

DECK = 52
SUITS = "cdhs"
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
    """Read one card; the rank may be in either case, the suit as well.

    Raises
    ------
    InputError
        When the text is not a card.
    """
    if len(text) == 2:
        rank, suit = ranks.find(text[0].upper()), SUITS.find(text[1].lower())
        if rank >= 0 and suit >= 0:
            return 4 * rank + suit
    ten = f" (a ten is T: 'T{text[2:]}')" if text[:2] == "10" else ""
    raise InputError(
        f"card {text!r} is not a rank and a suit{ten}: ranks are {ranks}, suits are {SUITS}"
    )


def parse_cards(text: str | Iterable[str], ranks: str) -> list[int]:
    """Read cards separated by blanks or commas, no card twice.

    Raises
    ------
    InputError
        When a card is misspelt or stands there twice.
    """
    words = text.replace(",", " ").split() if isinstance(text, str) else list(text)
    cards = [parse_card(word, ranks) for word in words]
    for place, card in enumerate(cards):
        if card in cards[:place]:
            raise InputError(f"card {card_text(card, ranks)!r} is given twice: a deck has it once")
    return cards
