"""The report of a tournament."""

from __future__ import annotations

from html import escape

from simulate import plots
from simulate.numerals import counted
from simulate.question import MEASURES, Unit, head_of
from simulate.report.page import Cell, Rows, Section, page, picture, table
from simulate.report.setting import again, asked_command, finished, lead, players, setting
from simulate.report.sweep import estimate
from simulate.results import Results
from simulate.tournaments import reopen


def page_of(results: Results) -> str:
    """Return the page of a tournament."""
    found = reopen(finished(results).path).answer(results.path)
    config, unit = results.config, Unit.of(found.measure)
    measures = MEASURES[found.question.game]
    rows: Rows = [
        (
            str(row["strategy"]),
            Cell(str(place), float(place)),
            *(estimate(row, name, found.games) for name in measures),
            str(row["group"]),
        )
        for place, (_, row) in enumerate(found.ranking.iterrows(), start=1)
    ]
    head = ("strategy", "rank", *map(head_of, measures), "group")
    under = "Two strategies that share no letter are told apart, at 95% for all pairs together."
    label = f"gain ({unit.name})"
    standing = plots.standings(found.ranking, value=found.measure, value_label=unit.name)
    cross = plots.cross_table(found.cross, value_label=label)
    taken = "What the row gains from the column where both sit."
    pictures = [
        picture(standing, "standing", "ranking", "The ranking, with 95% intervals."),
        picture(cross, "cross", "who gains from whom", taken, wide=True),
    ]
    where = f"{counted(len(found.tables), 'table')} of {config['players']}"
    sections = [
        Section("The ranking", table(head, rows, under) + pictures[0]),
        Section("Who gains from whom", pictures[1]),
        setting(results, [("games", f"{found.games:,} at {where}, every two equally often")]),
        players(found.question.strategies, found.question.game, seats=False),
        again(command(results), results),
    ]
    title = f"{found.question.game.capitalize()}: a tournament of {len(rows)}"
    question = "Everybody meets everybody equally often. Who comes out best, and from whom?"
    return page(title, lead(question, found.sentence), sections, escape(str(results.path)))


def command(results: Results) -> str:
    """Return the command that asks the same."""
    config = results.config
    words = [word for slot in config["strategies"] for word in ("-s", slot["spec"])]
    again = dict(config, games=config["games"] * config["players"])  # of all tables together
    return asked_command(again, *words)
