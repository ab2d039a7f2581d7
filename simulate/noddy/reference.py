"""The game of Noddy in plain Python, to be read beside `simulate.noddy.rules`.

It is the second opinion on the compiled game, and what game logs are audited against. What it
writes down is the record that a game log holds: see `simulate.gamelog`.

A deal is played in steps: it yields who is asked, what he sees and what he may do, and is sent what
he does. So it can wait for a person or a learning program, and meanwhile its record holds what has
happened.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, combinations, groupby, islice, product
from typing import Any, NamedTuple, Protocol

import numpy as np

from simulate.cards import DECK, NODDY_RANKS, card_text, cards_text
from simulate.noddy.rules import COMBINATIONS, HAND, NAMES, KernelRules, NoddyRules, kernel_rules
from simulate.noddy.view import DRAW, MAX_OPTIONS, PASS, Option, View
from simulate.rng import deal_deck, first_dealer, uniforms

TOTALS = {"fifteen": (15, 2), "twenty-five": (25, 3), "thirty-one": (31, 4)}  # pips, fewest cards
ALIKE = {"pair": 2, "pair royal": 3, "double pair royal": 4}
RUNS = {"run of three": (3,), "run of four": (4,), "long run": range(5, 14)}
JACK = 11

Cards = tuple[int, ...]
Choose = Callable[[int, View, list[Option]], int]
"""``choose(seat, view, options)`` returns the index of the option that the player takes."""


class Ask(NamedTuple):
    """Who is asked, what he sees, and what he may do."""

    seat: int
    view: View
    options: list[Option]


Steps = Generator[Ask, int, None]
"""Yields who is asked, and is sent the index of the option that he takes."""


class Strategy(Protocol):
    """Whatever answers a view and an option with how good the option is."""

    def answer(self, view: View, option: Option) -> float:
        """Return how good the option is."""


def rank(card: int) -> int:
    """Rank of a card, 1 (ace) to 13 (king)."""
    return card // 4 + 1


def suit(card: int) -> int:
    """Suit of a card, 0 to 3 for c, d, h, s."""
    return card % 4


def pips(card: int, rules: NoddyRules) -> int:
    """Pip value of a card (D1)."""
    return rank(card) if rank(card) < JACK else rules.court_value


def adding_up(
    cards: Sequence[int], values: Sequence[int], size: int, total: int
) -> Iterator[Cards]:
    """Yield all choices of `size` cards whose values add up to `total`, lowest cards first."""
    ordered = sorted(values)
    if len(cards) < size or not sum(ordered[:size]) <= total <= sum(ordered[len(cards) - size :]):
        return
    if size == 0:
        yield ()
        return
    for place, card in enumerate(cards):
        after = slice(place + 1, None)
        for rest in adding_up(cards[after], values[after], size - 1, total - values[place]):
            yield (card, *rest)


def of_one_kind(
    name: str, size: int, hand: Sequence[int], trump: int, rules: NoddyRules
) -> Iterator[Cards]:
    """Yield all combinations of one name and size in an ascending hand, lowest cards first."""
    if name == "knave noddy":
        return iter([(card,) for card in hand if rank(card) == JACK and suit(card) == trump])
    if name in TOTALS:
        return adding_up(hand, [pips(card, rules) for card in hand], size, TOTALS[name][0])
    if name == "flush":
        suits = [[card for card in hand if suit(card) == number] for number in range(4)]
        return iter(sorted(chain.from_iterable(combinations(cards, size) for cards in suits)))
    ranks = {number: list(cards) for number, cards in groupby(hand, rank)}
    if name in ALIKE:
        return chain.from_iterable(combinations(cards, size) for cards in ranks.values())
    starts = [low for low in ranks if all(low + step in ranks for step in range(size))]
    return chain.from_iterable(
        product(*(ranks[low + step] for step in range(size))) for low in starts
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


@lru_cache(maxsize=1024)
def in_order(rules: NoddyRules, count: int) -> list[tuple[int, int, int]]:
    """Return what a hand of `count` cards can hold as (-points, size, kind), best first."""
    return sorted(
        (-points, size, kind)
        for kind, (field, name) in enumerate(COMBINATIONS.items())
        if (points := rules.get(f"points.{field}")) > 0
        for size in sizes(name, count)
        if size <= count
    )


def lays(hand: Sequence[int], trump: int, rules: NoddyRules) -> Iterator[tuple[int, Cards, int]]:
    """Yield every combination in a hand as (kind, cards, points), best first."""
    hand = sorted(hand)
    for points, size, kind in in_order(rules, len(hand)):
        for cards in of_one_kind(NAMES[kind], size, hand, trump, rules):
            yield kind, cards, -points


def as_set(cards: Iterable[int]) -> int:
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


def random_for(key: np.uint64, game: int, view: View, index: int) -> float:
    """Return `view.random` for the option of an index."""
    return float(uniforms(key, game, view.deal, view.turn * MAX_OPTIONS + index)[0])


def values(
    strategy: Strategy, view: View, options: Sequence[Option], key: np.uint64, game: int
) -> list[float]:
    """Ask a strategy how good each option is."""
    return [
        strategy.answer(view._replace(random=random_for(key, game, view, index)), option)
        for index, option in enumerate(options)
    ]


def by_value(strategies: Sequence[Strategy], key: np.uint64, game: int) -> Choose:
    """Make the `choose` of strategies, by seat: the highest value, the first on a tie.

    Parameters
    ----------
    strategies : sequence
        The strategy in each seat.
    key : uint64
        From `simulate.rng.fold_seed`.
    game : int
        Which game of the run.
    """

    def choose(seat: int, view: View, options: list[Option]) -> int:
        worth = values(strategies[seat], view, options, key, game)
        return worth.index(max(worth))

    return choose


@dataclass
class Race:
    """The score of each seat as a game goes on, and the seat that has won, if any."""

    scores: list[int]
    winner: int | None = None

    @classmethod
    def at_start(cls, n: int) -> Race:
        """Begin a game."""
        return cls(scores=[0] * n)


@dataclass
class Deal:
    """One deal, as it is played.

    Parameters
    ----------
    rules : NoddyRules
        The rules of the game.
    race : Race
        The scores; changed by the deal.
    number : int
        Which deal of the game, from 0.
    dealer : int
        The dealer's seat.
    hands : list of list of int
        The cards of each seat.
    turn_up : int
        The card that was turned up.
    stock : list of int
        The cards that can be drawn, in their order.
    laid : list of int
        The cards that have been laid.
    record : dict
        What has happened, as a game log shows it; it has the scores once the deal is over.
    ask_always : bool
        Ask also where there is one option only.
    """

    rules: NoddyRules
    race: Race
    number: int
    dealer: int
    hands: list[list[int]]
    turn_up: int
    stock: list[int]
    laid: list[int] = field(default_factory=list)
    turns: list[dict[str, Any]] = field(default_factory=list)
    record: dict[str, Any] = field(default_factory=dict)
    ask_always: bool = False

    @cached_property
    def order(self) -> list[int]:
        """The seats in turn order, eldest first and the dealer last."""
        n = len(self.hands)
        return [(self.dealer + 1 + position) % n for position in range(n)]

    @cached_property
    def numbers(self) -> KernelRules:
        """The rules as views show them."""
        return kernel_rules(self.rules)

    def turn_a_jack(self) -> list[int]:
        """Score a turned-up jack, and end the game where that wins it; return what it scored."""
        scored = [0] * len(self.hands)
        if rank(self.turn_up) == JACK:
            for seat in self.order[:-1]:  # D3: not the dealer
                scored[seat] = self.rules.turned_jack
                self.race.scores[seat] += scored[seat]
            reached = [s for s in self.order if self.race.scores[s] >= self.rules.target]
            self.race.winner = reached[0] if reached else None  # D8: the one nearest eldest
        return scored

    def view(self, position: int) -> View:
        """Show the table to the player in a position."""

        def by_position(numbers: list[int]) -> Any:
            return tuple([numbers[seat] for seat in self.order] + [0] * (4 - len(numbers)))

        seat, scores = self.order[position], self.race.scores
        return View(
            n=len(scores),
            position=position,
            score=scores[seat],
            best_other=max(scores[:seat] + scores[seat + 1 :]),
            scores=by_position(scores),
            target=self.rules.target,
            hand=as_set(self.hands[seat]),
            count=len(self.hands[seat]),
            hand_sizes=by_position([len(hand) for hand in self.hands]),
            stock=len(self.stock),
            seen=as_set({self.turn_up, *self.laid}),
            trump=suit(self.turn_up),
            turn_up=self.turn_up,
            deal=self.number,
            turn=len(self.turns),
            random=0.0,
            rules=self.numbers,
        )

    def options(self, position: int) -> list[Option]:
        """Return what the player in a position may do."""
        seat = self.order[position]
        hand, score = self.hands[seat], self.race.scores[seat]
        return options_of(hand, suit(self.turn_up), len(self.stock), score, self.rules)

    def take_turn(self, position: int) -> Steps:
        """Let the player in a position lay, draw or pass (D4)."""
        seat = self.order[position]
        hand, options = self.hands[seat], self.options(position)
        chosen = 0
        if len(options) > 1 or self.ask_always:
            chosen = yield Ask(seat, self.view(position), options)
        option = options[chosen]
        turn: dict[str, Any] = {"seat": seat}
        if option.kind == DRAW:
            turn |= {"do": "draw"}
        elif option.kind == PASS:
            turn |= {"do": "pass"}
        else:
            cards = [card for card in sorted(hand) if option.cards >> card & 1]
            for card in cards:
                hand.remove(card)
            self.laid += cards
            self.race.scores[seat] += option.points
            turn |= {"do": "lay", "combination": NAMES[option.kind]}
            turn |= {"cards": cards_text(cards, NODDY_RANKS), "points": option.points}
        drawn = self.stock[: option.drawn]
        del self.stock[: option.drawn]
        hand += drawn
        self.turns.append({**turn, "drew": cards_text(drawn, NODDY_RANKS)})

    def steps(self) -> Steps:
        """Play the deal to its end, or to the end of the game; `record` follows."""
        n = len(self.hands)
        undealt = self.stock[:-1] if self.rules.turn_up_drawn else self.stock
        self.record |= {
            "dealer": self.dealer,
            "hands": [cards_text(hand, NODDY_RANKS) for hand in self.hands],
            "turn_up": card_text(self.turn_up, NODDY_RANKS),
            "stock": cards_text(undealt, NODDY_RANKS),
            "jack": self.turn_a_jack(),
            "turns": self.turns,
        }
        passes = position = 0
        while self.race.winner is None and passes < n:  # D7
            yield from self.take_turn(position)
            passes = passes + 1 if self.turns[-1]["do"] == "pass" else 0
            seat = self.order[position]
            if self.race.scores[seat] >= self.rules.target:  # D8
                self.race.winner = seat
            position = (position + 1) % n
        self.record["scores"] = list(self.race.scores)

    def play(self, choose: Choose) -> dict[str, Any]:
        """Play the deal with what `choose` takes, and return its record."""
        steps, chosen = self.steps(), None
        while True:
            try:
                ask = steps.send(chosen)  # type: ignore[arg-type]  # a generator begins with None
            except StopIteration:
                return self.record
            chosen = choose(*ask)


def deal_cards(
    rules: NoddyRules, race: Race, key: np.uint64, game: int, number: int, dealer: int
) -> Deal:
    """Deal three cards to each seat, one at a time from eldest round, and turn one up (D2)."""
    n = len(race.scores)
    deck = np.empty(DECK, np.int64)
    deal_deck(key, game, number, deck)
    cards = deck.tolist()
    hands = [cards[(seat - dealer - 1) % n : HAND * n : n] for seat in range(n)]
    turn_up, *stock = cards[HAND * n :]
    return Deal(
        rules, race, number, dealer, hands, turn_up, stock + [turn_up] * rules.turn_up_drawn
    )


def deals_of(rules: NoddyRules, race: Race, key: np.uint64, game: int) -> Iterator[Deal]:
    """Deal out a game deal by deal: each must be played before the next is asked for.

    The parameters are those of `play_game`, and `race` as at the start; it follows the game.
    """
    n = len(race.scores)
    dealer = int(first_dealer(key, game, n))
    for number in range(rules.max_deals):  # D8
        yield deal_cards(rules, race, key, game, number, dealer)
        if race.winner is not None:
            return
        dealer = (dealer + 1) % n  # D1


def play_deals(
    rules: NoddyRules, race: Race, key: np.uint64, game: int, choose: Choose
) -> Iterator[dict[str, Any]]:
    """Play a game deal by deal, yielding the record of each."""
    for deal in deals_of(rules, race, key, game):
        yield deal.play(choose)


def ending(race: Race) -> dict[str, Any]:
    """Write down how a game ended, once all its deals are played (D8)."""
    truncated = {"truncated": True} if race.winner is None else {}
    return {"winner": race.winner, **truncated, "scores": race.scores}


def game_steps(
    rules: NoddyRules, n: int, key: np.uint64, game: int, record: dict[str, Any]
) -> Steps:
    """Play one game in steps: what `play_game` returns is in `record` as far as it has happened."""
    race = Race.at_start(n)
    record["deals"] = []
    for deal in deals_of(rules, race, key, game):
        record["deals"].append(deal.record)
        yield from deal.steps()
    record |= ending(race)


def play_game(
    rules: NoddyRules, n: int, key: np.uint64, game: int, choose: Choose
) -> dict[str, Any]:
    """Play one game.

    Parameters
    ----------
    rules : NoddyRules
        The rules of the game.
    n : int
        Number of players, 2 to 4.
    key : uint64
        From `simulate.rng.fold_seed`.
    game : int
        Which game of the run: with the key it decides the cards and the first dealer.
    choose : callable
        ``choose(seat, view, options)`` returns the index of the option the player takes; asked
        where there is more than one. `view.random` is 0 there: see `random_for`.

    Returns
    -------
    dict
        ``deals``, ``winner`` (``truncated`` where nobody won) and ``scores``, as in a game log.
    """
    race = Race.at_start(n)
    deals = list(play_deals(rules, race, key, game, choose))
    return {"deals": deals, **ending(race)}
