"""Who stands where: one value with its interval for each name, the best on top."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import Formatter

from simulate.plots.style import COLOURS, PALE, axes_for, bounds, require


def standings(
    frame: pd.DataFrame,
    name: str = "strategy",
    value: str = "net",
    *,
    ax: Axes | None = None,
    value_label: str = "net (stakes a game)",
    reference: float | None = 0.0,
    form: Formatter | None = None,
) -> Axes:
    """Draw what each name came to, with its interval, in order.

    Parameters
    ----------
    frame : DataFrame
        Columns `name`, `value`, ``<value>_low`` and ``<value>_high``.
    name, value : str
        Names of columns.
    ax : Axes, optional
        Where to draw; a new figure when not given.
    value_label : str
        What the horizontal axis shows, with its unit.
    reference : float, optional
        A value to compare with, drawn as a line.
    form : Formatter, optional
        How the numbers on the axis are written.
    """
    low, high = bounds(value)
    require(frame, [name, value, low, high])
    frame = frame.sort_values(value).reset_index(drop=True)
    ax = axes_for(ax, 6.4, 1.2 + 0.36 * len(frame))
    if reference is not None:
        ax.axvline(reference, color=PALE, linewidth=1.2, zorder=1)
    margins = [(frame[value] - frame[low]).clip(0), (frame[high] - frame[value]).clip(0)]
    ax.errorbar(
        frame[value],
        frame.index,
        xerr=margins,
        fmt="o",
        color=COLOURS[0],
        capsize=4,
        markersize=6,
        linewidth=1.6,
    )
    ax.set_yticks(frame.index, frame[name].astype(str).tolist())
    ax.set_ylim(-0.6, len(frame) - 0.4)
    ax.grid(visible=False, axis="y")
    ax.set_xlabel(value_label)
    ax.set_ylabel(name)
    if form is not None:
        ax.xaxis.set_major_formatter(form)
    return ax
