"""The layers of the house: which module may import which.

The first row whose pattern fits a module holds. ``{game}`` is the game of the module, so that
neither game imports from the other; everybody may import what raises and words errors.
"""

from __future__ import annotations

import ast
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
WORDS = "simulate simulate.errors simulate.numerals simulate.version"
CARDS = "simulate.cards simulate.seating simulate.rng simulate.jit"
COMPILED = f"{CARDS} simulate.address simulate.beside"
LANES = f"{COMPILED} simulate.lanes simulate.dealing simulate.wide simulate.regrets"
PLAYED = f"{LANES} simulate.sampling"
OWN_RULES = "simulate.{game}.rules simulate.{game}.view"
BOTH_RULES = "simulate.*.rules simulate.*.view"
BOTH_SECOND = "simulate.*.reference simulate.*.ranking simulate.*.telling simulate.difference"
ASKED = "simulate.config simulate.request"
TABLE = f"{CARDS} {BOTH_RULES} {BOTH_SECOND} {ASKED} simulate.gamelog simulate.play*"
REPORT = "simulate.arrow simulate.stats simulate.results simulate.text"
SECOND = ["ranking", "reference", "record", "telling"]
OWN_SECOND = " ".join(f"simulate.{{game}}.{name}" for name in SECOND)

LAYERS = [
    ("simulate.errors simulate.numerals simulate.version simulate.jit", ""),
    (LANES, LANES),
    ("simulate.*.rules simulate.*.view simulate.*.counts", f"simulate.jit {OWN_RULES}"),
    # The second opinion shares nothing with what is compiled but the rules, the cards, the table of
    # counts, and what a strategy sees.
    (OWN_SECOND, f"{CARDS} {OWN_RULES} simulate.{{game}}.counts simulate.difference {OWN_SECOND}"),
    ("simulate.stats* simulate.plots*", "simulate.cards simulate.stats* simulate.plots*"),
    ("simulate.store simulate.lock", ""),
    ("simulate.work", "strategies"),
    ("simulate.child", "simulate.jit simulate.work strategies*"),
    ("simulate.workers", "simulate.work simulate.child strategies*"),
    ("simulate.cluster", ""),
    ("simulate.executors", "simulate.work simulate.workers simulate.cluster strategies"),
    ("simulate.sampling", "simulate.workers simulate.executors strategies*"),
    ("simulate.arrow", ""),
    ("simulate.results", "simulate.store simulate.arrow"),
    ("simulate.text", "simulate.stats"),
    ("simulate.config simulate.difference", "simulate.*.rules"),
    ("simulate.gamelog", "simulate.difference simulate.*.rules simulate.*.record"),
    (
        "simulate.play*",
        f"{TABLE} simulate.advising simulate.sampling simulate.lock simulate.*.spot strategies*",
    ),
    ("simulate.web*", f"{TABLE} simulate.web* strategies*"),
    (
        "simulate.envs*",
        f"{TABLE} simulate.envs* strategies*",
    ),
    ("strategies*", f"strategies* {CARDS} {BOTH_RULES} simulate.noddy.race"),
    # The lookup of a solved table, which plays in the kernel and in plain Python.
    (
        "simulate.noddy.race simulate.noddy.addresses",
        "simulate.jit simulate.noddy.addresses strategies.race",
    ),
    ("simulate.cli simulate.__main__ simulate.commands*", "simulate* strategies*"),
    ("simulate.napalm* simulate.noddy*", f"{PLAYED} simulate.{{game}}* {REPORT} strategies*"),
]
NOT_BY_OTHERS = "simulate.cli simulate.commands*"


def fits(name: str, patterns: str, game: str = "") -> bool:
    return any(fnmatch(name, pattern.format(game=game or "*")) for pattern in patterns.split())


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


FILES = [path for top in ("simulate", "strategies") for path in (ROOT / top).rglob("*.py")]
MODULES = {name_of(path): path for path in FILES}


def imports_of(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in MODULES else node.module for name in inner}
    return {name for name in found if name.split(".")[0] in ("simulate", "strategies")}


@pytest.mark.parametrize("module", sorted(MODULES))
def test_a_module_imports_only_what_its_layer_may(module):
    game = next((game for game in ("napalm", "noddy") if f".{game}." in f"{module}."), "")
    allowed = [imports for modules, imports in LAYERS if fits(module, modules, game)]
    for name in imports_of(MODULES[module]):
        if allowed:
            assert fits(name, f"{WORDS} {allowed[0]}", game), f"{module} imports {name}"
        else:
            assert not fits(name, NOT_BY_OTHERS), f"{module} imports {name}"


def test_what_is_compiled_knows_nothing_of_the_second_opinion():
    compiled = [path for path in FILES if "\n\ncompile_" in path.read_text("utf-8")]
    assert len(compiled) > 8
    for path in compiled:
        assert not [name for name in imports_of(path) if fits(name, OWN_SECOND)], path


def test_every_row_of_the_table_is_about_something():
    for modules, _ in LAYERS:
        for pattern in modules.split():
            assert any(fits(module, pattern) for module in MODULES), pattern
