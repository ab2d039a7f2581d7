"""Fields of cells: hands of two cards, grids of parameters, who gains from whom."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.image import AxesImage
from matplotlib.ticker import PercentFormatter
from numpy.typing import NDArray

from simulate.cards import NAPALM_RANKS
from simulate.plots.style import DIVERGING, INK, SEQUENTIAL, axes_for, bounds, require

FEW_CELLS = 150  # grids up to this size carry their numbers
FEW_NAMES = 16  # axes with more names than that show some of them only
WIDEST = 9.6  # inches, the width of a wide notebook page


def win_rate_by_hand(frame: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Draw how often each hand of two cards wins: rates at and below the diagonal, margins above.

    Suits count for nothing at the first stage, so a square of 13 by 13 has room for both: the
    rate of ace-king stands where row A meets column K or row K column A, whichever lies below the
    diagonal, and half the width of its interval in the other place.

    Parameters
    ----------
    frame : DataFrame
        Columns ``hand`` (two ranks, such as ``AK`` or ``77``), ``rate``, ``rate_low``,
        ``rate_high``.
    ax : Axes, optional
        Where to draw; a new figure when not given.
    """
    low, high = bounds("rate")
    require(frame, ["hand", "rate", low, high])
    ax = axes_for(ax, 7.2, 6.2)
    ranks = NAPALM_RANKS[::-1]
    rates, margins = np.full((2, 13, 13), np.nan)
    for hand, rate, least, most in frame[["hand", "rate", low, high]].itertuples(index=False):
        left, below = sorted(ranks.index(card) for card in hand)
        rates[below, left] = rate
        if left != below:
            margins[left, below] = (most - least) / 2
    image = _cells(ax, rates, ranks, ranks, SEQUENTIAL)
    _write(ax, image, rates, "{:.0%}", 7.5)
    _write(ax, image, margins, "±{:.1%}", 6)
    ax.set_xlabel("one card")
    ax.set_ylabel("the other card")
    ax.set_title("per cent; above the diagonal the margin of each", fontsize=9, loc="left")
    _bar(ax, image, "hands that win", PercentFormatter(1.0))
    return ax


def heat_map(
    frame: pd.DataFrame,
    x: str,
    y: str,
    value: str = "net",
    *,
    ax: Axes | None = None,
    value_label: str = "net (stakes a game)",
) -> Axes:
    """Draw what each point of a grid of two parameters earns, and which points may be the best.

    Parameters
    ----------
    frame : DataFrame
        One row a point: columns `x`, `y`, `value`; where there are ``<value>_low`` and
        ``<value>_high``, small grids show the margin as well, and where there is ``maybe_best``
        the points that cannot be told from the best are framed; a star stands at the best.
    x, y : str
        The parameters.
    value : str
        What they earn.
    ax : Axes, optional
        Where to draw; a new figure when not given.
    value_label : str
        What the colours show, with its unit.
    """
    require(frame, [x, y, value])
    across, up = np.sort(frame[x].unique()), np.sort(frame[y].unique())
    width = min(max(6.4, 1.9 + 0.55 * len(across)), WIDEST)
    ax = axes_for(ax, width, min(max(4.0, 1.2 + 0.42 * len(up)), 0.8 * WIDEST))

    values = _square(frame, y, up, x, across, value)
    image = _cells(ax, values, _names(across), _names(up), SEQUENTIAL, origin="lower")
    low, high = bounds(value)
    if values.size <= FEW_CELLS:
        _write(ax, image, values, "{:+.2f}", 8, raised=0.12 if low in frame.columns else 0.0)
        if low in frame.columns:
            least, most = (_square(frame, y, up, x, across, end) for end in (low, high))
            _write(ax, image, (most - least) / 2, "±{:.2f}", 6, raised=-0.22)
    if "maybe_best" in frame.columns:
        _frame(ax, _square(frame, y, up, x, across, "maybe_best") > 0)
        ax.set_title("framed: cannot be told from the best (star)", fontsize=9, loc="left")
    row, column = np.unravel_index(np.nanargmax(values), values.shape)
    ax.plot(column + 0.34, row + 0.28, "*", color=INK, markersize=9, markeredgecolor="white")
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    _bar(ax, image, value_label)
    return ax


def cross_table(
    frame: pd.DataFrame, *, ax: Axes | None = None, value_label: str = "gain (stakes a game)"
) -> Axes:
    """Draw who gains from whom in a tournament.

    Parameters
    ----------
    frame : DataFrame
        Columns ``strategy``, ``opponent``, ``gain``, and where there are ``gain_low`` and
        ``gain_high`` a gain whose interval holds 0 is written pale. Rows and columns keep the
        order in which strategies first appear.
    ax : Axes, optional
        Where to draw; a new figure when not given.
    value_label : str
        What the colours show, with its unit.
    """
    require(frame, ["strategy", "opponent", "gain"])
    names = list(pd.unique(frame["strategy"]))
    ax = axes_for(ax, max(6.4, 3.0 + 0.6 * len(names)), max(4.0, 2.2 + 0.4 * len(names)))

    gains = _square(frame, "strategy", names, "opponent", names, "gain")
    reach = float(np.nanmax(np.abs(gains))) or 1.0
    image = _cells(ax, gains, names, names, DIVERGING, vmin=-reach, vmax=reach)
    unsure = np.zeros(gains.shape, dtype=bool)
    if {"gain_low", "gain_high"} <= set(frame.columns):
        least, most = (
            _square(frame, "strategy", names, "opponent", names, end)
            for end in ("gain_low", "gain_high")
        )
        unsure = (least <= 0) & (most >= 0)
        ax.set_title("in brackets: cannot be told from 0", fontsize=9, loc="left")
    _write(ax, image, np.where(unsure, np.nan, gains), "{:+.2f}", 8)
    _write(ax, image, np.where(unsure, gains, np.nan), "({:+.2f})", 8)
    ax.tick_params(axis="x", labelrotation=35)
    for label in ax.get_xticklabels():
        label.set_horizontalalignment("right")
        label.set_rotation_mode("anchor")
    ax.set_xlabel("opponent")
    ax.set_ylabel("strategy that gains")
    _bar(ax, image, value_label)
    return ax


def _square(
    frame: pd.DataFrame, down: str, rows: Any, across: str, columns: Any, value: str
) -> NDArray[np.float64]:
    """Spread a column of values over a field, one cell for each pair of names."""
    wide = frame.pivot(index=down, columns=across, values=value).reindex(
        index=rows, columns=columns
    )
    field: NDArray[np.float64] = wide.to_numpy(float)
    return field


def _names(values: NDArray[Any]) -> list[str]:
    return [f"{value:g}" if isinstance(value, float) else str(value) for value in values.tolist()]


def _cells(
    ax: Axes,
    values: NDArray[np.float64],
    across: Any,
    up: Any,
    colours: str,
    **options: Any,
) -> AxesImage:
    """Draw a field of coloured cells with a name at each row and column."""
    image = ax.imshow(values, cmap=colours, aspect="auto", **options)
    for ticks, names in ((ax.set_xticks, across), (ax.set_yticks, up)):
        places = range(0, len(names), 1 + len(names) // (FEW_NAMES + 1))
        ticks(places, [names[place] for place in places])
    ax.tick_params(length=0)
    ax.grid(visible=False)
    for spine in ax.spines.values():
        spine.set_visible(False)
    return image


def _write(
    ax: Axes,
    image: AxesImage,
    values: NDArray[np.float64],
    form: str,
    size: float,
    raised: float = 0.0,
) -> None:
    """Write a number into each cell, dark on light cells and light on dark ones."""
    cells: NDArray[np.float64] = np.ma.filled(np.ma.asarray(image.get_array()), np.nan)
    towards = 1 if image.origin == "lower" else -1
    for (row, column), value in np.ndenumerate(values):
        if not np.isnan(value):
            red, green, blue, _ = image.cmap(image.norm(cells[row, column]))
            bright = (
                np.isnan(cells[row, column]) or 0.299 * red + 0.587 * green + 0.114 * blue > 0.5
            )
            text = form.format(value).replace("-", "−").replace("%", "")
            ax.text(
                column,
                row + towards * raised,
                text,
                color=INK if bright else "white",
                fontsize=size,
                ha="center",
                va="center",
            )


def _frame(ax: Axes, marked: NDArray[np.bool_]) -> None:
    """Draw a line around the marked cells: dark within light, seen on any colour."""
    edges = []
    rows, columns = marked.shape
    for row, column in np.argwhere(marked):
        for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            beyond = (row + down, column + right)
            if not (0 <= beyond[0] < rows and 0 <= beyond[1] < columns and marked[beyond]):
                y, x = row + 0.47 * down, column + 0.47 * right
                edges.append(
                    [(x - 0.5 * abs(down), y - 0.5 * abs(right)),
                     (x + 0.5 * abs(down), y + 0.5 * abs(right))]
                )  # fmt: skip
    for colour, width in (("white", 3.0), (INK, 1.4)):
        ax.add_collection(LineCollection(edges, colors=colour, linewidths=width))


def _bar(ax: Axes, image: AxesImage, label: str, form: Any = None) -> None:
    """Put the scale of colours beside the cells."""
    figure = ax.get_figure()
    if figure is not None:
        bar = figure.colorbar(image, ax=ax, label=label, format=form)
        bar.outline.set_visible(False)
