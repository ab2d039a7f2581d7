"""Whole games of both kinds played in headless Chromium, by clicks and by keys."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from chromium import Page
from PIL import Image

from simulate import gamelog

DESK, PHONE = (1200, 900), (375, 812)
MOST = 300  # answers that a game may take
LONG = ("--rule", "target=12")
YES_NO = ("yes", "no")
QUESTION = "document.body?.dataset.number"
ASKED = "document.querySelector('#choices button:not(:disabled)') !== null"
OVER = "document.querySelector('[data-key=Enter]') !== null"


@pytest.fixture
def served(tmp_path):
    """Serve tables, and return the address of each."""
    children = []

    def serve(*words, coach=False):
        words = (*words, "--web", "--no-browser", "--coach" if coach else "--no-coach")
        command = [sys.executable, "-m", "simulate", "play", *words]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path)
        children.append(child)
        return re.search(r"http://\S+", child.stdout.readline())[0]

    yield serve
    for child in children:
        child.kill()
        child.wait()
        child.stdout.close()


@pytest.fixture
def opened(tmp_path):
    """Open pages."""
    pages = []

    def open_page(address, size=DESK, dark=False):
        page = Page(tmp_path / f"profile-{len(pages)}", size, dark)
        pages.append(page)
        page.go(address)
        page.until(ASKED)
        return page

    yield open_page
    for page in pages:
        page.close()


def play(page, answer):
    """Answer until the game is over; return what was asked."""
    numbers = []
    while not page.value(OVER):
        numbers.append(page.value(QUESTION))
        assert len(numbers) < MOST
        answer(page, len(numbers))
        page.until(f"{QUESTION} !== {numbers[-1]!r} && ({ASKED})")
    return numbers


def audited(tmp_path, games=1):
    (log,) = (tmp_path / "results" / "played").glob("*.jsonl")
    audit = gamelog.audit_file(log)
    assert (audit.games, audit.difference) == (games, None)
    return [record for _, record in gamelog.read(log)]


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_game_of_napalm_is_clicked_through(served, opened, tmp_path, size):
    page = opened(served("napalm", "-s", "tight*2", "-s", "bluffer", *LONG), size)
    asked = play(page, lambda page, number: page.click(f"#choices .{YES_NO[number % 2]}"))
    assert len(asked) > 2
    assert "won" in page.value("document.querySelector('#asked').textContent")
    assert page.value("document.querySelectorAll('#seats .card.back').length") == 0
    assert audited(tmp_path)
    assert page.errors == []


def test_a_game_of_napalm_is_typed_through_and_the_next_begins(served, opened, tmp_path):
    page = opened(served("napalm", "-s", "tight*3", *LONG))
    play(page, lambda page, number: page.press("yn"[number % 2]))
    page.press("Enter")
    page.until(f"!({OVER}) && ({ASKED})")
    assert "game 1 of seed 1" in page.value("document.querySelector('#title').textContent")
    assert audited(tmp_path)


def lay_with_the_cards(page, number):
    """Pick the cards of the last lay that is offered, one after the other, then lay them."""
    count = page.value("document.querySelectorAll('#choices .choice:not(.plain)').length")
    if not count:
        page.click("#choices .plain")
        return
    cards = page.value(
        "[...[...document.querySelectorAll('#choices .choice:not(.plain)')].at(-1)"
        ".querySelectorAll('.card')].map((each) => each.dataset.card)"
    )
    for card in cards:
        page.click(f"#hand [data-card='{card}']")
        page.until(f"document.querySelector(\"#hand [data-card='{card}']\").ariaPressed === 'true'")
    left = page.value("document.querySelectorAll('#choices .choice:not(.plain)').length")
    assert 1 <= left <= count
    page.click("#choices .choice:not(.plain)")


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_game_of_noddy_is_clicked_through(served, opened, tmp_path, size):
    page = opened(served("noddy", "-s", "random", "--rules", "hold"), size)
    play(page, lay_with_the_cards)
    (record,) = audited(tmp_path)
    turns = [turn for deal in record["deals"] for turn in deal["turns"]]
    assert any(turn["seat"] == 0 and turn["do"] == "lay" for turn in turns)
    assert page.errors == []


def test_a_game_of_noddy_is_typed_through(served, opened, tmp_path):
    page = opened(served("noddy", "--players", "4", "--rules", "hold"))
    play(page, lambda page, number: page.press("d" if number == 1 else "1"))
    assert audited(tmp_path)


def test_the_coach_draws_what_every_answer_was_worth(served, opened):
    page = opened(served("noddy", "--rules", "hold", coach=True))
    choices = page.value("document.querySelectorAll('#choices .choice:not([data-key=h])').length")
    page.press("d")
    page.until(f"{QUESTION} === '0:1'")
    shown = page.value("document.querySelector('#coach').innerText")
    assert shown.startswith("Coach: ")
    assert "draw a card (yours)" in shown
    assert shown.count("to win the game") == min(choices, 7)
    widths = "[...document.querySelectorAll('#coach .fill')].map((bar) => bar.clientWidth)"
    assert max(page.value(widths)) > 30
    assert page.value("document.querySelectorAll('#coach .fill.best').length") == 1
    if not page.value(OVER):
        page.press("h")
        page.until("document.querySelector('#coach h2').innerText.startsWith('What each answer')")


@pytest.mark.parametrize("game", ["napalm", "noddy"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_it_fits_the_screen_and_its_reader_s_wish(served, opened, tmp_path, game, dark, size):
    page = opened(served(game, "--rule", "target=20"), size, dark)
    page.click("#choices button")
    page.until(f"{QUESTION} === '0:1' && ({ASKED})")
    width = page.value("document.documentElement.scrollWidth")
    assert width <= size[0], "the page does not scroll sideways"
    picture = tmp_path / "page.png"
    page.picture(picture)
    shades = Image.open(picture).convert("L").histogram()
    light, middle = sum(shades[200:]), sum(shades[:70])
    assert (middle > light) if dark else (light > middle)


def test_a_page_without_the_token_is_told_nothing(served, tmp_path):
    address = served("napalm")
    page = Page(tmp_path / "profile")
    try:
        page.go(address.split("#")[0])
        page.until("document.querySelector('#trouble:not([hidden])') !== null")
        told = page.value("document.body.innerText")
        assert "open the address that simulate play has printed" in told
        assert page.value("document.querySelector('#main').hidden")
    finally:
        page.close()


def test_the_token_leaves_the_address_and_a_reload_goes_on(served, opened):
    page = opened(served("napalm"))
    assert page.value("location.hash") == ""
    page.press("y")
    page.until(f"{QUESTION} === '0:1'")
    page.do("Page.reload")
    page.until(f"{QUESTION} === '0:1' && ({ASKED})")


def test_another_site_s_page_cannot_ask_the_table(served, opened, tmp_path):
    """A page of another origin, which even knows the token, is refused by the browser or by us."""
    address = served("napalm")
    token = address.split("#")[1]
    page = opened(address)
    page.go("data:text/html,<p>another site</p>")
    page.until("(document.body || {textContent: ''}).textContent.includes('another site')")
    code = (
        "fetch('{base}api/answer', {{method: 'POST', {more} "
        "body: '{{\"number\":0,\"answer\":true}}'}}).then(() => 'answered', () => 'refused')"
    )
    base = address.split("#")[0]
    headers = f"headers: {{'x-table-token': '{token}', 'content-type': 'application/json'}},"
    assert page.value(code.format(base=base, more=headers)) == "refused"
    assert page.value(code.format(base=base, more="mode: 'no-cors',")) == "refused"
    page.go(address)
    page.until(ASKED)
    assert page.value(QUESTION) == "0:0"
