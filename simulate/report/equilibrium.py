"""The report of a search for an equilibrium."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from simulate.equilibrium import Equilibrium, reopen
from simulate.question import Unit
from simulate.report.page import Cell, Rows, Section, page, table
from simulate.report.setting import again, asked_command, finished, lead, players, setting
from simulate.results import Results
from simulate.stats import Estimate


def page_of(results: Results) -> str:
    """Return the page of a search for an equilibrium."""
    found = reopen(finished(results).path).answer(results.path)
    config, names = results.config, " and ".join(found.point)
    sections = [
        Section("Where everybody can play alike", points(found)),
        Section("What it would bring to leave it", changes(found)),
        setting(results, [("games", f"{found.games:,} for each change that was tried")]),
        players(found.question.strategies, found.question.game, seats=False),
        again(command(config), results),
    ]
    question = f"With which {names} can everybody play alike, so that no own change pays?"
    title = f"{found.question.game.capitalize()}: equilibrium of {names}"
    return page(title, lead(question, found.sentence), sections, escape(str(results.path)))


def points(found: Equilibrium) -> str:
    """Write the point."""
    rows: Rows = [
        (name, Cell(f"{each.value:.4f}", each.value, f"± {each.margin:.4f}"))
        for name, each in found.point.items()
    ]
    head = ("parameter", "everybody alike" if found.found else "where the search ended")
    return table(head, rows, "With the 95% interval of each.")


def changes(found: Equilibrium) -> str:
    """Write what a single player gains by other values."""
    unit = Unit.of(found.measure)
    rows: Rows = []
    for _, row in found.deviations.iterrows():
        gain = Estimate(row["gain"], row["gain_low"], row["gain_high"], 0.0, found.games)
        values = (Cell(f"{row[name]:g}", float(row[name])) for name in found.point)
        rows.append((*values, Cell(unit.signed(gain), float(gain.value))))
    under = "Against all others at the point, the same cards; 95% for all changes together."
    return table((*found.point, f"gain ({unit.name})"), rows, under)


def command(config: Mapping[str, Any]) -> str:
    """Return the command that asks the same."""
    words = ["--equilibrium"]
    for each in config["vary"]:
        words += ["--vary", f"{each['target']}={','.join(each['values'])}"]
    return asked_command(config, *words, "--measure", config["measure"])
