"""Results as a page of HTML that stands alone: ``simulate report``."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from simulate.errors import InputError
from simulate.results import Results, load

if TYPE_CHECKING:
    from types import ModuleType

FILE = "report.html"
KINDS = ("napalm", "noddy", "compare", "sweep", "equilibrium", "tournament")

__all__ = ["FILE", "page_of", "write_report"]


def write_report(run: str | Path | Results, out: str | Path | None = None) -> Path:
    """Write what happened as one HTML file, which needs no network to be looked at.

    Parameters
    ----------
    run : str, Path or Results
        The folder of a run, of a comparison, of a sweep, of an equilibrium or of a tournament.
    out : str or Path, optional
        The file: ``report.html`` in that folder when None.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    InputError
        When there is no run, nothing of it is done yet, or the file cannot be written.

    Examples
    --------
    >>> simulate.write_report(results)
    """
    results = run if isinstance(run, Results) else load(run)
    text = page_of(results)
    path = results.path / FILE if out is None else Path(out)
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None
    return path


def page_of(results: Results) -> str:
    """Return the page of a run, of a comparison, of a sweep or of a tournament."""
    if not results.parts:
        raise InputError(f"{results.path}: no part of this run is done yet")
    return str(_chapter(results).page_of(results))


def _chapter(results: Results) -> ModuleType:
    """Return the module that knows what to show of such results."""
    kind = results.config.get("question", results.config["game"])
    if kind not in KINDS:
        raise InputError(f"{results.path} is a {kind}, of which there is no report")
    return import_module(f"simulate.report.{kind}")
