"""The decisions of one seat in a recorded game of Napalm, as its player knew the table then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from simulate.cards import NAPALM_RANKS, parse_cards
from simulate.napalm.counts import HAND_SIZES
from simulate.napalm.record import read_rules
from simulate.napalm.spot import NapalmSpot


class Asked(NamedTuple):
    """A decision: where in the game, what was known, what was chosen, and who sat where.

    Attributes
    ----------
    deal : int
        From 0.
    where : str
        Within the deal, for example ``"stage 1"``.
    spot : NapalmSpot
    chosen : str
        ``"yes"`` or ``"no"``.
    seats : list of int
        The seat of each position.
    """

    deal: int
    where: str
    spot: NapalmSpot
    chosen: str
    seats: list[int]


def decisions(record: Mapping[str, Any], seat: int) -> Iterator[Asked]:
    """Yield the decisions of a seat in the order in which they were taken.

    Parameters
    ----------
    record : mapping
        A game as it was played: see `simulate.napalm.record.audit`.
    seat : int
    """
    rules, n = read_rules(record["rules"]), len(record["seats"])
    collected = [0] * n
    for number, deal in enumerate(record["deals"]):
        order = [(deal["dealer"] + 1 + position) % n for position in range(n)]
        own, hand = order.index(seat), parse_cards(deal["cards"][seat], NAPALM_RANKS)
        pot = deal["pot_before"] + n
        before: list[tuple[int, list[int]]] = []
        said: list[list[bool]] = []
        won: list[list[int] | None] = []
        for played in deal["stages"]:
            stage = played["stage"]
            counts = [collected[other] for other in order]
            words = [word == "yes" for _, word in played["declarations"]]
            for place in (own, n + own):
                if place >= len(words):
                    continue
                spot = NapalmSpot(
                    players=n,
                    position=own,
                    cards=hand[: HAND_SIZES[stage]],
                    heard=words[:place],
                    stage=stage,
                    stage1=said[0] if stage > 1 else None,
                    stage2=said[1] if stage > 2 else None,
                    won1=won[0] if stage > 1 else None,
                    won2=won[1] if stage > 2 else None,
                    pot=pot,
                    collected=counts,
                    deal=number,
                    before=before,
                    rules=rules,
                )
                where = f"stage {stage}" + (", challenged" if place >= n else "")
                yield Asked(number, where, spot, "yes" if words[place] else "no", order)
            before = [*before, (pot, counts)]
            said, won = [*said, words], [*won, winners(played, order)]
            pot, collected = played["pot"], played["collected"]


def winners(played: Mapping[str, Any], order: list[int]) -> list[int] | None:
    """Return the positions whose hand was the best of several, where that was to be seen."""
    last = dict(map(tuple, played["declarations"]))  # second words come after first ones
    if sum(word == "yes" for word in last.values()) < 2:
        return None
    taking = [
        position
        for position, seat in enumerate(order)
        if played["taken"][seat] > 0 or played["side"][seat] > 0
    ]
    return taking or None
