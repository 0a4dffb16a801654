# One command each for running, testing and releasing; `make` alone lists them.
# Needs python3 (3.11 or newer), pip and make. All that is installed goes to $(VENV).
# Pass more words with ARGS: make run ARGS=demo, make test ARGS="-k chain".

VENV ?= .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check -qq
ARGS ?=
# Tests run in as many processes as there are cores; JOBS=0 runs them in one, for a debugger.
JOBS ?= auto
# Counting lines costs a third of the tests' time before Python 3.12, next to nothing from then on.
CORE = $(shell $(PY) -c 'import sys; print("sysmon" if sys.version_info >= (3, 12) else "ctrace")')
# The interpreter that makes $(VENV); empty: the first one found that will do.
PYTHON ?=

# Set-up is repeated when these change, or when the interpreter behind $(VENV) is gone.
INPUTS := pyproject.toml setup.py
APP := $(VENV)/.app-installed
DEV := $(VENV)/.dev-installed
BROWSER := $(VENV)/.browser-installed
FUZZ := $(VENV)/.fuzz-installed
DOCS := $(VENV)/.docs-installed
FONTS := fonts-firacode fonts-noto-core
ifneq ($(shell test -x $(PY) && echo there),there)
.PHONY: $(APP)
endif

.DEFAULT_GOAL := help
.PHONY: help run demo test test-browser fuzz storm check lint types imports cover format bench docs screenshots dist setup clean

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 14

run: $(APP)  ## open the app on your own sessions, or on the demo where there are none
	@$(VENV)/bin/ccbrowse $(ARGS)

demo: $(APP)  ## open the app on synthetic sessions
	@$(VENV)/bin/ccbrowse demo $(ARGS)

test: $(DEV)  ## run every test
	$(PY) -m pytest -n $(JOBS) --dist loadfile $(ARGS)

test-browser: $(BROWSER)  ## HTML exports in headless Chromium; needs the packages chromium and chromium-driver
	CCBROWSE_BROWSER=required $(PY) -m pytest tests/browser $(ARGS)

fuzz: $(FUZZ)  ## look for inputs that break the core: make fuzz TARGET=chain SECONDS=600
	$(PY) tests/fuzz/run.py $(TARGET) --seconds $(or $(SECONDS),60) $(ARGS)

storm: $(DEV)  ## random keys over damaged sessions: make storm SECONDS=600; SEED=7 for one round again
	$(PY) tests/fuzz/storm.py --seconds $(or $(SECONDS),60) $(if $(SEED),--seed $(SEED)) $(if $(STEPS),--steps $(STEPS)) $(ARGS)

check: lint types imports cover  ## all that a change must pass: style, types, layers, tests, coverage

lint: $(DEV)  ## ruff: rules and formatting
	$(PY) -m ruff check
	$(PY) -m ruff format --check

types: $(DEV)  ## mypy --strict over core, tui, tests and screenshots
	$(PY) -m mypy

imports: $(DEV)  ## import-linter: the order of the modules
	$(VENV)/bin/lint-imports

cover: $(DEV)  ## every test, with the coverage that core must keep
	COVERAGE_CORE=$(CORE) $(PY) -m pytest -n $(JOBS) --dist loadfile --cov --cov-report=term-missing:skip-covered --cov-fail-under=95 $(ARGS)

format: $(DEV)  ## let ruff repair what it can
	$(PY) -m ruff check --fix
	$(PY) -m ruff format

bench: $(DEV)  ## measure speed and memory against references
	$(PY) tests/bench/run.py $(ARGS)

docs: $(DEV)  ## bring the keys and the examples in README.md up to date
	$(PY) screenshots/readme.py

screenshots: $(DOCS)  ## draw every screen anew from synthetic data
	$(PY) screenshots/make.py $(ARGS)

dist: $(DEV)  ## build dist/*.tar.gz and dist/*.whl
	rm -rf build dist
	$(PY) -c "from setuptools import build_meta; build_meta.build_sdist('dist')"
	$(PY) -c "from setuptools import build_meta; build_meta.build_wheel('dist')"

setup: $(DEV)  ## only install what the other targets need

clean:  ## remove what the targets made, the environment too
	rm -rf $(VENV) .venv-* build dist *.egg-info htmlcov .coverage .coverage.*
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache snapshot_report.html
	find core tui tests screenshots -name __pycache__ -type d -prune -exec rm -rf {} +

$(APP): $(INPUTS)
	@python='$(PYTHON)'; [ -n "$$python" ] || python=$$(sh .ci/python) || exit 1; \
	if [ -x $(PY) ]; then echo "ccbrowse: updating $(VENV)" >&2; \
	else echo "ccbrowse: setting up $(VENV) with $$python (once; this takes a moment)" >&2; \
	"$$python" -m venv --clear $(VENV) || exit 1; fi
	@$(PIP) install --editable .
	@touch $@

# `pip install --group` came with pip 25.1; an interpreter's own pip may be older.
$(DEV): $(APP)
	@$(PIP) install 'pip>=25.1'
	@$(PIP) install --group dev
	@touch $@

# The fonts are the one thing that no environment of Python holds: as root they come from Debian's packages,
# otherwise the pictures' maker says what is missing.
$(DOCS): $(DEV)
	@$(PIP) install --group docs
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && ! dpkg -s $(FONTS) >/dev/null 2>&1; then \
	apt-get update -qq && apt-get install -qq -y $(FONTS) >/dev/null; fi
	@touch $@

$(BROWSER): $(DEV)
	@$(PIP) install --group browser
	@touch $@

$(FUZZ): $(DEV)
	@$(PIP) install --group fuzz
	@touch $@
