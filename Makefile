# Every target installs only what it needs. A fresh Debian 12 needs only the Swift toolchain, make and git.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help tools tools-test tools-package tools-bench build install uninstall deb dist demo test lint gates check bench soak torture fuzz mutants test-package test-fresh sanitize screenshots docs clean

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

tools-test: ## Also install what the tests need: PostgreSQL, a browser, Python
	@./.ci/install-tools test

tools-package:
	@./.ci/install-tools package

tools-bench:
	@./.ci/install-tools bench

build: tools ## Build the release program
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

test: tools-test ## Build and run every test
	swift build --build-tests $(BUILD_FLAGS)
	@./.ci/public-api --check
	@./.ci/mutants --check
	swift build $(RELEASE_FLAGS) --product healthsync
	@./.ci/test

lint: tools ## Check the formatting of the code
	swift format lint --strict --recursive Sources Tests Examples Package.swift

gates: tools ## Prove that each compiler and lint gate can fail
	@./.ci/gates-turn-red

check: lint test gates ## Run everything that must pass before a commit lands

bench: tools-bench build ## Measure performance relative to reference programs
	@./.ci/bench

soak: tools-test build ## Run the long tests: load, kills, a thousand growing exports, fresh Debian systems
	@rm -rf bench-output/soak
	python3 -B Tests/Support/Peers/servers/soak_server.py --program $(HEALTHSYNC) --dir bench-output/soak/clients
	python3 -B Tests/Support/Peers/servers/kill_server.py --program $(HEALTHSYNC) --dir bench-output/soak/kills --rounds 20 --apart 3
	cd Tests/EndToEndTests && $(SYSTEM_PYTHON) -B -m unittest server.test_framing
	python3 -B Tests/Support/Peers/servers/soak_framing.py --program $(HEALTHSYNC) --python .build/h11-0.16.0/bin/python --dir bench-output/soak/framing
	HEALTHSYNC_TLS_REQUESTS=100000 ./.ci/sanitize address server.test_tls_requests
	cd Tests/EndToEndTests && CHANGED_DAYS_SEEDS=1000 python3 -B -m unittest reading.test_changed_days
	cd Tests/EndToEndTests && HEALTHSYNC_KILL_EVERY=1 python3 -B -m unittest inbox.test_kill_points
	swift build --build-tests $(BUILD_FLAGS)
	BYTE_READINGS=whole TESTS=ReceiverTests ./.ci/test
	python3 -B Tests/Support/Peers/senders/soak_inbox.py --program $(HEALTHSYNC) --dir bench-output/soak/inbox --posts 100000
	@./.ci/test-package "$(HEALTHSYNC)"
	@./.ci/test-fresh

torture: tools-test build ## Run every kill, power loss, disk fault, faulty answer, history and mutant; tests run a sample
	cd Tests/EndToEndTests && TORTURE=full $(SYSTEM_PYTHON) -B -m unittest discover -v -t . -s torture
	swift build --build-tests $(BUILD_FLAGS)
	SIMULATION_HISTORIES=10000 TESTS=SimulationTests ./.ci/test
	@./.ci/fuzz 60
	@./.ci/mutants

SECONDS ?= 60

fuzz: tools ## Fuzz what reads foreign bytes (SECONDS=60 for each target)
	@./.ci/fuzz $(SECONDS)

mutants: tools-test ## Plant mistakes in a copy, each of which the tests must find
	@./.ci/mutants

test-package: tools-package build ## Test the Debian package in a fresh Debian 12 system (root)
	@./.ci/test-package "$(HEALTHSYNC)"

test-fresh: ## Run the demo and the tests in fresh Debian systems (root; IDENTITIES="root user", TARGETS="demo test")
	@./.ci/test-fresh

sanitize: tools-test ## Run every test target under the address, undefined behavior and thread sanitizers
	@./.ci/sanitize address
	@./.ci/sanitize thread

screenshots: tools-test build ## Take the pictures of README.md and docs/phone.md again
	HEALTHSYNC_BINARY=$(HEALTHSYNC) $(SYSTEM_PYTHON) -B Tests/Support/Screenshots/take_screenshots.py

docs: tools-test ## Write the documentation and the public API as a site that works offline, to site/
	swift build --build-tests $(BUILD_FLAGS)
	./.ci/public-api --symbols .build/symbols.json
	$(SYSTEM_PYTHON) -B ./.ci/docs-site site .build/symbols.json

clean: ## Remove what was built
	rm -rf .build $(DEMO_DIR) bench-output site dist
