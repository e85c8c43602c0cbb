# Two commands: `make serve` and `make test`. Everything else is beneath them.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
MODEL ?= smollm2-135m-instruct
HOST ?= 127.0.0.1
PORT ?= 8000
# Extra words for pip where torch has to come from another index, for example its CPU index, whose
# URL is in the command that pytorch.org, Get Started, shows for the compute platform CPU.
TORCH_FLAGS ?=
TORCH := $(shell sed -n 's/.*"\(torch==[^"]*\)".*/\1/p' pyproject.toml)

SECONDS_OF_SOAK ?= 1800

# Tests start hundreds of processes: each would compile all of genspec anew where this is set.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: serve test check crowds soak lint audit sdk docs released lock install install-dev pull clean

serve: install
	$(BIN)/genspec serve --model "$(MODEL)" --host "$(HOST)" --port "$(PORT)"

test: install-dev lint
	$(BIN)/genspec pull
	$(BIN)/pytest -q -n auto -m "not slow and not e2e"
	$(BIN)/pytest -q -n 2 --dist loadgroup -m "(slow or e2e) and not crowds"

check: install-dev lint
	$(BIN)/pytest -q -n auto -m "not slow and not e2e"

# The test of a thousand requests that must not mix each other up.
crowds: install-dev
	$(BIN)/pytest -q -m crowds

# Mixed load with faults on a tiny model, and what it leaves behind.
soak: install-dev
	$(BIN)/python -m tests.soak $(SECONDS_OF_SOAK)

lint: install-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# Needs a vulnerability service, which not every machine can reach: no part of `make test`.
audit: install-dev
	test -x $(VENV)/audit/bin/pip-audit || ($(PYTHON) -m venv $(VENV)/audit && $(VENV)/audit/bin/pip install pip-audit)
	$(VENV)/audit/bin/pip-audit --path "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"

# The client libraries, from the document; the generators are installed into build/sdk.
sdk: install-dev
	$(BIN)/python -m sdk.generate

# At a release: the document that later ones are compared with.
released: install-dev
	$(BIN)/python -m tests.contract.breaking.released

# The pages as a site that needs nothing of the network, in build/site.
docs: install-dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

# What is installed now, as exact versions, without the build that a wheel of torch names (`+cpu`).
lock: install-dev
	$(BIN)/pip freeze --all --exclude pip --exclude-editable | sed 's/+[^ ]*$$//' > constraints.txt

install: $(VENV)/.installed
install-dev: $(VENV)/.installed-dev

pull: install
	$(BIN)/genspec pull "$(MODEL)"

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

# The default install never pulls a CUDA package: where this machine's indexes would give torch's
# CUDA build, it stops before the download and says what to do. CUDA=1 lets it through.
$(VENV)/.torch: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --dry-run --quiet --report $(VENV)/torch.json $(TORCH_FLAGS) "$(TORCH)"
	@if [ -z "$(CUDA)" ] && grep -q '"name": "nvidia' $(VENV)/torch.json; then \
	  echo "Your package index gives the CUDA build of $(TORCH). For the CPU build, name torch's CPU index:" >&2; \
	  echo "  make $(MAKECMDGOALS) TORCH_FLAGS='--index-url URL'     (for a GPU: make $(MAKECMDGOALS) CUDA=1)" >&2; \
	  echo "The URL is in the command that pytorch.org, Get Started, shows for Stable, Linux, Pip, Python, CPU." >&2; exit 1; fi
	$(BIN)/pip install $(TORCH_FLAGS) "$(TORCH)"
	touch $@

SOURCES := build_backend.py $(wildcard engine/native/*.cpp engine/native/*.h engine/native/*.inc)
# Where there is no compiler and none can be fetched, genspec is installed without its native decoder.
WITHOUT_FETCHING := --config-settings fetch-compiler=no

$(VENV)/.installed: $(VENV)/.torch $(SOURCES)
	$(BIN)/pip install -c constraints.txt -e . \
	  || $(BIN)/pip install -c constraints.txt $(WITHOUT_FETCHING) -e .
	touch $@

# Everything at once, so that the decoder is compiled once, and with uv, in a fifth of pip's time;
# uv does not read pip's settings: where they name another index, pip does it.
$(VENV)/.installed-dev: $(VENV)/.torch $(SOURCES)
	$(BIN)/pip install -c constraints.txt uv
	$(BIN)/uv pip install --python $(BIN)/python -c constraints.txt -e ".[dev]" \
	  || $(BIN)/pip install -c constraints.txt -e ".[dev]" \
	  || $(BIN)/pip install -c constraints.txt $(WITHOUT_FETCHING) -e ".[dev]"
	touch $(VENV)/.installed $@
