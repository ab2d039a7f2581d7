"""The report of a run of Napalm."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import pandas as pd
from matplotlib.ticker import MaxNLocator, PercentFormatter

from simulate import plots
from simulate.napalm.rates import rates
from simulate.napalm.report import document
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

NUMBERS = ("four", "five", "six", "seven")
MOST_LINES = 7  # in one picture: as many as players
STAGES = {1: "1 (two cards)", 2: "2 (five)", 3: "3 (seven)"}
TOO_FEW = paragraph("These are too few games to tell.")


def page_of(results: Results) -> str:
    """Return the page of a run of Napalm."""
    found = document(results)
    config = found["config"]
    entries = sorted(found["strategies"], key=lambda entry: -entry["net"]["value"])
    games = counted(found["games"], "game")
    sections = [
        standing(entries, config["players"]),
        words(entries, config["players"]),
        said_with(results, entries),
        hands(results, config["players"]),
        setting(results, [("games", f"{games}, {found['deals']:,} deals"), sat(config)]),
        players([slot["spec"] for slot in config["strategies"]], "napalm"),
        again(run_command(config), results),
    ]
    number = NUMBERS[config["players"] - 4]
    title = f"Napalm: {number} players, {games}"
    question = f"Who gains when these {number} sit down together, and by saying what?"
    answer = leader(entries, "net", "gains most", "stakes a game and seat", "{:+.3f}")
    foot = f"{escape(str(results.path))} · intervals hold the true value with 95% probability"
    return page(title, lead(question, answer, *notes(found)), sections, foot)


def notes(found: Mapping[str, Any]) -> list[str]:
    """Say what else there is to know about the games."""
    lengths = found["lengths"]
    half, most = lengths["median"], lengths["ninety_five_percent"]
    deals = f"A game has {lengths['mean']:.2f} deals on average"
    lines = [f"{deals}, half of the games at most {half}, 95% at most {most}."]
    if found["truncated"]:
        lines.append(f"{found['truncated'] / found['games']:.2%} of the games had no winner.")
    if not found["complete"]:
        lines.append(f"The run is not complete: so far {found['games']:,} games are done.")
    return lines


def standing(entries: list[dict[str, Any]], number: int) -> Section:
    """Show what each strategy won."""
    rows: Rows = [
        (
            entry["strategy"],
            Cell(str(entry["seats"]), entry["seats"]),
            estimated(entry["won"], "{:.2%}"),
            estimated(entry["net"], "{:+.3f}"),
        )
        for entry in entries
    ]
    head = ("strategy", "seats", "games won", "net a game")
    caption = f"For each of its seats, net in stakes. Among equals everybody wins {1 / number:.1%}."
    parts = [table(head, rows, caption)]
    if all(entry["net"]["low"] is not None for entry in entries):
        columns = [
            {
                "strategy": entry["strategy"],
                "net": entry["net"]["value"],
                "net_low": entry["net"]["low"],
                "net_high": entry["net"]["high"],
            }
            for entry in entries
        ]
        ax = plots.standings(pd.DataFrame(columns))
        caption = "Net stakes, for each seat and game, with 95% intervals."
        parts.append(picture(ax, "standing", "net stakes of each strategy", caption))
    return Section("Who gains", side_by_side(*parts))


def words(entries: list[dict[str, Any]], number: int) -> Section:
    """Show what was said at each stage, and how it came out."""
    rows: Rows = []
    for entry in entries:
        for word in entry["words"]:
            yes = word["yes"]
            stage = f"{word['stage']}{', challenged' if word['turn'] == 2 else ''}"
            shares = [
                (yes, word["asked"]),
                (word["lone"], yes),
                (word["showdowns"], yes),
                (word["best_of_yes"], yes),
                (word["best_of_all"], yes),
            ]
            each = ratio(word["net"], yes)
            brought = Cell("–") if each is None else Cell(f"{each:+.2f}", each)
            order = word["stage"] + (word["turn"] - 1) / 2
            rows.append((entry["strategy"], Cell(stage, order), *map(share, shares), brought))
    head = (
        "strategy", "stage", "says Yes", "lone", "showdown", "best of those", f"best of {number}",
        "stakes",
    )  # fmt: skip
    caption = (
        "Of its Yes: how many were the only one, met others, were the best or tied among those who "
        f"said Yes, and among all {number}; and the stakes that each brought at its stage."
    )
    return Section("What they said", table(head, rows, caption))


def said_with(results: Results, entries: list[dict[str, Any]]) -> Section:
    """Show with which hands and in which positions Yes was said at the first stage."""
    names = [entry["strategy"] for entry in entries][:MOST_LINES]
    only = {"stage": 1, "turn": 1, "strategy": names}
    parts = []
    by_strength = rates(results, "yes", ["strategy", "strength"], **only)
    if len(by_strength):
        ax = plots.curves(
            by_strength,
            "strength",
            "rate",
            "strategy",
            x_label="strength (share of all hands that this hand beats)",
            y_label="chances to speak at which Yes is said",
        )
        ax.set_ylim(-0.02, 1.02)
        ax.yaxis.set_major_formatter(PercentFormatter(1.0))
        caption = "Stage 1: how often Yes is said with a hand of that strength."
        parts.append(picture(ax, "by-strength", "share of Yes by strength", caption))
    by_position = rates(results, "yes", ["strategy", "position"], **only)
    if len(by_position):
        ax = plots.yes_rate_by_position(by_position, "strategy")
        caption = "Stage 1: how often Yes is said from eldest round to the dealer."
        parts.append(picture(ax, "by-position", "share of Yes by position", caption))
    return Section("When they said Yes", side_by_side(*parts) if parts else TOO_FEW)


def hands(results: Results, number: int) -> Section:
    """Show how often a hand is the best."""
    parts = []
    by_strength = rates(results, "best", ["stage", "strength"])
    if len(by_strength):
        by_strength["stage"] = by_strength["stage"].map(STAGES)
        ax = plots.win_rate_by_strength(by_strength, "stage")
        ax.set_ylabel(f"hands that are the best of {number}")
        caption = "How often a hand of that strength was the best, or tied for it, stage by stage."
        parts.append(picture(ax, "best", "share of best hands by strength", caption))
    by_heard = rates(results, "takes", ["stage", "heard"], turn=1)
    if len(by_heard):
        by_heard["stage"] = by_heard["stage"].map(STAGES)
        ax = plots.curves(
            by_heard,
            "heard",
            "rate",
            "stage",
            x_label="Yes heard before",
            y_label="Yes that took stakes",
        )
        ax.set_ylim(0, 1)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.yaxis.set_major_formatter(PercentFormatter(1.0))
        caption = "How often a Yes took stakes, by how many had said Yes before it."
        parts.append(picture(ax, "heard", "share of Yes that took stakes by Yes heard", caption))
    worth = side_by_side(*parts)
    by_hand = rates(results, "best", "hand", stage=1)
    if len(by_hand):
        ax = plots.win_rate_by_hand(by_hand)
        caption = f"Stage 1: how often each hand of two cards was the best of {number}, or tied."
        title = "share of best hands by hand of two cards"
        worth += picture(ax, "hands", title, caption, wide=True)
    return Section("What hands are worth", worth if parts else TOO_FEW)
