"""What was played, by whom and how to play it again: the sections that all reports have."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Any

from simulate.config import field_value, nearest_preset, rules_text
from simulate.errors import InputError
from simulate.question import command_of
from simulate.report.page import Cell, Section, code, facts, folded, paragraph, table
from simulate.results import Results
from simulate.text import ratio


def setting(results: Results, more: Sequence[tuple[str, str]] = ()) -> Section:
    """Say what was played, and how to play it again.

    Parameters
    ----------
    results : Results
        What is reported.
    more : sequence of pairs of str
        Further names and what they are.
    """
    config = results.config
    parts = [
        facts(
            [
                ("game", f"{config['game'].capitalize()}, {config['players']} players"),
                ("rules", rules_text(config["game"], config["rules"])),
                *more,
                ("seed", str(config["seed"])),
                ("content", f"{results.folder.manifest['run']}, SHA-256 {results.signature[:16]}…"),
                ("made with", versions_text(results.folder.manifest["versions"])),
            ]
        ),
        folded("every rule", facts(all_rules(config["rules"]))),
    ]
    return Section("What was played", "\n".join(parts))


def again(command: str, results: Results) -> Section:
    """Say how to come to the same results, and how to go on from them."""
    lines = [
        paragraph(
            "The same command gives the same results, on any machine and any number of threads:"
        ),
        code(command),
        paragraph("And in Python:"),
        code(f"import simulate\n\nresults = simulate.load({str(results.path)!r})\nresults.tables"),
    ]
    return Section("The same again", "\n".join(lines))


def all_rules(rules: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """List every field of the rules and its value."""
    found: list[tuple[str, str]] = []
    for name, value in rules.items():
        if isinstance(value, Mapping):
            found += all_rules(value, f"{prefix}{name}.")
        elif name != "preset":
            found.append((f"{prefix}{name}", field_value(rules, name)))
    return found


def versions_text(versions: Mapping[str, str]) -> str:
    """List the versions of what made the results."""
    return ", ".join(f"{name} {version}" for name, version in versions.items())


def players(specs: Iterable[str], game: str, *, seats: bool = True) -> Section:
    """Describe the strategies that played."""
    from strategies import load

    rows = []
    for spec, number in Counter(specs).items():
        strategy = load(spec, game)
        params = ", ".join(f"{name} = {value:g}" for name, value in strategy.params.items())
        about = " ".join(strategy.about.strip().split("\n\n")[0].split())
        rows.append((spec, *([str(number)] if seats else []), params or "none", about))
    head = ("strategy", *(["seats"] if seats else []), "parameters", "what it does")
    return Section("Who played", table(head, rows, kind="words"))


def run_command(config: Mapping[str, Any]) -> str:
    """Return the command that plays a run."""
    words = ["simulate", "run", config["game"]]
    for spec, same in groupby(slot["spec"] for slot in config["strategies"]):
        seats = len(list(same))
        words += ["-s", spec if seats == 1 else f"{spec}*{seats}"]
    words += rule_words(config)
    words += ["--games", str(config["games"]), "--seed", str(config["seed"])]
    if config["detail"] != "summary":
        words += ["--detail", config["detail"]]
    return shlex.join([*words, *(["--fixed-seats"] if config["fixed_seats"] else [])])


def rule_words(config: Mapping[str, Any]) -> list[str]:
    """Return the options that choose the rules."""
    preset, fields = nearest_preset(config["game"], config["rules"])
    words = ["--rules", preset]
    for name, value in fields.items():
        words += ["--rule", f"{name}={value}"]
    return words


def asked_command(config: Mapping[str, Any], *words: str) -> str:
    """Return the command that puts a question, with its own words after the game."""
    which = ["simulate", command_of(config["question"]), config["game"], *words]
    which += ["--players", str(config["players"]), *rule_words(config)]
    return shlex.join([*which, "--games", str(config["games"]), "--seed", str(config["seed"])])


def finished(results: Results) -> Results:
    """Refuse what is not complete: a report plays nothing."""
    if not results.complete:
        kind = command_of(results.config["question"])
        raise InputError(
            f"{results.path} is not complete: go on with simulate {kind} --resume {results.path}"
        )
    return results


def sat(config: Mapping[str, Any]) -> tuple[str, str]:
    """Say who sat where."""
    if config["fixed_seats"]:
        return "seats", "everybody in one seat"
    return "seats", "changed from game to game, so that each sat everywhere equally often"


def leader(entries: Sequence[Mapping[str, Any]], what: str, verb: str, unit: str, form: str) -> str:
    """Say who comes first in something, and how sure that is.

    Parameters
    ----------
    entries : sequence of mapping
        The strategies, the best first, as `document` of a report has them.
    what : str
        What they are compared in.
    verb, unit, form : str
        How that is said: ``"gains most"``, ``"stakes a game"``, ``"{:+.3f}"``.
    """
    texts = [
        " ± ".join(part for part in (cell.text, cell.small.removeprefix("± ")) if part)
        for cell in (estimated(entry[what], form) for entry in entries)
    ]
    if len(entries) == 1:
        return f"{entries[0]['strategy']} plays against itself: {texts[0]} {unit}."
    first, second = entries[:2]
    said = f"{first['strategy']} {verb}: {texts[0]} {unit}; "
    said += f"next is {second['strategy']} with {texts[1]}."
    low, high = first[what]["low"], second[what]["high"]
    if low is None or high is None:
        return f"{said} These are too few games for an interval."
    if low < high:
        said += " Their intervals overlap: more games would tell them apart."
    return said


def estimated(number: Mapping[str, float | None], form: str) -> Cell:
    """Write a value and, in small letters, its margin."""
    value, low, high = number["value"], number["low"], number["high"]
    assert value is not None  # noqa: S101  (only the ends of the interval may be missing)
    if low is None or high is None:
        return Cell(form.format(value), value)
    return Cell(form.format(value), value, f"± {form.format((high - low) / 2).lstrip('+')}")


def share(pair: tuple[int, int]) -> Cell:
    """Write a share that may be one of nothing."""
    found = ratio(*pair)
    return Cell("–") if found is None else Cell(f"{found:.1%}", found)


def lead(question: str, answer: str, *notes: str) -> str:
    """Write the question and the answer that stand under the title."""
    small = "".join(paragraph(note, "note") for note in notes)
    return (
        f'<p>{escape(question)}</p><p class="answer"><strong>{escape(answer)}</strong></p>{small}'
    )
