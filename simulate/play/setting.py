"""Who sits where at a table with a person, by which rules, with which cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simulate.config import check_game, check_players, content_hash
from simulate.errors import InputError
from simulate.numerals import whole_number
from simulate.request import LINE_UP, PLAYERS, choose_rules

if TYPE_CHECKING:
    from simulate.config import Rules
    from strategies import Strategy

YOU = "you"
"""How the person's seat is called, on the table and in game logs."""


@dataclass(frozen=True)
class Setting:
    """Everything but the index that decides a game, apart from what the person answers.

    Parameters
    ----------
    game : {"napalm", "noddy"}
        The game.
    rules : NapalmRules or NoddyRules
        Its rules.
    others : tuple of Strategy
        The strategies in the other seats, in the order of the seats.
    seat : int
        Where the person sits.
    seed : int
        The seed; game ``i`` has the same cards as in any run of this seed.
    """

    game: str
    rules: Rules
    others: tuple[Strategy, ...]
    seat: int
    seed: int

    @property
    def strategies(self) -> list[Strategy | None]:
        """The strategy in each seat; None where the person sits."""
        return [*self.others[: self.seat], None, *self.others[self.seat :]]

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return len(self.others) + 1

    @property
    def seats(self) -> list[str]:
        """The name of each seat, as game logs have it."""
        return [YOU if strategy is None else strategy.spec for strategy in self.strategies]

    @property
    def labels(self) -> list[str]:
        """What each seat is called when something is told of it."""
        return [
            YOU if seat == self.seat else f"seat {seat} {name}"
            for seat, name in enumerate(self.seats)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON takes it, with the sources of the strategies."""
        return {
            "game": self.game,
            "rules": self.rules.to_dict(),
            "seats": self.seats,
            "sources": [
                YOU if strategy is None else strategy.source_hash for strategy in self.strategies
            ],
            "seed": str(self.seed),
        }

    @property
    def name(self) -> str:
        """A name for its file, for example ``napalm-5p-0123456789abcdef``."""
        return f"{self.game}-{self.players}p-{content_hash(self.to_dict())}"


def choose_setting(
    game: str,
    *,
    others: Sequence[str | Strategy] | None = None,
    players: object = None,
    seat: object = 0,
    seed: object = 1,
    rules: str | Mapping[str, Any] | Rules | None = None,
) -> Setting:
    """Make a setting from what a person asks for.

    Parameters
    ----------
    game : {"napalm", "noddy"}
        The game.
    others : sequence of str or Strategy, optional
        Who else plays. A sensible line-up when None.
    players : int, optional
        How many sit at the table, the person among them.
    seat, seed : int
        Where the person sits, and the seed.
    rules : str, mapping, NapalmRules or NoddyRules, optional
        As in `simulate.run`.

    Raises
    ------
    InputError
        When anything of it is not allowed.
    """
    from strategies import parse_line_up

    check_game(game)
    wanted = None if players is None else check_players(game, players)
    if others is None:
        others = LINE_UP[game][: (wanted or PLAYERS[game]) - 1]
    line_up = parse_line_up(others, game)
    number = len(line_up) + 1
    if wanted not in (None, number):
        named = "1 strategy" if number == 2 else f"{number - 1} strategies"
        raise InputError(f"{named} and you are {number} players, not {wanted}")
    check_players(game, number)
    return Setting(
        game=game,
        rules=choose_rules(game, rules),
        others=tuple(line_up),
        seat=whole_number("seat", seat, 0, number - 1),
        seed=whole_number("seed", seed, 0),
    )
