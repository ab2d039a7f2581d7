# Each target sets up what it needs: python3 (3.11 or newer) and make are enough on a fresh machine.

PYTHON ?= python3
VENV ?= .venv
RUN := $(VENV)/bin/python
STAMP := $(VENV)/.installed
DOCS_STAMP := $(VENV)/.docs-installed
JOBS ?= 2
BENCH_VENV ?= .venv-bench
BENCH := $(BENCH_VENV)/bin/python
BENCH_STAMP := $(BENCH_VENV)/.installed
EFFORT ?= quick
SAVE ?= 0
GAMES ?= 1e6
EXAMPLES ?= 2000

# The tests of what is compiled, down to whole games; sizes that fit both variants are in tests/sizes.py.
COMPILED := tests/test_rng.py tests/test_lanes.py tests/test_dealing.py tests/test_hands.py \
	tests/test_napalm_table.py tests/test_napalm_faults.py tests/test_napalm_counts.py tests/test_settlement.py \
	tests/test_noddy_deck.py tests/test_noddy_combinations.py tests/test_noddy_batch.py tests/differential \
	tests/test_napalm_onward.py tests/test_noddy_onward.py tests/test_regrets.py
# Small enough for plain Python, which looks at every index as well.
PLAIN := tests/test_solving.py tests/test_solving_exact.py
# All 2,598,960 hands of five cards, and many whole blocks of deals, would take plain Python minutes.
TOO_LONG := --deselect tests/test_noddy_combinations.py::test_cribbage_comes_out_as_published \
	--deselect tests/test_solving.py::test_threads_and_pauses_leave_no_trace \
	--deselect tests/test_solving.py::test_ctrl_c_leaves_whole_blocks \
	--deselect tests/test_solving.py::test_a_solved_deal_leaves_little_to_gain

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint types exhaustive notebooks docs picture browser wheel-test test-nojit test-boundscheck crash torture mutation \
	torture-napalm calibrate bench bench-compare profile

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12")'
	@test -x $(RUN) || $(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,notebooks]'
	@touch $@

$(DOCS_STAMP): $(STAMP)
	$(RUN) -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[docs]'
	@touch $@

setup: $(STAMP)  ## make the virtual environment and install everything into it

demo: $(STAMP)  ## play a million games of Napalm and show what happened
	$(RUN) -m simulate run napalm --players 5 --games 1M --seed 1

test: $(STAMP)  ## the test suite, on JOBS=2 cores
	$(RUN) -m pytest -n $(JOBS)

lint: $(STAMP)  ## ruff
	$(RUN) -m ruff check .

types: $(STAMP)  ## mypy, strict on the public surface
	$(RUN) -m mypy

exhaustive: $(STAMP)  ## the checks over every hand, some minutes
	$(RUN) -m pytest -n $(JOBS) tests/exhaustive

notebooks: $(STAMP)  ## run every notebook, and check what it claims; SAVE=1 keeps the outputs
	SAVE_NOTEBOOKS=$(SAVE) $(RUN) -m pytest --durations=0 tests/notebooks

docs: $(DOCS_STAMP)  ## build the guide: build/docs/index.html
	$(RUN) -m sphinx --quiet --fail-on-warning --keep-going docs build/docs
	@echo "build/docs/index.html"

picture: $(STAMP)  ## draw the picture of the README anew, from a million games
	$(RUN) docs/picture.py

browser: $(STAMP)  ## look at a report, and play at the table, in a browser without a window: needs chromium
	$(RUN) -m pytest tests/browser

wheel-test: $(STAMP)  ## build the wheel, and play with it in an environment of its own
	$(RUN) -m pytest tests/wheel

test-nojit: $(STAMP)  ## the tests of what is compiled, run as plain Python on smaller samples
	NUMBA_DISABLE_JIT=1 $(RUN) -m pytest -n $(JOBS) $(COMPILED) $(PLAIN) $(TOO_LONG)

test-boundscheck: $(STAMP)  ## the same compiled, with every index looked at
	NUMBA_BOUNDSCHECK=1 $(RUN) -m pytest -n $(JOBS) $(COMPILED) tests/test_solving_game.py

crash: $(STAMP)  ## kill KILLS=100 processes in the midst of runs, go on, and compare
	$(RUN) tests/torture/kill.py $(or $(KILLS),100)

torture: $(STAMP)  ## the same 3,000 times
	$(RUN) tests/torture/kill.py $(or $(KILLS),3000)

mutation: $(STAMP)  ## change rules, settlement, combinations and statistics in one place at a time: do the tests notice? SAMPLE=40 of each file
	$(RUN) tests/torture/mutate.py $(if $(SAMPLE),--sample $(SAMPLE))

torture-napalm: $(STAMP)  ## EXAMPLES=2000 random choices compared, then GAMES=1e6 games logged and audited
	NAPALM_EXAMPLES=$(EXAMPLES) $(RUN) -m pytest tests/differential/test_napalm.py -k random
	$(RUN) tests/torture/audit_napalm.py $(GAMES)

calibrate: $(STAMP)  ## the coverage of intervals over 20,000 seeds in place of 4,000
	CALIBRATION_SEEDS=20000 $(RUN) -m pytest tests/test_stats_calibration.py tests/test_games_calibration.py

$(BENCH_STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12")'
	@test -x $(BENCH) || $(PYTHON) -m venv $(BENCH_VENV)
	$(BENCH) -m pip install --quiet --no-input --disable-pip-version-check -c constraints.txt -e '.[dask]'
	$(BENCH) -m benchmarks.install
	@touch $@

bench: $(BENCH_STAMP)  ## what everything costs, beside other packages: EFFORT=quick, full or tiny
	$(BENCH) -m benchmarks --effort $(EFFORT)

bench-compare: $(STAMP)  ## what moved between two runs of it: OLD=a.json NEW=b.json
	@$(RUN) -m benchmarks.compare $(OLD) $(NEW)

profile: $(STAMP)  ## where the nanoseconds of a deal of Napalm go
	@$(RUN) -m benchmarks.profile_napalm
