# Every target installs only what it needs. A fresh Debian 12 needs only the Swift toolchain, make and git.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help tools tools-check tools-package tools-docs tools-bench build release install uninstall deb dist demo test lint gates check bench soak torture fuzz mutants test-package test-fresh sanitize screenshots docs clean

BUILD_FLAGS := --explicit-target-dependency-import-check error
# Link the Swift runtime statically, so that the program runs without a toolchain and starts faster. Resolve all symbols at
# the start, so that the table of functions is read-only, and search no libraries next to the program.
LINUX_FLAGS := --static-swift-stdlib --disable-local-rpath -Xlinker -z -Xlinker now
RELEASE_FLAGS := -c release $(BUILD_FLAGS) $(if $(filter Linux,$(shell uname)),$(LINUX_FLAGS))
DEMO_DIR ?= demo
HEALTHSYNC := .build/release/healthsync
# Selenium is a package of the system's Python.
SYSTEM_PYTHON := $(firstword $(wildcard /usr/bin/python3) python3)

help: ## Show the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  \1\t/' | expand -t 12

tools: ## Install the system libraries that the package links
	@./.ci/install-tools build

tools-check: ## Also install what `make check` needs: Python, PostgreSQL, a browser, proxies
	@./.ci/install-tools check

tools-package:
	@./.ci/install-tools package

tools-bench:
	@./.ci/install-tools bench

build: tools release ## Build the release program

release:
	swift build $(RELEASE_FLAGS) --product healthsync

PREFIX ?= /usr/local
DESTDIR ?=

install: ## Install the built program, man pages, completions and systemd units (PREFIX=/usr/local, DESTDIR=)
	@./.ci/install-files install "$(HEALTHSYNC)" "$(PREFIX)" "$(DESTDIR)"

uninstall: ## Remove what `make install` installed
	@./.ci/install-files uninstall "$(HEALTHSYNC)" "$(PREFIX)" "$(DESTDIR)"

deb: tools-package build ## Build a Debian package in dist/
	@./.ci/package deb "$(HEALTHSYNC)" dist

dist: tools-package build ## Build a tarball with the program in dist/
	@./.ci/package dist "$(HEALTHSYNC)" dist

demo: build ## Generate a year of synthetic data, sync it to a local server, and show it here and in the browser
	@./.ci/demo "$(HEALTHSYNC)" "$(DEMO_DIR)"

test: ## Build and test a change: the Swift suites, and some end-to-end tests on the debug program
	@./.ci/run test

lint: tools ## Check the formatting of the code
	swift format lint --strict --recursive Sources Tests Examples Package.swift

gates: tools ## Prove that each compiler and lint gate can fail
	@./.ci/gates-turn-red

check: ## Run everything that must pass before a commit lands
	@./.ci/run check

bench: tools-bench build ## Measure performance relative to reference programs
	@./.ci/bench

# The long targets run in parts, which keep their results: PARTS="NAME..." selects some, MINUTES=30 begins none later.
soak: tools-check build ## Run the long tests: load, kills, many random cases, every page in every look, the package
	@./.ci/parts soak

torture: tools-check build ## Run every kill, power loss, disk fault and faulty answer, and many histories
	@./.ci/parts torture

SECONDS ?= 60

fuzz: tools ## Fuzz what reads foreign bytes (SECONDS=60 for each target)
	@./.ci/fuzz $(SECONDS)

mutants: tools-check ## Plant mistakes in a copy, each of which the tests must find
	@./.ci/parts mutants

test-package: tools-package build ## Test the Debian package in a fresh Debian 12 system (root)
	@./.ci/test-package "$(HEALTHSYNC)"

test-fresh: ## Run the demo and the tests in fresh Debian systems (root)
	@./.ci/parts test-fresh

sanitize: tools-check ## Run every test target under the address, undefined behavior and thread sanitizers
	@./.ci/parts sanitize

screenshots: tools-check build ## Take the pictures of README.md and docs/phone.md again
	HEALTHSYNC_BINARY=$(HEALTHSYNC) $(SYSTEM_PYTHON) -B Tests/Support/Screenshots/take_screenshots.py

tools-docs:
	@./.ci/install-tools docs

docs: tools-docs ## Write the documentation and the public API as a site that works offline, to site/
	swift build $(BUILD_FLAGS)
	./.ci/public-api --symbols .build/symbols.json
	$(SYSTEM_PYTHON) -B ./.ci/docs-site site .build/symbols.json

clean: ## Remove what was built
	rm -rf .build $(DEMO_DIR) bench-output site dist
