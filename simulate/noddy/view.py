"""What a Noddy strategy is shown: the table as its player sees it, and one legal option at a time.

A strategy is a function ``value(view, option, ...)``; the legal option of the highest value is
played, the first on a tie. A value may be infinite, ``-inf`` for "never", but not NaN. Nobody is
asked where there is no choice: a lone option is played.

A card is ``(rank - 1) * 4 + suit`` with rank 1 (ace) to 13 (king) and suits c, d, h, s = 0 to 3. A
set of cards is a whole number whose bit ``card`` is set for each card in it, so that
``hand & option.cards`` is an intersection.

Options come best first: more points, then fewer cards, then the order of the kinds below, then
lowest cards: of two sets of one size the first is the one that has the lowest card they do not
share (their cards in ascending order, compared like words in a dictionary). Drawing or passing
comes last. At most 64 are offered, a draw or pass always among them.
"""

from __future__ import annotations

from typing import NamedTuple

from simulate.noddy.rules import KernelRules

KNAVE_NODDY = 0
FIFTEEN = 1
TWENTY_FIVE = 2
THIRTY_ONE = 3
PAIR = 4
PAIR_ROYAL = 5
DOUBLE_PAIR_ROYAL = 6
FLUSH = 7
RUN_OF_THREE = 8
RUN_OF_FOUR = 9
LONG_RUN = 10
DRAW = 11
PASS = 12

MAX_OPTIONS = 64


class Option(NamedTuple):
    """One thing the player may do now.

    Attributes
    ----------
    kind : int
        A combination, `KNAVE_NODDY` to `LONG_RUN`, or `DRAW` or `PASS`.
    points : int
        What it scores.
    size : int
        How many cards it lays.
    cards : int
        The set of cards it lays.
    left : int
        The set of own cards that stay in hand.
    drawn : int
        How many cards one then draws. The lay that wins draws nothing.
    """

    kind: int
    points: int
    size: int
    cards: int
    left: int
    drawn: int


class View(NamedTuple):
    """The table as the player whose turn it is sees it.

    Tuples go by position, eldest first, and hold 0 beyond the players.

    Attributes
    ----------
    n, position : int
        Number of players; own position, 0 (eldest) to n - 1 (dealer).
    score, best_other : int
        Own score, and the highest score of another player.
    scores : tuple of 4 int
        Scores by position.
    target : int
        The score that wins.
    hand, count : int
        The set of own cards, and how many.
    hand_sizes : tuple of 4 int
        Cards in hand by position.
    stock : int
        How many cards are left to draw, the turn-up among them where it is drawn.
    seen : int
        The set of public cards: the turn-up, and all cards laid in this deal.
    trump, turn_up : int
        The suit of trumps, and the card that was turned up.
    deal, turn : int
        Which deal of the game, which turn of the deal, each from 0.
    random : float
        A fresh number in [0, 1) for each option.
    rules : KernelRules
        The rules of the game.
    """

    n: int
    position: int
    score: int
    best_other: int
    scores: tuple[int, int, int, int]
    target: int
    hand: int
    count: int  # type: ignore[assignment]  # hides tuple.count, which nobody needs here
    hand_sizes: tuple[int, int, int, int]
    stock: int
    seen: int
    trump: int
    turn_up: int
    deal: int
    turn: int
    random: float
    rules: KernelRules
