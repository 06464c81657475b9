# The two that matter: make practice, make test. Each sets up what it needs first, and a second run starts at once.
ROUND ?= gpu-hm-screen
TALK ?= en
BENCH ?= core
TIMES ?= 10000

BIN := .venv/bin
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup practice test lint bench coverage fuzz constraints clean

help: ## Say what there is to make
	@sed -n 's/^\([a-z]*\):.*## /make \1\t/p' Makefile | expand -t 18
	@echo
	@echo "ROUND=anyscale-system-design and TALK=en|zh|mixed choose the practice round, BENCH=NAME the benchmark."

setup: ## Install everything: .venv, packages, models; system libraries where allowed
	@tools/setup.sh

practice: setup ## Open the page; where there is no browser, a round in the terminal (ROUND=, TALK=)
	@tools/practice.sh "$(ROUND)" "$(TALK)"

test: ## Set up, then lint, types, layers and all tests
	@tools/setup.sh --tests
	@$(MAKE) --no-print-directory lint
	@$(BIN)/pytest -q -n 2

lint: ## Style, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: setup ## Measure this machine (BENCH=)
	@$(BIN)/voiceprep bench "$(BENCH)"

coverage: ## Train the detectors of signals and traps again (ALSO=FILE.jsonl); needs scikit-learn
	@$(BIN)/python -c "import sklearn" 2>/dev/null || $(BIN)/pip install --quiet scikit-learn
	@$(BIN)/python -m tools.train_coverage $(if $(ALSO),--also $(ALSO))
	@$(BIN)/python -m tools.train_proposals
	@$(BIN)/voiceprep bench followups

fuzz: ## Try every parser and door with 10,000 bad inputs, and with as many that coverage leads to (TIMES=)
	@$(BIN)/python tools/fuzz.py $(TIMES)
	@$(BIN)/python -c "import atheris" 2>/dev/null || $(BIN)/pip install --quiet atheris
	@$(BIN)/python -m tools.fuzz_guided $(TIMES)

constraints: ## Write constraints.txt anew, from the newest releases that pyproject.toml allows
	@tools/pin.sh

clean: ## Remove what was built and installed here; recordings and models stay
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
