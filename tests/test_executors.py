"""Whoever plays slices, the results are the same to the bit; what is no executor is refused."""

from __future__ import annotations

import pickle
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from fake_batch import FakeBatch

import simulate
from simulate import runner, work
from simulate.cli import main
from simulate.errors import InputError
from simulate.executors import Where, choose_where
from simulate.work import Played, Work

OWN = '''
"""One's own."""


def p_yes(view, cut=0.7):
    return 1.0 if view.strength > cut + 0.05 * view.yes else 0.1
'''
QUESTIONS = ["run", "rows", "compare", "sweep", "tournament"]


@pytest.fixture(autouse=True)
def small_slices(monkeypatch):
    monkeypatch.setattr(runner, "PART_GAMES", 700)
    monkeypatch.setattr(runner, "PART_ROWS", 900)


@pytest.fixture(scope="session")
def own(tmp_path_factory):
    path = tmp_path_factory.mktemp("strategies") / "own.py"
    path.write_text(OWN)
    return str(path)


def ask(question, own, out, **options):
    """Put a question, and return what must not depend on who answers it."""
    options = {"seed": 7, "out": out, "threads": 2, **options}
    if question == "run":
        found = simulate.run("napalm", games=2_000, strategies=["tight*4", own], **options)
        return found.signature
    if question == "rows":
        found = simulate.run("noddy", games=1_500, detail="turns", **options)
        return found.signature
    if question == "compare":
        found = simulate.compare("napalm", own, "threshold", field="tight", games=3_000, **options)
        return found.results
    if question == "sweep":
        found = simulate.sweep("napalm", f"{own}.cut=0.5:0.9:0.2", games=2_000, **options)
        return found.points.to_dict()
    found = simulate.tournament("noddy", ["highest", "first", "racer"], games=3_000, **options)
    return found.ranking.to_dict()


@pytest.fixture(scope="session")
def expected(own, tmp_path_factory):
    """The answers on threads."""
    out = tmp_path_factory.mktemp("expected")
    return {
        question: ask(question, own, out / question, executor="threads") for question in QUESTIONS
    }


@pytest.mark.parametrize("question", QUESTIONS)
def test_child_processes_play_the_same(tmp_path, own, expected, question):
    assert ask(question, own, tmp_path, executor="processes") == expected[question]


@pytest.mark.parametrize("question", ["run", "rows", "tournament"])
def test_any_executor_plays_the_same_and_is_left_open(tmp_path, own, expected, question):
    with ProcessPoolExecutor(2, get_context("spawn")) as processes:
        assert ask(question, own, tmp_path / "a", executor=processes) == expected[question]
        assert processes.submit(int, "7").result() == 7
    with ThreadPoolExecutor(3) as threads:
        assert ask(question, own, tmp_path / "b", executor=threads) == expected[question]
        assert threads.submit(int, "7").result() == 7


def test_what_one_has_begun_another_goes_on_with(tmp_path, own, expected):
    def stop(games, total):
        if games > total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask("run", own, tmp_path, executor="processes", progress=stop)
    assert ask("run", own, tmp_path, executor="threads") == expected["run"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--executor", "thread"], "unknown executor 'thread': did you mean 'threads'?"),
        (["--executor", "dask"], "unknown executor 'dask': "),
        (["--executor", "dask:"], "names no scheduler: write dask:tcp://HOST:PORT"),
        (["--executor", "dask:tcp://nowhere"], "names no scheduler"),
        (
            ["--executor", "dask:tcp://127.0.0.1:1"],
            "no dask scheduler answers at tcp://127.0.0.1:1",
        ),
        (["--patience", "0"], "patience 0 is not a number of seconds above 0"),
        (["--patience", "nan"], "patience nan is not"),
        (["--patience", "soon"], "patience soon is not"),
        (["--memory", "0"], "memory"),
        (["--memory", "1.5"], "memory"),
    ],
)
@pytest.mark.parametrize(
    "command",
    [
        ["run", "napalm"],
        ["compare", "napalm", "tight", "threshold"],
        ["sweep", "napalm", "--vary", "threshold.stage1=0.5,0.7"],
        ["tournament", "napalm", "-s", "tight", "-s", "threshold"],
    ],
    ids=lambda command: command[0],
)
def test_what_cannot_be_is_one_line(tmp_path, monkeypatch, capsys, command, options, message):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("simulate.cluster.CONNECT", 1.0)
    assert main([*command, "--games", "3000", *options]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("simulate: ")
    assert err.count("\n") == 1
    assert message in err
    assert list(tmp_path.iterdir()) == []


def test_without_dask_it_is_said_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"pip install 'napalm-noddy\[dask\]'"):
        simulate.run("napalm", games=100, executor="dask:tcp://127.0.0.1:1", out=tmp_path)


def test_an_object_that_cannot_be_submitted_to_is_refused():
    with pytest.raises(InputError, match=r"executor 7 cannot be submitted to: allowed are threads"):
        choose_where(7)
    assert choose_where(None) == Where()


def test_a_work_is_opened_once_where_it_arrives_and_compares_the_code(monkeypatch):
    sent = Work("napalm", None, (None,) * 4, 1, False, "games", FakeBatch(), work.code_hash())
    data = pickle.dumps(sent)
    monkeypatch.setattr(work, "_works", {})
    here = pickle.loads(data)
    assert here is pickle.loads(data)
    assert here is not sent
    assert np.array_equal(here.play(0, 50)[0].rows["drawn"], sent.play(0, 50)[0].rows["drawn"])
    for seed in range(work.KEPT + 3):
        pickle.loads(pickle.dumps(Work("napalm", None, (), seed, False, "games")))
    assert len(work._works) == work.KEPT
    monkeypatch.setattr(work, "code_hash", lambda: "of another version")
    monkeypatch.setattr(work, "_works", {})
    with pytest.raises(InputError, match="another version of napalm-noddy is installed where"):
        pickle.loads(data).play(0, 50)


def test_what_is_zero_does_not_travel():
    many, few = np.arange(1_000), np.zeros((100, 1_000), np.int64)
    few[3, 5], few[99, 999] = -7, 1 << 62
    sent = Played({"many": many, "few": few, "none": few[:0]}, {"game": np.arange(3)})
    data = pickle.dumps(sent)
    assert len(data) < 10_000
    found = pickle.loads(data)
    for name, values in sent.totals.items():
        assert found.totals[name].dtype == np.int64
        assert np.array_equal(found.totals[name], values)
    assert found.rows["game"].tolist() == [0, 1, 2]


def test_slices_put_together_are_the_slice():
    batch = FakeBatch()
    job = batch.prepare(None, [None] * 4, 5, False)
    whole = batch.play(job, 10, 90, "games")
    found = Played.of([batch.play(job, *ends, "games") for ends in ((10, 11), (11, 60), (60, 90))])
    assert np.array_equal(found.totals["drawn"], whole.totals["drawn"])
    assert {n: c.tolist() for n, c in found.rows.items()} == {
        n: c.tolist() for n, c in whole.rows.items()
    }
