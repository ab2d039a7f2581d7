"""A page of HTML in one file: what a browser needs is in it, and nothing is fetched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import NamedTuple

from matplotlib.axes import Axes

from simulate.report.inline import inline_svg


class Cell(NamedTuple):
    """A cell of a table: what it says, and the number that it is put in order by."""

    text: str
    key: float | None = None
    small: str = ""
    """What follows in small letters, such as a margin."""


Rows = list[tuple[Cell | str, ...]]


class Section(NamedTuple):
    """A part of the page."""

    title: str
    html: str


def paragraph(text: str, kind: str = "") -> str:
    """Write a paragraph."""
    return f'<p class="{kind}">{escape(text)}</p>' if kind else f"<p>{escape(text)}</p>"


def facts(pairs: Iterable[tuple[str, str]]) -> str:
    """Write names and what they are, as a list."""
    rows = (f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in pairs)
    return f'<dl class="facts">{"".join(rows)}</dl>'


def code(text: str) -> str:
    """Write what a person may type."""
    return f"<pre><code>{escape(text)}</code></pre>"


def folded(title: str, html: str) -> str:
    """Hide something until it is asked for."""
    return f"<details><summary>{escape(title)}</summary>{html}</details>"


def table(
    head: Sequence[str], rows: Iterable[Sequence[Cell | str]], caption: str = "", kind: str = ""
) -> str:
    """Write a table that is put in order by a click on the head of a column.

    Parameters
    ----------
    head : sequence of str
        What stands above each column.
    rows : iterable of sequence of Cell or str
        The cells.
    caption : str
        What stands under the table.
    kind : str
        ``"words"`` for a table that is read rather than compared.
    """
    heads = "".join(
        f'<th scope="col"><button type="button">{escape(name)}</button></th>' for name in head
    )
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    under = paragraph(caption, "note") if caption else ""
    return (
        f'<div class="scroll" tabindex="0"><table class="{f"sortable {kind}".strip()}">'
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>{under}"
    )


def _cell(cell: Cell | str) -> str:
    if isinstance(cell, str):
        return f"<td>{escape(cell)}</td>"
    key = "" if cell.key is None else f' data-key="{cell.key!r}"'
    small = f" <small>{escape(cell.small)}</small>" if cell.small else ""
    return f"<td{key}>{escape(cell.text)}{small}</td>"


def picture(ax: Axes, name: str, title: str, caption: str, *, wide: bool = False) -> str:
    """Put a picture into the page.

    Parameters
    ----------
    ax : Axes
        Any axes of its figure, which is closed.
    name : str
        A name of its own.
    title : str
        What it shows, for those who do not see it.
    caption : str
        What stands under it.
    wide : bool
        Scroll it on a narrow screen rather than shrink it: its letters are small.
    """
    svg = inline_svg(ax, name, title)
    if wide:
        svg = svg.replace("<svg ", '<svg class="wide" ', 1)
    under = f"<figcaption>{escape(caption)}</figcaption>"
    return f'<figure><div class="scroll">{svg}</div>{under}</figure>'


def side_by_side(*parts: str) -> str:
    """Put parts beside each other where there is room."""
    return f'<div class="beside">{"".join(f"<div>{part}</div>" for part in parts)}</div>'


def page(title: str, lead: str, sections: Iterable[Section], foot: str) -> str:
    """Put a page together.

    Parameters
    ----------
    title : str
        Its title.
    lead : str
        What stands under the title, as HTML.
    sections : iterable of Section
        Its parts.
    foot : str
        What stands at the end, as HTML.
    """
    folder = files("simulate.report")
    parts = (
        f"<section>\n<h2>{escape(part.title)}</h2>\n{part.html}\n</section>" for part in sections
    )
    return Template(folder.joinpath("page.html").read_text("utf-8")).substitute(
        title=escape(title),
        lead=lead,
        sections="\n".join(parts),
        foot=foot,
        style=folder.joinpath("page.css").read_text("utf-8"),
        script=folder.joinpath("page.js").read_text("utf-8"),
    )
