"""Lines with bands: a rate or a gain against something that varies."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, PercentFormatter

from simulate.plots.style import INK, PALE, axes_for, bounds, line_style, require

MANY_POINTS = 30  # from here on a line carries markers at some of its points only


def curves(
    frame: pd.DataFrame,
    x: str,
    y: str,
    by: str | None = None,
    *,
    ax: Axes | None = None,
    x_label: str | None = None,
    y_label: str | None = None,
) -> Axes:
    """Draw y against x with the band of its interval, one line for each value of another column.

    Parameters
    ----------
    frame : DataFrame
        Columns `x`, `y`, ``<y>_low``, ``<y>_high`` and `by`.
    x, y : str
        Names of columns.
    by : str, optional
        A line for each value of this column.
    ax : Axes, optional
        Where to draw; a new figure when not given.
    x_label, y_label : str, optional
        What the axes show, with units; the names of the columns when not given.
    """
    low, high = bounds(y)
    require(frame, [x, y, low, high, *([by] if by else [])])
    ax = axes_for(ax)
    parts = [(None, frame)] if by is None else list(frame.groupby(by, sort=False, observed=True))
    for place, (name, part) in enumerate(parts):
        part = part.sort_values(x)
        style = line_style(place)
        ax.fill_between(
            part[x], part[low], part[high], color=style["color"], alpha=0.2, linewidth=0
        )
        every = max(1, len(part) // 12) if len(part) > MANY_POINTS else 1
        ax.plot(part[x], part[y], markersize=4, linewidth=1.6, markevery=every, label=name, **style)
    ax.set_xlabel(x_label or x)
    ax.set_ylabel(y_label or y)
    if by is not None:
        legend_beside(ax, title=by)
    return ax


LONGEST_LABEL = 28


def shortened(label: str) -> str:
    """Leave out the beginning of a long label: of a path it says the least."""
    return label if len(label) <= LONGEST_LABEL else "…" + label[1 - LONGEST_LABEL :]


def legend_beside(ax: Axes, title: str) -> None:
    """Put the legend to the right of the axes, where it covers no line."""
    handles, labels = ax.get_legend_handles_labels()
    ax.legend(
        handles,
        [shortened(label) for label in labels],
        title=title,
        loc="upper left",
        bbox_to_anchor=(1.0, 1.0),
        alignment="left",
        borderaxespad=0.0,
        handlelength=3.0,
        frameon=False,
    )


def win_rate_by_strength(
    frame: pd.DataFrame, by: str | None = None, *, ax: Axes | None = None
) -> Axes:
    """Draw how often a hand of a given strength wins, with bands.

    Parameters
    ----------
    frame : DataFrame
        Columns ``strength`` (0 to 1), ``rate``, ``rate_low``, ``rate_high``, and `by`.
    by : str, optional
        A line for each value of this column, such as ``stage`` or ``players``.
    ax : Axes, optional
        Where to draw; a new figure when not given.
    """
    ax = curves(
        frame,
        "strength",
        "rate",
        by,
        ax=ax,
        x_label="strength (share of all hands that this hand beats)",
        y_label="hands that win",
    )
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1)
    ax.yaxis.set_major_formatter(PercentFormatter(1.0))
    return ax


def yes_rate_by_position(
    frame: pd.DataFrame, by: str | None = None, *, ax: Axes | None = None
) -> Axes:
    """Draw how often Yes is said from eldest round to the dealer.

    Parameters
    ----------
    frame : DataFrame
        Columns ``position`` (0 is eldest, the last one the dealer), ``rate``, ``rate_low``,
        ``rate_high``, and `by`.
    by : str, optional
        A line for each value of this column, such as ``stage`` or ``strategy``.
    ax : Axes, optional
        Where to draw; a new figure when not given.
    """
    low, high = bounds("rate")
    require(frame, ["position", "rate", low, high, *([by] if by else [])])
    ax = axes_for(ax)
    parts = [(None, frame)] if by is None else list(frame.groupby(by, sort=False, observed=True))
    for place, (name, part) in enumerate(parts):
        part = part.sort_values("position")
        aside = 0.08 * (place - (len(parts) - 1) / 2)  # so that no bar hides another
        margins = [part["rate"] - part[low], part[high] - part["rate"]]
        ax.errorbar(
            part["position"] + aside,
            part["rate"],
            yerr=np.maximum(margins, 0),
            capsize=3,
            markersize=5,
            linewidth=1.3,
            label=name,
            **line_style(place),
        )
    last = int(frame["position"].max())
    names = ["0\neldest", *map(str, range(1, last)), f"{last}\ndealer"]
    ax.set_xticks(range(last + 1), names[: last + 1])
    ax.set_xlabel("position (order of speaking)")
    ax.set_ylabel("chances to speak at which Yes is said")
    ax.set_ylim(0, None)
    ax.yaxis.set_major_formatter(PercentFormatter(1.0))
    if by is not None:
        legend_beside(ax, title=by)
    return ax


def threshold_curve(
    frame: pd.DataFrame,
    x: str,
    y: str = "net",
    by: str | None = None,
    *,
    ax: Axes | None = None,
    y_label: str = "net (stakes a game)",
) -> Axes:
    """Draw what a threshold, or any other parameter, earns, with the best point and its equals.

    Parameters
    ----------
    frame : DataFrame
        Columns `x`, `y`, ``<y>_low``, ``<y>_high`` and `by`; where there is a column
        ``maybe_best``, points that cannot be told from the best are marked by a ring, the best by
        a star.
    x : str
        The parameter.
    y : str
        What it earns.
    by : str, optional
        A line for each value of this column.
    ax : Axes, optional
        Where to draw; a new figure when not given.
    y_label : str
        What the vertical axis shows, with its unit.
    """
    frame = frame.reset_index(drop=True)
    ax = curves(frame, x, y, by, ax=ax, y_label=y_label)
    if frame[y].min() < 0 < frame[y].max():
        ax.axhline(0, color=PALE, linewidth=0.8, zorder=1)
    if "maybe_best" in frame.columns:
        equals = frame[frame["maybe_best"].astype(bool)]
        best = frame.loc[frame[y].idxmax()]
        ax.scatter(
            equals[x],
            equals[y],
            s=90,
            facecolors="none",
            edgecolors=INK,
            linewidths=1.1,
            zorder=4,
            label="cannot be told\nfrom the best",
        )
        ax.scatter(
            best[x],
            best[y],
            s=150,
            marker="*",
            color=INK,
            edgecolors="white",
            zorder=5,
            label="best",
        )
        if by is None:
            ax.legend(frameon=False, loc="best")
        else:
            legend_beside(ax, title=by)
    return ax


def running_estimate(
    frame: pd.DataFrame,
    *,
    ax: Axes | None = None,
    reference: float = 0.0,
    y_label: str = "difference (stakes a game)",
) -> Axes:
    """Draw how an estimate and its interval settled down while games were played.

    Parameters
    ----------
    frame : DataFrame
        Columns ``games``, ``value``, ``value_low``, ``value_high``.
    ax : Axes, optional
        Where to draw; a new figure when not given.
    reference : float
        A value to compare with, drawn as a line.
    y_label : str
        What the vertical axis shows, with its unit.
    """
    ax = curves(frame, "games", "value", ax=ax, x_label="games (logarithmic)", y_label=y_label)
    ax.set_xscale("log")
    ax.axhline(reference, color=INK, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    last = frame.sort_values("games").iloc[-1]
    low, high = (last[column] for column in bounds("value"))
    value, games = last["value"], int(last["games"])
    ax.set_title(
        f"{value:+.3f}, between {low:+.3f} and {high:+.3f} after {games:,} games", loc="left"
    )
    return ax


def race_curves(
    frame: pd.DataFrame,
    by: str = "strategy",
    *,
    ax: Axes | None = None,
    target: float | None = None,
) -> Axes:
    """Draw how scores grow from turn to turn in Noddy.

    Parameters
    ----------
    frame : DataFrame
        Columns ``turn``, ``score``, ``score_low``, ``score_high`` and `by`: mean scores after that
        many turns of one's own.
    by : str
        A line for each value of this column.
    ax : Axes, optional
        Where to draw; a new figure when not given.
    target : float, optional
        The score that wins, drawn as a line.
    """
    ax = curves(
        frame, "turn", "score", by, ax=ax, x_label="turns played", y_label="mean score (points)"
    )
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_ylim(0, None)
    if target is not None:
        ax.axhline(target, color=INK, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
        ax.annotate(
            f"target {target:g}",
            (0.01, target),
            xycoords=("axes fraction", "data"),
            xytext=(0, 3),
            textcoords="offset points",
            color=INK,
            fontsize=9,
        )
        ax.set_ylim(0, max(ax.get_ylim()[1], 1.1 * target))
    return ax
