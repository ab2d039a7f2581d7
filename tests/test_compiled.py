"""Strategies compiled from copies: what is kept, what is refused, and how that is told.

Everything is compiled in child processes with a cache folder of their own, and with the compiler on
whatever the environment of the tests says.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import strategies
from strategies.compiled import copies_folder, write_copy, write_module

CHILD = """
import json, sys
import strategies
from strategies.compiled import compile_strategy, copies_folder
from strategies.samples import samples

told = {"folder": str(copies_folder())}
for spec in sys.argv[1:]:
    strategy = strategies.load(spec)
    try:
        function = compile_strategy(strategy)
    except strategies.StrategyError as error:
        told[spec] = {"error": str(error)}
        continue
    asked = list(samples(strategy.game, 1))
    params = strategy.params.values()
    compiled = [float(function(*each, *params)) for each in asked]
    told[spec] = {
        "compiled": compiled,
        "plain": [strategy.answer(*each) for each in asked],
        "hits": sum(function.stats.cache_hits.values()),
    }
print(json.dumps(told))
"""


def compile_in_child(cache, *specs):
    """Compile strategies in a fresh process; what became of each, by spec."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "0", "SIMULATE_CACHE_DIR": str(cache)}
    command = [sys.executable, "-W", "error", "-c", CHILD, *map(str, specs)]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def bot(tmp_path):
    def write(text, name="bot.py"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


BAD = {
    "view.strenght": "view has no field 'strenght': did you mean 'strength'?",
    "strength": "name 'strength' is not defined",
    "'yes' if view.pair else 0.5": "the text 'yes' on one path, a number on another",
    "TABLE['a']": "TABLE is a dict: compiled code knows numbers, tuples, arrays",
    "LIST[0]": "LIST is a list outside the function: it must be a tuple",
    "NONE[0]": "NONE is a list outside the function: it must be a tuple",
    "len(view.strength)": "Numba knows no len() of a number",
    "sum(view.cards[:view.count]) / 364": "a tuple cannot be sliced",
    "sum(1 for card in view.cards if card > 0) / 7": "Numba knows no generator here",
    "time.time() % 1": "Numba does not know time.time",
    "below(x=1)": "missing a required argument: 'view'",
}
NO_NUMBERS = {
    "'yes'": "it returns the text 'yes': it must return a number",
    "1j": "it returns a complex number",
    "(0.5, 0.5)": "it returns a tuple",
}
HEAD = "import time\n\nTABLE, LIST, NONE = {'a': 0.5}, [0.5], []\n\n\n"
BELOW = "def below(view):\n    return view.strenght\n"
BAD_BODIES = {
    "if view.pair:\n        return 0.5": (6, "on some path it returns nothing"),
    "yield 0.5": (6, "it yields: write return"),
    "import math\n    return 0.5": (7, "imports must stand at the top of the file"),
    "global LIST\n    LIST = 1\n    return 0.5": (8, "it cannot set a global"),
    "if view.pair:\n        x = 0.5\n    return x": (9, "x has no value here on some path"),
    "try:\n        return view.yes / 9\n    except ValueError:\n        return 1.0": (
        9,
        "Numba knows no except but 'except Exception'",
    ),
    "x = 1.0\n    return below(view)": (11, "view has no field 'strenght'"),
}


def test_what_cannot_be_compiled_is_told_with_its_line(tmp_path):
    cases = {}
    bodies = {f"return {answer}": (7, why) for answer, why in BAD.items()}
    bodies |= {f"return {answer}": (6, why) for answer, why in NO_NUMBERS.items()} | BAD_BODIES
    for number, (body, (line, why)) in enumerate(bodies.items()):
        path = tmp_path / f"bot{number}.py"
        path.write_text(f"{HEAD}def p_yes(view, a=0.5):\n    {body}\n\n{BELOW}")
        cases[path] = (line, why, path.read_text().split("\n")[line - 1].strip())
    told = compile_in_child(tmp_path / "cache", *cases)
    for path, (line, why, text) in cases.items():
        error = told[str(path)].get("error", "nothing")
        assert f"{path}:{line}" in error
        assert f"cannot be compiled: {text!r}: " in error
        assert why in error
        assert "\n" not in error


def test_a_file_that_raises_is_told_with_its_line(bot, tmp_path):
    path = bot("def p_yes(view):\n    return 0.5\n\nraise KeyError('no')\n")
    error = compile_in_child(tmp_path / "cache", path)[str(path)]["error"]
    assert f"raised KeyError: 'no', at {path}:4" in error


def test_a_second_start_loads_what_the_first_compiled(bot, tmp_path):
    bot("def chance(x):\n    return x * x\n", "odds.py")
    path = bot(
        "from odds import chance\n\n\ndef half(x):\n    return x / 2\n\n\n"
        "def p_yes(view, cut=0.5, most=2, wild=False):\n"
        "    if wild or view.yes > most:\n        return half(chance(view.strength))\n"
        "    return view.strength >= cut\n"
    )
    specs = [str(path), f"{path}:most=0,cut=0.25", f"{path}:wild=true"]
    first = compile_in_child(tmp_path / "cache", *specs)
    second = compile_in_child(tmp_path / "cache", *specs)
    for spec in specs:
        assert first[spec]["compiled"] == first[spec]["plain"] == second[spec]["compiled"]
        assert len(set(first[spec]["compiled"])) > 1
    # Other parameters need no other code.
    assert [first[spec]["hits"] for spec in specs] == [0, 0, 0]
    assert second[specs[0]]["hits"] == 1


def test_a_change_in_a_module_beside_it_is_heard(bot, tmp_path):
    path = bot("from odds import chance\n\n\ndef p_yes(view):\n    return chance(view.strength)\n")
    answers = []
    for text in ("x * x", "x / 2"):
        bot(f"def chance(x):\n    return {text}\n", "odds.py")
        told = compile_in_child(tmp_path / "cache", path)[str(path)]
        assert told["compiled"] == told["plain"]
        answers.append(told["compiled"])
    assert answers[0] != answers[1]


def test_a_torn_cache_is_made_anew(bot, tmp_path):
    path = bot("def p_yes(view):\n    return view.strength\n")
    good = compile_in_child(tmp_path / "cache", path)[str(path)]
    for ending in ("*.nbi", "*.nbc"):
        (torn,) = (tmp_path / "cache").rglob(f"compiled_{ending}")
        torn.write_bytes(torn.read_bytes()[: torn.stat().st_size // 2])
        assert compile_in_child(tmp_path / "cache", path)[str(path)] == good
    assert compile_in_child(tmp_path / "cache", path)[str(path)] == {**good, "hits": 1}


def test_without_a_cache_folder_it_works_uncached_and_leaves_nothing(bot, tmp_path):
    path = bot("def p_yes(view):\n    return view.strength\n")
    (tmp_path / "cache").write_text("a file, no folder")
    told = compile_in_child(tmp_path / "cache", path)
    assert told[str(path)]["compiled"] == told[str(path)]["plain"]
    assert not Path(told["folder"]).exists()


# --- the copies --------------------------------------------------------------------------------


def test_a_copy_has_the_lines_of_the_original(bot):
    bot("HALF = 0.5\n", "odds.py")
    imports = "from odds import (\n    HALF,  # a half\n)\n"
    text = f'"""Half."""\n\n{imports}\n\ndef p_yes(view):\n    return HALF\n'
    copy = write_copy(strategies.load(bot(text)))
    lines = (copy.folder / f"{copy.module}.py").read_text().split("\n")
    assert lines[0] == '"""Half."""'
    assert lines[2].startswith(f"from {copy.module}_odds import")
    assert lines[7:9] == ["def p_yes(view):", "    return HALF"]
    assert lines[-2] == '_compile_module(__name__, inlined="all")'
    assert copy.function == "p_yes"


def test_a_generated_module_is_whole_whoever_writes_it():
    name = f"test_{os.getpid()}"
    text = "x = 1\n" * 50_000
    try:
        with ThreadPoolExecutor(8) as pool:
            paths = set(pool.map(lambda _: write_module(name, text), range(40)))
        (path,) = paths
        assert path.read_text() == text
        before = path.stat()
        assert write_module(name, text).stat().st_ino == before.st_ino  # it is left as it is
        path.write_text(text[:100])
        assert write_module(name, text).read_text() == text  # but not when it is damaged
        assert path.stat().st_mtime == before.st_mtime
        assert not list(copies_folder().glob(f".{name}*"))
    finally:
        (copies_folder() / f"{name}.py").unlink()
