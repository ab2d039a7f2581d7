"""The game in plain Python, slow and obvious: the second opinion on the compiled one.

It shares with the kernel nothing but the rules, the cards of a deal and the names of what a
strategy is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations, islice, product
from typing import Any

import numpy as np

from simulate.cards import DECK, NODDY_RANKS, card_text, cards_text
from simulate.noddy.rules import COMBINATIONS, HAND, NAMES, NoddyRules, kernel_rules
from simulate.noddy.view import DRAW, MAX_OPTIONS, PASS, Option, View
from simulate.rng import deal_deck, first_dealer, uniforms

TOTALS = {"fifteen": (15, 2), "twenty-five": (25, 3), "thirty-one": (31, 4)}  # pips, fewest cards
ALIKE = {"pair": 2, "pair royal": 3, "double pair royal": 4}
RUNS = {"run of three": (3,), "run of four": (4,), "long run": range(5, 14)}
JACK = 11

Cards = tuple[int, ...]
Choose = Callable[[int, View, list[Option]], int]
"""``choose(seat, view, options)`` returns the index of the option that the player takes."""


Value = Callable[[View, Option], float]
"""``value(view, option)`` of a strategy."""


def rank(card: int) -> int:
    """Rank of a card, 1 (ace) to 13 (king)."""
    return card // 4 + 1


def suit(card: int) -> int:
    """Suit of a card, 0 to 3 for c, d, h, s."""
    return card % 4


def pips(card: int, rules: NoddyRules) -> int:
    """Pip value of a card (D1)."""
    return min(rank(card), 10) if rank(card) < JACK else rules.court_value


def adding_up(cards: Sequence[int], size: int, total: int, rules: NoddyRules) -> Iterator[Cards]:
    """Yield all choices of `size` cards whose pips add up to `total`, lowest cards first."""
    values = sorted(pips(card, rules) for card in cards)
    if len(cards) < size or not sum(values[:size]) <= total <= sum(values[len(values) - size :]):
        return
    if size == 0:
        yield ()
    for place, card in enumerate(cards):
        if size > 0:
            for rest in adding_up(cards[place + 1 :], size - 1, total - pips(card, rules), rules):
                yield (card, *rest)


def of_one_kind(
    name: str, size: int, hand: Sequence[int], trump: int, rules: NoddyRules
) -> Iterator[Cards]:
    """Yield all combinations of one name and size in an ascending hand, lowest cards first."""
    if name == "knave noddy":
        return iter([(card,) for card in hand if rank(card) == JACK and suit(card) == trump])
    if name in TOTALS:
        return adding_up(hand, size, TOTALS[name][0], rules)
    ranks = {number: [card for card in hand if rank(card) == number] for number in range(1, 14)}
    if name in ALIKE:
        return chain.from_iterable(combinations(cards, size) for cards in ranks.values())
    if name == "flush":
        suits = [[card for card in hand if suit(card) == number] for number in range(4)]
        return iter(sorted(chain.from_iterable(combinations(cards, size) for cards in suits)))
    starts = range(1, 14 - size + 1)
    return chain.from_iterable(
        product(*(ranks[start + step] for step in range(size))) for start in starts
    )


def sizes(name: str, count: int) -> Sequence[int]:
    """Return the numbers of cards that a combination can have in a hand of `count` cards."""
    if name == "knave noddy":
        return (1,)
    if name in TOTALS:
        return range(TOTALS[name][1], count + 1)
    if name in ALIKE:
        return (ALIKE[name],)
    return (3, 4) if name == "flush" else RUNS[name]


def lays(hand: Sequence[int], trump: int, rules: NoddyRules) -> Iterator[tuple[int, Cards, int]]:
    """Yield every combination in a hand as (kind, cards, points), best first."""
    hand = sorted(hand)
    classes = sorted(
        (-points, size, kind)
        for kind, (field, name) in enumerate(COMBINATIONS.items())
        if (points := rules.get(f"points.{field}")) > 0
        for size in sizes(name, len(hand))
        if size <= len(hand)
    )
    for points, size, kind in classes:
        for cards in of_one_kind(NAMES[kind], size, hand, trump, rules):
            yield kind, cards, -points


def as_set(cards: Sequence[int]) -> int:
    """Turn cards into a set of cards, one bit for each."""
    return sum(1 << card for card in cards)


def options_of(
    hand: Sequence[int], trump: int, stock: int, score: int, rules: NoddyRules
) -> list[Option]:
    """Return what a player may do, best first, at most `MAX_OPTIONS` (D4 to D7).

    Parameters
    ----------
    hand : sequence of int
        The player's cards.
    trump : int
        The suit of trumps.
    stock : int
        How many cards are left to draw.
    score : int
        The player's score, which decides whether a lay wins and therefore draws nothing.
    rules : NoddyRules
        The rules of the game.
    """
    held = list(islice(lays(hand, trump, rules), MAX_OPTIONS))
    may_decline = not (held and rules.must_lay)  # D6
    options = []
    for kind, cards, points in held[: MAX_OPTIONS - may_decline]:
        left = [card for card in hand if card not in cards]
        wins = score + points >= rules.target
        drawn = 0 if wins else max(0, min(HAND - len(left), stock))  # D5
        options.append(Option(kind, points, len(cards), as_set(cards), as_set(left), drawn))
    if may_decline:
        kind, drawn = (DRAW, 1) if stock else (PASS, 0)  # D7
        options.append(Option(kind, 0, 0, 0, as_set(hand), drawn))
    return options


def by_value(values: Sequence[Value], key: np.uint64, game: int) -> Choose:
    """Make the `choose` of strategies: the option of the highest value, the first on a tie.

    Parameters
    ----------
    values : sequence of callable
        ``value(view, option)`` of the strategy in each seat.
    key : uint64
        From `simulate.rng.fold_seed`.
    game : int
        Index of the game, for the strategies' random numbers.
    """

    def choose(seat: int, view: View, options: list[Option]) -> int:
        worth = []
        for index, option in enumerate(options):
            random, _ = uniforms(key, game, view.deal, view.turn * MAX_OPTIONS + index)
            worth.append(values[seat](view._replace(random=float(random)), option))
        return worth.index(max(worth))

    return choose


class _Deal:
    """One deal: the cards, who holds what, and what has been done so far."""

    def __init__(
        self, rules: NoddyRules, deck: list[int], deal: int, dealer: int, scores: list[int]
    ):
        self.rules, self.deal, self.scores = rules, deal, scores
        n = len(scores)
        self.order = [(dealer + 1 + position) % n for position in range(n)]
        self.hands: list[list[int]] = [[] for _ in range(n)]
        for place in range(HAND * n):  # D2, one card at a time
            self.hands[self.order[place % n]].append(deck[place])
        self.turn_up, *undealt = deck[HAND * n :]
        self.stock = undealt + [self.turn_up] * rules.turn_up_drawn
        self.seen = [self.turn_up]
        self.turns: list[dict[str, Any]] = []
        self.record: dict[str, Any] = {
            "dealer": dealer,
            "hands": [cards_text(hand, NODDY_RANKS) for hand in self.hands],
            "turn_up": card_text(self.turn_up, NODDY_RANKS),
            "stock": cards_text(undealt, NODDY_RANKS),
            "jack": [0] * n,
            "turns": self.turns,
        }

    def turn_a_jack(self) -> int | None:
        """Score a turned-up jack (D3); return the seat that wins by it (D8)."""
        if rank(self.turn_up) == JACK:
            for seat in self.order[:-1]:
                self.scores[seat] += self.rules.turned_jack
                self.record["jack"][seat] = self.rules.turned_jack
        return next((seat for seat in self.order if self.scores[seat] >= self.rules.target), None)

    def view(self, position: int) -> View:
        """Show the table to the player in a position."""

        def by_position(numbers: list[int]) -> tuple[int, int, int, int]:
            turned = [numbers[seat] for seat in self.order]
            first, second, third, fourth = turned + [0] * (4 - len(turned))
            return first, second, third, fourth

        seat = self.order[position]
        return View(
            n=len(self.scores),
            position=position,
            score=self.scores[seat],
            best_other=max(score for other, score in enumerate(self.scores) if other != seat),
            scores=by_position(self.scores),
            target=self.rules.target,
            hand=as_set(self.hands[seat]),
            count=len(self.hands[seat]),
            hand_sizes=by_position([len(hand) for hand in self.hands]),
            stock=len(self.stock),
            seen=as_set(self.seen),
            trump=suit(self.turn_up),
            turn_up=self.turn_up,
            deal=self.deal,
            turn=len(self.turns),
            random=0.0,
            rules=kernel_rules(self.rules),
        )

    def take_turn(self, position: int, choose: Choose) -> None:
        """Let the player in a position lay, draw or pass (D4)."""
        seat = self.order[position]
        hand = self.hands[seat]
        trump = suit(self.turn_up)
        options = options_of(hand, trump, len(self.stock), self.scores[seat], self.rules)
        chosen = choose(seat, self.view(position), options) if len(options) > 1 else 0
        option = options[chosen]
        turn: dict[str, Any] = {"seat": seat}
        self.turns.append(turn)
        if option.kind in (DRAW, PASS):
            turn["do"] = "draw" if option.kind == DRAW else "pass"
        else:
            laid = [card for card in sorted(hand) if option.cards >> card & 1]
            hand[:] = [card for card in hand if card not in laid]
            self.seen += [card for card in laid if card != self.turn_up]
            self.scores[seat] += option.points
            turn |= {
                "do": "lay",
                "combination": NAMES[option.kind],
                "cards": cards_text(laid, NODDY_RANKS),
                "points": option.points,
            }
        drawn = self.stock[: option.drawn]
        del self.stock[: option.drawn]
        hand += drawn
        turn["drew"] = cards_text(drawn, NODDY_RANKS)

    def play(self, choose: Choose) -> int | None:
        """Play the deal to its end; return the seat that wins the game, or None."""
        n = len(self.scores)
        winner = self.turn_a_jack()
        passes = position = 0
        while winner is None and passes < n:  # D7
            self.take_turn(position, choose)
            passes = passes + 1 if self.turns[-1]["do"] == "pass" else 0
            if self.scores[self.order[position]] >= self.rules.target:  # D8
                winner = self.order[position]
            position = (position + 1) % n
        self.record["scores"] = list(self.scores)
        return winner


def play_game(
    rules: NoddyRules, n: int, key: np.uint64, game: int, choose: Choose
) -> dict[str, Any]:
    """Play one game and return its record.

    Parameters
    ----------
    rules : NoddyRules
        The rules of the game.
    n : int
        Number of players, 2 to 4.
    key : uint64
        From `simulate.rng.fold_seed`.
    game : int
        Index of the game, which decides the cards.
    choose : callable
        ``choose(seat, view, options) -> index``, asked where there is more than one option.
        `view.random` is 0 here: `by_value` fills it in for each option.

    Returns
    -------
    dict
        ``deals``, ``winner`` and ``scores`` as in a game log; ``truncated`` where nobody won.
    """
    scores = [0] * n
    dealer = int(first_dealer(key, game, n))
    deals: list[dict[str, Any]] = []
    winner = None
    while winner is None and len(deals) < rules.max_deals:
        deck = np.empty(DECK, np.int64)
        deal_deck(key, game, len(deals), deck)
        deal = _Deal(rules, deck.tolist(), len(deals), dealer, scores)
        winner = deal.play(choose)
        deals.append(deal.record)
        dealer = (dealer + 1) % n
    truncated = {"truncated": True} if winner is None else {}
    return {"deals": deals, "winner": winner, **truncated, "scores": scores}
