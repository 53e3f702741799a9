# The front door: `make play` and `make test` need nothing but make and python3 (with its venv module) or uv.
# What they install stands in requirements/*.txt, every file checked by its hash, and goes to .venv/ only.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help play test check quick bench docs lint format lock package clean

ARGS ?=
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN := $(VENV)/run.stamp
DEV := $(VENV)/dev.stamp
BENCH := build/bench

# uv from the PATH, else one of our own in .uv/
UV := $(shell command -v uv 2>/dev/null || echo .uv/bin/uv)
INSTALL = $(UV) pip install --quiet --python $(BIN)/python
COMPILE = $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--custom-compile-command "make lock" $(ARGS)

# Trust the certificates that the system trusts, where it has any
export UV_SYSTEM_CERTS ?= $(if $(wildcard /etc/ssl/certs/ca-certificates.crt),true,false)

help: ## List the targets
	@echo 'Targets (ARGS="..." is handed on to the command behind a target):'
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: $(RUN) ## Start the program: make play ARGS="--help"
	@$(BIN)/shuangkou $(ARGS)

test: lint ## Lint, then every test; with ARGS only the chosen tests, else rules/ must be covered by 95 %
ifeq ($(strip $(ARGS)),)
	$(BIN)/pytest -n 2 --cov=shuangkou.rules --cov-report=term --cov-report=json:.coverage.json --cov-fail-under=95
	@$(BIN)/python -c "import json, sys; \
	covered = json.load(open('.coverage.json'))['totals']['percent_branches_covered']; \
	covered >= 95 or sys.exit(f'Of the branches of the rules {covered:.1f} % are covered: 95 % are needed')"
else
	$(BIN)/pytest -n 2 $(ARGS)
endif

check: lint quick ## Lint, then the quick tests: what every commit passes

quick: $(DEV)
	$(BIN)/pytest -n 2 -m "not slow" $(ARGS)

bench: $(RUN) ## Measure the speed of the rules and of the kernel, the latter beside other programs
	@$(UV) venv --quiet --allow-existing $(BENCH)
	@$(UV) pip install --quiet --python $(BENCH)/bin/python --require-hashes -r requirements/bench.txt
	@$(UV) pip install --quiet --python $(BENCH)/bin/python --no-deps --no-build-isolation --editable .
	SHUANGKOU_KERNEL=plain $(BENCH)/bin/python bench/rules.py $(ARGS)
	$(BENCH)/bin/python bench/rules.py $(ARGS)
	$(BENCH)/bin/python bench/kernel.py $(ARGS)

docs: $(DEV) ## Build the documentation into docs/_build/html; a warning is an error
	$(BIN)/sphinx-build -W --keep-going --quiet -b html docs docs/_build/html $(ARGS)

lint: $(DEV) ## Check style, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

format: $(DEV) ## Put the code into shape
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

package: $(DEV) ## Build the sdist and both wheels (compiled, plain) into dist/ and try each in an environment of its own
	rm -rf dist build/package build/plain
	$(UV) build --quiet --no-build-isolation --python $(BIN)/python
	SHUANGKOU_BUILD=plain $(UV) build --quiet --wheel --no-build-isolation --python $(BIN)/python --out-dir dist/plain dist/*.tar.gz
	for kind in package plain; do \
		$(UV) venv --quiet --python $(BIN)/python build/$$kind && \
		$(UV) pip install --quiet --python build/$$kind/bin/python --require-hashes -r requirements/run.txt || exit 1; \
	done
	$(UV) pip install --quiet --python build/package/bin/python --no-deps dist/*.whl
	$(UV) pip install --quiet --python build/plain/bin/python --no-deps dist/plain/*-none-any.whl
	build/package/bin/shuangkou --version
	build/plain/bin/shuangkou --version | grep '(plain kernel)'
	for kind in package plain; do \
		echo '{"op": "read", "variant": "huopin", "cards": "7777X"}' | build/$$kind/bin/shuangkou judge | grep '"bomb"' || exit 1; \
	done

lock: $(UV) ## Renew requirements/*.txt after a change of dependencies: make lock ARGS=--upgrade
	$(COMPILE) pyproject.toml --group dev --output-file requirements/dev.txt
	$(COMPILE) pyproject.toml --constraints requirements/dev.txt --output-file requirements/run.txt
	$(COMPILE) --group build --constraints requirements/dev.txt --output-file requirements/build.txt
	$(COMPILE) pyproject.toml --extra bench --group build --constraints requirements/dev.txt \
		--output-file requirements/bench.txt
	$(COMPILE) --group uv --output-file requirements/uv.txt

clean: ## Remove everything that was installed or built
	rm -rf .venv .uv build dist docs/_build .coverage .coverage.* .hypothesis .import_linter_cache \
		.mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment: first what the program needs, then what its developers need; again only when the lists change.

KERNEL := hatch_build.py $(wildcard src/shuangkou/rules/kernel.*)

$(RUN): requirements/run.txt requirements/build.txt pyproject.toml src/shuangkou/__init__.py $(KERNEL) | $(UV)
	@echo 'Setting up $(VENV)'
	@$(BIN)/python -c '' 2>/dev/null || { rm -rf $(VENV) && $(UV) venv --quiet $(VENV); }
	@$(INSTALL) --require-hashes -r requirements/run.txt -r requirements/build.txt
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(DEV): requirements/dev.txt $(RUN)
	@echo 'Setting up $(VENV) for development'
	@$(UV) pip sync --quiet --python $(BIN)/python --require-hashes requirements/dev.txt
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

.uv/bin/uv: requirements/uv.txt
	@echo 'Setting up uv in .uv'
	@command -v $(PYTHON) >/dev/null || { echo 'Neither uv nor $(PYTHON) is here: install one of them.' >&2; exit 1; }
	@rm -rf .uv
	@$(PYTHON) -m venv .uv || { rm -rf .uv; echo 'uv is not here and $(PYTHON) cannot make a virtual environment:' \
		'install its venv module (on Debian and Ubuntu the package python3-venv) or uv.' >&2; exit 1; }
	@.uv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt
	@touch $@
