# make run    the simulated table, a match going on, the score in the browser
# make club   a club's hub with a simulated evening; CLUB=club.toml for your own: docs/club.md
# make test   what must hold after each change: style, types, import directions, tests; five minutes
# All do their set-up: environment, dependencies and, for the tests, the browser.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2

.PHONY: run club test test-all test-environments test-hardware test-pi test-oldest check unit attack bench soak lock hooks clean

run: $(VENV)/installed
	@$(BIN)/crokinole-table run

club: $(VENV)/installed-club
	@$(BIN)/crokinole-table club $(if $(CLUB),--config '$(CLUB)')

test: check unit

check: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tests.web_ui.checked_scripts

# One process more than there are jobs: a third of the time tests wait, for a browser, a clock or another process.
# What was compiled is kept, whatever the environment says: compiling takes each process three times as long as loading.
unit: export PYTHONDONTWRITEBYTECODE =
unit: $(VENV)/installed-dev browser micropython
	TMPDIR=$$($(BIN)/python -m tests.temporary) $(BIN)/python -m pytest -n $$(($(JOBS) + 1)) --dist worksteal -m "not slow"

# The tests that `make test` leaves out, as tests/slow.py says. Those that need PostgreSQL, ffmpeg or the shared
# pictures skip without.
test-all: $(VENV)/installed-dev browser micropython
	TMPDIR=$$($(BIN)/python -m tests.temporary) $(BIN)/python -m pytest -n $$(($(JOBS) + 1)) --dist worksteal -m slow

# The whole suite in other zones, locales, dates and orders, by another user: hours. NAMES=chatham for one.
test-environments: $(VENV)/installed-dev
	$(BIN)/python -m tests.environments $(NAMES)

# The real ends in a guest kernel, which is built once in ~/.cache. POWER_CUTS=100 make test-hardware for more of them.
test-hardware: $(VENV)/installed-dev
	@$(BIN)/python -m tests.guest

# Installed on Debian trees that stand for Raspberry Pi OS, which are made once in ~/.cache, 2 GB.
test-pi: $(VENV)/installed-dev
	@$(BIN)/python -m tests.pi

# docs/reliability.md says what it plays; SOAK=--help has the options.
SOAK_MINUTES ?= 60
soak: $(VENV)/installed-dev
	$(BIN)/python -m tests.soak --minutes $(SOAK_MINUTES) $(SOAK)

# A table and a hub of its own are attacked over loopback; ATTACK="--scale 0.1": short.
attack: $(VENV)/installed-dev
	$(BIN)/python -m tests.attack $(ATTACK)

bench: $(VENV)/installed-dev
	$(BIN)/python -m tests.bench

# The oldest versions that pyproject.toml allows: what it says is tried.
OLDEST ?= tests
test-oldest: $(VENV)/installed-dev
	$(BIN)/uv venv --quiet --allow-existing --python $(BIN)/python .venv-oldest
	$(BIN)/uv pip install --quiet --python .venv-oldest --resolution lowest-direct -e '.[dev]'
	.venv-oldest/bin/python -m pytest -n $(JOBS) --dist worksteal -m "not slow" $(OLDEST)

# The versions that are installed, with their hashes: renewed on purpose, by this alone. Read what has changed, run
# `make test test-pi`, commit. pi.txt is for the Pi's own environment, without what is the system's there.
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate
lock: $(VENV)/installed-dev
	$(LOCK) --extra dev pyproject.toml >requirements/dev.new
	{ python3 setup/requirements.py pyproject.toml run; python3 setup/requirements.py pyproject.toml build; } | \
		$(LOCK) --no-emit-package numpy - >requirements/pi.new
	for name in dev pi; do { echo '# Written by `make lock` from pyproject.toml.'; cat requirements/$$name.new; } \
		>requirements/$$name.txt; rm requirements/$$name.new; done
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt

# The same checks before each commit, by pre-commit, which is pinned here.
hooks: $(VENV)/installed-dev
	$(BIN)/uv tool install --quiet pre-commit==4.7.0
	"$$($(BIN)/uv tool dir --bin)/pre-commit" install

$(VENV)/installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; set PYTHON=python3.11" if sys.version_info < (3, 11) else 0)'
	@echo "Installing the table's program into $(VENV): about a minute, once."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { echo "On Debian: sudo apt-get install python3-venv" >&2; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/installed-club: pyproject.toml $(VENV)/installed
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[club]'
	@touch $@

$(VENV)/installed-dev: pyproject.toml requirements/dev.txt $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	touch $@

# Chromium: the one that is there, else Debian's package, else Playwright's own build.
.PHONY: browser
browser: $(VENV)/installed-dev
	@$(BIN)/python -m tests.browser

# The interpreter that the hole unit's firmware runs in: outside the checkout, 16 MB, once.
.PHONY: micropython
micropython: $(VENV)/installed-dev
	@$(BIN)/python -m tests.micropython

clean:
	rm -rf $(VENV) .venv-oldest build dist *.egg-info
