"""Read the file of a `.py` strategy without running it: what it is, what it imports, its hash.

The modules that lie beside it and that it imports are part of a strategy: they are read and hashed
with it. What it imports from elsewhere is not.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import io
import math
import tokenize
from dataclasses import dataclass
from pathlib import Path

from simulate.errors import InputError
from strategies.imports import Folder, own_imports, package_name

FUNCTIONS = {"napalm": "p_yes", "noddy": "value"}
GIVEN = {"napalm": ("view",), "noddy": ("view", "option")}

Number = int | float | bool
MOST_WHOLE = 2**53  # parameters are handed to compiled code as floats, which hold no more exactly


@dataclass(frozen=True)
class Source:
    """What the text of a strategy's file tells.

    Attributes
    ----------
    path : Path
        The file.
    game : str
        ``"napalm"`` or ``"noddy"``, told by the function the file defines.
    about : str
        The docstring.
    params : dict of str to number
        The parameters and their defaults, in the order of the signature.
    package : str or None
        The name of the package its folder is, where it is one.
    texts : dict of str to str
        The file and the modules it imports from its own folder, file name to text, each after those
        that it imports; so the strategy itself is the last.
    """

    path: Path
    game: str
    about: str
    params: dict[str, Number]
    package: str | None
    texts: dict[str, str]


def read_source(path: Path, game: str | None = None) -> Source:
    """Read a strategy's file and the modules beside it that it imports.

    Parameters
    ----------
    path : Path
        A `.py` file.
    game : str, optional
        The game it must be for; needed only where a file has a function for either.

    Raises
    ------
    InputError
        When it cannot be read, is not Python, or holds no strategy.
    """
    tree = _parse(path, read_text(path))
    function = _strategy_function(path, tree, game)
    game = next(game for game, name in FUNCTIONS.items() if name == function.name)
    texts: dict[str, str] = {}
    _collect(path, texts, [])
    return Source(
        path=path,
        game=game,
        about=inspect.cleandoc(ast.get_docstring(tree) or ast.get_docstring(function) or ""),
        params=_parameters(path, function, game),
        package=package_name(path.parent),
        texts=texts,
    )


def games_of(path: Path) -> list[str]:
    """List the games that a `.py` file has a strategy for; none for a module that others import."""
    tree = _parse(path, read_text(path))
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    return [game for game, function in FUNCTIONS.items() if function in defined]


def texts_hash(texts: dict[str, str]) -> str:
    """Hash named texts: equal if and only if the same names hold the same texts."""
    digest = hashlib.sha256()
    for name in sorted(texts):
        for part in (name.encode(), texts[name].encode()):
            digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()


def read_data(path: Path) -> bytes:
    """Read a file.

    Raises
    ------
    InputError
        When it is not there, is no file, or cannot be opened.
    """
    if path.is_dir():
        raise InputError(f"strategy file {str(path)!r} is a folder: name a .py or .toml file in it")
    if not path.is_file():
        raise InputError(f"strategy file {str(path)!r} does not exist")
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"strategy file {str(path)!r} cannot be read: {error.strerror}") from error


def read_text(path: Path) -> str:
    """Read a text file, with line ends as on Unix so that its hash is the same everywhere.

    Raises
    ------
    InputError
        When it cannot be read, or is not UTF-8.
    """
    data = read_data(path)
    try:
        if path.suffix.lower() == ".py":
            encoding = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
            if encoding not in ("utf-8", "utf-8-sig"):
                raise InputError(f"strategy file {str(path)!r} is {encoding} text: use UTF-8")
        text = data.decode("utf-8-sig")
    except (SyntaxError, UnicodeDecodeError) as error:
        raise InputError(f"strategy file {str(path)!r} is not UTF-8 text") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _parse(path: Path, text: str) -> ast.Module:
    try:
        return ast.parse(text, str(path))
    except SyntaxError as error:
        line = (error.text or "").strip()
        raise InputError(f"{path}:{error.lineno}: {error.msg}: {line!r}") from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise InputError(f"{path}: this is not Python: {error}") from error


def _strategy_function(path: Path, tree: ast.Module, game: str | None) -> ast.FunctionDef:
    found = {
        node.name: node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name in FUNCTIONS.values()
    }
    if game is not None and FUNCTIONS[game] in found:
        return found[FUNCTIONS[game]]
    if len(found) == 1 and game is None:
        return next(iter(found.values()))
    if len(found) == 2:
        raise InputError(f"{path} has both p_yes and value: say for which game it is to play")
    if found:
        other = next(name for name, function in FUNCTIONS.items() if function in found)
        raise InputError(
            f"{path} is a strategy for {other} (it has {FUNCTIONS[other]}), not for {game}"
        )
    wanted = " nor ".join(
        f"{function}({', '.join(GIVEN[name])}, ...) for {name}"
        for name, function in FUNCTIONS.items()
        if game in (None, name)
    )
    raise InputError(f"{path} has no function {wanted}")


def _parameters(path: Path, function: ast.FunctionDef, game: str) -> dict[str, Number]:
    """Read the parameters of a strategy's function and their defaults."""
    where = f"{path}:{function.lineno}: {function.name}"
    arguments, given = function.args, GIVEN[game]
    for star, extra in (("*", arguments.vararg), ("**", arguments.kwarg)):
        if extra is not None:
            raise InputError(f"{where} takes {star}{extra.arg}: name each parameter")
    if arguments.kwonlyargs:
        raise InputError(f"{where} has a '*' among its arguments: leave it out")
    if function.decorator_list:
        raise InputError(f"{where} is decorated: leave it plain, it is compiled anyway")
    names = [argument.arg for argument in arguments.posonlyargs + arguments.args]
    required = len(names) - len(arguments.defaults)
    if required < len(given):
        missing = " and ".join(given)
        raise InputError(f"{where} must take {missing} first, without a default")
    if required > len(given):
        name = names[len(given)]
        raise InputError(f"{where}: parameter {name!r} has no default: write {name}=0.5")
    return {
        name: _default(where, name, node)
        for name, node in zip(names[required:], arguments.defaults, strict=True)
    }


_ARITHMETIC = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop)


def _default(where: str, name: str, node: ast.expr) -> Number:
    """Work out a default: a number, True or False, or arithmetic of numbers such as ``1 / 3``."""
    given = f"{where}: the default of {name!r} is {ast.unparse(node)}"
    value: object = None
    if all(isinstance(part, _ARITHMETIC) for part in ast.walk(node)):
        try:
            value = eval(compile(ast.Expression(node), where, "eval"), {"__builtins__": {}})  # noqa: S307
        except (ArithmeticError, TypeError, ValueError):
            value = None
    if not isinstance(value, int | float):
        raise InputError(f"{given}: it must be a number, True or False")
    if abs(value) > MOST_WHOLE if isinstance(value, int) else not math.isfinite(value):
        raise InputError(f"{given}: it must be finite, and a whole number at most 2**53")
    return value


def _collect(path: Path, texts: dict[str, str], above: list[str]) -> None:
    """Add a module's text to `texts` after the modules beside it that it imports."""
    if path.stem in above:
        circle = " -> ".join([*above[above.index(path.stem) :], path.stem])
        raise InputError(f"{path}: modules import each other in a circle: {circle}")
    if path.name in texts:
        return
    text = read_text(path)
    tree = _parse(path, text)
    _refuse_random(path, tree)
    for name in own_imports(path, tree, Folder.at(path.parent)):
        _collect(path.with_name(f"{name}.py"), texts, [*above, path.stem])
    texts[path.name] = text


def _refuse_random(path: Path, tree: ast.Module) -> None:
    """Refuse random numbers from elsewhere: a game could not be played again."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                used = {alias.name for alias in names}
            case ast.ImportFrom(module=str(module), names=names, level=0):
                used = {module} | {f"{module}.{alias.name}" for alias in names}
            case ast.Attribute(value=ast.Name(id="np" | "numpy"), attr="random"):
                used = {"numpy.random"}
            case _:
                continue
        if used & {"random", "secrets", "numpy.random"}:
            raise InputError(
                f"{path}:{node.lineno}: random numbers of its own would make games that cannot be "
                "repeated: use view.random"
            )
