"""Specs of strategies: what is found, what it is called, and what each mistake is told."""

from __future__ import annotations

import importlib.metadata
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import strategies
from simulate.errors import InputError
from strategies.samples import samples
from strategies.spec import parse_spec

BLUFFER = '"""Bluffs."""\ndef p_yes(view, cut=0.75, most=2, wild=False):\n    return cut\n'


@pytest.fixture
def bot(tmp_path):
    """Write a strategy's file and return its path as text."""

    def write(text, name="bot.py"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write


def view_with(**fields):
    (view,) = next(samples("napalm", 1))
    return view._replace(**fields)


# --- specs -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("tight", ("tight", {}, 1)),
        ("tight*4", ("tight", {}, 4)),
        (" tight * 4 ", ("tight", {}, 4)),
        ("bluffer:bluff=0.2", ("bluffer", {"bluff": "0.2"}, 1)),
        (
            "bluffer: bluff = 0.2 , yes_above=1*3",
            ("bluffer", {"bluff": "0.2", "yes_above": "1"}, 3),
        ),
        ("my/bot.py:yes_above=0.8", ("my/bot.py", {"yes_above": "0.8"}, 1)),
        ("C:\\bots\\bot.py", ("C:\\bots\\bot.py", {}, 1)),
        ("C:\\bots\\bot.py:a=1*2", ("C:\\bots\\bot.py", {"a": "1"}, 2)),
        ("odd:name.py", ("odd:name.py", {}, 1)),
        ("two*stars.py", ("two*stars.py", {}, 1)),
        ("two*3/bot.py*3", ("two*3/bot.py", {}, 3)),
        ("a*b.toml:cut=1", ("a*b.toml", {"cut": "1"}, 1)),
    ],
)
def test_a_spec_is_taken_apart(text, parts):
    assert tuple(parse_spec(text)) == parts


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no name"),
        (":bluff=1", "has no name"),
        ("tight*0", "'0' after '*' is not a number of players from 1 to 100"),
        ("tight*-1", "'-1' after '*'"),
        ("tight*1.5", "'1.5' after '*'"),
        ("tight*x", "'x' after '*'"),
        ("tight*", "'' after '*'"),
        ("tight*1000000000000", "after '*'"),
        ("bluffer:", "'' is not a parameter and its value"),
        ("bluffer:bluff", "'bluff' is not a parameter and its value"),
        ("bluffer:=1", "'=1' is not a parameter and its value"),
        ("bluffer:bluff=", "'bluff=' is not a parameter and its value"),
        ("bluffer:bluff=0.1,bluff=0.2", "'bluff' is given twice"),
        ("blufer", "unknown strategy 'blufer': did you mean 'bluffer'?"),
        ("bluffer:blof=0.2", "unknown parameter of strategy 'bluffer' 'blof': did you mean"),
        ("never:x=1", "'x' given, but it has no parameters"),
        ("bluffer:bluff=high", "bluff is 'high': it must be a number"),
        ("bluffer:bluff=nan", "bluff is 'nan': it must be a number"),
        ("bluffer:bluff=inf", "bluff is 'inf': it must be a number"),
        ("threshold:stage1=1.5", "parameter 'stage1' is 1.5: it must be a number from 0 to 1"),
        ("nowhere/bot.py", "does not exist"),
        ("README.rst/x", "is neither .py, .toml nor .npz"),
    ],
)
def test_a_wrong_spec_is_named_in_one_line(text, message):
    with pytest.raises(InputError) as caught:
        strategies.parse_line_up([text], "napalm")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cut=1,most=2.5", "most is '2.5': it must be a whole number"),
        ("most=1e30", "most is '1e30': it must be a whole number"),
        ("most=9007199254740993", r"it must be a whole number, at most 2\*\*53"),
        ("wild=2", "wild is '2': it must be true or false"),
    ],
)
def test_a_value_must_be_of_the_kind_of_its_default(bot, text, message):
    with pytest.raises(InputError, match=message):
        strategies.load(f"{bot(BLUFFER)}:{text}")


def test_equal_strategies_have_one_spec(bot):
    path = bot(BLUFFER)
    for text in (
        "most=3,cut=0.50,wild=true",
        "wild=yes,cut=5e-1,most=3.0",
        "wild=1,most=+3,cut=.5",
    ):
        loaded = strategies.load(f"{path}:{text}")
        assert loaded.spec == f"{path}:cut=0.5,most=3,wild=true"
        assert loaded.params == {"cut": 0.5, "most": 3, "wild": True}
        assert [type(value) for value in loaded.params.values()] == [float, int, bool]
        assert strategies.load(loaded.spec).spec == loaded.spec
    assert strategies.load(f"{path}:cut=0.75,most=2").spec == path


def test_a_line_up_is_in_order_and_keeps_what_is_loaded():
    own = strategies.load("tight:chance=0.6", "napalm")
    line_up = strategies.parse_line_up(["tight*2", own, "bluffer:bluff=0.2"], "napalm")
    assert [each.spec for each in line_up] == [
        "tight",
        "tight",
        "tight:chance=0.6",
        "bluffer:bluff=0.2",
    ]
    assert line_up[2] is own
    assert [each.spec for each in strategies.parse_line_up("tight*2", "napalm")] == ["tight"] * 2


def test_a_strategy_of_the_other_game_is_refused(bot):
    own = strategies.load("tight", "napalm")
    with pytest.raises(InputError, match="'tight' is for napalm, not for noddy"):
        strategies.parse_line_up([own], "noddy")
    with pytest.raises(InputError, match=r"is a strategy for napalm .* not for noddy"):
        strategies.load(bot(BLUFFER), "noddy")
    with pytest.raises(InputError, match="unknown game 'poker'"):
        strategies.load("tight", "poker")
    with pytest.raises(InputError, match="5 is not text"):
        strategies.parse_line_up([5], "napalm")


def test_a_relative_path_starts_at_the_base(bot, tmp_path):
    bot(BLUFFER)
    loaded = strategies.load("bot.py", base=tmp_path)
    assert (loaded.path, loaded.spec, loaded.name) == (tmp_path / "bot.py", "bot.py", "bot")


# --- files -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def p_yes(view:\n", r"bot.py:1: .*was never closed"),
        ("x = 1\n  y = 2\n", r"bot.py:2: unexpected indent"),
        (b"\xff\xfe\x00", "not UTF-8"),
        ("# coding: latin-1\ndef p_yes(view): return 1", "iso-8859-1 text: use UTF-8"),
        ("# coding: nonsense\n", "not UTF-8"),
        ("x = 1\x00", "not Python|null byte"),
        (
            "",
            r"no function p_yes\(view, ...\) for napalm nor value\(view, option, ...\) for noddy",
        ),
        ("from x import p_yes", "has no function"),
        ("class p_yes: pass", "has no function"),
        ("def p_yes(): return 1", "must take view first, without a default"),
        ("def p_yes(cut=0.5): return 1", "must take view first, without a default"),
        ("def value(view, worth=1): return 1", "must take view and option first"),
        ("def p_yes(view, cut): return 1", "parameter 'cut' has no default: write cut=0.5"),
        ("def p_yes(view, *rest): return 1", r"takes \*rest"),
        ("def p_yes(view, **rest): return 1", r"takes \*\*rest"),
        ("def p_yes(view, *, cut=1): return 1", r"has a '\*' among its arguments"),
        ("import x\n@x\ndef p_yes(view): return 1", "is decorated"),
        (
            "def p_yes(view, cut='high'): return 1",
            "default of 'cut' is 'high': it must be a number",
        ),
        ("def p_yes(view, cut=None): return 1", "default of 'cut' is None"),
        ("def p_yes(view, cut=1j): return 1", "default of 'cut' is 1j"),
        ("def p_yes(view, cut=LIMIT): return 1", "default of 'cut' is LIMIT"),
        ("def p_yes(view, cut=1 / 0): return 1", "default of 'cut' is 1 / 0"),
        ("def p_yes(view, cut=1e999): return 1", "must be finite"),
        ("def p_yes(view, cut=2**63): return 1", r"whole number at most 2\*\*53"),
        ("def p_yes(view, cut=10**400): return 1", r"whole number at most 2\*\*53"),
        ("import random\ndef p_yes(view): return random.random()", "bot.py:1: .*use view.random"),
        (
            "import numpy as np\ndef p_yes(view): return np.random.rand()",
            "bot.py:2: .*use view.random",
        ),
        ("from .odds import x\ndef p_yes(view): return x", "there is no odds.py beside this file"),
        ("from . import odds\ndef p_yes(view): return 1", "there is no odds.py beside this file"),
        ("from ..a import odds\ndef p_yes(view): return 1", "not from above it"),
    ],
)
def test_a_file_that_is_no_strategy_is_named_with_its_line(bot, text, message):
    with pytest.raises(InputError, match=message) as caught:
        strategies.load(bot(text))
    assert "bot.py" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_and_a_missing_file(tmp_path):
    (tmp_path / "folder.py").mkdir()
    for name, message in (("folder.py", "is a folder"), ("no.py", "does not exist")):
        with pytest.raises(InputError, match=message):
            strategies.load(str(tmp_path / name))
    with pytest.raises(InputError, match="is a folder"):
        strategies.load(f"{tmp_path}/")


def test_a_file_for_both_games_is_loaded_for_either(bot):
    path = bot("def p_yes(view, a=1): return 1\ndef value(view, option, b=2): return 1\n")
    assert strategies.load(path, "napalm").params == {"a": 1}
    assert strategies.load(path, "noddy").params == {"b": 2}
    with pytest.raises(InputError, match="has both p_yes and value"):
        strategies.load(path)


def test_reading_a_file_does_not_run_it(bot):
    loaded = strategies.load(bot(f"{BLUFFER}raise RuntimeError('run')\n"))
    assert (loaded.about, loaded.game, loaded.kind) == ("Bluffs.", "napalm", "py")
    with pytest.raises(strategies.StrategyError, match=r"raised RuntimeError: run, at .*bot.py:4"):
        loaded.answer(view_with())


def test_a_default_may_be_arithmetic_and_the_docstring_the_functions(bot):
    loaded = strategies.load(
        bot('def p_yes(view, a=1 / 4, b=-2):\n    """Says so."""\n    return a\n')
    )
    assert loaded.params == {"a": 0.25, "b": -2}
    assert loaded.about == "Says so."


def test_line_ends_and_a_byte_order_mark_do_not_change_the_hash(bot):
    plain = strategies.load(bot(BLUFFER))
    other = strategies.load(bot(b"\xef\xbb\xbf" + BLUFFER.replace("\n", "\r\n").encode(), "b.py"))
    assert list(plain.sources.values()) == list(other.sources.values())


# --- modules beside the file -------------------------------------------------------------------

IMPORTS = [
    "import odds\nimport math, more as m",
    "from odds import (\n    chance,\n)\nimport odds; import more as m",
    "from . import odds, more as m",
    "from . import \\\n    odds; from . import more as m",
    "from .odds import *\nfrom . import odds\nimport more as m",
]


@pytest.mark.parametrize("imports", IMPORTS)
def test_a_strategy_may_use_modules_beside_it(bot, imports):
    text = f"{imports}\ndef p_yes(view):\n    return odds.chance(0.5) + m.extra()\n"
    bot("from base import HALF\ndef chance(x):\n    return x * HALF\n", "odds.py")
    bot("HALF = 0.5\n", "base.py")
    bot("def extra():\n    return 0.125\n", "more.py")
    loaded = strategies.load(bot(text))
    assert sorted(loaded.sources) == ["base.py", "bot.py", "more.py", "odds.py"]
    assert loaded.answer(view_with()) == 0.375
    assert not {"odds", "base", "more"} & set(sys.modules)


def test_each_strategy_has_its_own_module_of_a_name(bot, tmp_path):
    answers = []
    for number, folder in enumerate(("one", "two"), start=1):
        (tmp_path / folder).mkdir()
        bot(f"CHANCE = {number / 4}\n", f"{folder}/odds.py")
        path = bot("import odds\ndef p_yes(view):\n    return odds.CHANCE\n", f"{folder}/bot.py")
        answers.append(strategies.load(path).answer(view_with()))
    assert answers == [0.25, 0.5]


def test_a_change_in_a_module_beside_it_changes_the_hash(bot):
    bot("CHANCE = 0.25\n", "odds.py")
    path = bot("import odds\ndef p_yes(view):\n    return odds.CHANCE\n")
    before = strategies.load(path)
    bot("CHANCE = 0.75\n", "odds.py")
    after = strategies.load(path)
    assert before.source_hash != after.source_hash
    assert (before.answer(view_with()), after.answer(view_with())) == (0.25, 0.75)


def test_pythons_own_library_is_never_taken_from_the_folder(bot):
    bot("sqrt = None\n", "math.py")
    loaded = strategies.load(bot("import math\ndef p_yes(view):\n    return math.sqrt(0.25)\n"))
    assert list(loaded.sources) == ["bot.py"]
    assert loaded.answer(view_with()) == 0.5


def test_modules_that_import_each_other_are_refused(bot):
    bot("import bot\n", "odds.py")
    with pytest.raises(InputError, match="in a circle: bot -> odds -> bot"):
        strategies.load(bot("import odds\ndef p_yes(view):\n    return 1\n"))


def test_imports_by_the_name_of_the_package(bot, tmp_path):
    (tmp_path / "pack").mkdir()
    bot("", "pack/__init__.py")
    bot("CHANCE = 0.25\n", "pack/odds.py")
    text = "import pack.odds as o\nfrom pack import odds\nfrom pack.odds import CHANCE\n"
    path = bot(
        f"{text}def p_yes(view):\n    return o.CHANCE + odds.CHANCE + CHANCE\n", "pack/bot.py"
    )
    loaded = strategies.load(path)
    assert list(loaded.sources) == ["odds.py", "bot.py"]
    assert loaded.answer(view_with()) == 0.75
    with pytest.raises(InputError, match=r"write .import pack\.odds as odds."):
        strategies.load(bot("import pack.odds\ndef p_yes(view):\n    return 1\n", "pack/bot.py"))


# --- answers -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("1.1", "answered 1.1: it must return a probability from 0 to 1"),
        ("-1", "answered -1"),
        ("float('nan')", "answered NaN"),
        ("None", "answered nothing"),
        ("'yes'", "answered 'yes', a str"),
        ("10**400", "too large"),
        ("1 / (view.n - 5)", "raised ZeroDivisionError"),
    ],
)
def test_a_wrong_answer_names_strategy_state_and_value(bot, answer, message):
    path = bot(f"def p_yes(view):\n    return {answer}\n")
    with pytest.raises(strategies.StrategyError) as caught:
        strategies.load(path).answer(view_with(n=5, stage=2))
    text = str(caught.value)
    for part in (path, message, "bot.py:", "n=5", "stage=2", "strength="):
        assert part in text
    assert pickle.loads(pickle.dumps(caught.value)).args == caught.value.args


@pytest.mark.parametrize(("answer", "value"), [("True", 1.0), ("0", 0.0), ("view.strength", 0.25)])
def test_every_kind_of_number_is_an_answer(bot, answer, value):
    loaded = strategies.load(bot(f"def p_yes(view):\n    return {answer}\n"))
    assert loaded.answer(view_with(strength=0.25)) == value


def test_noddy_values_may_be_infinite(bot):
    loaded = strategies.load(bot("def value(view, option, sign=-1):\n    return sign * 1e999\n"))
    assert loaded.game == "noddy"
    assert loaded.answer(*next(samples("noddy", 1))) == float("-inf")


def test_a_strategy_can_be_sent_to_another_process(bot):
    bot("CHANCE = 0.25\n", "odds.py")
    path = Path(bot("import odds\ndef p_yes(view, a=1.0):\n    return a * odds.CHANCE\n"))
    loaded = strategies.load(f"{path}:a=2")
    assert loaded.answer(view_with()) == 0.5
    sent = pickle.dumps(loaded)
    path.unlink()
    (path.parent / "odds.py").unlink()
    assert pickle.loads(sent) == loaded
    assert pickle.loads(sent).answer(view_with()) == 0.5


# --- the list ----------------------------------------------------------------------------------


def test_the_list_needs_no_heavy_library():
    code = (
        "import sys, strategies; names = [each.name for each in strategies.listing('napalm')]; "
        "assert 'tight' in names and 'threshold' in names; "
        "assert not {'numba', 'numpy', 'pandas', 'pyarrow'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_strategies_of_installed_packages_are_found(bot, tmp_path, monkeypatch):
    bot(
        '"""Foreign."""\nfrom .odds import C\ndef p_yes(view, a=1.0): return a * C\n',
        "foreign_bot.py",
    )
    bot("C = 0.5\n", "odds.py")
    bot("[[rule]]\nchance = 0.25\n", "data.toml")
    bot(
        "from pathlib import Path\nTABLE = Path(__file__).with_name('data.toml')\n",
        "foreign_data.py",
    )
    values = {"foreign": "foreign_bot", "flat": "foreign_data:TABLE", "gone": "no_such_module"}
    values |= {"odd": "foreign_data:Path", "tight": "foreign_bot"}
    points = importlib.metadata.EntryPoints(
        importlib.metadata.EntryPoint(name, value, "napalm_noddy.strategies")
        for name, value in values.items()
    )
    monkeypatch.setattr(
        "strategies.catalogue.entry_points", lambda group: points.select(group=group)
    )
    monkeypatch.syspath_prepend(tmp_path)

    loaded = strategies.load("foreign:a=0.5", "napalm")
    assert (loaded.spec, loaded.about) == ("foreign:a=0.5", "Foreign.")
    assert loaded.answer(view_with()) == 0.25
    assert strategies.load("flat").answer(view_with()) == 0.25
    assert strategies.load("tight").about != "Foreign."  # a built-in is never hidden
    for name, message in (("gone", "'no_such_module'"), ("odd", "names no module and no file")):
        with pytest.raises(InputError, match=message):
            strategies.load(name)
    with pytest.raises(InputError, match=r"did you mean .foreign.\?"):
        strategies.load("foriegn")
    with pytest.warns(UserWarning, match=r"gone|odd"):
        names = [each.name for each in strategies.listing("napalm")]
    assert {"foreign", "flat"} < set(names)
    assert names.count("tight") == 1
