"""What a Napalm player knows when he has to say Yes or No."""

from __future__ import annotations

from typing import NamedTuple


class View(NamedTuple):
    """All that a strategy may look at: its own cards and every public word and payment.

    The compiled game, the reference and the check of strategies build the same view. Everything in
    it is a number or a tuple of numbers of fixed length, so that it can be handed to compiled code.

    Attributes
    ----------
    n : int
        Number of players, 4 to 7.
    stage : int
        1 best two cards, 2 lowest five cards, 3 best five of seven.
    position : int
        Place in the order of speaking: 0 is eldest, ``n - 1`` the dealer.
    turn : int
        1, or 2 when answering the dealer's challenge.
    strength : float
        Share of all hands of this stage that this hand beats, ties counting half, in [0, 1]. At
        stage 2 the lower hand is the stronger one.
    strength1, strength2 : float
        The strength at the *earlier* stages 1 and 2 of this deal; 0 at those stages themselves
        and before.
    cards : tuple of 7 int
        Own cards, ``(rank - 2) * 4 + suit``, in the order dealt; -1 where not yet dealt.
    count : int
        How many cards that are: 2, 5 or 7.
    high, low : int
        Of the first two cards, the higher and the lower rank, 2 to 14 (the ace).
    pair : bool
        Whether the first two cards are of one rank.
    yes : int
        How many players have said Yes at this stage so far.
    spoken : int
        How many players have spoken at this stage so far: `position`, and ``n`` in turn 2.
    said : int
        Who has said Yes at this stage so far: bit ``p`` is set for the player in position ``p``.
    said1, said2 : int
        Who said Yes (in either turn) at the *earlier* stages 1 and 2 of this deal; 0 at those
        stages themselves and before.
    pot : int
        Stakes in the pot now.
    target : int
        Collected count that wins the game.
    collected : int
        Own collected count.
    best_other : int
        Highest collected count of another player.
    counts : tuple of 7 int
        Collected counts by position; 0 beyond ``n``.
    deal : int
        Deals of this game played before this one.
    random : float
        Uniform in [0, 1), drawn afresh for each call.
    """

    n: int
    stage: int
    position: int
    turn: int
    strength: float
    strength1: float
    strength2: float
    cards: tuple[int, int, int, int, int, int, int]
    count: int  # type: ignore[assignment]  # hides tuple.count, which nobody needs here
    high: int
    low: int
    pair: bool
    yes: int
    spoken: int
    said: int
    said1: int
    said2: int
    pot: int
    target: int
    collected: int
    best_other: int
    counts: tuple[int, int, int, int, int, int, int]
    deal: int
    random: float
