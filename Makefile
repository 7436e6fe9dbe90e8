# `make` alone lists what there is. Needs Python 3.11 or newer; sets up .venv when first needed.

# The environment; another Python gets one of its own: make VENV=build/python3.13 PYTHON=python3.13
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
ARGS ?=

# Bytecode is kept, whatever is set here: hundreds of programs that tests start would each compile the
# same sources.
PYTEST = PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n auto --dist worksteal

# What `make quick` runs, without what is marked slow: no browser, no server, little to compile.
QUICK := tests/clauses tests/cli tests/game tests/games tests/rules tests/server/tables \
	tests/test_layers.py tests/test_project.py tests/test_readme.py

# The page's sources have tools of their own, from npm.
NPM_BIN := node_modules/.bin
SCRIPTS := src/keltis/web/js src/keltis/web/sw.js tests/web eslint.config.js
PAGE_SOURCES := src/keltis/web/css $(SCRIPTS) package.json .prettierrc.json

# Leaves in $$python the first Python that is new enough; PYTHON=... on the command line goes first.
FIND_PYTHON = for python in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11 python; do \
	    "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; \
	    python=; \
	done; \
	if [ -z "$$python" ]; then \
	    echo "Keltis needs Python 3.11 or newer and found none: install it, or name it with" >&2; \
	    echo "    make PYTHON=/path/to/python3" >&2; \
	    exit 1; \
	fi; \
	if ! "$$python" -c 'import ensurepip, venv' 2>/dev/null; then \
	    echo "$$python cannot make virtual environments: install its venv package" >&2; \
	    echo "(Debian, Ubuntu: apt-get install python3-venv)." >&2; \
	    exit 1; \
	fi

# The page is tested in a real browser. Without one, and where that is possible, Debian's is installed.
CHROMIUMS := chromium-headless-shell chromium chromium-browser google-chrome-stable google-chrome chrome
FIND_CHROMIUM = for browser in $(CHROMIUM) $(CHROMIUMS); do \
	    command -v "$$browser" >/dev/null && exit 0; \
	done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo 'Installing Chromium for the tests of the page, once.'; \
	    apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
	        apt-get install -y -qq --no-install-recommends chromium-headless-shell fonts-dejavu-core >/dev/null; \
	else \
	    echo 'The tests of the page need Chromium: install it, or set CHROMIUM to its path.' >&2; \
	    exit 1; \
	fi

COMPILE_LATER = echo 'Kernels will be compiled as they are needed, which takes a minute or two.' >&2

.DEFAULT_GOAL := help
.PHONY: help play test quick coverage kernels wheel docs lint format hooks bench starts load chaos audit sbom pins clean

help:  ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' Makefile

play: kernels  ## set up, start the server and open its page (ARGS="--help" shows the choices)
	@$(BIN)/keltis serve --open-browser --log-level warning $(ARGS)

test: $(VENV)/installed-dev kernels  ## set up and run every test (ARGS="-k clover" picks some)
	@$(FIND_CHROMIUM)
	$(PYTEST) $(ARGS)

quick: $(VENV)/installed-dev kernels  ## the tests to run before every commit, under a minute
	$(PYTEST) -m "not slow" $(QUICK) $(ARGS)

coverage: $(VENV)/installed-dev kernels  ## which lines the tests run; compiled kernels can't be seen (build/coverage)
	@$(FIND_CHROMIUM)
	$(PYTEST) --cov --cov-report=term:skip-covered --cov-report=html $(ARGS)

kernels: $(VENV)/installed  ## compile the kernels into one library, if their sources changed
	@$(BIN)/python -m keltis.build || $(COMPILE_LATER)

wheel: $(VENV)/installed-dev  ## build the package for this platform into dist
	$(PIP) wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

docs: $(VENV)/installed-dev kernels  ## build the documentation into build/site, where "make play" shows it at /docs
	$(BIN)/python -m mkdocs build --strict --quiet

lint: $(VENV)/installed-dev node_modules/installed  ## check style, format and types (the page's: needs npm)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(NPM_BIN)/prettier --check --log-level warn $(PAGE_SOURCES)
	$(NPM_BIN)/eslint $(SCRIPTS)
	$(NPM_BIN)/tsc -p tsconfig.json

format: $(VENV)/installed-dev node_modules/installed  ## put the code into the house format
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(NPM_BIN)/prettier --write --log-level warn $(PAGE_SOURCES)
	$(NPM_BIN)/eslint --fix $(SCRIPTS)

hooks: $(VENV)/installed-dev node_modules/installed  ## let git run the checks of "make lint" before each commit
	$(BIN)/pre-commit install

bench: $(VENV)/installed-dev kernels  ## measure against C and write benchmarks/RESULTS.md (a few minutes, needs gcc)
	$(BIN)/python -m benchmarks

starts: $(VENV)/installed-dev kernels  ## measure what anybody waits for and write docs/starts.md (minutes)
	$(BIN)/python -m benchmarks.starts $(ARGS)

load: $(VENV)/installed-dev kernels  ## measure the server against a bare echo (about two minutes)
	$(BIN)/python -m benchmarks.load

chaos: $(VENV)/installed-dev kernels  ## make trouble of all kinds while people play, and see what is lost (about ten minutes)
	$(BIN)/python -m tests.server.chaos

audit: $(VENV)/installed-dev  ## ask for known vulnerabilities of all pinned versions (needs the network)
	@$(BIN)/python tools/audit.py

sbom: $(VENV)/installed-dev  ## write what it is made of into build/sbom.json (CycloneDX)
	@$(BIN)/python tools/audit.py sbom build/sbom.json

pins:  ## pin the newest versions of all dependencies in constraints.txt
	@rm -rf build/pins
	@$(FIND_PYTHON); "$$python" -m venv build/pins
	build/pins/bin/python -m pip --disable-pip-version-check install --quiet '.[dev]'
	@echo '# All versions that are tested together; written by "make pins".' > constraints.txt
	build/pins/bin/python -m pip freeze --exclude keltis >> constraints.txt
	@rm -rf build/pins

clean:  ## remove the environment, caches and build results
	rm -rf .venv node_modules build dist .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
	rm -f src/keltis/kernels-*
	find src tests benchmarks -name __pycache__ -prune -exec rm -rf {} +

$(BIN)/python:
	@echo 'Setting up $(VENV), once: this takes a minute.'
	@$(FIND_PYTHON); "$$python" -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

# The tools for the page's sources; the page itself needs no Node.
node_modules/installed: package.json
	@npm install --silent
	@touch $@

# The build backend goes first, so that it is pinned too and nothing is built in isolation. The
# kernels are compiled while the rest is installed.
$(VENV)/installed: pyproject.toml constraints.txt | $(BIN)/python
	@$(PIP) install --quiet -c constraints.txt hatchling numba platformdirs
	@PYTHONPATH=src $(BIN)/python -m keltis.build & kernels=$$!; \
	$(PIP) install --quiet -c constraints.txt --no-build-isolation -e '.[server]' || exit; \
	wait $$kernels || $(COMPILE_LATER)
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed
	@$(PIP) install --quiet -c constraints.txt --no-build-isolation -e '.[dev]'
	@touch $@
