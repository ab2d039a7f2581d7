"""What was solved, as a strategy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulate.napalm.solving.proof import Proof
from simulate.napalm.solving.school import School, Setting
from simulate.version import VERSION
from strategies.solved import ARRAYS, FULL, Solved, shapes


def in_parts(chances: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Round chances to 255ths, as a file keeps them."""
    return np.rint(chances * FULL).astype(np.uint8)


def kept(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return chances as a file keeps them."""
    found: NDArray[np.float64] = in_parts(chances) / FULL
    return found


def solution(school: School, proof: Proof) -> Solved:
    """Write down what was learned, and how near to best it is."""
    setting = school.setting
    layout, parts = setting.layout, in_parts(school.chances())
    ends = [*layout.starts[1:], layout.size]
    second, third = (len(edges) + 1 for edges in setting.edges)
    shape = shapes(setting.n, second, third)
    arrays = {
        name: parts[start:end].reshape(shape[name])
        for name, start, end in zip(ARRAYS, layout.starts, ends, strict=True)
    }
    about = {
        "game": "napalm",
        "solved": "one deal for money",
        "players": setting.n,
        "rules": setting.rules.to_dict(),
        "seed": str(setting.seed),
        "deals": school.deals,
        "version": VERSION,
        **figures(proof),
    }
    edges2, edges3 = setting.edges
    return Solved(about=about, edges2=edges2, edges3=edges3, **arrays)


def figures(proof: Proof) -> dict[str, Any]:
    """Return what the best replies gained, as JSON takes it."""
    return {
        "nash_conv": proof.total,
        "nash_conv_error": proof.total_error,
        "worth": proof.worth.tolist(),
        "gain": proof.gain.tolist(),
        "gain_error": proof.error.tolist(),
        "reply_trained": proof.trained,
        "reply_scored": proof.fresh,
    }


def chances_of(solved: Solved, setting: Setting) -> NDArray[np.float64]:
    """Return the chances of a file as `setting.layout` has them."""
    found: NDArray[np.float64] = (
        np.concatenate([getattr(solved, name).reshape(-1) for name in ARRAYS]) / FULL
    )
    assert len(found) == setting.layout.size  # noqa: S101  (the reader has seen to it)
    return found
