"""Advice in the middle of a game: ``simulate.advise``."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from simulate.advice import Advice, Choice
from simulate.deciding import Contest
from simulate.errors import InputError, unknown
from simulate.numerals import whole_number
from simulate.sampling import Player, player
from simulate.stats.sequential import check_precision

if TYPE_CHECKING:
    from simulate.napalm.spot import NapalmSpot
    from simulate.noddy.spot import NoddySpot
    from strategies import Strategy

GAMES, SEED, SLIP = 400_000, 1, 0.02
FIELD = {"napalm": "positional", "noddy": "reckoner"}
MEASURES = {"napalm": ("net", "wins"), "noddy": ("wins", "score")}
PRECISION = {"net": 0.05, "wins": 0.005, "score": 0.1}
"""Differences that do not matter, by measure: stakes, shares of games, points."""


def advise(
    spot: NapalmSpot | NoddySpot,
    *,
    field: str | Strategy | Sequence[str | Strategy] | None = None,
    own: str | Strategy | None = None,
    slip: float | None = None,
    measure: str | None = None,
    precision: float | None = None,
    games: int | float | str = GAMES,
    seed: int = SEED,
    progress: Callable[[int], None] | None = None,
) -> Advice:
    """Say what each choice of a player is worth in the middle of a game.

    What he has not seen is dealt at random, in agreement with what he has heard, and every choice
    is played to the end of the game from the same cards.

    Parameters
    ----------
    spot : NapalmSpot or NoddySpot
        Where the game stands, as the player knows it.
    field : str, Strategy or sequence, optional
        How the others play: one strategy for all of them, or one for each in the order of their
        positions. It also tells what their words say of their hands. A sensible one when None.
    own : str or Strategy, optional
        How the player himself plays on after this choice: as the others do when None.
    slip : float, optional
        How often, from 0 to 0.5, somebody is taken to have said the opposite of what his strategy
        would (Napalm). When None, 0 for a field that is named, and 0.02 for people, when none is.
    measure : {"net", "wins", "score"}, optional
        What the best choice has most of. Napalm: ``"net"``, stakes, or ``"wins"``, games won.
        Noddy: ``"wins"``, or ``"score"``, points.
    precision : float, optional
        Go on until every difference to the best choice is known within so much (half the width of
        its 95% interval). When None, until the choices are told apart, or are known to differ by
        less than 0.05 stakes, half a percent of the games or 0.1 points.
    games : int, float or str
        Most tables that are played on for each choice: ``"1M"``.
    seed : int
        Any whole number >= 0: the same one gives the same advice.
    progress : callable, optional
        Called now and then with the number of tables dealt so far, once all is compiled.

    Returns
    -------
    Advice

    Raises
    ------
    InputError
        When anything asked for is not allowed, hardly any cards agree with what was heard, or a
        strategy loops, raises or answers nonsense.

    Examples
    --------
    >>> spot = NapalmSpot(players=5, position=2, cards="Ah Kd", heard="no,no")
    >>> advise(spot, field="tight").sentence
    """
    with player() as plays:
        return advise_with(
            plays,
            spot,
            field=field,
            own=own,
            slip=slip,
            measure=measure,
            precision=precision,
            games=games,
            seed=seed,
            progress=progress,
        )


def advise_with(
    plays: Player,
    spot: NapalmSpot | NoddySpot,
    *,
    field: str | Strategy | Sequence[str | Strategy] | None = None,
    own: str | Strategy | None = None,
    slip: float | None = None,
    measure: str | None = None,
    precision: float | None = None,
    games: int | float | str = GAMES,
    seed: int = SEED,
    progress: Callable[[int], None] | None = None,
) -> Advice:
    """Say the same as `advise`, from samples that a player plays who may be asked again."""
    game = game_of(spot)
    chosen = _check_measure(game, measure)
    indifference = (
        PRECISION[chosen] if precision is None else check_precision(_number("precision", precision))
    )
    most = whole_number("games", games, 1_000)
    line_up = seat_field(game, spot.players, spot.position, field, own)
    erring = (SLIP if field is None else 0.0) if slip is None else _number("slip", slip)
    if not 0.0 <= erring <= 0.5:
        raise InputError(f"slip {slip!r} is not a number from 0 to 0.5")
    number, play = whole_number("seed", seed, 0), plays.play_of(line_up)

    def told(samples: Any, start: int, stop: int) -> Any:
        rows = play(samples, start, stop)
        if progress is not None:
            progress(tables.dealt)
        return rows

    tables = _adviser(game).Tables(spot, line_up, number, erring, told)
    contest = Contest(
        tables.more,
        len(tables.names),
        len(tables.measures),
        tables.measures.index(chosen),
        indifference,
        precision is None,
        most,
    )
    found = contest.run()
    choices = tuple(
        Choice(
            name=name,
            values=dict(zip(tables.measures, found.values[place], strict=True)),
            behind=found.behind[place],
            maybe_best=found.open[place],
            samples=found.played[place],
        )
        for place, name in enumerate(tables.names)
    )
    return Advice(
        game=game,
        choices=choices,
        best=found.best,
        measure=chosen,
        samples=found.samples,
        effective=found.effective,
        dealt=tables.dealt,
        field=tuple(strategy.spec for strategy in line_up),
        seed=number,
        precision=indifference,
        answered=found.answered,
        given_up=tables.given_up / tables.ends,
    )


def game_of(spot: object) -> str:
    """Return the game of a spot."""
    from simulate.napalm.spot import NapalmSpot
    from simulate.noddy.spot import NoddySpot

    if isinstance(spot, NapalmSpot):
        return "napalm"
    if isinstance(spot, NoddySpot):
        return "noddy"
    raise InputError(f"spot {spot!r}: allowed is a NapalmSpot or a NoddySpot")


def _adviser(game: str) -> Any:
    return import_module(f"simulate.{game}.adviser")


def _check_measure(game: str, measure: str | None) -> str:
    if measure is None:
        return MEASURES[game][0]
    if measure not in MEASURES[game]:
        raise unknown(f"measure of {game}", measure, MEASURES[game])
    return measure


def _number(what: str, value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]  # whatever it is
    except (TypeError, ValueError):
        raise InputError(f"{what} {value!r} is not a number") from None


def seat_field(
    game: str,
    players: int,
    position: int,
    field: str | Strategy | Sequence[str | Strategy] | None,
    own: str | Strategy | None,
) -> list[Strategy]:
    """Load who plays in each position.

    Parameters
    ----------
    game : str
    players, position : int
        How many there are, and where the player sits.
    field : str, Strategy or sequence
        One for all others, or one for each of them in the order of positions.
    own : str, Strategy, optional
        The player's own; that of the others when None, of the one after him if they differ.
    """
    from strategies import Strategy, parse_line_up

    named: Any = FIELD[game] if field is None else field
    if not isinstance(named, str | os.PathLike | Strategy | Sequence):
        raise InputError(f"field {field!r}: strategies are wanted, as in 'tight'")
    others = parse_line_up(named, game)
    if len(others) == 1:
        others *= players - 1
    if len(others) != players - 1:
        raise InputError(
            f"field names {len(others)} strategies: allowed are 1 for all, or one for each of the "
            f"{players - 1} others"
        )
    mine = parse_line_up(own, game) if own is not None else [others[position % len(others)]]
    if len(mine) != 1:
        raise InputError(f"own names {len(mine)} strategies: one is wanted")
    return [*others[:position], mine[0], *others[position:]]
