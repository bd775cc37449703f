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

.PHONY: setup setup-dev plots run test lint format docs docs-site pictures bench fuzz chaos lock audit clean

# Only what running needs. What of it is used is compiled when it first is, a fraction of all that there is.
# A marker is renewed only when all of it went well, so a broken set-up starts afresh.
setup: .venv/.setup

INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check
SET_UP = $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make setup PYTHON=python3.11")' \
  && rm -f .venv/.setup && $(PYTHON) -m venv --clear .venv \
  && $(INSTALL) --no-compile --require-hashes -r requirements-pip.lock \
  && $(INSTALL) --no-compile --require-hashes -r requirements.lock \
  && $(INSTALL) --no-deps --no-build-isolation -e . && touch .venv/.setup
.venv/.setup: requirements-pip.lock requirements.lock pyproject.toml
	$(SET_UP)

# The rest, which tests and tools need, in the same folder. What was begun before, and broke off or is
# outdated, starts afresh; what could not even begin, say without a network, leaves `make run` as it was.
setup-dev: .venv/.setup-dev

BEGUN := .venv/.setup-dev-begun
.venv/.setup-dev: .venv/.setup requirements-dev.lock
	[ ! -e $(BEGUN) ] || { $(SET_UP); }
	touch $(BEGUN)
	$(INSTALL) --require-hashes -r requirements-dev.lock || { \
	  [ "$$(find .venv/lib/*/site-packages -maxdepth 0 -newer $(BEGUN))" ] || rm $(BEGUN); exit 1; }
	touch $@

# What draws the pictures of `trends` and of previews, as large again as all else.
plots: setup
	$(INSTALL) --require-hashes -r requirements-plots.lock

run: setup
	$(BIN)/broadsheet run

# Files side by side, by two workers more than there are cores, but no more than four. In the order that
# tests/conftest.py gives, the longest first.
# In a fresh clone each worker would compile all tests anew: CI has one process do it once before.
test: setup-dev
	$(if $(CI),$(BIN)/pytest --collect-only --quiet >/dev/null)
	$(BIN)/pytest --numprocesses auto --maxprocesses 4 --dist loadfile \
	  --no-loadscope-reorder

lint: setup-dev
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/zizmor --offline --quiet .github

format: setup-dev
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)

docs: setup-dev
	$(BIN)/python -m tests.write_docs

# Zensical, which goes on from Material for MkDocs (only maintained since 2026) by the same people: search
# without a server, and a link or heading that is not there fails. Its environment is its own.
docs-site: .venv-docs/.setup
	.venv-docs/bin/zensical build --strict --clean

.venv-docs/.setup .venv-locks/.setup: .venv-%/.setup: requirements-%.lock
	$(PYTHON) -m venv --clear .venv-$*
	.venv-$*/bin/pip install --quiet --disable-pip-version-check --require-hashes -r $<
	touch $@

# Needs Chromium; INTO=FOLDER draws every look of every picture there instead of those that are kept.
pictures: setup-dev
	$(BIN)/python -m tests.pictures $(if $(INTO),--into $(INTO))

bench: setup-dev
	$(BIN)/python -m tests.benchmarks --runs $(BENCH_RUNS)

# Every property over others and many more examples than `make test` takes, then inputs whose cost grows faster
# than they do, for some minutes (SLOW_SECONDS); SEED repeats a run.
fuzz: setup-dev
	$(BIN)/pytest --numprocesses auto --maxprocesses 4 --dist loadfile -m hypothesis \
	  --hypothesis-profile fuzz $(if $(SEED),--hypothesis-seed $(SEED))
	$(BIN)/python -m tests.slow_inputs --seconds $(SLOW_SECONDS) $(if $(SEED),--seed $(SEED))

# Posts of each platform on each database; no week begins after so many seconds. SEED repeats a run,
# REPLICAS is how many workers share a store: three on Postgres as a rule, one on SQLite.
chaos: setup-dev
	$(BIN)/python -m tests.chaos $(if $(SEED),--seed $(SEED)) --deliveries $(DELIVERIES) \
	  --seconds $(SECONDS) --database $(DATABASE) $(if $(REPLICAS),--replicas $(REPLICAS))

# UPGRADE=--upgrade renews what is pinned. The locks cover Linux and macOS and hold no index. What draws
# has one of its own, which the container installs, and so have the docs' site and what makes the locks.
COMPILE := .venv-locks/bin/uv pip compile $(UPGRADE) --quiet --universal --generate-hashes --no-annotate \
  --python-version 3.11 --custom-compile-command "make lock"
lock: .venv-locks/.setup
	$(COMPILE) --extra build -o requirements.lock pyproject.toml
	$(COMPILE) --extra build --extra plots -c requirements.lock \
	  -o requirements-plots.lock pyproject.toml
	$(COMPILE) --extra build --extra plots --extra dev -c requirements-plots.lock \
	  -o requirements-dev.lock pyproject.toml
	$(COMPILE) --group pip -o requirements-pip.lock
	$(COMPILE) --group docs -o requirements-docs.lock
	$(COMPILE) --group locks -o requirements-locks.lock

# Which of all that is pinned has known faults; it asks the index, and what that does not know fails too.
audit: .venv-locks/.setup
	.venv-locks/bin/pip-audit --strict --disable-pip --require-hashes --progress-spinner off \
	  $(foreach lock,dev docs locks pip,-r requirements-$(lock).lock)

clean:
	rm -rf .venv .venv-docs .venv-locks .cache .mypy_cache .pytest_cache .ruff_cache .hypothesis .chaos build *.egg-info
