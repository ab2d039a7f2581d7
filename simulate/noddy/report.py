"""What happened in a run of Noddy: as a document for programs, and as tables for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from simulate.noddy.rules import NAMES
from simulate.stats import Estimate, share_interval
from simulate.text import cell, columns, estimated, percent, ratio, with_margin

if TYPE_CHECKING:
    from simulate.results import Results

ALL_SEATS = -1


def document(results: Results) -> dict[str, Any]:
    """Collect what happened in a run, as JSON takes it.

    Parameters
    ----------
    results : Results
        The results of a run, complete or not.

    Returns
    -------
    dict
        ``path``, ``config``, ``complete``, ``games``, ``truncated``, ``won_by_jack``, ``deals``,
        ``dead`` deals and ``jacks`` turned up, and a list of ``strategies``, each with its share of
        ``won`` games for each of its seats, its ``turns``, those of the games it won, and how
        often it made each of its ``moves``, for how many points.
    """
    totals = results.arrow("totals").to_pylist()[0]
    moves = _by_strategy(results, "moves")
    lengths = _by_strategy(results, "lengths")
    strategies = []
    for row in results.arrow("results").to_pylist():
        if row["seat"] != ALL_SEATS:
            continue
        strategy = row["strategy"]
        won_after = sum(line["turns"] * line["won"] for line in lengths[strategy])
        strategies.append(
            {
                **_result(row),
                "turns": sum(move["times"] for move in moves[strategy]),
                "points": sum(move["points"] for move in moves[strategy]),
                "games_won": row["won"],
                "turns_of_games_won": won_after,
                "moves": {
                    move["move"]: {"times": move["times"], "points": move["points"]}
                    for move in moves[strategy]
                },
            }
        )
    return {
        "path": str(results.path),
        "config": results.config,
        "complete": results.complete,
        **totals,
        "strategies": strategies,
    }


def _by_strategy(results: Results, table: str) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {
        row["strategy"]: [] for row in results.arrow("results").to_pylist()
    }
    for row in results.arrow(table).to_pylist():
        found[row["strategy"]].append(row)
    return found


def _result(row: Mapping[str, Any]) -> dict[str, Any]:
    """Estimate what a strategy won, divided by the seats it fills in each game."""
    games, won, seats = row["games"], row["won"], row["seats"]

    def for_each_seat() -> Estimate:
        estimate = share_interval(won, games)
        value, low, high, error = (number / seats for number in estimate[:4])
        return Estimate(value, low, high, error, estimate.n)

    return {
        "strategy": row["strategy"],
        "seats": seats,
        "won": estimated(won / games / seats, for_each_seat),
    }


def text(results: Results, colour: bool = False) -> str:
    """Tell what happened in a run.

    Parameters
    ----------
    results : Results
        The results of a run, complete or not.
    colour : bool
        Print heads of columns in bold.
    """
    found = document(results)
    games, deals = found["games"], found["deals"]
    turns = sum(entry["turns"] for entry in found["strategies"])
    lines = ["", *_won(found, colour), "", *_moves(found, colour), ""]
    lines.append(f"A game has {deals / games:.2f} deals and {turns / games:.1f} turns on average.")
    dead, by_jack = found["dead"] / deals, found["won_by_jack"] / games
    lines.append(f"Dead deals: {dead:.2%}; games won by a turned-up jack: {by_jack:.2%}.")
    if found["truncated"]:
        share = found["truncated"] / games
        most = found["config"]["rules"]["max_deals"]
        lines.append(f"{share:.2%} of the games were truncated: nobody had won after {most} deals.")
    return "\n".join(lines)


def _won(found: Mapping[str, Any], colour: bool) -> list[str]:
    rows = [
        (
            entry["strategy"],
            str(entry["seats"]),
            with_margin(entry["won"], lambda share: percent(share, 2)),
            cell(ratio(entry["points"], entry["turns"]), lambda points: f"{points:.3f}"),
            f"{entry['turns'] / found['games'] / entry['seats']:.2f}",
            cell(ratio(entry["turns_of_games_won"], entry["games_won"]), lambda x: f"{x:.2f}"),
        )
        for entry in _best_first(found)
    ]
    head = ("strategy", "seats", "games won", "points a turn", "turns a game", "turns to win")
    return [*columns(head, rows, colour), "(for each of its seats, with 95% intervals)"]


def _moves(found: Mapping[str, Any], colour: bool) -> list[str]:
    entries = _best_first(found)
    rows = []
    for name in (*NAMES, "draw", "pass"):
        if not any(name in entry["moves"] for entry in entries):
            continue
        made = [entry["moves"].get(name, {"times": 0}) for entry in entries]
        shares = [ratio(m["times"], entry["turns"]) for m, entry in zip(made, entries, strict=True)]
        rows.append((name, *(cell(share, lambda x: percent(x, 2)) for share in shares)))
    head = ("of its turns", *(entry["strategy"] for entry in entries))
    return columns(head, rows, colour)


def _best_first(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    return sorted(found["strategies"], key=lambda entry: -entry["won"]["value"])
