"""The report of a run of Noddy."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import pandas as pd
from matplotlib.ticker import PercentFormatter

from simulate import plots
from simulate.noddy.rates import chances_by_lead, chances_by_turns
from simulate.noddy.report import document
from simulate.noddy.rules import NAMES
from simulate.numerals import counted
from simulate.report.page import Cell, Rows, Section, page, paragraph, picture, side_by_side, table
from simulate.report.setting import (
    again,
    estimated,
    lead,
    leader,
    players,
    run_command,
    sat,
    setting,
    share,
)
from simulate.results import Results
from simulate.text import ratio

NUMBERS = {2: "two", 3: "three", 4: "four"}
MOST_LINES = 7
TURNS = (2, 4, 6)
TOO_FEW = paragraph("These are too few games to tell.")


def page_of(results: Results) -> str:
    """Return the page of a run of Noddy."""
    found = document(results)
    config = found["config"]
    entries = sorted(found["strategies"], key=lambda entry: -entry["won"]["value"])
    games = counted(found["games"], "game")
    sections = [
        standing(entries, found["games"], config["players"]),
        moves(entries),
        race(results, entries),
        setting(results, [("games", f"{games}, {found['deals']:,} deals"), sat(config)]),
        players([slot["spec"] for slot in config["strategies"]], "noddy"),
        again(run_command(config), results),
    ]
    number = NUMBERS[config["players"]]
    question = f"Who is first at {config['rules']['target']} points when these {number} race?"
    answer = leader(entries, "won", "wins most", "of the games", "{:.2%}")
    foot = f"{escape(str(results.path))} · intervals hold the true value with 95% probability"
    title = f"Noddy: {number} players, {games}"
    return page(title, lead(question, answer, *notes(found)), sections, foot)


def notes(found: Mapping[str, Any]) -> list[str]:
    """Say what else there is to know about the games."""
    games, deals = found["games"], found["deals"]
    turns = sum(entry["turns"] for entry in found["strategies"])
    dead, by_jack = found["dead"] / deals, found["won_by_jack"] / games
    lines = [
        f"A game has {deals / games:.2f} deals and {turns / games:.1f} turns on average.",
        f"Dead deals: {dead:.2%}; games won by a turned-up jack: {by_jack:.2%}.",
    ]
    if found["truncated"]:
        lines.append(f"{found['truncated'] / games:.2%} of the games had no winner.")
    if not found["complete"]:
        lines.append(f"The run is not complete: so far {games:,} games are done.")
    return lines


def standing(entries: list[dict[str, Any]], games: int, number: int) -> Section:
    """Show what each strategy won."""
    rows: Rows = []
    for entry in entries:
        a_turn = ratio(entry["points"], entry["turns"]) or 0.0
        a_game = entry["turns"] / games / entry["seats"]
        to_win = ratio(entry["turns_of_games_won"], entry["games_won"])
        rows.append(
            (
                entry["strategy"],
                Cell(str(entry["seats"]), entry["seats"]),
                estimated(entry["won"], "{:.2%}"),
                Cell(f"{a_turn:.3f}", a_turn),
                Cell(f"{a_game:.2f}", a_game),
                Cell("–") if to_win is None else Cell(f"{to_win:.2f}", to_win),
            )
        )
    head = ("strategy", "seats", "games won", "points a turn", "turns a game", "turns to win")
    caption = f"For each of its seats. Among equals everybody wins {1 / number:.1%}."
    parts = [table(head, rows, caption)]
    if all(entry["won"]["low"] is not None for entry in entries):
        columns = [
            {
                "strategy": entry["strategy"],
                "won": entry["won"]["value"],
                "won_low": entry["won"]["low"],
                "won_high": entry["won"]["high"],
            }
            for entry in entries
        ]
        ax = plots.standings(
            pd.DataFrame(columns),
            value="won",
            value_label="games won",
            reference=1 / number,
            form=PercentFormatter(1.0),
        )
        caption = "Games won, for each seat, with 95% intervals; the line is an equal share."
        parts.append(picture(ax, "standing", "games won by each strategy", caption))
    return Section("Who wins", side_by_side(*parts))


def moves(entries: list[dict[str, Any]]) -> Section:
    """Show how often each combination was laid."""
    rows: Rows = []
    for name in (*NAMES, "draw", "pass"):
        if any(name in entry["moves"] for entry in entries):
            pairs = [
                (entry["moves"].get(name, {"times": 0})["times"], entry["turns"])
                for entry in entries
            ]
            rows.append((name, *map(share, pairs)))
    head = ("move", *(entry["strategy"] for entry in entries))
    caption = "Of a strategy's turns: how many were a combination of that name, a draw or a pass."
    return Section("What they laid", table(head, rows, caption))


def race(results: Results, entries: list[dict[str, Any]]) -> Section:
    """Show how the race went."""
    names = [entry["strategy"] for entry in entries][:MOST_LINES]
    parts = []
    by_turns = chances_by_turns(results, names)
    if len(by_turns):
        ax = plots.curves(
            by_turns, "turn", "rate", "strategy", x_label="own turns", y_label="games won by then"
        )
        ax.yaxis.set_major_formatter(PercentFormatter(1.0))
        ax.set_ylim(0, None)
        caption = "How many of the games a player had won after so many turns of his own."
        parts.append(picture(ax, "turns", "games won by turns taken", caption))
    by_lead = chances_by_lead(results, TURNS)
    if len(by_lead):
        ax = plots.curves(
            by_lead,
            "lead",
            "rate",
            "turn",
            x_label="points ahead of the best other player",
            y_label="games won in the end",
        )
        ax.yaxis.set_major_formatter(PercentFormatter(1.0))
        ax.set_ylim(0, 1)
        caption = "What a lead is worth after two, four and six turns of one's own."
        parts.append(picture(ax, "leads", "games won by lead", caption))
    return Section("How the race went", side_by_side(*parts) if parts else TOO_FEW)
