"""Shell completion: scripts for three shells, and bash asked what it would complete."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from simulate.cli import COMMANDS, main


@pytest.fixture
def script(capsys):
    def printed(shell):
        assert main(["completion", shell]) == 0
        return capsys.readouterr().out

    return printed


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_command_and_its_options_are_in_the_script(script, shell):
    text = script(shell)
    for word in (*COMMANDS, "players", "seed", "napalm", "noddy", "tight", "stakes", "hold"):
        assert word in text, word


BASH = shutil.which("bash")
COMPLETIONS = [
    ("simulate comp", ["compare", "completion"]),
    ("simulate run nap", ["napalm"]),
    ("simulate run napalm --pl", ["--players"]),
    ("simulate run napalm --strategy blu", ["bluffer"]),
    ("simulate run napalm --rules tok", ["tokens"]),
    ("simulate completion f", ["fish"]),
]
ASK = """
read -ra COMP_WORDS <<< "$1"
COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE=$1; COMP_POINT=${#1}
_shtab_simulate
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.parametrize(("line", "words"), COMPLETIONS if BASH else [])
def test_bash_completes(script, tmp_path, line, words):
    file = tmp_path / "completion.bash"
    file.write_text(script("bash") + ASK, encoding="utf-8")
    done = subprocess.run([BASH, file, line], capture_output=True, text=True, check=True)
    assert sorted(done.stdout.split()) == words


@pytest.mark.parametrize("shell", [shell for shell in ("zsh", "fish") if shutil.which(shell)])
def test_other_shells_that_are_here_take_the_script(script, tmp_path, shell):
    file = tmp_path / f"completion.{shell}"
    file.write_text(script(shell), encoding="utf-8")
    subprocess.run([shell, "-n", file], check=True, capture_output=True)


def test_another_shell_is_refused(capsys):
    assert main(["completion", "bashh"]) == 2
    assert "did you mean 'bash'?" in capsys.readouterr().err
