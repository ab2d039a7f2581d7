"""Change the program in one place at a time, and see whether the tests notice.

``python tests/torture/mutate.py [--sample N] [FILE ...]`` makes every change, or N of each file
drawn at random, to the files below, and runs the tests that are about them. Each change is tried
in a process forked from one that has imported everything else, without the compiler. It lists the
changes that no test noticed, prints the share that was noticed, and ends with 1 below `WANTED`.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib.abc
import importlib.machinery
import importlib.util
import io
import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from types import ModuleType

os.environ["NUMBA_DISABLE_JIT"] = "1"
os.environ["OPENBLAS_NUM_THREADS"] = "1"

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import hypothesis
import numpy as np  # noqa: F401  (imported here once, for all that are forked)
import pyarrow.parquet  # noqa: F401
import pytest
import scipy.integrate
import scipy.optimize
import scipy.stats  # noqa: F401
import statsmodels.stats.proportion  # noqa: F401

from simulate.napalm.counts import class_strengths

WANTED = 0.9
TESTS: dict[str, list[str]] = {
    "simulate/napalm/rules.py": [
        "tests/test_napalm_rules.py",
        "tests/test_config.py",
        "tests/test_napalm_reference.py",
    ],
    "simulate/napalm/settlement.py": ["tests/test_settlement.py"],
    "simulate/napalm/reference.py": ["tests/test_napalm_reference.py"],
    "simulate/noddy/rules.py": [
        "tests/test_noddy_rules.py",
        "tests/test_config.py",
        "tests/test_noddy_reference.py",
    ],
    "simulate/noddy/combinations.py": [
        "tests/test_noddy_combinations.py::test_large_hands_under_any_rules",
        "tests/test_noddy_combinations.py",
    ],
    "simulate/stats/estimate.py": ["tests/test_stats.py"],
    "simulate/stats/multiple.py": ["tests/test_stats_multiple.py"],
    "simulate/stats/paired.py": ["tests/test_stats.py"],
    "simulate/stats/ratio.py": ["tests/test_stats.py"],
    "simulate/stats/sequential.py": ["tests/test_stats.py"],
}
ONLY = {"simulate/napalm/reference.py": ("Money",)}  # of this file, the settlement alone
LEAVE_OUT = "test_cribbage_comes_out_as_published"  # takes plain Python minutes

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}


def changed(node: ast.AST) -> Iterator[ast.AST]:
    """Make every change of one node, each in a copy."""
    match node:
        case ast.Compare():
            for place, operator in enumerate(node.ops):
                for kind in COMPARISONS[type(operator)]:
                    yield but(node, ops=[*node.ops[:place], kind(), *node.ops[place + 1 :]])
        case ast.BinOp() | ast.AugAssign() if type(node.op) in OPERATORS:
            yield but(node, op=OPERATORS[type(node.op)]())
        case ast.BoolOp():
            yield but(node, op=ast.And() if isinstance(node.op, ast.Or) else ast.Or())
        case ast.UnaryOp():
            yield node.operand
        case ast.Constant(value=bool()):
            yield but(node, value=not node.value)
        case ast.Constant(value=int() | float()):
            yield but(node, value=node.value + 1)
        case ast.IfExp():
            yield but(node, body=node.orelse, orelse=node.body)
    if isinstance(node, ast.Raise | ast.Break | ast.Continue | ast.AugAssign):
        yield ast.Pass()
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield ast.Pass()


def but(node: ast.AST, **fields: object) -> ast.AST:
    """Copy a node with other fields."""
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def places(tree: ast.AST, only: tuple[str, ...]) -> Iterator[tuple[ast.AST, str, int | None]]:
    """Yield every place of code: its parent, the field, and where in a list."""
    if isinstance(tree, ast.Module) and only:
        inside = [node for node in tree.body if getattr(node, "name", "") in only]
        for node in inside:
            yield from places(node, ())
        return
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for place, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.AST) and not compiles(child):
                yield tree, name, place
                yield from places(child, ())


def compiles(node: ast.AST) -> bool:
    """Whether this says how a module is compiled, which here it is not."""
    return isinstance(node, ast.Expr) and ast.unparse(node).startswith("compile_module(")


def mutants(file: str) -> Iterator[tuple[str, ast.Module]]:
    """Yield every change of a file, told in one line, and the whole that it makes."""
    tree = ast.parse((ROOT / file).read_text())
    for parent, name, place in list(places(tree, ONLY.get(file, ()))):
        holder = getattr(parent, name)
        node = holder if place is None else holder[place]
        for other in changed(node):
            ast.copy_location(other, node)
            ast.fix_missing_locations(other)
            put(parent, name, place, other)
            lines = [ast.unparse(each).splitlines()[0] for each in (node, other)]
            yield f"{file}:{node.lineno}: {lines[0]}  ->  {lines[1]}", tree
            put(parent, name, place, node)


def put(parent: ast.AST, name: str, place: int | None, node: ast.AST) -> None:
    """Set what stands in a place."""
    if place is None:
        setattr(parent, name, node)
    else:
        getattr(parent, name)[place] = node


def name_of(file: str) -> str:
    """Return the name that a file is imported by."""
    return file.removesuffix(".py").replace("/", ".")


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module from a changed tree."""

    def __init__(self, file: str, tree: ast.Module) -> None:
        self.file, self.tree = file, tree
        self.name = name_of(file)

    def find_spec(self, name, path=None, target=None):
        """Find that module alone."""
        if name != self.name:
            return None
        return importlib.util.spec_from_file_location(name, ROOT / self.file, loader=self)

    def exec_module(self, module: ModuleType) -> None:
        """Execute the changed tree."""
        exec(compile(self.tree, str(ROOT / self.file), "exec"), vars(module))


def notices(file: str, tree: ast.Module, seconds: float) -> bool:
    """Run the tests on a changed file in a process of its own."""
    child = os.fork()
    if child == 0:
        code = 0
        try:
            os.setpgid(0, 0)
            sys.meta_path.insert(0, Finder(file, tree))
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                code = int(pytest.main(arguments(file)))
        except BaseException:  # noqa: BLE001  (whatever a change brings about, it is noticed)
            code = 1
        finally:
            os._exit(code != 0)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status != 0
        time.sleep(0.005)
    os.killpg(child, signal.SIGKILL)  # a loop without an end is noticed, too
    os.waitpid(child, 0)
    return True


def arguments(file: str) -> list[str]:
    """Say what pytest does."""
    tests = [str(ROOT / test) for test in TESTS[file]]
    quiet = ["-q", "-x", "--no-header", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist"]
    quiet += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    return [*tests, *quiet, "--hypothesis-profile=mutation", "-k", f"not {LEAVE_OUT}"]


def examine(file: str, sample: int | None) -> tuple[int, int]:
    """Try the changes of a file; return how many there were and how many were noticed."""
    start = time.monotonic()
    untouched = ast.parse((ROOT / file).read_text())
    if notices(file, untouched, 3_600):
        raise SystemExit(f"{file}: its tests fail on what is there")
    longest = 10 + 5 * (time.monotonic() - start)
    total = sum(1 for _ in mutants(file))
    chosen = range(total)
    if sample is not None and sample < total:
        chosen = sorted(random.Random(1).sample(chosen, sample))
    wanted, noticed = set(chosen), 0
    for number, (told, tree) in enumerate(mutants(file)):
        if number in wanted:
            found = notices(file, tree, longest)
            noticed += found
            if not found:
                print(f"not noticed: {told}", flush=True)
    minutes = (time.monotonic() - start) / 60
    print(
        f"{file}: {noticed} of {len(wanted)} noticed ({noticed / len(wanted):.1%}), "
        f"{total} changes in all, {minutes:.1f} min",
        flush=True,
    )
    return len(wanted), noticed


def count_hands() -> None:
    """Count all hands once, which takes plain Python seconds, for all processes that are forked."""
    for stage in (1, 2, 3):
        for wheel in (False, True):
            class_strengths(stage, wheel)
    there = [file for file in TESTS if name_of(file) in sys.modules]
    if there:
        raise SystemExit(f"{there[0]}: imported before it could be changed")


def main() -> int:
    """Examine the files, and sum up."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, help="so many changes of each file, at random")
    parser.add_argument("files", nargs="*", default=list(TESTS), metavar="FILE")
    args = parser.parse_args()
    hypothesis.settings.register_profile(
        "mutation",
        deadline=None,
        derandomize=True,
        database=None,
        max_examples=60,
        phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
    )
    count_hands()
    counts = [examine(file, args.sample) for file in args.files]
    tried, noticed = (sum(column) for column in zip(*counts, strict=True))
    print(f"in all {noticed} of {tried} changes noticed: {noticed / tried:.1%}")
    return 0 if noticed >= WANTED * tried else 1


if __name__ == "__main__":
    sys.exit(main())
