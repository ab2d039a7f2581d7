"""The table of a run of the benchmarks, in Markdown that reads well in a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from benchmarks.reference import NAME
from benchmarks.row import Row

HEAD = ("", "median", "best", "CPU", "per deck", "ratio", "of", "target", "note")
NUMBERS = (
    *HEAD[1:6], "old", "new", "better by", "noise",
    "ns a deal", "share", "stage 1", "stage 2", "stage 3",
)  # fmt: skip
"""Columns of numbers, here and in the other tables: they stand to the right."""


def number(value: float) -> str:
    """Write a number with three figures."""
    for power, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= 0.9995 * power:
            return f"{_three(value / power)} {letter}"
    return _three(value)


def _three(value: float) -> str:
    if abs(value) < 0.0995:
        return f"{value:.2g}"
    return f"{value:,.{0 if abs(value) >= 99.95 else 1 if abs(value) >= 9.995 else 2}f}"


def amount(value: float, unit: str) -> str:
    """Write a number with its unit."""
    if unit == "times":
        return f"{_three(value)} times"
    if unit in ("MB", "s"):
        return f"{_three(value)} {unit}"
    return f"{number(value)} {unit}"


def cells(row: Row) -> list[str]:
    """Write a row."""
    if not row.samples:
        return [row.name, *[""] * 7, row.note]
    scaled = row.reference and row.unit != "s"
    return [
        row.name,
        amount(row.value, row.unit),
        amount(row.best, row.unit),
        f"{_three(median(row.cpu))} s" if row.cpu else "",
        _three(median(row.scaled)) if scaled else "",
        "" if row.ratio is None else _three(row.ratio),
        row.against,
        target(row),
        row.note,
    ]


def target(row: Row) -> str:
    """Say what is to be reached, and whether it is."""
    if row.target is None:
        return ""
    wanted = row.target.value
    text = amount(wanted, row.unit) if row.target.of == "value" else f"ratio {_three(wanted)}"
    return f"{'≤' if row.target.most else '≥'} {text}: {'yes' if row.reached else 'NO'}"


def markdown(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Write a Markdown table whose columns stand below each other, numbers to the right."""
    used = [k for k in range(len(head)) if k == 0 or any(line[k] for line in lines)]
    widths = [max(len(line[k]) for line in (head, *lines)) for k in used]
    right = [head[k] in NUMBERS for k in used]

    def written(line: Sequence[str]) -> str:
        padded = [
            line[k].rjust(width) if to_the_right else line[k].ljust(width)
            for k, width, to_the_right in zip(used, widths, right, strict=True)
        ]
        return f"| {' | '.join(padded)} |"

    rules = [
        "-" * (width - 1) + (":" if to_the_right else "-")
        for width, to_the_right in zip(widths, right, strict=True)
    ]
    return "\n".join([written(head), f"| {' | '.join(rules)} |", *map(written, lines)])


def section(benchmark: Mapping[str, Any]) -> str:
    """Write the table of one benchmark under its title."""
    rows = [Row.from_dict(row) for row in benchmark["rows"]]
    return f"### {benchmark['title']}\n\n{markdown(HEAD, [cells(row) for row in rows])}\n"


def origin(result: Mapping[str, Any]) -> str:
    """Say where, when and with what it was measured."""
    machine, versions = result["machine"], result["versions"]
    others = [f"{name} {found}" for name, found in versions.items() if found and name != "sources"]
    return (
        f"Measured {result['date']} on {machine['processor']}, {machine['processors']} processors, "
        f"{machine['vector_bits']}-bit vectors, {machine['system']}, load {machine['load']} at the "
        f"start and {machine['load_after']} at the end; {', '.join(others)}; sources "
        f'{versions["sources"]}. "Per deck" is the ratio to what `{NAME}` did in the '
        "same rounds.\n"
    )


def whole(result: Mapping[str, Any]) -> str:
    """Write all tables."""
    sections = [section(benchmark) for benchmark in result["benchmarks"]]
    return "\n".join([origin(result), *sections, result["caveats"]])
