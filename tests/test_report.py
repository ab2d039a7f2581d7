"""Reports: one file for each kind of results, whole, correct, and fetching nothing."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

import simulate
from simulate.cli import main
from simulate.comparison import compare
from simulate.napalm.rates import rates
from simulate.noddy.rates import chances_by_lead, chances_by_turns
from simulate.report import write_report
from simulate.sweeping import sweep
from simulate.tournaments import tournament

LINE_UP = ["tight", "bluffer", "tight", "listener", "racer"]
VOID = ("meta", "br", "link", "path", "use", "image", "rect", "stop")


class Page(HTMLParser):
    """Reads a page, and refuses what does not nest."""

    def __init__(self, text):
        super().__init__()
        self.open, self.seen, self.links, self.ids = [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name in ("src", "href", "xlink:href", "action", "data"):
                self.links.append(value)
            if name == "id":
                self.ids.append(value)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    return tmp_path_factory.mktemp("results")


@pytest.fixture(scope="module")
def napalm(out):
    return simulate.run("napalm", games=3_000, strategies=LINE_UP, out=out)


@pytest.fixture(scope="module")
def pages(out, napalm):
    """The report of each kind of results, by kind."""
    found = {
        "napalm": napalm,
        "noddy": simulate.run("noddy", players=3, games=2_000, out=out),
        "compare": compare("napalm", "tight", "threshold", field="bluffer", games=2_000, out=out),
        "curve": sweep("napalm", "threshold.stage1=0.6:0.9:0.1", games=1_000, out=out),
        "map": sweep(
            "napalm",
            ["bluffer.bluff=0:0.2:0.1", "rule.tie=split,nothing"],
            field="tight",
            games=1_000,
            out=out,
        ),
        "tournament": tournament("noddy", ["first", "highest", "random"], games=3_000, out=out),
    }
    return {kind: write_report(each.path).read_text("utf-8") for kind, each in found.items()}


KINDS = ["napalm", "noddy", "compare", "curve", "map", "tournament"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_whole_and_fetches_nothing(pages, kind):
    page = Page(pages[kind])
    assert page.seen.count("h1") == 1
    assert page.seen.count("table") >= 2
    assert all(link.startswith(("#", "data:image/png;base64,")) for link in page.links)
    assert len(page.ids) == len(set(page.ids)), "no id twice, though there are many pictures"
    assert "default-src 'none'" in pages[kind]
    addresses = set(re.findall(r"https?://[^\"' )]+", pages[kind]))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}


@pytest.mark.parametrize("kind", ["napalm", "noddy", "curve", "map", "tournament"])
def test_a_page_has_pictures_in_the_colours_of_the_page(pages, kind):
    svgs = re.findall(r"<svg.*?</svg>", pages[kind], re.DOTALL)
    assert svgs
    for svg in svgs:
        assert "var(--ink)" in svg
        assert "#0102" not in svg, "every mark has been replaced"
        assert 'role="img"' in svg
        assert "<title>" in svg


def test_the_numbers_of_the_page_are_those_of_the_run(pages, napalm):
    row = napalm.results.query("seat == -1 and strategy == 'tight'").iloc[0]
    assert f"{row.won / row.games / 2:.2%}" in pages["napalm"]
    assert f"{row.net / row.games / 2:+.3f}" in pages["napalm"]
    assert napalm.signature[:16] in pages["napalm"]
    assert "racer gains most" in pages["napalm"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_command_on_the_page_finds_the_same_results(pages, kind, tmp_path, monkeypatch, capsys):
    import html
    import shlex

    command = html.unescape(re.search(r"<pre><code>(simulate .*?)</code>", pages[kind])[1])
    run = re.search(r"<dt>content</dt><dd>([0-9a-f]{16})", pages[kind])[1]
    monkeypatch.chdir(tmp_path)
    assert main([*shlex.split(command)[1:], "--quiet"]) == 0
    assert capsys.readouterr().out == ""
    assert [path.name[-16:] for path in (tmp_path / "results").iterdir()] == [run]


def test_what_is_written_on_the_page_is_escaped(out, tmp_path):
    path = tmp_path / "bot.py"
    path.write_text('"""Says <b>Yes</b> & smiles."""\ndef p_yes(view):\n    return 1.0\n')
    results = simulate.run("napalm", games=300, strategies=[str(path), "tight*3"], out=out)
    text = write_report(results, tmp_path / "page.html").read_text("utf-8")
    assert "&lt;b&gt;Yes&lt;/b&gt; &amp; smiles." in text
    Page(text)


def test_the_command_line_writes_it(napalm, tmp_path, capsys):
    file = tmp_path / "page.html"
    assert main(["report", str(napalm.path), "--out", str(file)]) == 0
    assert capsys.readouterr().out == f"report: {file}\n"
    assert file.read_text("utf-8").startswith("<!doctype html>")
    assert main(["report", str(tmp_path / "none")]) == 2
    assert "does not exist" in capsys.readouterr().err
    assert main(["report", str(napalm.path), "--out", str(tmp_path / "no" / "page.html")]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_a_run_of_few_games_has_a_report_without_intervals(out, tmp_path):
    results = simulate.run("napalm", games=20, strategies=LINE_UP, out=out)
    text = write_report(results, tmp_path / "few.html").read_text("utf-8")
    assert "too few games" in text
    Page(text)


def test_rates_add_up(napalm):
    decisions = napalm.decisions
    said = rates(napalm, "yes", ["strategy", "stage"], turn=1)
    for row in said.itertuples():
        part = decisions.query("strategy == @row.strategy and stage == @row.stage and turn == 1")
        assert row.count == part["count"].sum()
        assert row.rate == pytest.approx(part.query("yes == 1")["count"].sum() / row.count)
        assert row.rate_low <= row.rate <= row.rate_high
    best = rates(napalm, "best", stage=1)
    deals = int(napalm.totals.deals[0])
    assert best["count"].tolist() == [5 * deals]
    assert best.rate[0] >= 1 / 5, "somebody is the best in every deal, and several are when tied"


def test_hands_are_named_and_ordered_by_strength(napalm):
    by_hand = rates(napalm, "best", "hand", stage=1)
    by_strength = rates(napalm, "best", "strength", stage=1)
    assert by_hand.rate.tolist() == by_strength.rate.tolist()
    assert by_strength.strength.is_monotonic_increasing
    assert by_hand.hand.iloc[-1] == "AA"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("bst", "hand"), "did you mean 'best'"),
        (("best", "hands"), "did you mean 'hand'"),
        (("best", "strength"), "name one, as stage=1"),
        (("best", ["stage", "hand"]), "at stage 1 only"),
    ],
)
def test_rates_that_make_no_sense_are_refused(napalm, arguments, words):
    with pytest.raises(simulate.InputError, match=re.escape(words)):
        rates(napalm, *arguments)


def test_chances_in_a_race(out):
    results = simulate.run(
        "noddy", players=2, games=2_000, strategies=["highest", "random"], out=out
    )
    by_turns = chances_by_turns(results)
    totals = results.results.query("seat == -1").set_index("strategy")
    for strategy, part in by_turns.groupby("strategy", observed=True):
        won = totals.won[strategy]
        assert part.rate.is_monotonic_increasing
        assert part.rate.iloc[-1] == pytest.approx(won / 2_000, abs=0.005)
    by_lead = chances_by_lead(results, turns=(2,))
    assert by_lead.rate.iloc[0] < 0.5 < by_lead.rate.iloc[-1]
