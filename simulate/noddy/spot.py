"""A decision in the middle of a game of Noddy, as a player at the table knows it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from simulate.cards import DECK, NODDY_RANKS, card_text, cards_text, parse_cards
from simulate.errors import InputError
from simulate.noddy.reference import lays, options_of
from simulate.noddy.rules import (
    COMBINATIONS,
    HAND,
    MAX_PLAYERS,
    MIN_PLAYERS,
    NoddyRules,
    make_rules,
)
from simulate.noddy.view import Option
from simulate.numerals import counted, whole_number, whole_numbers

PLAYERS, JACK = 2, 10

FEW_LAID = 8
"""Cards laid of which all combinations that they may have been are looked through."""


def _cards(what: str, cards: Any) -> tuple[int, ...]:
    """Read cards given as text or as numbers."""
    if not isinstance(cards, str):
        if not isinstance(cards, Iterable):
            raise InputError(f"{what} {cards!r}: cards are wanted, as in '5h Jd'")
        cards = list(cards)
        if all(isinstance(card, int) for card in cards):
            for card in cards:
                whole_number(what, card, 0, DECK - 1)
            cards = cards_text(cards, NODDY_RANKS)
    return tuple(parse_cards(cards, NODDY_RANKS))


def bare_after(bare: int, held: int, laid: int) -> int:
    """Return how many cards are known to hold no combination once a turn is over (D6).

    Where one must lay, whoever draws holds none; what he lays of them and one more card leaves
    fewer, but still none.

    Parameters
    ----------
    bare, held : int
        How many there were before, and the cards in hand.
    laid : int
        Cards laid; 0 where he drew or passed.
    """
    return held - laid if laid == 0 or bare == held - 1 else 0


@dataclass(frozen=True)
class NoddySpot:
    """Where a game of Noddy stands when it is a player's turn.

    Positions count from eldest (0) to the dealer. Everything may be given as text, as on the
    command line; it is kept in plain types.

    Parameters
    ----------
    players : int
        2 to 4; 2 when left out.
    position : int
        Whose turn it is: 0 is eldest, ``players - 1`` the dealer.
    cards : str or sequence
        His cards.
    turn_up : str or int
        The card that was turned up; its suit is trumps.
    scores : str or sequence of int, optional
        Points by now, by position: when left out, in a first deal in which nothing has been laid,
        what a jack turned up has scored.
    laid : str or sequence, optional
        All cards laid in this deal so far, by anybody.
    sizes : str or sequence of int, optional
        How many cards everybody holds now, by position: when left out, where nothing has been laid,
        three and what each has drawn at his turns.
    passes : int
        How many players before him have passed in succession.
    turn : int, optional
        Turns taken in this deal before this one; as few as may be when left out.
    deal : int
        Deals of this game before this one.
    bare : str or sequence of int, optional
        By position: how many of a player's cards are known to hold no combination. When left
        out, where one must lay (`must_lay`): all but the last card of whoever holds more than
        three, for with a combination among them he would not have drawn it.
    rules : str, mapping or NoddyRules, optional
        The rules, as in `simulate.run`.

    Raises
    ------
    InputError
        When no game can stand like this.
    """

    players: int = PLAYERS
    position: Any = None
    cards: Any = None  # whatever is allowed is kept as a tuple of int
    turn_up: Any = None
    scores: Any = None
    laid: Any = ()
    sizes: Any = None
    passes: int = 0
    turn: int | None = None
    deal: int = 0
    bare: Any = None
    rules: Any = None  # kept as NoddyRules

    def __post_init__(self) -> None:
        put = self._put
        put("rules", _rules(self.rules))
        n = whole_number("players", self.players, 0)
        if not MIN_PLAYERS <= n <= MAX_PLAYERS:
            raise InputError(f"players {n}: noddy takes {MIN_PLAYERS} to {MAX_PLAYERS}")
        put("players", n)
        for name in ("position", "cards", "turn_up"):
            if getattr(self, name) is None:
                raise InputError(f"{name} is missing")
        put("position", whole_number("position", self.position, 0, n - 1))
        put("cards", _cards("card", self.cards))
        if not self.cards and self.sizes is None:
            raise InputError("no cards: name those in hand, for example 5h Jd 5c")
        put("laid", _cards("laid", self.laid))
        for card in self.cards:
            if card in self.laid:
                text = card_text(card, NODDY_RANKS)
                raise InputError(f"card {text} is in hand, and laid as well")
        put("turn_up", self._turned())
        put("deal", whole_number("deal", self.deal, 0, self.rules.max_deals - 1))
        put("scores", self._scores())
        if self.turn is not None:
            put("turn", self._check_turn())
        put("sizes", self._sizes())
        self._check_cards()
        self._check_sizes()
        put("passes", whole_number("passes", self.passes, 0, n - 1))
        if self.passes and self.stock:
            raise InputError(f"passes {self.passes}: nobody passes while there are cards to draw")
        put("turn", self._turn())
        put("bare", self._bare())

    def _put(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _turned(self) -> int:
        given = (self.turn_up,) if isinstance(self.turn_up, int) else self.turn_up
        cards = _cards("turn_up", given)
        if len(cards) != 1:
            raise InputError(f"turn_up has {len(cards)} cards: one is turned up")
        return cards[0]

    def _scores(self) -> tuple[int, ...]:
        n = self.players
        jack = self.rules.turned_jack if self.turn_up >> 2 == JACK else 0
        least = [jack] * (n - 1) + [0]  # D3: not the dealer
        if self.scores is None:
            if self.laid or self.deal:
                why = "cards have been laid" if self.laid else f"this is deal {self.deal}"
                raise InputError(f"scores are missing: {why}, so say what everybody has by now")
            return self._check_scores(tuple(least), least)
        return self._check_scores(whole_numbers("scores", self.scores, 0, 10**9), least)

    def _check_scores(self, scores: tuple[int, ...], least: list[int]) -> tuple[int, ...]:
        n, target = self.players, self.rules.target
        if len(scores) != n:
            raise InputError(f"scores has {len(scores)} numbers: there are {n} players")
        for position, score in enumerate(scores):
            if score >= target:
                raise InputError(
                    f"score {score} in position {position} has won the game: allowed is 0 to "
                    f"{target - 1}"
                )
        for position, (score, jack) in enumerate(zip(scores, least, strict=True)):
            if score < jack:
                raise InputError(
                    f"score {score} in position {position}: the jack turned up has brought him "
                    f"{jack}, and scores are what everybody has by now"
                )
        brought = least_points(self.laid, self.turn_up % 4, self.rules)
        if brought is None:
            cards = " ".join(cards_text(self.laid, NODDY_RANKS))
            raise InputError(f"laid {cards}: these cards are not made up of combinations")
        if sum(scores) < sum(least) + brought:
            raise InputError(
                f"scores {','.join(map(str, scores))}: the cards laid have brought at least "
                f"{brought} points, and scores are what everybody has by now"
            )
        return scores

    def _sizes(self) -> tuple[int, ...]:
        n, held = self.players, len(self.cards)
        if self.sizes is None:
            if self.laid:
                raise InputError(
                    "sizes are missing: cards have been laid, so say who holds how many"
                )
            return self._drawn_sizes()
        sizes = whole_numbers("sizes", self.sizes, 0, DECK)
        if len(sizes) != n:
            raise InputError(f"sizes has {len(sizes)} numbers: there are {n} players")
        if sizes[self.position] != held:
            raise InputError(
                f"sizes has {counted(sizes[self.position], 'card')} in position {self.position}: "
                f"{held} are named"
            )
        return sizes

    def _drawn_sizes(self) -> tuple[int, ...]:
        """Return how many cards each holds where everybody has drawn at every turn."""
        n, own, held = self.players, self.position, len(self.cards)
        turns = max(0, held - HAND)
        return tuple(HAND + turns + (position < own) for position in range(n))

    def _check_sizes(self) -> None:
        """Refuse numbers of cards that nobody can hold while there are some to draw (D4, D5)."""
        if not self.stock:
            return
        for position, size in enumerate(self.sizes):
            if size < HAND:
                raise InputError(
                    f"position {position} holds {counted(size, 'card')}: fewer than {HAND} are "
                    f"held only when the stock is empty, and {self.stock} cards are left to draw"
                )
        wanted = self._drawn_sizes()
        if not self.laid and self.sizes != wanted:
            raise InputError(
                f"sizes {','.join(map(str, self.sizes))}: nothing has been laid, so everybody has "
                f"drawn at each turn, and they hold {','.join(map(str, wanted))}"
            )
        turns = len(self.cards) - HAND
        if not self.laid and self.turn is not None and self.turn // self.players != turns:
            raise InputError(
                f"turn {self.turn}: nothing has been laid, and position {self.position} has drawn "
                f"{counted(turns, 'time')}: it is turn {turns * self.players + self.position}"
            )

    @property
    def _left(self) -> int:
        """Cards that nobody holds or has laid."""
        return DECK - int(sum(self.sizes)) - len(self.laid)

    @property
    def stock(self) -> int:
        """How many cards can be drawn."""
        return self._left - (not self.rules.turn_up_drawn)

    def _check_cards(self) -> None:
        if self.stock < 0:
            raise InputError(
                f"{sum(self.sizes)} cards in hand and {len(self.laid)} laid: a deck has {DECK}"
            )
        drawn = self.rules.turn_up_drawn and not self.stock
        if self.turn_up in (*self.cards, *self.laid) and not drawn:
            where = "in hand" if self.turn_up in self.cards else "laid"
            raise InputError(
                f"turn_up {card_text(self.turn_up, NODDY_RANKS)} is {where} as well: it lies under "
                "the stock until all other cards are drawn"
            )

    def _check_turn(self) -> int:
        n, position = self.players, self.position
        turn = whole_number("turn", self.turn, 0)
        if turn % n != position:
            raise InputError(
                f"turn {turn} is that of position {turn % n}, not of position {position}"
            )
        return turn

    def _turn(self) -> int:
        n, position = self.players, self.position
        if self.turn is not None:
            return int(self.turn)
        if not self.laid and self.stock:
            return n * (len(self.cards) - HAND) + int(position)
        return int(position or n)  # whatever was laid, somebody had a turn before eldest's

    def _bare(self) -> tuple[int, ...]:
        if self.bare is None:
            must = self.rules.must_lay
            numbers = [size - 1 if must and size > HAND else 0 for size in self.sizes]
        else:
            numbers = list(whole_numbers("bare", self.bare, 0, DECK))
            if len(numbers) != self.players:
                raise InputError(
                    f"bare has {len(numbers)} numbers: there are {self.players} players"
                )
            for number, size in zip(numbers, self.sizes, strict=True):
                if number > size:
                    raise InputError(
                        f"bare {number} is more than the {counted(size, 'card')} that he holds"
                    )
            self._check_own_bare(numbers[self.position])
        numbers[self.position] = 0
        return tuple(numbers)

    def _check_own_bare(self, number: int) -> None:
        """Refuse that so many of the player's own cards hold no combination where they do."""
        held, trump = len(self.cards), self.turn_up % 4
        if number < held - 1:
            return  # what he sees counts; those that he knew before his last card are enough
        for kept in combinations(self.cards, number):
            if next(lays(kept, trump, self.rules), None) is None:
                return
        raise InputError(
            f"bare {number} in position {self.position}: his own cards are named, and hold a "
            "combination; write 0 there"
        )

    def options(self) -> list[Option]:
        """Return what the player may do, best first."""
        score = self.scores[self.position]
        return options_of(self.cards, self.turn_up % 4, self.stock, score, self.rules)


def least_points(laid: tuple[int, ...], trump: int, rules: NoddyRules) -> int | None:
    """Return the fewest points that cards may have brought when they were laid.

    None where they are not made up of combinations; where they are many, what one of the cheapest
    brings.
    """
    if not laid:
        return 0
    if len(laid) > FEW_LAID:
        return min((rules.get(f"points.{name}") for name in COMBINATIONS
                    if rules.get(f"points.{name}")), default=0)  # fmt: skip
    lowest, found = min(laid), None
    for _, cards, points in lays(laid, trump, rules):
        if lowest in cards:
            rest = tuple(card for card in laid if card not in cards)
            more = least_points(rest, trump, rules)
            if more is not None and (found is None or points + more < found):
                found = points + more
    return found


def _rules(rules: object) -> NoddyRules:
    if rules is None or isinstance(rules, NoddyRules):
        return rules or NoddyRules()
    if isinstance(rules, str):
        return make_rules(rules)
    if isinstance(rules, Mapping):
        fields = dict(rules)
        return make_rules(str(fields.pop("preset", "lay")), fields)
    raise InputError(f"rules {rules!r}: allowed is a preset, a table of fields or NoddyRules")
