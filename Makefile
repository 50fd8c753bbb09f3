# Every target installs what it needs, and no more; on a fresh Debian 12 only the Swift toolchain, make and git are needed.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help tools tools-test tools-bench build demo test lint gates check bench soak test-fresh sanitize docs clean

BUILD_FLAGS := --explicit-target-dependency-import-check error
# The program holds the Swift runtime, so that it runs where no toolchain is installed and starts sooner.
RELEASE_FLAGS := -c release $(BUILD_FLAGS) $(if $(filter Linux,$(shell uname)),--static-swift-stdlib)
DEMO_DIR ?= demo
HEALTHSYNC := .build/release/healthsync
# The browser's driver is a package of the system's Python.
SYSTEM_PYTHON := $(firstword $(wildcard /usr/bin/python3) python3)

help: ## Show the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  \1\t/' | expand -t 12

tools: ## Install the system libraries that the package links
	@./.ci/install-tools build

tools-test: ## Install what the tests need too: PostgreSQL, a browser, Python
	@./.ci/install-tools test

tools-bench:
	@./.ci/install-tools bench

build: tools ## Build the program for use
	swift build $(RELEASE_FLAGS) --product healthsync

demo: build ## Write a year of made-up data, sync it to a server, show it here and in the browser
	@./.ci/demo "$(HEALTHSYNC)" "$(DEMO_DIR)"

test: tools-test ## Build and run every test
	swift build --build-tests $(BUILD_FLAGS)
	@./.ci/public-api --check
	@./.ci/test-suites
	for folder in exports servers zones; do (cd Tests/Support/Peers/$$folder && python3 -B -m unittest -q); done
	@./.ci/test-examples
	swift build $(RELEASE_FLAGS) --product healthsync
	cd Tests/EndToEndTests && $(SYSTEM_PYTHON) -B -m unittest -v

lint: tools ## Check the form of the code
	swift format lint --strict --recursive Sources Tests Examples Package.swift

gates: tools ## Show that each compiler and lint gate turns red
	@./.ci/gates-turn-red

check: lint test gates ## Everything that must be green before a commit lands

bench: tools-bench build ## Measure against floors and peers, in ratios
	@./.ci/bench

soak: tools-test build ## Clients and kills at a server, a thousand growing exports, then everything in a fresh Debian
	@rm -rf bench-output/soak
	python3 -B Tests/Support/Peers/servers/soak_server.py --program $(HEALTHSYNC) --dir bench-output/soak/clients
	python3 -B Tests/Support/Peers/servers/kill_server.py --program $(HEALTHSYNC) --dir bench-output/soak/kills --rounds 20 --apart 3
	cd Tests/EndToEndTests && CHANGED_DAYS_SEEDS=1000 python3 -B -m unittest reading.test_changed_days
	@./.ci/test-fresh

test-fresh: ## Run the demo and the tests in fresh Debian systems (root; IDENTITIES="root user", TARGETS="demo test")
	@./.ci/test-fresh

sanitize: tools-test ## Run the tests that share state between threads under the thread sanitizer
	swift build --build-tests --sanitize=thread --scratch-path .build/sanitize
	@SUITES="EngineTests SQLiteTests ReceiverTests OutboxHTTPTests CommandsTests" \
		TSAN_OPTIONS="suppressions='$(CURDIR)/.ci/thread-sanitizer-suppressions'" \
		./.ci/test-suites --sanitize=thread --scratch-path .build/sanitize

docs: tools ## Write the site of the public API from its doc comments to site/
	swift build --build-tests $(BUILD_FLAGS)
	./.ci/public-api --site site

clean: ## Remove what was built
	rm -rf .build $(DEMO_DIR) bench-output site
