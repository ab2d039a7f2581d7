"""The kernel of Napalm with a stopwatch around each of its calls.

The sources of `simulate.napalm.stage` and `simulate.napalm.kernel` are copied into one module, and
every call in it of a function that it imports is put between two looks at the clock. So what is
timed is the game itself, whatever has become of it: no part has to be set up here, and none can be
forgotten.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import inspect
from types import ModuleType
from typing import NamedTuple

import simulate.napalm.kernel
import simulate.napalm.stage
from strategies.compiled import write_module

OUTER, STAGE = "play", "play_stage"
ARITHMETIC = ("around",)
"""What the kernel imports that is no piece of work."""

FIGURES = ("cycles", "calls", "lanes")


class TimedKernel(NamedTuple):
    """The module, whose `play` takes one more argument, and what stands where in that.

    Attributes
    ----------
    module : ModuleType
    parts : tuple of str
        The functions that are timed. ``ticks[part, stage, figure]``, int64, is added to: cycles,
        calls, and the lanes that these were for; the stage is 0 for what has none.
    """

    module: ModuleType
    parts: tuple[str, ...]


class _Direct(ast.NodeTransformer):
    """Calls by its name what is called through its address."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "call_at":
            return ast.Call(ast.Name(STAGE, ast.Load()), node.args[1:], [])
        return node


class _Watch(ast.NodeTransformer):
    """Puts the clock around statements that call one of the functions."""

    def __init__(self, parts: list[str], own: list[str]) -> None:
        self.parts, self.own = parts, own
        self.at_a_stage = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if node.name in self.own:
            self.at_a_stage = any(argument.arg == "stage" for argument in node.args.args)
            node.args.args.append(ast.arg("ticks"))
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id in self.own:
            node.args.append(ast.Name("ticks", ast.Load()))
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        return self._watched(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST | list[ast.stmt]:
        return self._watched(node)

    def _watched(self, node: ast.Assign | ast.Expr) -> ast.AST | list[ast.stmt]:
        calls = [call for call in ast.walk(node.value) if isinstance(call, ast.Call)]
        found = [
            call for call in calls if isinstance(call.func, ast.Name) and call.func.id in self.parts
        ]
        self.generic_visit(node)
        if not found:
            return node
        call = found[0]  # the outermost
        names = {name.id for argument in call.args for name in ast.walk(argument)
                 if isinstance(name, ast.Name)}  # fmt: skip
        last = call.args[-1]
        lanes = (
            last.id
            if isinstance(last, ast.Name) and last.id in ("lanes", "playing", "found", "asked")
            else "1"
        )
        stage = "stage" if self.at_a_stage or "stage" in names else "0"
        part = self.parts.index(call.func.id)  # type: ignore[attr-defined]  # a Name, see above
        after = f"""
ticks[{part}, {stage}, 0] += now() - began
ticks[{part}, {stage}, 1] += 1
ticks[{part}, {stage}, 2] += {lanes}
"""
        return [*ast.parse("began = now()").body, node, *ast.parse(after).body]


def timed_kernel() -> TimedKernel:
    """Write and compile the copy, or load it."""
    tree = _one_module()
    own = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    outer = [OUTER, *(name for name in own if _leads(tree, name))]
    imported = [
        alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name.islower()
        and alias.name not in ARITHMETIC
        and node.module not in ("simulate.jit", "simulate.lanes")
    ]
    parts = [
        *(name for name in imported if _called(tree, name)),
        *(name for name in own if name not in outer),
    ]
    _Watch(parts, outer).visit(tree)
    place = next(i for i, node in enumerate(tree.body) if isinstance(node, ast.FunctionDef))
    tree.body.insert(place, ast.parse("from benchmarks.stopwatch import now").body[0])
    tree.body[-1:-1] = ast.parse("def look():\n    return now()").body
    text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    name = f"timed_kernel_{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    write_module(name, text)
    return TimedKernel(importlib.import_module(name), tuple(parts))


def _one_module() -> ast.Module:
    """Put the stage and the games around it into one module."""
    stage = ast.parse(inspect.getsource(simulate.napalm.stage)).body[:-1]
    games = ast.parse(inspect.getsource(simulate.napalm.kernel)).body[1:]
    inside = ("__future__", "simulate.address", "simulate.napalm.stage")
    games = [
        node for node in games if not (isinstance(node, ast.ImportFrom) and node.module in inside)
    ]
    tree = ast.Module([*stage, *games], [])
    return ast.fix_missing_locations(_Direct().visit(tree))


def _called(tree: ast.AST, name: str) -> bool:
    """Whether a function is called anywhere."""
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
        for node in ast.walk(tree)
    )


def _leads(tree: ast.Module, name: str) -> bool:
    """Whether a function of the module leads through a stage: what it calls is timed, not it."""
    [function] = [
        node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name
    ]
    return _called(function, "deal_places")
