"""The report of a comparison."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import pandas as pd

from simulate import plots
from simulate.comparison import reopen
from simulate.paired import sums_by_part
from simulate.pairs import Reading
from simulate.question import MEASURES, Unit, head_of
from simulate.report.page import Cell, Rows, Section, page, picture, side_by_side, table
from simulate.report.setting import again, asked_command, finished, lead, players, setting
from simulate.results import Results
from simulate.stats import Estimate, TooFewGamesError, paired_interval

SIDES = ("first", "second", "difference")


def page_of(results: Results) -> str:
    """Return the page of a comparison."""
    asked = reopen(finished(results).path)
    found = asked.answer(results.path)
    about = found.question.asked
    names = [str(about["first"]), str(about["second"]), "difference"]
    rows: Rows = [
        (name, *(level(Unit.of(measure), cells[what]) for measure, cells in found.results.items()))
        for name, what in zip(names, SIDES, strict=True)
    ]
    head = ("", *map(head_of, found.results))
    caption = "For one seat and one game, with 95% intervals that allow for an early end."
    where = f"among {', '.join(about['field'])}" if about["field"] else "at one table"
    parts = [table(head, rows, caption), *running(results, found.stop.measure)]
    sections = [
        Section("How they compare", side_by_side(*parts)),
        setting(results, [("games", f"{found.games:,}, each twice with the same cards")]),
        players(found.question.strategies, found.question.game, seats=False),
        again(command(results.config), results),
    ]
    title = f"{found.question.game.capitalize()}: {names[0]} or {names[1]}?"
    question = f"Is {names[0]} better than {names[1]}, {where} of {about['players']}?"
    words = lead(question, found.sentence, found.gained, found.ending)
    return page(title, words, sections, escape(str(results.path)))


def command(config: Mapping[str, Any]) -> str:
    """Return the command that asks the same."""
    words = [config["first"], config["second"]]
    for spec in config["field"]:
        words += ["--field", spec]
    stop = config["stop"]
    words += ["--measure", stop["measure"]]
    if stop["precision"] is not None:
        words += ["--precision", f"{stop['precision']:g}"]
    if stop["test"] is not None:
        test = stop["test"]
        words += ["--sprt", f"{test['null']:g}", f"{test['alternative']:g}"]
        words += ["--alpha", f"{test['false_positive']:g}", "--beta", f"{test['miss']:g}"]
    return asked_command(config, *words)


def level(unit: Unit, found: Estimate | None) -> Cell:
    """Write an estimate, if there is one."""
    return Cell("–") if found is None else Cell(unit.level(found), found.value)


def running(results: Results, measure: str) -> list[str]:
    """Draw how the difference settled down, part by part, if there are several."""
    asked = reopen(results.path)
    seats = len(asked.layout.chosen[0][0])
    reading = Reading(MEASURES[asked.question.game], asked.layout.apart, seats)
    rows, so_far = [], None
    for part in sums_by_part(results):
        so_far = part["pairs"] if so_far is None else so_far + part["pairs"]
        try:
            found = paired_interval(reading.pairs(so_far, measure))
        except TooFewGamesError:
            continue
        rows.append((found.n, found.value, found.low, found.high))
    if len(rows) < 2:
        return []
    frame = pd.DataFrame(rows, columns=["games", "value", "value_low", "value_high"])
    ax = plots.running_estimate(frame, y_label=f"difference ({Unit.of(measure).name})")
    caption = "The difference as the games were played, with the plain interval at each point."
    return [picture(ax, "running", "the difference by number of games", caption)]
