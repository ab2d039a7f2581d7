"""A run that is judged after each of its parts, and ends when its judge has seen enough."""

from dataclasses import replace

import pytest
from fake_batch import FakeBatch

from simulate import runner, store
from simulate.config import RunConfig
from simulate.napalm.rules import NapalmRules
from simulate.results import load

ENDS = [1000, 1100, 1210, 2000, 5000]
CONFIG = RunConfig(
    game="napalm",
    rules=NapalmRules(),
    strategies=("tight",) * 4,
    sources=("0",) * 4,
    seed=1,
    games=ENDS[-1],
)


def wait_for(games, seen=None):
    """Make judges that have seen enough after so many games."""

    def make():
        total = 0

        def judge(tables):
            nonlocal total
            total += tables["results"]["games"].to_numpy().sum()
            if seen is not None:
                seen.append(total)
            return total >= games

        return judge

    return make


def play(path, games, batch=None, **options):
    return runner.run(
        CONFIG,
        [None] * 4,
        path,
        batch=batch or FakeBatch(),
        ends=ENDS,
        judge=wait_for(games),
        **options,
    )


def files(path):
    return {file.name: file.read_bytes() for file in sorted(path.glob("*.parquet"))}


def test_it_ends_with_the_part_after_which_enough_is_seen(tmp_path):
    seen = []
    results = runner.run(
        CONFIG, [None] * 4, tmp_path / "a", batch=FakeBatch(), ends=ENDS, judge=wait_for(1200, seen)
    )
    assert seen == [1000, 1100, 1210]
    assert results.games_played == 1210
    assert results.results.games.sum() == 1210
    assert results.complete
    assert store.faults(results.folder) == []
    assert load(tmp_path / "a").complete


def test_it_ends_at_its_last_part_when_nothing_is_enough(tmp_path):
    assert play(tmp_path / "a", 10**9).games_played == ENDS[-1]


def test_without_a_judge_all_parts_are_played(tmp_path):
    results = runner.run(
        CONFIG, [None] * 4, tmp_path / "a", batch=FakeBatch(), ends=ENDS, threads=2
    )
    assert [results.folder.games_of(part) for part in results.folder.parts] == [
        (0, 1000), (1000, 1100), (1100, 1210), (1210, 2000), (2000, 5000),
    ]  # fmt: skip
    assert results.results.games.sum() == ENDS[-1]


def test_once_ended_it_is_only_read(tmp_path):
    play(tmp_path / "a", 1200)
    again = play(tmp_path / "a", 1200, FakeBatch(fail_at=0, error=AssertionError("played again")))
    assert again.games_played == 1210


def test_a_judge_who_asks_for_more_gets_more(tmp_path):
    play(tmp_path / "a", 1000)
    assert play(tmp_path / "a", 1500).games_played == 2000


@pytest.mark.parametrize("at", [3, 1050, 1150])
def test_interrupted_it_goes_on_and_ends_alike(tmp_path, at):
    play(tmp_path / "whole", 1200)
    with pytest.raises(KeyboardInterrupt):
        play(tmp_path / "cut", 1200, FakeBatch(fail_at=at, error=KeyboardInterrupt()))
    play(tmp_path / "cut", 1200)
    assert files(tmp_path / "cut") == files(tmp_path / "whole")


@pytest.mark.parametrize("part", [0, 1, 2])
def test_a_damaged_part_is_mended_and_it_ends_where_it_did(tmp_path, part):
    path = tmp_path / "a"
    before = play(path, 1200)
    expected = files(path)
    file = before.folder.file("results", part)
    file.write_bytes(file.read_bytes()[:-20])
    assert [fault.part for fault in store.faults(before.folder)] == [part]
    play(path, 1200)
    assert files(path) == expected


def test_progress_never_runs_back(tmp_path):
    told = []
    play(tmp_path / "a", 1200, progress=lambda games, total: told.append(games))
    assert told == sorted(told)
    assert told[-1] == 1210


def test_slices_are_no_smaller_than_what_keeps_the_kernel_busy(tmp_path):
    batch = FakeBatch(seconds_a_game=1e-4)
    config = replace(CONFIG, games=12_000)
    runner.run(config, [None] * 4, tmp_path / "a", batch=batch, ends=[12_000], smallest_slice=2000)
    sizes = [stop - start for start, stop in batch.job.slices[1:]]
    assert 2000 in sizes  # the first are as the first game tells, which has told little


def test_slices_of_slow_strategies_take_no_longer_for_it(tmp_path):
    batch = FakeBatch(seconds_a_game=0.01)
    config = replace(CONFIG, games=200)
    runner.run(config, [None] * 4, tmp_path / "a", batch=batch, ends=[200], smallest_slice=2000)
    assert max(stop - start for start, stop in batch.job.slices) <= runner.FULL_SECONDS / 0.01


def test_a_run_that_may_not_end_early_is_not_complete_before_its_last_part(tmp_path):
    batch = FakeBatch(fail_at=1150, error=KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        runner.run(CONFIG, [None] * 4, tmp_path / "a", batch=batch, ends=ENDS)
    assert not load(tmp_path / "a").complete
    again = runner.run(CONFIG, [None] * 4, tmp_path / "a", batch=FakeBatch(), ends=ENDS)
    assert again.complete
    assert again.games_played == ENDS[-1]
