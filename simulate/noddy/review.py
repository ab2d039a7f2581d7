"""The decisions of one seat in a recorded game of Noddy, as its player knew the table then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from simulate.cards import NODDY_RANKS, parse_card, parse_cards
from simulate.noddy.record import option_text
from simulate.noddy.reference import as_set
from simulate.noddy.rules import NAMES, NoddyRules, from_dict
from simulate.noddy.spot import NoddySpot, bare_after
from simulate.noddy.view import Option


class Asked(NamedTuple):
    """A decision: where in the game, what was known, what was chosen, and who sat where.

    Attributes
    ----------
    deal : int
        From 0.
    where : str
        Within the deal, for example ``"turn 7"``.
    spot : NoddySpot
    chosen : str
        The option that was taken.
    seats : list of int
        The seat of each position.
    """

    deal: int
    where: str
    spot: NoddySpot
    chosen: str
    seats: list[int]


@dataclass
class Followed:
    """What is known of a deal as it goes on; lists go by position.

    Parameters
    ----------
    hands : list of set of int
        What everybody holds.
    scores : list of int
    laid : list of int
        All cards laid.
    bare : list of int
        How many of a player's cards are known to hold no combination, where one must lay: whoever
        drew held none before. What he lays of them later leaves fewer, but still none.
    passes : int
        How many have passed in succession.
    """

    hands: list[set[int]]
    scores: list[int]
    laid: list[int] = field(default_factory=list)
    bare: list[int] = field(default_factory=list)
    passes: int = 0

    def take(self, position: int, turn: Mapping[str, Any], rules: NoddyRules) -> None:
        """Follow a turn."""
        hand, held = self.hands[position], len(self.hands[position])
        gone = parse_cards(turn.get("cards", []), NODDY_RANKS)
        if rules.must_lay:
            self.bare[position] = bare_after(self.bare[position], held, len(gone))
        hand -= set(gone)
        self.laid += gone
        hand |= set(parse_cards(turn["drew"], NODDY_RANKS))
        self.scores[position] += turn.get("points", 0)
        self.passes = self.passes + 1 if turn["do"] == "pass" else 0


def decisions(record: Mapping[str, Any], seat: int) -> Iterator[Asked]:
    """Yield the decisions of a seat that had a choice, in the order in which they were taken.

    Parameters
    ----------
    record : mapping
        A game as it was played: see `simulate.noddy.record.audit`.
    seat : int
    """
    rules, n = from_dict(record["rules"]), len(record["seats"])
    scores = [0] * n
    for number, deal in enumerate(record["deals"]):
        order = [(deal["dealer"] + 1 + position) % n for position in range(n)]
        turn_up = parse_card(deal["turn_up"], NODDY_RANKS)
        table = Followed(
            hands=[set(parse_cards(deal["hands"][other], NODDY_RANKS)) for other in order],
            scores=[scores[other] + deal["jack"][other] for other in order],
            bare=[0] * n,
        )
        for place, turn in enumerate(deal["turns"]):
            position = place % n
            if order[position] == seat:
                spot = spot_of(table, position, place, number, turn_up, rules)
                options = spot.options()
                if len(options) > 1:
                    chosen = option_text(taken(turn, options))
                    yield Asked(number, f"turn {place}", spot, chosen, order)
            table.take(position, turn, rules)
        scores = deal["scores"]


def spot_of(
    table: Followed, position: int, place: int, number: int, turn_up: int, rules: NoddyRules
) -> NoddySpot:
    """Write down what a player knows at his turn."""
    return NoddySpot(
        players=len(table.hands),
        position=position,
        cards=sorted(table.hands[position]),
        turn_up=turn_up,
        scores=list(table.scores),
        laid=list(table.laid),
        sizes=[len(hand) for hand in table.hands],
        passes=table.passes,
        turn=place,
        deal=number,
        bare=list(table.bare),
        rules=rules,
    )


def taken(turn: Mapping[str, Any], options: list[Option]) -> Option:
    """Find the option that was taken: a lay, or what is offered last."""
    if turn["do"] != "lay":
        return options[-1]
    kind = NAMES.index(turn["combination"])
    cards = as_set(parse_cards(turn["cards"], NODDY_RANKS))
    return next(option for option in options if option.kind == kind and option.cards == cards)
