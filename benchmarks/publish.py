"""Put a run of the benchmarks into the guide: ``python -m benchmarks.publish FILE``.

The numbers become ``benchmarks/measured.json``; the tables and the headline that are made of them
replace what stands between the marks ``<!-- bench:tables -->`` and ``<!-- bench:end -->`` (and
``bench:headline``) in the guide and the README.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.row import Row
from benchmarks.table import amount, whole

ROOT = Path(__file__).parent.parent
MEASURED = Path(__file__).parent / "measured.json"
PAGES = (ROOT / "docs" / "explanation" / "speed.md", ROOT / "README.md")
HEADLINE = (("dealing", "whole deals, 5 players"), ("napalm", "stakes, threshold"),
            ("napalm", "stakes, five different"), ("evaluators", "eval7"),
            ("noddy", "lay, highest"))  # fmt: skip


def headline(result: dict[str, Any]) -> str:
    """Say the most important numbers in a sentence."""
    rows = {(benchmark["name"], row["name"]): Row.from_dict(row)
            for benchmark in result["benchmarks"] for row in benchmark["rows"]}  # fmt: skip
    dealing, napalm, mixed, eval7, noddy = (rows[key] for key in HEADLINE)
    beside = f", {eval7.ratio:.0f} times as many hands as eval7" if eval7.ratio else ""
    return (
        f"On one core ({result['machine']['processor']}): {amount(dealing.value, dealing.unit)} "
        f"dealt to five players and ranked{beside}; in whole games of Napalm "
        f"{amount(napalm.value, napalm.unit)} where all play thresholds, "
        f"{amount(mixed.value, mixed.unit)} where five play differently; "
        f"{amount(noddy.value, noddy.unit)} of Noddy.\n"
    )


def replaced(text: str, result: dict[str, Any]) -> str:
    """Put tables and headline in their places."""
    for name, write in (("tables", whole), ("headline", headline)):
        begin, end = f"<!-- bench:{name} -->\n", "<!-- bench:end -->"
        pattern = re.escape(begin) + r".*?" + re.escape(end)
        if begin in text:
            new = f"{begin}\n{write(result)}\n{end}"
            text = re.sub(pattern, lambda _, new=new: new, text, flags=re.DOTALL)
    return text


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.publish", description=__doc__)
    parser.add_argument("file", type=Path, metavar="FILE")
    args = parser.parse_args(argv)
    result = json.loads(args.file.read_text(encoding="utf-8"))
    MEASURED.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    for page in PAGES:
        page.write_text(replaced(page.read_text(encoding="utf-8"), result), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
