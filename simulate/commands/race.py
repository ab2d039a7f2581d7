"""What a solved race of Noddy says, as text."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from simulate.numerals import counted

if TYPE_CHECKING:
    from simulate.alone import Alone
    from simulate.racing import RaceSolution
    from strategies.race import RaceTable

SHOWN = (1, 6, 15, 16, 25, 31)
"""The classes of points to go that are shown; the others are rare."""


def show_race(found: RaceSolution) -> str:
    """Write a solution as text."""
    about = found.race.about
    rounds = counted(about["rounds"], "round")
    lines = [
        f"noddy, the race between two, hold: {rounds} of {about['games']:,} games",
        "",
        *race_lines(found.race, 3, 3),
    ]
    if "ahead_games" in about:
        gain, error = 100 * about["ahead_gain"], 196 * about["ahead_error"]
        ahead = (
            f"Looking one step ahead in {about['ahead_games']:,} games changes "
            f"{about['ahead_changed']:,} of {about['ahead_looked']:,} close decisions and gains "
            f"{gain:+.3f} ± {error:.3f} per cent of the games."
        )
        lines += ["", ahead]
    return "\n".join([*lines, "", f"strategy: {found.file}"])


def show_alone(found: Alone) -> str:
    """Write what a lone player needs as text."""
    return (
        "noddy, a lone player, hold: turns until he has finished, on average\n\n"
        f"hoarder: {float(found.hoarder):.6f}, exactly {found.hoarder}\n"
        f"nobody: fewer than {found.fewest:.4f}\n"
        f"{found.strategy}: {found.turns:.4f} ± {1.96 * found.error:.4f}, "
        f"in {found.games:,} games"
    )


def race_lines(race: RaceTable, cards: int, others: int) -> list[str]:
    """Write the chances to win of the player whose turn it is: a row for his points to go."""
    from simulate.commands.show import may_colour
    from simulate.text import columns
    from strategies.race import AT_MOST, FRESH

    places = [AT_MOST.index(to_go) for to_go in SHOWN]
    chances = race.win[:, cards - FRESH, :, others - FRESH]
    rows = [
        [span(place), *(f"{100 * chances[place, other]:.1f}" for other in places)]
        for place in places
    ]
    head = (
        f"Chance to win in per cent of the player whose turn it is, with {cards} cards against "
        f"{others}, by the points that he needs and (columns) those that the other one needs:"
    )
    names = ["to go", *map(span, places)]
    return [head, "", *columns(names, rows, colour=may_colour(sys.stdout))]


def span(place: int) -> str:
    """Write a class of points to go, for example ``"26 to 31"``."""
    from strategies.race import AT_MOST

    low = AT_MOST[place - 1] + 1 if place else 1
    return f"{low} to {AT_MOST[place]}" if low < AT_MOST[place] else f"{low}"
