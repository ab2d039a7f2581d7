"""The game of Napalm in plain Python, to be read beside `simulate.napalm.rules`.

It is the second opinion on the compiled game, and what game logs are audited against. What it
writes down is the record that a game log holds: see `simulate.gamelog`.

A deal is played in steps: it yields who is asked and what he sees, and is sent what he says. So it
can wait for a person or a learning program, and meanwhile its record holds what has happened.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np

from simulate.cards import NAPALM_RANKS, cards_text
from simulate.napalm.counts import HAND_SIZES
from simulate.napalm.ranking import class_strength, hand_class
from simulate.napalm.rules import DECLARERS, STAGES, NapalmRules
from simulate.napalm.view import View
from simulate.rng import deal_deck, first_dealer, uniforms

NO_CARD = -1

Speak = Callable[[int, View], bool]
"""``speak(seat, view)`` returns whether the player in that seat says Yes."""


class Ask(NamedTuple):
    """Who is asked for his word, and what he sees."""

    seat: int
    view: View


Steps = Generator[Ask, bool, None]
"""Yields who is asked, and is sent whether he says Yes."""


class Strategy(Protocol):
    """Whatever answers a view with its probability of saying Yes."""

    def answer(self, view: View) -> float:
        """Return the probability of saying Yes."""


def call_number(stage: int, turn: int, position: int) -> int:
    """Return the number of a word within its deal, which decides its random numbers."""
    return ((stage - 1) * 2 + turn - 1) * 8 + position


def coin(key: np.uint64, game: int, view: View) -> float:
    """Return the number in [0, 1) that turns an answer into Yes where it is below the answer."""
    call = call_number(view.stage, view.turn, view.position)
    return float(uniforms(key, game, view.deal, call)[1])


def by_answer(strategies: Sequence[Strategy], key: np.uint64, game: int) -> Speak:
    """Make the `speak` of strategies, by seat: each says Yes with the probability it answers.

    Parameters
    ----------
    strategies : sequence
        The strategy in each seat.
    key : uint64
        From `simulate.rng.fold_seed`.
    game : int
        Which game of the run.
    """

    def speak(seat: int, view: View) -> bool:
        return coin(key, game, view) < strategies[seat].answer(view)

    return speak


@dataclass
class Money:
    """Who has what, as one game goes on.

    Parameters
    ----------
    collected, net : list of int
        What each seat has collected (N15), and received less what it has paid.
    pot : int
        Stakes in the pot.
    winner : int or None
        The seat that has won the game, if any.
    prize : int
        What it took from the pot for that.
    """

    collected: list[int]
    net: list[int]
    pot: int = 0
    winner: int | None = None
    prize: int = 0

    @classmethod
    def at_start(cls, n: int) -> Money:
        """Begin a game: nothing in the pot, nothing collected (N17)."""
        return cls(collected=[0] * n, net=[0] * n)

    def take_antes(self) -> None:
        """Everybody puts one stake into the pot, to what is there already (N2)."""
        for seat in range(len(self.net)):
            self.net[seat] -= 1
            self.pot += 1

    def settle(
        self, rules: NapalmRules, stage: int, declarers: Sequence[int], worths: Sequence[int]
    ) -> dict[str, Any]:
        """Settle a stage between those whose last word was Yes (N9 to N15).

        Parameters
        ----------
        rules : NapalmRules
            The rules of the game.
        stage : int
            1, 2 or 3.
        declarers : sequence of int
            The seats whose last word was Yes.
        worths : sequence of int
            What each seat's hand is worth in a comparison; unseen unless two compare.

        Returns
        -------
        dict
            What moved, and what there is now, as a game log shows it.
        """
        n = len(self.net)
        paid, taken, side, tokens = [0] * n, [0] * n, [0] * n, [0] * n
        with_tokens = rules.currency == "tokens"
        if len(declarers) == 1:  # N10; nobody takes more than the pot holds (N12)
            award = rules.stage(stage).lone_award
            if with_tokens:
                tokens[declarers[0]] = award
            else:
                taken[declarers[0]] = min(award, self.pot)
        elif len(declarers) >= 2:  # N11
            best = max(worths[seat] for seat in declarers)
            tied = [seat for seat in declarers if worths[seat] == best]
            losers = [seat for seat in declarers if worths[seat] != best]
            takes = len(tied) == 1 or rules.tie == "split"  # N13
            if with_tokens and takes:
                bet = self.pot // len(tied)
                for loser in losers:
                    side[loser] = -bet * len(tied)
                for winner in tied:
                    side[winner] = bet * len(losers)
            elif not with_tokens:
                penalty = rules.stage(stage).penalty
                for loser in losers:
                    paid[loser] = len(declarers) if penalty == DECLARERS else int(penalty)
                for winner in tied if takes else ():  # once the losers have paid (N12)
                    taken[winner] = min(len(declarers), self.pot + sum(paid)) // len(tied)
        self.pot += sum(paid) - sum(taken)
        for seat in range(n):
            self.net[seat] += taken[seat] + side[seat] - paid[seat]
            self.collected[seat] += taken[seat] + tokens[seat]
        return {
            "paid": paid,
            "taken": taken,
            "side": side,
            "pot": self.pot,
            "collected": list(self.collected),
        }

    def award_prize(self, target: int, order: Sequence[int]) -> None:
        """Give the pot to whoever has reached the target: most first, then nearest eldest (N16)."""
        most = max(self.collected)
        if most >= target:
            self.winner = next(seat for seat in order if self.collected[seat] == most)
            self.prize = self.pot
            self.net[self.winner] += self.prize
            self.pot = 0


@dataclass
class Deal:
    """One deal, as it is played.

    Parameters
    ----------
    rules : NapalmRules
        The rules of the game.
    key : uint64
        From `simulate.rng.fold_seed`.
    game, number : int
        Which game of the run; which deal of the game, from 0.
    dealer : int
        The dealer's seat.
    money : Money
        Who has what; changed by the deal.
    cards : list of list of int
        The seven cards of each seat, though not all of them may be dealt.
    strengths : list of list of float
        For each stage so far, the strength of each seat's hand.
    said : list of int
        For each stage so far, who has said Yes, bits by position.
    record : dict
        What has happened, as a game log shows it; a stage has its settlement once all have spoken.
    """

    rules: NapalmRules
    key: np.uint64
    game: int
    number: int
    dealer: int
    money: Money
    cards: list[list[int]]
    strengths: list[list[float]] = field(default_factory=list)
    said: list[int] = field(default_factory=list)
    record: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def order(self) -> list[int]:
        """The seats in the order of speaking, eldest first and the dealer last."""
        n = len(self.cards)
        return [(self.dealer + 1 + position) % n for position in range(n)]

    def view(self, position: int, turn: int) -> View:
        """Show a player what there is to know before he speaks."""
        order = self.order
        n, seat, stage = len(order), order[position], len(self.said)
        hand = self.cards[seat][: HAND_SIZES[stage]]
        high, low = sorted((card // 4 + 2 for card in hand[:2]), reverse=True)
        counts = [self.money.collected[other] for other in order]
        random, _ = uniforms(self.key, self.game, self.number, call_number(stage, turn, position))
        return View(
            n=n,
            stage=stage,
            position=position,
            turn=turn,
            strength=self.strengths[-1][seat],
            strength1=self.strengths[0][seat] if stage > 1 else 0.0,
            strength2=self.strengths[1][seat] if stage > 2 else 0.0,
            cards=_seven(hand, NO_CARD),
            count=len(hand),
            high=high,
            low=low,
            pair=high == low,
            yes=self.said[-1].bit_count(),
            spoken=position if turn == 1 else n,
            said=self.said[-1],
            said1=self.said[0] if stage > 1 else 0,
            said2=self.said[1] if stage > 2 else 0,
            pot=self.money.pot,
            target=self.rules.target,
            collected=counts[position],
            best_other=max(counts[:position] + counts[position + 1 :]),
            counts=_seven(counts, 0),
            deal=self.number,
            random=float(random),
        )

    def ask(self, position: int, turn: int, words: list[list[Any]]) -> Steps:
        """Hear the word of a position."""
        seat = self.order[position]
        yes = yield Ask(seat, self.view(position, turn))
        words.append([seat, "yes" if yes else "no"])
        self.said[-1] |= int(yes) << position

    def declare(self, challenge: bool, words: list[list[Any]]) -> Steps:
        """Let all speak (N7), and again after a challenge (N8); `words` follows, by seat."""
        dealer = len(self.order) - 1
        for position in range(dealer + 1):
            yield from self.ask(position, 1, words)
        if challenge and self.said[-1] == 1 << dealer:
            for position in range(dealer):
                yield from self.ask(position, 2, words)

    def steps(self) -> Steps:
        """Play the deal to its end, or to the end of the game; `record` follows."""
        record = self.record
        record |= {"dealer": self.dealer, "pot_before": self.money.pot, "cards": [], "stages": []}
        self.money.take_antes()
        for stage in STAGES:
            hands = [cards[: HAND_SIZES[stage]] for cards in self.cards]
            classes = [hand_class(stage, hand, self.rules.wheel) for hand in hands]
            self.strengths.append([class_strength(stage, c, self.rules.wheel) for c in classes])
            self.said.append(0)
            record["cards"] = [cards_text(hand, NAPALM_RANKS) for hand in hands]
            words: list[list[Any]] = []
            record["stages"].append({"stage": stage, "declarations": words})
            yield from self.declare(self.rules.stage(stage).challenge, words)
            declarers = [s for p, s in enumerate(self.order) if self.said[-1] >> p & 1]
            worths = [-c if stage == 2 else c for c in classes]  # stage 2: the lowest hand (N4)
            record["stages"][-1] |= self.money.settle(self.rules, stage, declarers, worths)
            self.money.award_prize(self.rules.target, self.order)
            if self.money.winner is not None:
                break
            if declarers and self.rules.stage(stage).ends_on_yes:  # N6
                break

    def play(self, speak: Speak) -> dict[str, Any]:
        """Play the deal with what `speak` says, and return its record."""
        steps, yes = self.steps(), None
        while True:
            try:
                ask = steps.send(yes)  # type: ignore[arg-type]  # a generator begins with None
            except StopIteration:
                return self.record
            yes = speak(*ask)


def _seven(values: list[int], blank: int) -> Any:
    """Fill a list up to seven, as views have it."""
    return tuple(values + [blank] * (7 - len(values)))


def deal_cards(key: np.uint64, game: int, deal: int, n: int, dealer: int) -> list[list[int]]:
    """Return the seven cards of each seat, dealt one at a time from eldest round (N1)."""
    deck = np.empty(7 * n, np.int64)
    deal_deck(key, game, deal, deck)
    cards = deck.tolist()
    return [cards[(seat - dealer - 1) % n :: n] for seat in range(n)]


def deals_of(rules: NapalmRules, money: Money, key: np.uint64, game: int) -> Iterator[Deal]:
    """Deal out a game deal by deal: each must be played before the next is asked for.

    The parameters are those of `play_game`, and `money` as at the start; it follows the game.
    """
    n = len(money.net)
    dealer = int(first_dealer(key, game, n))
    for number in range(rules.max_deals):  # N18
        cards = deal_cards(key, game, number, n, dealer)
        yield Deal(rules, key, game, number, dealer, money, cards)
        if money.winner is not None:
            return
        dealer = (dealer + 1) % n  # N1


def play_deals(
    rules: NapalmRules, money: Money, key: np.uint64, game: int, speak: Speak
) -> Iterator[dict[str, Any]]:
    """Play a game deal by deal, yielding the record of each."""
    for deal in deals_of(rules, money, key, game):
        yield deal.play(speak)


def ending(money: Money) -> dict[str, Any]:
    """Write down how a game ended, once all its deals are played (N16 to N18)."""
    if money.winner is None:
        return {"winner": None, "truncated": True, "net": money.net}
    return {"winner": money.winner, "prize": money.prize, "net": money.net}


def game_steps(
    rules: NapalmRules, n: int, key: np.uint64, game: int, record: dict[str, Any]
) -> Steps:
    """Play one game in steps: what `play_game` returns is in `record` as far as it has happened."""
    money = Money.at_start(n)
    record["deals"] = []
    for deal in deals_of(rules, money, key, game):
        record["deals"].append(deal.record)
        yield from deal.steps()
    record |= ending(money)


def play_game(
    rules: NapalmRules, n: int, key: np.uint64, game: int, speak: Speak
) -> dict[str, Any]:
    """Play one game.

    Parameters
    ----------
    rules : NapalmRules
        The rules of the game.
    n : int
        Number of players, 4 to 7.
    key : uint64
        From `simulate.rng.fold_seed`.
    game : int
        Which game of the run: with the key it decides the cards and the first dealer.
    speak : callable
        ``speak(seat, view)`` returns whether the player in that seat says Yes.

    Returns
    -------
    dict
        ``deals``, ``winner``, ``prize`` (or ``truncated``) and ``net``, as in a game log.
    """
    money = Money.at_start(n)
    deals = list(play_deals(rules, money, key, game, speak))
    return {"deals": deals, **ending(money)}
