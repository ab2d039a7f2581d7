"""The wheel: built, installed into an environment of its own, and played with there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
BIN = "Scripts" if os.name == "nt" else "bin"


def pip(*words):
    command = [*words[:1], "-m", "pip", "--disable-pip-version-check", *words[1:]]
    subprocess.run(command, check=True, cwd=ROOT, capture_output=True, text=True)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    pip(sys.executable, "wheel", "--no-deps", "--wheel-dir", str(folder), ".")
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def home(wheel, tmp_path_factory):
    """An environment in which nothing is installed but the wheel and what it depends on."""
    home = tmp_path_factory.mktemp("home")
    venv.create(home / "venv", with_pip=True)
    python = home / "venv" / BIN / "python"
    pip(str(python), "install", "-c", str(ROOT / "constraints.txt"), str(wheel))
    return home


@pytest.fixture
def simulate(home):
    """Run the command that the wheel has installed, far from the sources."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["SIMULATE_CACHE_DIR"] = str(home / "cache")

    def run(*words):
        done = subprocess.run(
            [home / "venv" / BIN / "simulate", *words],
            cwd=home,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    return run


def test_the_wheel_holds_all_that_git_holds_and_nothing_else(wheel):
    command = ["git", "ls-files", "simulate", "strategies"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert inside == set(listed.stdout.split())
    assert {"simulate/py.typed", "strategies/py.typed", "simulate/report/page.css"} <= inside


def test_the_built_in_strategies_are_inside(simulate):
    files = (ROOT / "strategies").glob("*/*.py")
    names = {path.stem for path in files if "def " in path.read_text("utf-8")} - {"missing", "pace"}
    said = simulate("strategies").split()
    assert names <= set(said)
    assert {"threshold", "positional", "solved:napalm-4"} <= set(said), "tables, too"


@pytest.mark.parametrize(("game", "players"), [("napalm", "5"), ("noddy", "2")])
def test_it_plays_and_reports(simulate, home, game, players):
    command = ["run", game, "--players", players, "--games", "2000", "--json"]
    found = json.loads(simulate(*command))
    assert found["games"] == 2000
    assert Path(found["config"]["game"]).name == game
    said = simulate("report", found["path"])
    assert "<svg" in (home / said.removeprefix("report: ").strip()).read_text("utf-8")
