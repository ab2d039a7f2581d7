"""The report of a sweep."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from simulate import plots
from simulate.question import MEASURES, Unit, head_of
from simulate.report.page import Cell, Rows, Section, page, picture, table
from simulate.report.setting import again, asked_command, finished, lead, players, setting
from simulate.results import Results
from simulate.stats import Estimate
from simulate.sweeping import Sweep, reopen


def page_of(results: Results) -> str:
    """Return the page of a sweep."""
    found = reopen(finished(results).path).answer(results.path)
    config, names = results.config, [each.target for each in found.varied]
    equals = int(found.points["maybe_best"].sum())
    shown = "Framed" if len(names) == 2 else "Ringed"
    caption = f"The best point has a star. {shown}: the {equals} that cannot be told from it."
    drawn = picture(draw(found), "points", f"{found.measure} by {' and '.join(names)}", caption)
    measures = MEASURES[found.question.game]
    rows: Rows = [
        (
            *(value(row[name]) for name in names),
            *(estimate(row, name, found.games) for name in measures),
            Cell(f"{row['deals']:.2f}", float(row["deals"])),
            "best" if row["best"] else "maybe" if row["maybe_best"] else "",
        )
        for _, row in found.points.iterrows()
    ]
    head = (*names, *map(head_of, measures), "deals a game", "the best?")
    under = (
        "For one seat and one game, with the 95% interval of each point alone. All points share "
        "their cards: which of them may be the best is judged by paired differences."
    )
    sections = [
        Section("What came out", drawn + table(head, rows, under)),
        setting(results, [("games", f"{found.games:,} at each of {len(found.points)} points")]),
        players(found.question.strategies, found.question.game, seats=False),
        again(command(config), results),
    ]
    title = f"{found.question.game.capitalize()}: {' and '.join(names)}"
    both = " and ".join(names)
    question = f"What does it come to when {both} {'are' if len(names) == 2 else 'is'} varied?"
    words = lead(question, found.sentence)
    return page(title, words, sections, escape(str(results.path)))


def draw(found: Sweep) -> Axes:
    """Draw a curve over one thing that is varied, a map over two."""
    names, unit = [each.target for each in found.varied], Unit.of(found.measure)
    if len(names) == 2:
        x, y = names
        return plots.heat_map(found.points, x, y, found.measure, value_label=unit.name)
    return plots.threshold_curve(found.points, names[0], found.measure, y_label=unit.name)


def value(varied: Any) -> Cell:
    """Write a value of what is varied."""
    return Cell(str(varied)) if isinstance(varied, str) else Cell(f"{varied:g}", float(varied))


def estimate(row: pd.Series, measure: str, games: int) -> Cell:
    """Write what a point comes to."""
    found = Estimate(row[measure], row[f"{measure}_low"], row[f"{measure}_high"], 0.0, games)
    return Cell(Unit.of(measure).level(found), float(found.value))


def command(config: Mapping[str, Any]) -> str:
    """Return the command that asks the same."""
    words = []
    for each in config["vary"]:
        words += ["--vary", f"{each['target']}={','.join(each['values'])}"]
    for spec in config["line_up"]:
        words += ["--strategy", spec]
    for spec in config["field"]:
        words += ["--field", spec]
    return asked_command(config, *words, "--of", ",".join(map(str, config["of"])))
