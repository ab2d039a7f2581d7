"""Install what the benchmarks compare with: the extra ``bench``, one package after the other.

A package that cannot be installed here, for want of a wheel or of a compiler, is left out; the
table says so then.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


def requirements() -> list[str]:
    """Return the requirements of the extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return list(project["optional-dependencies"]["bench"])


def main() -> int:
    """Install them with the interpreter that runs this."""
    options = ["--quiet", "--no-input", "--disable-pip-version-check"]
    pip = [sys.executable, "-m", "pip", "install", *options]
    for requirement in requirements():
        command = [*pip, "-c", str(ROOT / "constraints.txt"), requirement]
        if subprocess.run(command, check=False).returncode:
            print(f"{requirement} cannot be installed here: the table goes without it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
