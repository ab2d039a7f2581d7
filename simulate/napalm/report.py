"""What happened in a run of Napalm: as a document for programs, and as tables for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from simulate.arrow import grouped
from simulate.stats import Estimate, mean_interval, share_interval
from simulate.text import cell, columns, estimated, percent, ratio, with_margin

if TYPE_CHECKING:
    from simulate.results import Results

ALL_SEATS = -1
SUMS = ("count", "best", "lone", "won", "tied", "lost", "net")
NOTHING = dict.fromkeys(SUMS, 0)


def document(results: Results) -> dict[str, Any]:
    """Collect what happened in a run, as JSON takes it.

    Parameters
    ----------
    results : Results
        The results of a run, complete or not.

    Returns
    -------
    dict
        ``path``, ``config``, ``complete``, ``games``, ``truncated``, ``deals``, the ``lengths`` of
        games, and a list of ``strategies``, each with its share of ``won`` games and ``net``
        stakes, for each of its seats and game, and its ``words`` by stage and turn.
    """
    totals = results.arrow("totals").to_pylist()[0]
    words = _words(results)
    strategies = [
        {**_result(row), "words": words.get(row["strategy"], [])}
        for row in results.arrow("results").to_pylist()
        if row["seat"] == ALL_SEATS
    ]
    lengths = sorted(map(tuple, _values(results, "lengths", "deals", "games")))
    return {
        "path": str(results.path),
        "config": results.config,
        "complete": results.complete,
        **totals,
        "lengths": {
            "mean": totals["deals"] / totals["games"],
            "median": _quantile(lengths, 0.5),
            "ninety_five_percent": _quantile(lengths, 0.95),
        },
        "strategies": strategies,
    }


def _values(results: Results, table: str, *names: str) -> list[list[Any]]:
    columns = [results.arrow(table)[name].to_pylist() for name in names]
    return [list(row) for row in zip(*columns, strict=True)]


def _quantile(lengths: list[tuple[int, int]], share: float) -> int:
    """Return the least number of deals that so many games do not exceed."""
    wanted, so_far = share * sum(games for _, games in lengths), 0
    for deals, games in lengths:
        so_far += games
        if so_far >= wanted:
            return deals
    return 0


def _result(row: Mapping[str, Any]) -> dict[str, Any]:
    """Estimate what a strategy won, divided by the seats it fills in each game."""
    games, seats = row["games"], row["seats"]

    def for_each_seat(estimate: Estimate) -> Estimate:
        value, low, high, error = (number / seats for number in estimate[:4])
        return Estimate(value, low, high, error, estimate.n)

    return {
        "strategy": row["strategy"],
        "seats": seats,
        "won": estimated(
            row["won"] / games / seats, lambda: for_each_seat(share_interval(row["won"], games))
        ),
        "net": estimated(
            row["net"] / games / seats,
            lambda: for_each_seat(mean_interval(games, row["net"], row["net_sq"])),
        ),
    }


def _words(results: Results) -> dict[str, list[dict[str, Any]]]:
    """Sum up by strategy, stage and turn what was said, and how it came out."""
    keys = ["strategy", "stage", "turn", "yes"]
    rows = grouped(results.arrow("decisions"), keys).to_pylist()
    cells: dict[tuple[str, int, int], dict[int, dict[str, int]]] = {}
    for row in rows:
        sums = {name: row[name] for name in SUMS}
        cells.setdefault((row["strategy"], row["stage"], row["turn"]), {})[row["yes"]] = sums
    words: dict[str, list[dict[str, Any]]] = {}
    for (strategy, stage, turn), said in sorted(cells.items()):
        no, yes = said.get(0, NOTHING), said.get(1, NOTHING)
        words.setdefault(strategy, []).append(
            {
                "stage": stage,
                "turn": turn,
                "asked": no["count"] + yes["count"],
                "yes": yes["count"],
                "lone": yes["lone"],
                "showdowns": yes["won"] + yes["tied"] + yes["lost"],
                "best_of_yes": yes["lone"] + yes["won"] + yes["tied"],
                "best_of_all": yes["best"],
                "net": yes["net"],
            }
        )
    return words


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
    lines = ["", *_won(found, colour), "", *_said(found, colour), ""]
    deals, lengths = found["lengths"]["mean"], found["lengths"]
    lines.append(
        f"A game has {deals:.2f} deals on average, half of them at most {lengths['median']}, "
        f"95% at most {lengths['ninety_five_percent']}."
    )
    if found["truncated"]:
        share = found["truncated"] / found["games"]
        most = found["config"]["rules"]["max_deals"]
        lines.append(f"{share:.2%} of the games were truncated: nobody had won after {most} deals.")
    return "\n".join(lines)


def _won(found: Mapping[str, Any], colour: bool) -> list[str]:
    rows = [
        (
            entry["strategy"],
            str(entry["seats"]),
            with_margin(entry["won"], lambda share: percent(share, 2)),
            with_margin(entry["net"], lambda stakes: f"{stakes:+.3f}"),
        )
        for entry in sorted(found["strategies"], key=lambda entry: -entry["net"]["value"])
    ]
    head = ("strategy", "seats", "games won", "net stakes a game")
    return [*columns(head, rows, colour), "(for each of its seats, with 95% intervals)"]


def _said(found: Mapping[str, Any], colour: bool) -> list[str]:
    rows = []
    for entry in sorted(found["strategies"], key=lambda entry: -entry["net"]["value"]):
        name = entry["strategy"]
        for word in entry["words"]:
            answer = ", challenged" if word["turn"] == 2 else ""
            yes = word["yes"]
            rows.append(
                (
                    name,
                    f"{word['stage']}{answer}",
                    cell(ratio(yes, word["asked"])),
                    cell(ratio(word["lone"], yes)),
                    cell(ratio(word["showdowns"], yes)),
                    cell(ratio(word["best_of_yes"], yes)),
                    cell(ratio(word["best_of_all"], yes)),
                    cell(ratio(word["net"], yes), lambda stakes: f"{stakes:+.2f}"),
                )
            )
            name = ""
    players = found["config"]["players"]
    head = (
        "strategy", "stage", "says Yes", "lone", "showdown", "best of Yes", f"best of {players}",
        "stakes",
    )  # fmt: skip
    lines = columns(head, rows, colour)
    lines.append("(of its Yes: how many were the only one, met others, were best or tied among")
    lines.append(" those who said Yes, and among all; and the stakes each brought at its stage;")
    lines.append(" challenged: asked once more, when a dealer was the only one to say Yes)")
    return lines
