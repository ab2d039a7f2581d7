"""Pictures show the numbers they are given, with units, and can be told apart in grey."""

import itertools

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes

from simulate import plots
from simulate.errors import InputError
from simulate.plots import style

mpl.use("agg")
RANKS = "23456789TJQKA"


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def around(frame, column, margin=0.05):
    return frame.assign(
        **{f"{column}_low": frame[column] - margin, f"{column}_high": frame[column] + margin}
    )


def lines(by="stage", x="strength", y="rate"):
    points = itertools.product(["one", "two", "three"], np.linspace(0.1, 0.9, 9))
    frame = pd.DataFrame(points, columns=[by, x])
    return around(frame.assign(**{y: frame[x] / (1 + frame[by].str.len())}), y)


def grid():
    frame = pd.DataFrame(
        itertools.product([0.5, 0.6, 0.7], [0.0, 0.1]), columns=["tight.stage1", "tight.bluff"]
    )
    net = 1 - (frame["tight.stage1"] - 0.6) ** 2 - frame["tight.bluff"]
    return around(frame.assign(net=net, maybe_best=net > 0.98), "net")


def hands():
    rows = [(RANKS[i] + RANKS[j], (i + j + 1) / 26) for i in range(13) for j in range(i + 1)]
    return around(pd.DataFrame(rows, columns=["hand", "rate"]), "rate", 0.02)


def duels():
    rows = [
        ("tight", "loose", 0.5),
        ("loose", "tight", -0.5),
        ("tight", "wild", 0.02),
        ("wild", "tight", -0.02),
    ]
    return around(pd.DataFrame(rows, columns=["strategy", "opponent", "gain"]), "gain")


def growing():
    games = np.array([200, 2000, 20_000])
    return around(pd.DataFrame({"games": games, "value": [0.4, 0.3, 0.21]}), "value")


def ranked():
    return around(pd.DataFrame({"strategy": ["a", "b", "c"], "net": [1.0, 0.2, -1.2]}), "net")


POSITIONS = lines("stage", "position").assign(
    position=lambda frame: (frame["position"] * 10 - 1).astype(int) % 5
)
POSITIONS = POSITIONS.drop_duplicates(["stage", "position"])
RACE = lines("strategy", "turn", "score")

PICTURES = {
    "curves": lambda **o: plots.curves(lines(), "strength", "rate", "stage", **o),
    "win_rate_by_strength": lambda **o: plots.win_rate_by_strength(lines(), "stage", **o),
    "yes_rate_by_position": lambda **o: plots.yes_rate_by_position(POSITIONS, "stage", **o),
    "threshold_curve": lambda **o: plots.threshold_curve(
        grid().query("`tight.bluff` == 0"), "tight.stage1", **o
    ),
    "running_estimate": lambda **o: plots.running_estimate(growing(), **o),
    "race_curves": lambda **o: plots.race_curves(RACE, target=31, **o),
    "win_rate_by_hand": lambda **o: plots.win_rate_by_hand(hands(), **o),
    "heat_map": lambda **o: plots.heat_map(grid(), "tight.stage1", "tight.bluff", **o),
    "cross_table": lambda **o: plots.cross_table(duels(), **o),
    "standings": lambda **o: plots.standings(ranked(), **o),
}


def test_every_picture_is_tried_here():
    assert set(PICTURES) == set(plots.__all__) - {"save_picture"}


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_return_labelled_axes_and_draw_into_those_given(name, tmp_path):
    own = PICTURES[name]()
    assert isinstance(own, Axes)
    assert own.get_xlabel()
    assert own.get_ylabel()
    _, given = plt.subplots()
    assert PICTURES[name](ax=given) is given
    path = plots.save_picture(own, tmp_path / "picture.png")
    pixels = plt.imread(path)[..., :3]
    assert 700 < pixels.shape[1] < 1500
    assert pixels.std() > 0.02


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_the_same_picture_gives_the_same_file(suffix, tmp_path):
    paths = [plots.save_picture(PICTURES["heat_map"](), tmp_path / f"{i}{suffix}") for i in (1, 2)]
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_text_in_svg_stays_text(tmp_path):
    path = plots.save_picture(PICTURES["threshold_curve"](), tmp_path / "a.svg")
    assert "net (stakes a game)" in path.read_text(encoding="utf-8")


def test_pictures_that_cannot_be_saved_say_so(tmp_path):
    with pytest.raises(InputError, match=r"must end with one of \.png"):
        plots.save_picture(PICTURES["cross_table"](), tmp_path / "a.bmp")
    with pytest.raises(InputError, match="there is no folder"):
        plots.save_picture(PICTURES["cross_table"](), tmp_path / "no" / "a.png")


def test_a_missing_column_is_named():
    with pytest.raises(InputError, match="column 'net_low' is missing from the table, which has"):
        plots.threshold_curve(grid().drop(columns="net_low"), "tight.stage1")


def test_curves_show_the_numbers_and_their_intervals():
    frame = lines().sample(frac=1, random_state=1)
    ax = plots.win_rate_by_strength(frame, "stage")
    drawn = {line.get_label(): line for line in ax.get_lines()}
    bands = dict(zip(frame["stage"].unique(), ax.collections, strict=True))
    for name, part in lines().groupby("stage"):
        assert drawn[name].get_xdata() == pytest.approx(part["strength"])
        assert drawn[name].get_ydata() == pytest.approx(part["rate"])
        corners = bands[name].get_paths()[0].vertices
        assert corners[:, 1].min() == pytest.approx(part["rate_low"].min())
        assert corners[:, 1].max() == pytest.approx(part["rate_high"].max())
    assert [text.get_text() for text in ax.get_legend().get_texts()] == list(
        frame["stage"].unique()
    )


def test_threshold_curve_marks_the_best_and_its_equals():
    frame = grid().query("`tight.bluff` == 0")
    ax = plots.threshold_curve(frame, "tight.stage1")
    rings, star = ax.collections[1:]
    assert rings.get_offsets()[:, 0].tolist() == frame[frame["maybe_best"]]["tight.stage1"].tolist()
    assert star.get_offsets()[:, 0].tolist() == [0.6]


def test_positions_run_from_eldest_to_the_dealer():
    ax = plots.yes_rate_by_position(POSITIONS, "stage")
    names = [label.get_text() for label in ax.get_xticklabels()]
    assert names == ["0\neldest", "1", "2", "3", "4\ndealer"]


def texts(ax):
    return {
        (round(t.get_position()[0]), round(t.get_position()[1])): t.get_text() for t in ax.texts
    }


def test_hands_stand_below_the_diagonal_and_margins_above():
    ax = plots.win_rate_by_hand(hands())
    values = np.ma.filled(ax.images[0].get_array(), np.nan)
    assert values[0, 0] == pytest.approx(25 / 26)  # a pair of aces
    assert values[1, 0] == pytest.approx(24 / 26)  # ace and king
    assert np.isnan(values[0, 1])
    written = texts(ax)
    assert (written[0, 1], written[1, 0]) == ("92", "±2.0")
    assert len(written) == 91 + 78


def test_hands_are_read_in_either_order():
    turned = hands().assign(hand=lambda frame: frame["hand"].str[::-1])
    one, other = (
        plots.win_rate_by_hand(frame).images[0].get_array() for frame in (hands(), turned)
    )
    assert np.array_equal(np.ma.filled(one, -1), np.ma.filled(other, -1))


def test_heat_map_puts_each_point_in_its_cell_and_a_star_at_the_best():
    frame = grid().sample(frac=1, random_state=2)
    ax = plots.heat_map(frame, "tight.stage1", "tight.bluff")
    values = np.asarray(ax.images[0].get_array())
    assert values[1, 2] == pytest.approx(1 - 0.01 - 0.1)
    [star] = [line for line in ax.get_lines() if line.get_marker() == "*"]
    assert (round(star.get_xdata()[0]), round(star.get_ydata()[0])) == (1, 0)
    assert ax.images[0].origin == "lower"
    frame_lines = ax.collections[0].get_segments()
    assert len(frame_lines) == 8  # round three cells in a row


def test_cross_table_puts_what_is_unsure_in_brackets():
    ax = plots.cross_table(duels())
    written = {text.get_text() for text in ax.texts}
    assert written == {"+0.50", "−0.50", "(+0.02)", "(−0.02)"}


def lightness(colour):
    red, green, blue = mpl.colors.to_rgb(colour)
    return 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2


def test_maps_can_be_read_in_grey():
    cells = mpl.colormaps[style.SEQUENTIAL](np.linspace(0, 1, 64))
    assert np.all(np.diff([lightness(cell[:3]) for cell in cells]) > 0)


def test_lines_differ_in_dashes_and_markers_as_well():
    styles = [style.line_style(place) for place in range(35)]
    assert len({(s["marker"], str(s["linestyle"])) for s in styles}) == 35
    assert all(lightness(s["color"]) < 0.5 for s in styles)
