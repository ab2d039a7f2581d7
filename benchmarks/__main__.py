"""Run the benchmarks, print their tables and keep the numbers: ``python -m benchmarks``."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.machine import describe, load
from benchmarks.measure import FULL, QUICK, TINY, Effort
from benchmarks.table import origin, section, whole

ORDER = (
    "dealing", "evaluators", "napalm", "players", "strategies", "other_games", "noddy", "detail",
    "rows", "sweep", "threads", "executors", "memory", "starts",
)  # fmt: skip
EFFORTS = {"tiny": TINY, "quick": QUICK, "full": FULL}
FOLDER = Path(__file__).parent.parent / "results"

CAVEATS = """\
Rates of one thread are by its CPU time; starts, threads and rows are by the clock, and mean little
while other programs run.
A ratio is the median of the ratios round by round; a target is judged by medians.
What is called from Python one hand or game at a time pays for Python: most of the distance to the
other packages is that. PHEvaluator in C ranks some fifty million hands a second.
The rivals' games are others: they are what one would simulate with those packages instead.
Tables say whether a target is reached on the machine that they were measured on: the targets are
meant for one core with 512-bit vectors that has nothing else to do.
""".replace("\n", " ")


def measured(names: Sequence[str], effort: Effort) -> dict[str, Any]:
    """Run benchmarks, printing each table when it is there."""
    result: dict[str, Any] = {"date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC", **describe()}
    result["effort"] = effort._asdict()
    result["benchmarks"] = []
    for name in names:
        module = import_module(f"benchmarks.bench_{name}")
        begin = time.perf_counter()
        rows = [row.to_dict() for row in module.run(effort)]
        seconds = round(time.perf_counter() - begin, 1)
        benchmark = {"name": name, "title": module.TITLE, "rows": rows, "seconds": seconds}
        result["benchmarks"].append(benchmark)
        print(section(benchmark), flush=True)
    result["machine"]["load_after"] = load()
    result["caveats"] = CAVEATS
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *ORDER], help="which ones; all if none")
    parser.add_argument("--effort", choices=EFFORTS, default="quick", help="quick if left out")
    parser.add_argument("--out", type=Path, metavar="FILE", help="where the numbers go, as JSON")
    parser.add_argument("--show", type=Path, metavar="FILE", help="print the tables of such a file")
    args = parser.parse_args(argv)
    if args.show:
        print(whole(json.loads(args.show.read_text(encoding="utf-8"))))
        return 0
    result = measured(args.names or ORDER, EFFORTS[args.effort])
    out = args.out or FOLDER / f"bench-{datetime.now(UTC):%Y%m%d-%H%M%S}.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(origin(result))
    print(CAVEATS)
    print(f"\nwritten to {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
