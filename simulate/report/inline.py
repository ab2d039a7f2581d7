"""Pictures within a page: vector graphics that take the page's own colours, dark or light."""

from __future__ import annotations

import io
import re
from html import escape
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.text import Text
from numpy.typing import NDArray

from simulate.plots.style import COLOURS, INK, PALE, SETTINGS

INK_MARK, PALE_MARK, GRID_MARK, PAPER_MARK = "#010203", "#010204", "#010205", "#010206"
"""Colours that nothing else has: what the page's colours are put in place of."""

PAGE_COLOURS = {
    INK_MARK: "var(--ink)",
    PALE_MARK: "var(--pale)",
    GRID_MARK: "var(--grid)",
    PAPER_MARK: "var(--paper)",
    # Colours of lines, which a dark page may want lighter.
    **{
        colour.lower(): f"var(--line-{place})"
        for place, colour in enumerate(COLOURS)
        if colour != "#000000"
    },
}
MARKS = {
    to_hex(INK): INK_MARK,
    "#000000": INK_MARK,
    to_hex(PALE): PALE_MARK,
    to_hex(SETTINGS["grid.color"]): GRID_MARK,
    "#ffffff": PAPER_MARK,
}
GETTERS = ("color", "edgecolor", "facecolor", "markeredgecolor", "markerfacecolor")


def inline_svg(ax: Axes, name: str, title: str) -> str:
    """Draw a figure as SVG to be put into a page, and close it.

    Parameters
    ----------
    ax : Axes
        Any axes of the figure.
    name : str
        Sets the ids in it apart from those of other pictures of the page.
    title : str
        What the picture shows, for those who do not see it.
    """
    figure = ax.get_figure(root=True)
    assert figure is not None  # noqa: S101  (axes just drawn)
    mark_colours(figure)
    sink = io.StringIO()
    settings: dict[Any, Any] = {
        "svg.hashsalt": name,
        "svg.fonttype": "none",
        "svg.image_inline": True,
    }
    with plt.rc_context(settings):
        figure.savefig(sink, format="svg", transparent=True, metadata={"Date": None})
    plt.close(figure)
    return tidy(sink.getvalue(), title)


def mark_colours(figure: Figure) -> None:
    """Mark everything that is ink or paper, but what lies on coloured cells."""
    on_cells: set[Artist] = set()
    for axes in figure.axes:
        if axes.images:
            on_cells.update((*axes.collections, *axes.lines))
            on_cells.update(text for text in axes.texts if _coloured(axes.images[0], text))
    for artist in figure.findobj(lambda artist: artist not in on_cells):
        for name in GETTERS:
            get = getattr(artist, f"get_{name}", None)
            if get is not None:
                mark_one(artist, name, get())


def _coloured(image: AxesImage, text: Text) -> bool:
    """Tell whether a text stands in a cell that has a colour."""
    column, row = (round(place) for place in text.get_position())
    cells: NDArray[np.float64] = np.ma.filled(np.ma.asarray(image.get_array(), dtype=float), np.nan)
    inside = 0 <= row < cells.shape[0] and 0 <= column < cells.shape[1]
    return inside and not np.isnan(cells[row, column])


def mark_one(artist: Artist, name: str, colour: object) -> None:
    """Put a mark in the place of a colour that is ink or paper."""
    try:
        mark = MARKS.get(to_hex(colour))  # type: ignore[arg-type]
    except (TypeError, ValueError):  # several colours at once, or none
        return
    if mark is not None:
        getattr(artist, f"set_{name}")(mark)


def tidy(svg: str, title: str) -> str:
    """Make a file into an element: no head, no ids that nothing refers to, the page's colours."""
    for unwanted in (
        r"^.*?(?=<svg)",
        r"<metadata>.*?</metadata>",
        r"<!--.*?-->",
        r"<style.*?/style>",
    ):
        svg = re.sub(unwanted, "", svg, flags=re.DOTALL)
    used = set(re.findall(r"#([^\"')]+)", svg))
    svg = re.sub(r' id="([^"]+)"', lambda match: match[0] if match[1] in used else "", svg)
    svg = re.sub(r"font-family: [^;\"]*(; )?", "", svg)  # the page's own
    svg = re.sub(r"\s*\n\s*", " ", svg)
    for mark, colour in PAGE_COLOURS.items():
        svg = svg.replace(mark, colour)
    size = re.search(r'viewBox="0 0 (\S+) (\S+)"', svg)
    assert size is not None  # noqa: S101  (matplotlib always writes one)
    head = (
        f'<svg viewBox="0 0 {size[1]} {size[2]}" style="--width: {float(size[1]):.0f}px" role="img"'
        ' xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
        f"<title>{escape(title)}</title>"
    )
    return re.sub(r"<svg[^>]*>", lambda _: head, svg, count=1)
