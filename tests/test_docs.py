"""Every command and every snippet of the README and the guide is run.

The blocks of one page share a folder and, in Python, their names. In a `console` block the output
that stands under a command is what it prints, with `...` for what is left out; ``SAVE_DOCS=1``
writes it anew. In other blocks commands run as they are written, but with fewer games. A block
with a caption is a file of that name.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import re
import shlex
import warnings
from pathlib import Path

import matplotlib as mpl
import pytest

from simulate.cli import command_parser, main

mpl.use("Agg")

ROOT = Path(__file__).parent.parent
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted(path for path in (ROOT / "docs").rglob("*.md") if "command-line" not in path.name),
]
BLOCK = re.compile(r"^```(\S*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
KNOWN = ("console", "sh", "python", "toml", "text", "json", "{toctree}", "{eval-rst}", "")
MOST_GAMES = 1_000
MOST_AHEAD = 20  # games in which is looked ahead, each of which takes thousands
SAVE = os.environ.get("SAVE_DOCS") == "1"
LONGEST = 70  # lines of output that a page shows of a command
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


def fewer_games(text):
    """Play no more games than a test has time for."""

    def fewer(match):
        number = match[2].replace("_", "")
        size = {"k": 1e3, "M": 1e6}.get(number[-1:], 1)
        games = float(number.rstrip("kM")) * size
        most = MOST_AHEAD if "ahead" in match[1] else MOST_GAMES
        return f"{match[1]}{min(int(games), most)}"

    return re.sub(r"(--games |games=|--deals |deals=|--ahead |ahead=)([0-9_.e]+[kM]?)", fewer, text)


def expanded(word):
    """Do what a shell does with a star in the name of a folder that is there."""
    matches = sorted(map(str, Path().glob(word))) if "*" in word and "/" in word else []
    return matches or [word]


class Person(io.TextIOBase):
    """Somebody who plays a game to its end: says No, draws, or lays what is first."""

    def __init__(self):
        self.words = itertools.cycle("n1d")

    def readline(self, size=-1):
        return f"{next(self.words)}\n"


def run(command):
    """Run a command line as a shell would, and return what it prints."""
    words = shlex.split(command, comments=True)
    assert words[0] == "simulate", command
    found = [match for word in words[1:] for match in expanded(word)]
    out = io.StringIO()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(out),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr("sys.stdin", Person())
        code = main(found)
    assert code == 0, f"{command}: {out.getvalue()}"
    return out.getvalue()


def shell(text):
    for line in text.splitlines():
        words = shlex.split(line, comments=True)
        if not words:
            continue
        if words[0] == "make":
            assert {word for word in words[1:] if "=" not in word} <= TARGETS, line
        elif words[0] == "eval":
            assert "compgen" in run(re.search(r"\$\((.*)\)", line)[1])
        elif words[0] == "pip":
            assert words[1] == "install", line
        elif "--web" in words:
            command_parser().parse_args(words[1:])  # it would not end
        elif words[:2] == ["simulate", "play"]:
            run(f"{line.partition('#')[0]} --no-coach")
        else:
            run(line if "--equilibrium" in line else fewer_games(line))  # needs 20,000


def file_named(text):
    """Write a block that is a file."""
    name = re.match(r":caption: (\S+)\n", text)
    assert name, "a code block of the guide is a file with a caption"
    Path(name[1]).write_text(text[name.end() :], encoding="utf-8")


def console(text):
    """Run the commands of a block; return it with what they print."""
    lines = []
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, written = part.partition("\n")
        printed = "".join(f"{line.rstrip()}\n" for line in run(command).splitlines())
        if fits(written, printed):
            lines += [f"$ {command}", written.rstrip("\n")]
        else:
            assert SAVE, f"{command} prints:\n{printed}"
            lines += [f"$ {command}", *shortened(printed.rstrip("\n").splitlines())]
    return "\n".join(lines) + "\n"


def fits(written, printed):
    """Tell whether this was printed; a line of three dots stands for any lines."""
    pieces = re.split(r"^\.\.\.\n", f"{written.rstrip()}\n", flags=re.MULTILINE)
    pattern = "(?:.*\n)*?".join(map(re.escape, pieces))
    return re.fullmatch(pattern, f"{printed.rstrip()}\n") is not None


def shortened(lines):
    return lines if len(lines) <= LONGEST else [*lines[: LONGEST - 5], "..."]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_what_a_page_shows_works(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    names = {"__name__": "page"}
    text = page.read_text("utf-8")

    def run_block(match):
        language, body = match[1], match[2]
        if language == "{code-block}":
            file_named(body)
        elif language == "console":
            return match[0].replace(body, console(body))
        elif language == "sh":
            shell(body)
        elif language == "python":
            exec(compile(fewer_games(body), f"{page.name}", "exec"), names)
        else:
            assert language in KNOWN, language
        return match[0]

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shown = BLOCK.sub(run_block, text)
    if SAVE:
        page.write_text(shown, encoding="utf-8")


def test_links_between_pages_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            if target.startswith("http"):
                continue
            path = (page.parent / target).resolve()
            if (ROOT / "docs" / "notebooks") in path.parents:  # copied when the guide is built
                path = ROOT / "notebooks" / path.name
            assert path.exists(), f"{page.name}: {target}"
