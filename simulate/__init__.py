"""A Monte Carlo simulator and strategy lab for the card games Napalm and Noddy.

>>> import simulate
>>> results = simulate.run("napalm", players=5, games=100_000, seed=1)
>>> results.decisions  # doctest: +SKIP

The names below are loaded when they are first used, so that ``import simulate`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from simulate.errors import InputError
from simulate.version import VERSION

if TYPE_CHECKING:
    from simulate import plots, stats
    from simulate.advice import Advice, Choice
    from simulate.advising import advise
    from simulate.api import run
    from simulate.comparison import compare
    from simulate.config import RunConfig
    from simulate.equilibrium import find_equilibrium
    from simulate.napalm.rules import NapalmRules
    from simulate.napalm.spot import NapalmSpot
    from simulate.noddy.rules import NoddyRules
    from simulate.noddy.spot import NoddySpot
    from simulate.recording import records
    from simulate.request import choose_line_up, choose_rules, configure
    from simulate.results import Results, load
    from simulate.reviewing import Review, review
    from simulate.solver import solve
    from simulate.sweeping import sweep
    from simulate.tournaments import tournament

__version__ = VERSION

__all__ = [
    "Advice",
    "Choice",
    "InputError",
    "NapalmRules",
    "NapalmSpot",
    "NoddyRules",
    "NoddySpot",
    "Results",
    "Review",
    "RunConfig",
    "__version__",
    "advise",
    "choose_line_up",
    "choose_rules",
    "compare",
    "configure",
    "find_equilibrium",
    "load",
    "plots",
    "records",
    "review",
    "run",
    "solve",
    "stats",
    "sweep",
    "tournament",
]

_HOMES = {
    "Advice": "simulate.advice",
    "Choice": "simulate.advice",
    "NapalmRules": "simulate.napalm.rules",
    "NapalmSpot": "simulate.napalm.spot",
    "NoddyRules": "simulate.noddy.rules",
    "NoddySpot": "simulate.noddy.spot",
    "Results": "simulate.results",
    "Review": "simulate.reviewing",
    "RunConfig": "simulate.config",
    "advise": "simulate.advising",
    "choose_line_up": "simulate.request",
    "choose_rules": "simulate.request",
    "compare": "simulate.comparison",
    "configure": "simulate.request",
    "find_equilibrium": "simulate.equilibrium",
    "load": "simulate.results",
    "records": "simulate.recording",
    "review": "simulate.reviewing",
    "run": "simulate.api",
    "solve": "simulate.solver",
    "sweep": "simulate.sweeping",
    "tournament": "simulate.tournaments",
}
_MODULES = ("plots", "stats")


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"simulate.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'simulate' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
