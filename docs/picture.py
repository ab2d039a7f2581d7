"""Draw the picture of the README from real games: ``make picture``."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.ticker import PercentFormatter

import simulate
from simulate import plots
from simulate.napalm.rates import rates
from simulate.plots.style import SETTINGS
from simulate.stats import mean_interval

FILE = Path(__file__).parent / "_static" / "five-players.png"
GAMES = 1_000_000


def main() -> None:
    """Play a million games, and draw who says Yes with what, and what comes of it."""
    results = simulate.run("napalm", players=5, games=GAMES, seed=1)
    said = rates(results, "yes", ["strategy", "strength"], stage=1, turn=1)
    rows = results.results.query("seat == -1")
    found = [mean_interval(row.games, row.net, row.net_sq)[:3] for row in rows.itertuples()]
    gains = pd.DataFrame(found, columns=["net", "net_low", "net_high"])
    gains["strategy"] = rows.strategy.to_numpy()
    with plt.rc_context(SETTINGS):
        _, (left, right) = plt.subplots(
            1, 2, figsize=(10.4, 3.7), width_ratios=(3, 2), layout="constrained"
        )
    plots.curves(said, "strength", "rate", "strategy", ax=left)
    left.yaxis.set_major_formatter(PercentFormatter(1.0))
    left.set(
        title="Who says Yes with which two cards",
        xlabel="strength (share of all hands that this hand beats)",
        ylabel="of the chances to speak",
    )
    plots.standings(gains, ax=right)
    right.set(title="and what comes of it", ylabel="")
    plots.save_picture(left, FILE)


if __name__ == "__main__":
    main()
