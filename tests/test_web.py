"""The server behind the page: what it tells, what it refuses, and to whom."""

from __future__ import annotations

import http.client
import json
import re
import threading
import time

import pytest
from play_games import SETTINGS, first_is_best, setting_of
from test_sitting import may_be_seen_in_napalm, may_be_seen_in_noddy

from simulate import gamelog
from simulate.cli import main
from simulate.errors import InputError
from simulate.web.serve import find_place, make_server
from simulate.web.table import WebTable

CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")
NAPALM, _, NODDY, _ = SETTINGS


class Client:
    """Somebody who asks the server, with whatever headers."""

    def __init__(self, place):
        self.port, self.token = place.port, place.token
        self.address = f"127.0.0.1:{place.port}"

    def raw(self, method, path, headers, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.putrequest(method, path, skip_host=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        response = connection.getresponse()
        content = response.read().decode()
        connection.close()
        return response, content

    def headers(self, **more):
        found = {"Host": self.address, "X-Table-Token": self.token}
        return found | {name.replace("_", "-"): value for name, value in more.items()}

    def get(self, path, **more):
        return self.raw("GET", path, self.headers(**more))

    def post(self, path, content, **more):
        headers = self.headers(**{"Content_Type": "application/json", **more})
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        return self.raw("POST", path, headers, body)

    def state(self):
        return json.loads(self.get("/api/state")[1])


@pytest.fixture
def serve(tmp_path):
    """Serve a table, and return a client of it and the table."""
    stops = []

    def start(case, **options):
        table = WebTable(setting_of(case), tmp_path / "games.jsonl", **options)
        place = find_place()
        server = make_server(table, place)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [place.listening]})
        thread.start()
        end = time.monotonic() + 30
        while not server.started:
            assert time.monotonic() < end
            time.sleep(0.01)
        stops.append((server, thread, table))
        return Client(place), table

    yield start
    for server, thread, table in stops:
        server.should_exit = True
        thread.join(30)
        table.close()
        assert not thread.is_alive()


@pytest.mark.parametrize("case", SETTINGS, ids=lambda case: f"{case[0]}-{len(case[1]) + 1}")
def test_no_response_of_a_whole_game_holds_a_card_that_is_hidden(serve, case):
    client, table = serve(case, advise=first_is_best)
    may_be_seen = may_be_seen_in_napalm if case[0] == "napalm" else may_be_seen_in_noddy
    told = client.get("/api/state")[1]
    asked = 0
    while json.loads(told)["ask"]:
        sitting = table.kept.sitting
        allowed = may_be_seen(sitting._played, case[3])
        assert set(CARD.findall(told)) <= allowed
        assert set(CARD.findall(client.post("/api/hint", {"number": asked})[1])) <= allowed
        choice = sitting.choices[-1 if asked % 3 else 0]
        response, told = client.post("/api/answer", {"number": asked, "answer": choice.answer})
        assert response.status == 200
        asked += 1
    assert asked > 0
    audit = gamelog.audit_file(table.kept.log)
    assert (audit.games, audit.difference) == (1, None)


def test_the_coach_says_what_an_answer_cost_and_sums_up(serve):
    client, _ = serve(NAPALM, advise=first_is_best)
    state = json.loads(client.post("/api/answer", {"number": 0, "answer": False})[1])
    assert state["verdict"]["cost"] == 1.0
    assert state["verdict"]["surely"]
    assert [choice["best"] for choice in state["verdict"]["choices"]] == [True, False]
    while state["ask"]:
        asked = {"number": state["number"], "answer": False}
        state = json.loads(client.post("/api/answer", asked)[1])
    costs = [each["cost"] for each in state["costs"]]
    assert costs == sorted(costs, reverse=True)
    assert "cost something" in state["mistakes"][0]


def test_without_a_coach_nothing_is_said_but_hints(serve):
    client, _ = serve(NAPALM, advise=first_is_best, coach=False)
    assert len(json.loads(client.post("/api/hint", {"number": 0})[1])["choices"]) == 2
    assert json.loads(client.post("/api/answer", {"number": 0, "answer": 0})[1])["verdict"] is None


def test_a_table_without_hints_says_so(serve):
    client, _ = serve(NODDY)
    response, told = client.post("/api/hint", {"number": 0})
    assert response.status == 409
    assert "no coach" in json.loads(told)["error"]


def test_a_game_goes_on_and_the_next_one_begins(serve):
    client, table = serve(NAPALM)
    assert client.post("/api/next", {})[0].status == 409, "it is not over"
    client.post("/api/answer", {"number": 0, "answer": True})
    again, _ = serve(NAPALM)
    state = again.state()
    assert state["number"] == 1
    while state["ask"]:
        asked = {"number": state["number"], "answer": True}
        state = json.loads(again.post("/api/answer", asked)[1])
    assert json.loads(again.post("/api/next", {})[1])["index"] == 1
    assert table.kept.sitting.index == 0


@pytest.mark.parametrize("number", [1, -1, None, "0", 0.0, True])
def test_only_the_question_that_is_asked_is_answered(serve, number):
    client, table = serve(NAPALM)
    response, told = client.post("/api/answer", {"number": number, "answer": True})
    assert response.status == 409
    assert "has been answered" in json.loads(told)["error"]
    assert table.kept.sitting.answers == []


@pytest.mark.parametrize("answer", [None, "yes", 2, 0.0, [], {}])
def test_another_answer_than_those_allowed_is_refused(serve, answer):
    client, table = serve(NAPALM)
    response, told = client.post("/api/answer", {"number": 0, "answer": answer})
    assert response.status == 409
    assert "answer" in json.loads(told)["error"]
    assert table.kept.sitting.answers == []


@pytest.mark.parametrize(
    ("content", "headers", "status"),
    [
        (b"number=0", {"Content_Type": "application/x-www-form-urlencoded"}, 415),
        (b"{}", {"Content_Type": "text/plain"}, 415),
        (b"{", {}, 400),
        (b"[]", {}, 400),
        (b"[" * 900, {}, 400),
        (b" " * 1_001, {}, 413),
        (b"\xff\xfe", {}, 400),
    ],
)
def test_what_is_no_request_is_refused(serve, content, headers, status):
    client, table = serve(NAPALM)
    assert client.post("/api/answer", content, **headers)[0].status == status
    assert table.kept.sitting.answers == []


# --- Who may ask ---------------------------------------------------------------------------------

PATHS = ["/", "/table.js", "/table.css", "/api/state"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "[::1]:{port}", ""]
)
def test_another_name_of_this_machine_is_refused(serve, path, host):
    """DNS rebinding: a page whose name has been made to lead here sends its own name."""
    client, _ = serve(NAPALM)
    response, told = client.get(path, Host=host.format(port=client.port))
    assert response.status in (400, 421)
    assert "Napalm" not in told
    assert "cards" not in told


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1"]
)
def test_a_page_of_another_site_is_refused(serve, origin):
    client, table = serve(NAPALM)
    origin = origin.format(port=client.port)
    asked = {"number": 0, "answer": True}
    assert client.post("/api/answer", asked, Origin=origin)[0].status == 403
    assert client.get("/api/state", Origin=origin)[0].status == 403
    assert client.get("/api/state", Sec_Fetch_Site="cross-site")[0].status == 403
    assert client.get("/api/state", Sec_Fetch_Site="same-site")[0].status == 403
    assert table.kept.sitting.answers == []


def test_its_own_page_is_answered(serve):
    client, _ = serve(NAPALM)
    for host in (client.address, f"localhost:{client.port}"):
        own = {"Host": host, "Origin": f"http://{host}", "Sec_Fetch_Site": "same-origin"}
        assert client.get("/api/state", **own)[0].status == 200


@pytest.mark.parametrize("token", ["", "x", "é"])
@pytest.mark.parametrize("path", ["/api/state", "/api/answer", "/api/hint", "/api/next", "/other"])
def test_nothing_is_told_without_the_token(serve, path, token):
    client, table = serve(NAPALM)
    wrong = token.encode("latin-1").decode("latin-1")
    method = client.get if path in ("/api/state", "/other") else client.post
    args = (path,) if method == client.get else (path, {"number": 0, "answer": True})
    response, told = method(*args, X_Table_Token=wrong)
    assert response.status == 403
    assert "open the address" in told
    assert table.kept.sitting.answers == []


def test_tokens_are_long_and_never_the_same():
    places = [find_place() for _ in range(5)]
    tokens = {place.token for place in places}
    for place in places:
        place.listening.close()
    assert len(tokens) == 5
    assert min(map(len, tokens)) >= 32


def test_nobody_may_do_anything_else(serve):
    client, _ = serve(NAPALM)
    assert client.get("/other")[0].status == 404
    assert client.get("/api/answer")[0].status == 405
    assert client.raw("OPTIONS", "/api/answer", client.headers())[0].status == 405
    assert client.raw("PUT", "/api/state", client.headers())[0].status == 405


def test_pages_may_load_nothing_from_elsewhere_and_be_framed_by_nobody(serve):
    client, _ = serve(NAPALM)
    for path in (*PATHS, "/other"):
        response, _ = client.get(path)
        policy = response.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.headers["Cache-Control"] == "no-store"
        assert "Access-Control-Allow-Origin" not in response.headers
        assert "Set-Cookie" not in response.headers


def test_the_page_names_no_other_site(serve):
    client, _ = serve(NAPALM)
    for path in PATHS[:3]:
        content = client.get(path)[1]
        assert not re.findall(r"https?://|//[a-z]+\.", content)
        assert "innerHTML" not in content


def test_it_listens_on_this_machine_alone():
    place = find_place()
    assert place.listening.getsockname()[0] == "127.0.0.1"
    place.listening.listen()
    with pytest.raises(InputError, match=f"port {place.port} cannot be listened on"):
        find_place(place.port)
    place.listening.close()


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["napalm", "--port", "8000"], "--port goes with --web"),
        (["napalm", "--no-browser"], "--no-browser goes with --web"),
        (["napalm", "--web", "--port", "x"], "port x"),
        (["napalm", "--web", "--port", "65536"], "port 65536"),
        (["napalm", "--web", "--seat", "5"], "seat 5"),
    ],
)
def test_what_cannot_be_served_is_refused(capsys, tmp_path, monkeypatch, argv, message):
    monkeypatch.chdir(tmp_path)
    assert main(["play", *argv]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert message in said.err


def test_without_the_extra_it_says_what_is_missing(capsys, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "uvicorn", None)
    assert main(["play", "napalm", "--web"]) == 2
    assert "pip install 'napalm-noddy[web]'" in capsys.readouterr().err


def test_a_coach_who_knows_nothing_says_so_and_the_game_goes_on(serve):
    def knows_nothing(sitting):
        raise InputError("hardly any cards agree with what was heard")

    client, _ = serve(NAPALM, advise=knows_nothing)
    response, told = client.post("/api/hint", {"number": 0})
    assert (response.status, "hardly any" in told) == (409, True)
    state = json.loads(client.post("/api/answer", {"number": 0, "answer": True})[1])
    assert (state["verdict"], state["number"]) == (None, 1)
    assert "hardly any" in state["silent"]
