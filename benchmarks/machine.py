"""Where and with what something was measured."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

BUILT_ON = ("numpy", "numba", "llvmlite", "pyarrow", "pandas")
RIVALS = ("phevaluator", "eval7", "treys", "pokerkit", "open-spiel")


def processor() -> str:
    """Name the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def processors() -> int:
    """Count the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def vector_bits() -> int:
    """Return the width of the widest integer operations of 8 and 16 bits."""
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features()
    return 512 if features.get("avx512bw") else 256 if features.get("avx2") else 128


def memory() -> int | None:
    """Return the megabytes of memory, where the system says."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 1_000_000
    except (AttributeError, OSError, ValueError):
        return None


def load() -> float | None:
    """Return how many processes wanted to run in the last minute, where the system says."""
    try:
        return round(os.getloadavg()[0], 2)
    except (AttributeError, OSError):
        return None


def installed(name: str) -> str | None:
    """Return the version of a package, or None."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def describe() -> dict[str, Any]:
    """Describe the machine and the versions of all that takes part."""
    from simulate.jit import sources_hash
    from simulate.version import VERSION

    return {
        "machine": {
            "processor": processor(),
            "processors": processors(),
            "vector_bits": vector_bits(),
            "memory_mb": memory(),
            "system": f"{platform.system()} {platform.release()}",
            "load": load(),
        },
        "versions": {
            "napalm-noddy": VERSION,
            "sources": sources_hash(),
            "python": platform.python_version(),
            **{name: installed(name) for name in (*BUILT_ON, *RIVALS)},
        },
    }
