# Everything starts from a checkout, Python 3.11 or later, git and make.

PYTHON ?= python3
BIN := .venv/bin
SOURCES := adapters bot store tests
BENCH_RUNS ?= 9
DELIVERIES ?= 1000
SECONDS ?= 3600
SLOW_SECONDS ?= 150
DATABASE ?= sqlite postgres

# Without it every start compiles the whole of Python's code anew, and a run of the tests takes longer.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup run test lint format docs docs-site pictures bench fuzz chaos lock clean

setup: .venv/.setup

# The marker is renewed only when all of it went well, so a broken set-up starts afresh.
.venv/.setup: requirements-dev.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make setup PYTHON=python3.11")'
	$(PYTHON) -m venv --clear .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

run: setup
	$(BIN)/broadsheet run

# Files side by side, two more than there are cores, but no more than four: each worker has a Postgres of
# its own. In the order that tests/conftest.py gives, the longest first.
# In a fresh clone each worker would compile all tests anew: CI has one process do it once before.
test: setup
	$(if $(CI),$(BIN)/pytest --collect-only --quiet >/dev/null)
	$(BIN)/pytest --numprocesses auto --maxprocesses 4 --dist loadfile \
	  --no-loadscope-reorder

lint: setup
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)

docs: setup
	$(BIN)/python -m tests.write_docs

# Zensical, which goes on from Material for MkDocs (only maintained since 2026) by the same people: search
# without a server, and a link or heading that is not there fails. Its environment is its own.
docs-site: .venv-docs/.setup
	.venv-docs/bin/zensical build --strict --clean

.venv-docs/.setup: requirements-docs.lock
	$(PYTHON) -m venv --clear .venv-docs
	.venv-docs/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-docs.lock
	touch $@

# Needs Chromium; INTO=FOLDER draws every look of every picture there instead of those that are kept.
pictures: setup
	$(BIN)/python -m tests.pictures $(if $(INTO),--into $(INTO))

bench: setup
	$(BIN)/python -m tests.benchmarks --runs $(BENCH_RUNS)

# Every property over others and many more examples than `make test` takes, then inputs whose cost grows faster
# than they do, for some minutes (SLOW_SECONDS); SEED repeats a run.
fuzz: setup
	$(BIN)/pytest --numprocesses auto --maxprocesses 4 --dist loadfile -m hypothesis \
	  --hypothesis-profile fuzz $(if $(SEED),--hypothesis-seed $(SEED))
	$(BIN)/python -m tests.slow_inputs --seconds $(SLOW_SECONDS) $(if $(SEED),--seed $(SEED))

# Posts of each platform on each database; no week begins after so many seconds. SEED repeats a run,
# REPLICAS is how many workers share a store: three on Postgres as a rule, one on SQLite.
chaos: setup
	$(BIN)/python -m tests.chaos $(if $(SEED),--seed $(SEED)) --deliveries $(DELIVERIES) \
	  --seconds $(SECONDS) --database $(DATABASE) $(if $(REPLICAS),--replicas $(REPLICAS))

# Needs uv on the PATH; UPGRADE=--upgrade renews what is pinned. The locks cover Linux and macOS and hold
# no index. What draws has one of its own, which the container installs, and so has the docs' site.
COMPILE := uv pip compile $(UPGRADE) --quiet --universal --generate-hashes --no-annotate --python-version 3.11 \
  --custom-compile-command "make lock"
lock:
	$(COMPILE) --extra build -o requirements.lock pyproject.toml
	$(COMPILE) --extra build --extra plots -c requirements.lock \
	  -o requirements-plots.lock pyproject.toml
	$(COMPILE) --extra build --extra plots --extra dev -c requirements-plots.lock \
	  -o requirements-dev.lock pyproject.toml
	$(COMPILE) --group docs -o requirements-docs.lock

clean:
	rm -rf .venv .venv-docs .cache .mypy_cache .pytest_cache .ruff_cache .hypothesis .chaos build *.egg-info
