"""What each decision of a recorded game cost against the best choice: ``simulate.review``."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from simulate.advice import Advice, amount
from simulate.advising import FIELD, GAMES, SEED, advise
from simulate.errors import InputError
from simulate.numerals import whole_number
from simulate.stats import Estimate, TooFewGamesError

if TYPE_CHECKING:
    from strategies import Strategy

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
    """

    game: int
    deal: int
    where: str
    chosen: str
    advice: Advice

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
    """The decisions of one seat, judged.

    Attributes
    ----------
    seat : int
    games : int
        How many games were looked at.
    decisions : tuple of Judged
        In the order in which they were taken.
    skipped : int
        Decisions without advice: hardly any cards agreed with what the player had heard.
    """

    seat: int
    games: int
    decisions: tuple[Judged, ...]
    skipped: int = 0

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
        number, games = len(self.decisions), "game" if self.games == 1 else "games"
        skipped = f" ({self.skipped} more could not be judged)" if self.skipped else ""
        if not number:
            return f"No decisions in {self.games:,} {games}{skipped}."
        head = f"{number:,} decisions in {self.games:,} {games}{skipped}"
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
    seat: int,
    *,
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
    seat : int
        Whose decisions.
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
        When a record is wrong, has no such seat, or somebody's strategy is not to be had.
    """
    judged: list[Judged] = []
    played = skipped = 0
    for record in records:
        check_record(record, seat)
        played += 1
        for asked in _decisions(record, seat):
            others, mine = _company(record, asked.seats, seat, field, own)
            try:
                advice = advise(
                    asked.spot,
                    field=others,
                    own=mine,
                    slip=slip,
                    measure=measure,
                    precision=precision,
                    games=games,
                    seed=seed + len(judged) + skipped,
                )
            except TooFewGamesError:
                skipped += 1
                continue
            judged.append(Judged(record["index"], asked.deal, asked.where, asked.chosen, advice))
            if progress is not None:
                progress(len(judged))
    return Review(seat, played, tuple(judged), skipped)


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
