"""What all pictures share: colours, dashes, a fresh pair of axes, and saving."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes

from simulate.errors import InputError

# M. Okabe, K. Ito, "Color universal design", 2008, without the yellow: too pale for a line.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)), (0, (3, 3)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X")

SEQUENTIAL = "cividis"  # its lightness rises evenly, for every kind of colour vision
DIVERGING = "PuOr"  # told apart by every kind of colour vision; the numbers carry the sign

INK = "#222222"
PALE = "#9a9a9a"
PICTURES = (".png", ".svg", ".pdf")

SETTINGS: dict[Any, Any] = {
    "axes.edgecolor": PALE,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "grid.color": "#e4e4e4",
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
}


def axes_for(ax: Axes | None, width: float = 6.4, height: float = 4.0) -> Axes:
    """Return the axes given, or those of a new figure of the size of a notebook's page."""
    if ax is not None:
        return ax
    # The first figure loads the backend, which in a notebook turns on the showing of figures: were
    # it made within the context, that would be turned off again at its end.
    figure = plt.figure(figsize=(width, height), layout="constrained")
    with plt.rc_context(SETTINGS):
        return figure.subplots()


def line_style(place: int) -> dict[str, Any]:
    """Return colour, dashes and marker of the line at a place, different for the first 35."""
    return {
        "color": COLOURS[place % len(COLOURS)],
        "linestyle": DASHES[place % len(DASHES)],
        "marker": MARKERS[place % len(MARKERS)],
    }


def require(frame: pd.DataFrame, columns: Iterable[str]) -> None:
    """Refuse a frame in which a column is missing."""
    for column in columns:
        if column not in frame.columns:
            has = ", ".join(map(str, frame.columns))
            raise InputError(f"column {column!r} is missing from the table, which has: {has}")


def bounds(column: str) -> tuple[str, str]:
    """Name the columns that hold the interval of an estimated column."""
    return f"{column}_low", f"{column}_high"


def check_picture(path: str | Path) -> Path:
    """Return where a picture is to be saved, or say why it cannot be."""
    path = Path(path)
    if path.suffix.lower() not in PICTURES:
        raise InputError(f"picture {str(path)!r} must end with one of {', '.join(PICTURES)}")
    if not path.parent.is_dir():
        raise InputError(f"picture {str(path)!r}: there is no folder {str(path.parent)!r}")
    return path


def save_picture(ax: Axes, path: str | Path) -> Path:
    """Save the figure that axes belong to and close it.

    Parameters
    ----------
    ax : Axes
        Any axes of the figure.
    path : str or Path
        Ends with ``.png``, ``.svg`` or ``.pdf``. The same picture gives the same file.
    """
    path = check_picture(path)
    undated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}
    figure = ax.get_figure(root=True)
    if figure is None:
        raise InputError("these axes belong to no figure any more")
    with plt.rc_context({"svg.hashsalt": "simulate", "svg.fonttype": "none"}):
        try:
            figure.savefig(path, dpi=150, metadata=undated[path.suffix.lower()])
        except OSError as error:
            raise InputError(f"picture {str(path)!r} cannot be written: {error.strerror}") from None
    plt.close(figure)
    return path
