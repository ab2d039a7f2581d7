"""What each decision of a recorded game cost against the best choice: ``simulate.review``."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from simulate.advice import Advice, amount
from simulate.advising import FIELD, GAMES, SEED, advise_with
from simulate.cards import NAPALM_RANKS, NODDY_RANKS, cards_text
from simulate.errors import InputError, unknown
from simulate.numerals import counted, whole_number
from simulate.sampling import Player, player
from simulate.stats import Estimate, TooFewGamesError

if TYPE_CHECKING:
    from strategies import Strategy

RANKS = {"napalm": NAPALM_RANKS, "noddy": NODDY_RANKS}
WORST = 10
"""Mistakes that are listed."""


@dataclass(frozen=True)
class Judged:
    """A decision, and what it was worth.

    Attributes
    ----------
    game, deal : int
        The index of the game, and its deal, from 0.
    where : str
        Within the deal: ``"stage 1"``, ``"turn 7"``.
    chosen : str
        The name of the choice that was taken.
    advice : Advice
    seat : int
    strategy : str
        What the record calls whoever sat there.
    hand : tuple of str
        What he held.
    heard : tuple of str
        Napalm: the words that he had heard at this stage, in the order spoken.
    """

    game: int
    deal: int
    where: str
    chosen: str
    advice: Advice
    seat: int
    strategy: str
    hand: tuple[str, ...]
    heard: tuple[str, ...] = ()

    @property
    def cost(self) -> Estimate:
        """How much less it was worth than the best choice."""
        return self.advice.cost(self.chosen)

    @property
    def is_mistake(self) -> bool:
        """Whether it is told from the best choice."""
        return not self.advice.choice(self.chosen).maybe_best

    @property
    def place(self) -> str:
        """Where it was taken, in words."""
        return f"game {self.game}, deal {self.deal}, {self.where}"


@dataclass(frozen=True)
class Review:
    """The decisions of one seat, or of one strategy, judged.

    Attributes
    ----------
    seat : int or None
    strategy : str or None
        Whose decisions, where it was not those of a seat.
    games : int
        How many games were looked at.
    decisions : tuple of Judged
        In the order in which they were taken.
    skipped : int
        Decisions without advice: hardly any cards agreed with what the player had heard.
    """

    seat: int | None
    games: int
    decisions: tuple[Judged, ...]
    skipped: int = 0
    strategy: str | None = None

    @property
    def mistakes(self) -> list[Judged]:
        """The decisions that were surely not the best, the dearest first."""
        found = [judged for judged in self.decisions if judged.is_mistake]
        return sorted(found, key=lambda judged: -judged.cost.value)

    @property
    def total(self) -> Estimate:
        """What the mistakes cost in all."""
        costs = [judged.cost for judged in self.mistakes]
        value = sum(cost.value for cost in costs)
        error = math.sqrt(sum(cost.error**2 for cost in costs))
        margin = math.sqrt(sum(cost.margin**2 for cost in costs))
        return Estimate(value, value - margin, value + margin, error, len(costs))

    @property
    def sentence(self) -> str:
        """The review in a sentence or two."""
        games = counted(self.games, "game")
        skipped = f" ({self.skipped} more could not be judged)" if self.skipped else ""
        if not self.decisions:
            return f"No decisions in {games}{skipped}."
        head = f"{counted(len(self.decisions), 'decision')} in {games}{skipped}"
        mistakes = self.mistakes
        if not mistakes:
            return f"{head}: none was surely a mistake."
        cost = cost_text(mistakes[0].advice.measure, self.total)
        what = "1 mistake, which cost" if len(mistakes) == 1 else f"{len(mistakes):,} mistakes cost"
        return f"{head}: {what} {cost}."

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON takes it."""
        total = self.total
        return {
            "seat": self.seat,
            "strategy": self.strategy,
            "games": self.games,
            "skipped": self.skipped,
            "sentence": self.sentence,
            "mistakes": len(self.mistakes),
            "cost": {"value": total.value, "low": total.low, "high": total.high},
            "decisions": [
                {
                    "game": judged.game,
                    "deal": judged.deal,
                    "where": judged.where,
                    "seat": judged.seat,
                    "strategy": judged.strategy,
                    "hand": list(judged.hand),
                    "heard": list(judged.heard),
                    "chosen": judged.chosen,
                    "mistake": judged.is_mistake,
                    "advice": judged.advice.to_dict(),
                }
                for judged in self.decisions
            ],
        }


def cost_text(measure: str, cost: Estimate) -> str:
    """Write a cost: ``"0.42 ± 0.10 stakes"``, or a share of a game."""
    text = amount(measure, cost).lstrip("+")
    return f"{text} of a game" if measure == "wins" else text


def review(
    records: Iterable[Mapping[str, Any]],
    seat: int | None = None,
    *,
    strategy: str | None = None,
    field: str | Strategy | None = None,
    own: str | Strategy | None = None,
    slip: float | None = None,
    measure: str | None = None,
    precision: float | None = None,
    games: int | float | str = GAMES,
    seed: int = SEED,
    progress: Callable[[int], None] | None = None,
) -> Review:
    """Say what each decision of a seat cost against the best choice, in recorded games.

    Every decision is judged by what its player knew then: not by what he could not see.

    Parameters
    ----------
    records : iterable of mapping
        Games, as `simulate.records` yields them or a game log holds them.
    seat : int, optional
        Whose decisions.
    strategy : str, optional
        Whose decisions, wherever he sat: a name that records give to seats. In place of `seat`.
    field : str or Strategy, optional
        How the others play; those that sat there, where their records name strategies, when None.
    own : str or Strategy, optional
        How the player himself is taken to go on: his own strategy when None, and a sensible one
        where the record does not name one.
    slip, measure, precision, games
        As in `simulate.advise`.
    seed : int
        The n-th decision is judged with the n-th seed from here on.
    progress : callable, optional
        Called with the number of decisions judged so far.

    Raises
    ------
    InputError
        When a record is wrong, has no such seat, nobody of that name sat anywhere, somebody's
        strategy is not to be had, or one loops, raises or answers nonsense.
    """
    asked = {
        "own": own, "slip": slip, "measure": measure, "precision": precision, "games": games,
    }  # fmt: skip
    reviewing = Reviewing(seat, strategy, field, asked, seed)
    for judged in reviewing.of(records):
        if progress is not None:
            progress(judged)
    return reviewing.result()


class Reviewing:
    """Reviews game after game; what has been found can be had at any moment.

    Parameters
    ----------
    seat, strategy, field, seed
        As for `review`.
    asked : mapping
        What else `advise` is asked.
    """

    def __init__(
        self,
        seat: int | None,
        strategy: str | None,
        field: str | Strategy | None,
        asked: Mapping[str, Any],
        seed: int = SEED,
    ) -> None:
        if (seat is None) == (strategy is None):
            raise InputError("whose decisions? name a seat or a strategy, one of the two")
        self.seat, self.strategy, self.field, self.seed = seat, strategy, field, seed
        self.asked = {name: value for name, value in asked.items() if value is not None}
        self.own = self.asked.pop("own", None)
        self.judged: list[Judged] = []
        self.games = self.skipped = 0
        self._met: set[str] = set()

    def of(self, records: Iterable[Mapping[str, Any]]) -> Iterator[int]:
        """Judge every decision in some games; yield how many have been judged."""
        with player() as plays:
            for record in records:
                for seat in self._seats(record):
                    for asked in _decisions(record, seat):
                        yield self._judge(plays, record, seat, asked)
                self.games += 1

    def _seats(self, record: Mapping[str, Any]) -> list[int]:
        """Return whose decisions are looked at in a game."""
        if self.strategy is None:
            return [check_record(record, self.seat)]
        check_record(record, 0)
        self._met |= set(record["seats"])
        return [seat for seat, name in enumerate(record["seats"]) if name == self.strategy]

    def _judge(self, plays: Player, record: Mapping[str, Any], seat: int, asked: Any) -> int:
        others, mine = _company(record, asked.seats, seat, self.field, self.own)
        seed = self.seed + len(self.judged) + self.skipped
        try:
            advice = advise_with(
                plays, asked.spot, field=others, own=mine, seed=seed, **self.asked
            )  # fmt: skip
        except TooFewGamesError:
            self.skipped += 1
            return len(self.judged)
        found = Judged(
            game=record["index"],
            deal=asked.deal,
            where=asked.where,
            chosen=asked.chosen,
            advice=advice,
            seat=seat,
            strategy=record["seats"][seat],
            hand=tuple(cards_text(asked.spot.cards, RANKS[record["game"]])),
            heard=tuple("yes" if word else "no" for word in getattr(asked.spot, "heard", ())),
        )
        self.judged.append(found)
        return len(self.judged)

    def result(self) -> Review:
        """Return what has been found so far.

        Raises
        ------
        InputError
            When nobody of that name sat anywhere.
        """
        if self.strategy is not None and self._met and self.strategy not in self._met:
            raise unknown("strategy in these games", self.strategy, sorted(self._met))
        return Review(self.seat, self.games, tuple(self.judged), self.skipped, self.strategy)


def check_record(record: Mapping[str, Any], seat: object) -> int:
    """Refuse a record that is wrong, or has no such seat."""
    from simulate import gamelog

    if found := gamelog.audit(record):
        index = record.get("index")
        raise InputError(f"game {index} cannot be reviewed, its record is wrong: {found}")
    return whole_number("seat", seat, 0, len(record["seats"]) - 1)


def _decisions(record: Mapping[str, Any], seat: int) -> Iterator[Any]:
    module = import_module(f"simulate.{record['game']}.review")
    yield from module.decisions(record, seat)


def _company(
    record: Mapping[str, Any],
    order: Sequence[int],
    seat: int,
    field: str | Strategy | None,
    own: str | Strategy | None,
) -> tuple[list[str | Strategy], str | Strategy]:
    """Say who plays on: the others in the order of positions, and the player himself."""
    from strategies import load

    game, specs = record["game"], record["seats"]
    others: list[str | Strategy] = []
    for other in order:
        if other == seat:
            continue
        if field is None:
            try:
                load(specs[other], game)
            except InputError as error:
                raise InputError(
                    f"seat {other} of game {record['index']} is no strategy that is known here: "
                    f"name one for the others with field ({error})"
                ) from None
        others.append(specs[other] if field is None else field)
    if own is not None:
        return others, own
    try:
        load(specs[seat], game)
    except InputError:
        return others, FIELD[game]
    return others, specs[seat]
