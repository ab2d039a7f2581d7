"""A report opened in headless Chromium: what a person sees, on a desk, in the dark, on a phone."""

from __future__ import annotations

import json
import re
import subprocess
from html import unescape

import pytest
from chromium import chromium
from PIL import Image

import simulate
from simulate.report import write_report

SECONDS = 120
PHONE = 360

# Added to a copy of the page: puts tables in order by clicks, and writes down what comes of it.
LOOK = """
<script>
const column = (table, place) =>
  [...table.tBodies[0].rows].map((row) => row.cells[place].textContent);
const table = document.querySelector("table.sortable");
const heads = [...table.tHead.rows[0].cells];
const seen = {before: column(table, 0), net: heads.map((head) => head.textContent)};
heads[3].querySelector("button").click();
seen.falling = column(table, 3);
seen.sort = heads[3].getAttribute("aria-sort");
heads[3].querySelector("button").click();
seen.rising = column(table, 3);
heads[0].querySelector("button").click();
seen.names = column(table, 0);
seen.width = innerWidth;
seen.needed = document.documentElement.scrollWidth;
seen.pictures = [...document.querySelectorAll("svg")].map((svg) => svg.clientWidth);
seen.colour = getComputedStyle(document.querySelector("svg text")).fill;
seen.paper = getComputedStyle(document.querySelector("section")).backgroundColor;
seen.fetched = performance.getEntriesByType("resource").length;
const told = document.createElement("pre");
told.id = "seen";
told.textContent = JSON.stringify(seen);
document.body.append(told);
if (parent !== window) parent.postMessage(told.textContent, "*");
</script>
"""
FRAME = """<!doctype html><body><iframe src="{page}" width="{width}" height="900"></iframe><script>
addEventListener("message", (event) => {{
  const told = document.createElement("pre");
  told.id = "seen";
  told.textContent = event.data;
  document.body.append(told);
}});
</script></body>"""


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """Run Chromium, and return what it prints."""
    profile = tmp_path_factory.mktemp("profile")

    def run(*words):
        command = [*chromium(profile), *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=True)
        return done.stdout

    return run


@pytest.fixture(scope="session")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    strategies = ["tight*2", "bluffer", "listener", "racer"]
    results = simulate.run("napalm", games=20_000, strategies=strategies, out=folder)
    return write_report(results, folder / "page.html")


def told(dom):
    return json.loads(unescape(re.search(r'<pre id="seen">(.*?)</pre>', dom, re.DOTALL)[1]))


@pytest.fixture(scope="session")
def seen(browser, page):
    """What the page was like on a desk, after some clicks."""
    copy = page.with_name("looked-at.html")
    copy.write_text(page.read_text("utf-8").replace("</body>", f"{LOOK}</body>"), "utf-8")
    return told(browser("--window-size=1200,900", "--dump-dom", copy.as_uri()))


def number(text):
    return float(text.split()[0])


def test_a_click_puts_a_table_in_order(seen):
    assert seen["before"] == ["racer", "listener", "tight", "bluffer"]
    falling = [number(text) for text in seen["falling"]]
    assert falling == sorted(falling, reverse=True)
    assert seen["sort"] == "descending"
    assert seen["rising"] == seen["falling"][::-1]
    assert seen["names"] == sorted(seen["before"])


def test_pictures_are_drawn_and_nothing_is_fetched(seen):
    assert len(seen["pictures"]) >= 5
    assert min(seen["pictures"]) > 300
    assert seen["fetched"] == 0


def test_it_fits_a_phone(browser, page, seen):
    frame = page.with_name("phone.html")
    frame.write_text(FRAME.format(page="looked-at.html", width=PHONE), "utf-8")
    on_a_phone = told(browser("--virtual-time-budget=5000", "--dump-dom", frame.as_uri()))
    assert on_a_phone["width"] == PHONE
    assert on_a_phone["needed"] <= PHONE, "only tables and wide pictures scroll, not the page"
    assert on_a_phone["names"] == seen["names"]


@pytest.mark.parametrize(("scheme", "lightest"), [(1, True), (0, False)])
def test_it_is_light_or_dark_as_its_reader_wishes(browser, page, scheme, lightest):
    picture = page.with_name(f"scheme-{scheme}.png")
    wish = f"--blink-settings=preferredColorScheme={scheme}"
    size = "--window-size=1000,2600"
    browser(wish, size, f"--screenshot={picture}", page.as_uri())
    image = Image.open(picture).convert("L")
    assert image.size[0] == 1000
    shades = image.histogram()
    light, dark = sum(shades[200:]), sum(shades[:60])
    assert (light > 5 * dark) if lightest else (dark > 5 * light)
    assert min(light, dark) > 5_000, "there is something on it"
