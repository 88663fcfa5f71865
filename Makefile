# make lab         open the notebooks in JupyterLab
# make test        run every check
# make book        the course as pages that need no kernel and no network: open site/index.html
# make book-zip    the same as one file to put anywhere: dist/divmetrics-book.zip
# make lite        the course with a kernel in the browser, for a web server: site-lite/ (needs a network)
#
# make setup       only install what these need, into .venv; they do it themselves
# make lint        ruff, mypy, import-linter, sections of docstrings; for JavaScript Biome and TypeScript, which it installs
# make bundles     after a change of the widgets' JavaScript: bundle it anew, as a browser gets it
# make unit        the tests
# make quick       lint, and the tests that need no browser, no notebook and no patience; two minutes
# make explore     laws, files, faults, messages, misuse, names, threads: others each time (many minutes)
# make browsers    numbers on the screens of the book compared with the library, in Chromium, Firefox and WebKit (many minutes)
# make compat      the core and a widget with the oldest packages, the newest, those of Pyodide, and the fewest
# make mutants     small changes of the library: which ones does no test notice? (hours; a sample takes less)
# make nbval       run every notebook again and compare with what it shows
# make notebooks   close solutions, run all notebooks, and write what follows from the lessons: heads, map, glossary
# make readme      write API.md and the picture of README.md, and the parts of README.md, docs/ and CITATION.cff that follow from other files
# make course      make what students of the assignments get, and try the grader on it (some minutes)
# make grade       grade what they handed in: make grade FROM=submissions.zip (see course/LECTURER.md)
# make lock        write the pinned versions after a change of pyproject.toml
#
# Some take options:
#   make lab LAB="--no-browser --port 8890"             JupyterLab's own
#   make lab PYTHON=/path/to/python3.12                 else python3, or a newer one where that is too old
#   make nbval ONLY=notebooks/04_counting.ipynb         one notebook; so does make notebooks
#   make explore EXPLORE="laws --times 20 --seed 7"     for longer; again what a run printed that had this seed
#   make browsers BROWSERS="firefox --seed 7"           in one browser, again what a run printed
#   make compat COMPAT=light                            one environment: floors, newest, pyodide or light
#   make mutants ONLY=divmetrics/core/merging.py        of one file or folder
#   make mutants SAMPLE=200 SEED=1                      so many, drawn at random; both go together
#   make book LIVE="https://hub.example.org/lab/tree/{notebook}"    where its pages open with a kernel, else Binder
#   make course ASSIGNMENT=ps1                          one assignment; so does make grade, which else takes ps1
#   make grade FROM=folder AGAIN="s1815 s1912"          grade the submissions of these ids once more
#   make grade FROM=folder REVEAL=1                     with right answers in the feedback, after the closing date
#   make grade FROM=folder TRUST=1                      without a sandbox, if you trust every student
#   make lock UPGRADE=1                                 the newest version of everything

.PHONY: help lab test book book-zip lite setup lint bundles unit quick nbval browsers compat mutants explore notebooks readme lock course grade stale

PYTHON =
LAB =
ONLY = notebooks/*.ipynb
EXPLORE =
LIVE =
COMPAT =
BROWSERS =
FROM =
ASSIGNMENT =
TRUST =
AGAIN =
REVEAL =

VENV := .venv
BIN := $(VENV)/bin
# Notebooks call the command line by its name, and must not read the user's own start-up files.
RUN := PATH="$(CURDIR)/$(BIN):$$PATH" IPYTHONDIR="$(CURDIR)/$(VENV)/ipython" $(BIN)/python
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
JAVASCRIPT := tools/javascript
CHECKERS := $(JAVASCRIPT)/node_modules/installed
# These tests belong to `make lint`, and `make unit` leaves them to it.
DOCSTRINGS := tests/project/test_docstrings.py

help:
	@sed -n 's/^# \{0,1\}//; 1,/^$$/p' Makefile | sed '/^$$/,$$d'
	@echo 'See the top of the Makefile for more.'

lab: setup
	$(RUN) -m jupyterlab $(if $(filter 0,$(shell id -u)),--allow-root) $(LAB) notebooks/00_start_here.ipynb

# nbval before the book, which takes what nbval executed; the book before the tests, which look at it and would
# else each make one.
test: lint nbval book unit

book: setup
	LIVE='$(LIVE)' $(RUN) -m tools.book

book-zip: book
	$(RUN) -m tools.book.zip_site site dist/divmetrics-book.zip

lite: setup .venv-lite/installed
	$(RUN) -m tools.lite

# JupyterLite stays out of .venv: it brings another JupyterLab's files than `make lab` opens.
.venv-lite/installed: tools/lite/requirements.txt
	@sh tools/make_venv.sh .venv-lite $(PYTHON)
	.venv-lite/bin/python -m pip --disable-pip-version-check install --quiet -r tools/lite/requirements.txt
	@touch $@

lint: setup $(CHECKERS)
	$(BIN)/python -m ruff check
	$(BIN)/python -m mypy
	PYTHONPATH=.:widgets $(BIN)/lint-imports --no-logo --no-cache
	$(RUN) -m pytest -p no:nbval -q -n 0 $(DOCSTRINGS)
	$(BIN)/node $(JAVASCRIPT)/node_modules/.bin/biome lint --error-on-warnings --config-path=$(JAVASCRIPT) widgets share tools/book/static
	$(BIN)/node $(JAVASCRIPT)/node_modules/.bin/tsc --project $(JAVASCRIPT)
	$(BIN)/node $(JAVASCRIPT)/bundle.mjs --check

bundles: setup $(CHECKERS)
	$(BIN)/node $(JAVASCRIPT)/bundle.mjs

UNIT = $(RUN) -m pytest -p no:nbval --ignore=$(DOCSTRINGS) --doctest-modules divmetrics widgets/divmetrics_widgets tests

unit: setup
	@# In the order of tests/conftest.py: what takes longest first. No more processes than processors: browsers and
	@# kernels have processes of their own, and tests wait for what they draw and compute.
	@# Tests that fail are listed and then run once more, by themselves: a browser that had to share the processors
	@# with others may have been late. A second failure fails.
	$(UNIT) -n logical --dist loadfile --no-loadscope-reorder || $(UNIT) --last-failed --last-failed-no-failures none

quick: lint
	$(UNIT) --quiet -n logical -m "not slow" --hypothesis-profile quick --ignore=tests/browser --ignore=tests/lessons

explore: setup
	$(RUN) -m tools.explore $(EXPLORE)

browsers: book
	$(RUN) -m tools.screen_numbers $(BROWSERS)

compat: setup .venv-lock/bin/uv
	PATH="$(CURDIR)/.venv-lock/bin:$$PATH" $(BIN)/python -m tools.compat $(COMPAT)

# What changes the code stays out of .venv; the tests of each mutant run there.
mutants: setup .venv-mutants/installed
	.venv-mutants/bin/python -m tools.mutants --python $(BIN)/python \
	    --only $(if $(filter command line,$(origin ONLY)),$(ONLY),.) $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(SEED),--seed $(SEED))

.venv-mutants/installed:
	@sh tools/make_venv.sh .venv-mutants $(PYTHON)
	.venv-mutants/bin/python -m pip --disable-pip-version-check install --quiet 'cosmic-ray>=8.7,<9'
	@touch $@

nbval: setup
	$(RUN) -m pytest -p tools.book.nbval_cache -n logical --dist loadfile --nbval --nbval-current-env \
	    --nbval-sanitize-with tests/lessons/sanitize.cfg $(ONLY)

notebooks: setup
	$(RUN) -m tools.close_solutions
	$(RUN) -m tools.execute_notebooks $(ONLY)
	@# Last, for the minutes of a lesson count the figures that its cells show.
	$(RUN) -m tools.course

readme: setup
	$(RUN) -m tools.readme
	$(RUN) -m tools.api_page
	$(RUN) -m tools.moving_picture

# The stamp holds the folder's name: a .venv that was moved, copied or whose Python has gone is made again.
STAMP := $(VENV)/installed-in

setup: $(STAMP)

ifneq ($(shell $(BIN)/python -c 'print(open("$(STAMP)").read(), end="")' 2>/dev/null),$(CURDIR))
$(STAMP): stale
endif

# What is in share/ is copied, so a change there needs an installation, too.
$(STAMP): requirements.txt pyproject.toml $(shell find share -type f)
	@if [ "$$(cat $(STAMP) 2>/dev/null)" != "$(CURDIR)" ] || ! $(BIN)/python -c 'import pip' 2>/dev/null; then \
	    sh tools/make_venv.sh $(VENV) $(PYTHON) || exit 1; \
	fi
	@echo "Installing into $(VENV); the first time takes a few minutes."
	@rm -f $(STAMP)
	$(PIP) -r requirements.txt
	$(PIP) --no-deps --no-build-isolation --editable .
	@# JupyterLab would ask whether to fetch news from the network.
	@mkdir -p $(VENV)/share/jupyter/lab/settings && cp binder/overrides.json $(VENV)/share/jupyter/lab/settings/
	@printf %s "$(CURDIR)" > $(STAMP)

# Only `make lint` and `make bundles` need these. Node comes with the pinned Python packages; a network may fail once.
$(CHECKERS): $(JAVASCRIPT)/package.json $(JAVASCRIPT)/package-lock.json $(JAVASCRIPT)/.npmrc | $(STAMP)
	@echo "Installing what checks and bundles JavaScript into $(JAVASCRIPT)/node_modules."
	@cd $(JAVASCRIPT) && npm="$(CURDIR)/$(BIN)/npm" && { "$$npm" ci || "$$npm" ci; } || { \
	    echo "npm ci failed twice (see above): the checks of JavaScript need the npm registry once; the rest does not" >&2; \
	    exit 1; \
	}
	@touch $@

# The gradebook wants packages that nothing else here does, so grading has an environment of its own.
GRADER := .venv-course
# nbgrader calls a program of that environment by its name.
GRADING := PYTHONUNBUFFERED=1 PATH="$(CURDIR)/$(GRADER)/bin:$$PATH" IPYTHONDIR="$(CURDIR)/$(GRADER)/ipython" $(GRADER)/bin/python -m course.grading
GRADED := $(if $(ASSIGNMENT),--assignment $(ASSIGNMENT)) $(if $(TRUST),--trust)

course: $(GRADER)/installed
	$(GRADING).release $(GRADED)

grade: $(GRADER)/installed
	@test -n '$(FROM)' || { echo 'Say what to grade: make grade FROM=submissions.zip, or a folder' >&2; exit 2; }
	@$(GRADING).grade '$(FROM)' $(GRADED) $(if $(REVEAL),--reveal) $(if $(AGAIN),--again $(AGAIN))

$(GRADER)/installed: binder/requirements.txt course/requirements-course.txt pyproject.toml
	@echo "Installing what grading needs into $(GRADER); the first time takes a few minutes."
	@sh tools/make_venv.sh $(GRADER) $(PYTHON)
	$(GRADER)/bin/python -m pip --disable-pip-version-check install --quiet \
	    -r binder/requirements.txt -r course/requirements-course.txt
	$(GRADER)/bin/python -m pip --disable-pip-version-check install --quiet \
	    --no-deps --no-build-isolation --editable .
	@touch $@

# uv is only needed here, so it stays out of .venv and of the pinned versions.
UV := .venv-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
      --no-emit-index-url --custom-compile-command "make lock" $(if $(UPGRADE),--upgrade)

lock: .venv-lock/bin/uv
	$(UV) pyproject.toml --extra notebooks --extra test --extra book --extra dev --output-file requirements.txt
	$(UV) --group lite --constraint requirements.txt --no-annotate --output-file tools/lite/requirements.txt
	@# What a server brings along: hatchling builds the project there, notebook must go with our jupyterlab, and
	@# nbgitpuller hands out lessons by a link.
	printf '%s\n' hatchling nbgitpuller notebook | \
	    $(UV) pyproject.toml - --extra notebooks --constraint requirements.txt --no-annotate \
	    --output-file binder/requirements.txt

.venv-lock/bin/uv:
	@sh tools/make_venv.sh .venv-lock $(PYTHON)
	.venv-lock/bin/python -m pip --disable-pip-version-check install --quiet uv
