# The commands for people. Each one runs a small script in .ci/.

.PHONY: help run build dist container watch test test-peers check sdk deny mutants fuzz browser fmt chaos upgrade bench lighthouse sheet clean
help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: ## Install what is missing, build quickly, fill a demo shop and serve it on 127.0.0.1:3000
	@.ci/try

build: ## Install what is missing and build target/release/retour, with its site folder beside it
	@.ci/tools build
	@.ci/build

dist: build ## Pack an archive to copy to a server: target/dist/retour-VERSION-MACHINE.tar.gz
	@.ci/dist

container: dist ## Build the container image `retour` with buildah
	@.ci/container

watch: ## Serve the demo shop while developing: rebuilds and reloads after each change
	@.ci/tools watch
	@.ci/watch

test: ## Install what is missing and run every check; one part of it: make test T=name
	@.ci/test $(if $(T),named "$(T)")

test-peers: ## Test against a real Medusa and karrio (installs some 1.1 GB), and localstripe: not part of `make test`
	@.ci/test-peers

check: ## Within a minute of a change: formatting, clippy, and the tests of the crates that changed
	@.ci/check

sdk: ## Regenerate the files of both SDKs, after a change of the API
	@.ci/test tools compile
	@.ci/sdk

deny: ## Check the libraries: licences, sources, duplicate versions, and known defects if their list can be fetched
	@.ci/deny

mutants: ## Change one thing in the code at a time, and see whether a test notices: continues where it was stopped (hours)
	@.ci/mutants

fuzz: build ## Send requests to the API that schemathesis generates from the OpenAPI document, and check every answer (about 20 minutes)
	@.ci/tools fuzz
	@.ci/fuzz

browser: build ## Run every browser test, on phone and desktop, with and without scripting
	@.ci/tools test
	@.ci/with-postgres playwright test -c end2end

fmt: ## Format the Rust code
	@cargo fmt --all

chaos: build ## Crash tests in their long form: kill the built program many times, let receivers hang, inject faults into a cluster
	@.ci/tools chaos
	@RETOUR_CHAOS=long .ci/with-postgres cargo test -p server --test chaos -- --nocapture --test-threads=1 --include-ignored

upgrade: ## Upgrade a cluster under load from an earlier commit to this one: make upgrade BEFORE=COMMIT
	@.ci/upgrade $(BEFORE)

bench: build ## Measure, on SQLite and on Postgres; a part: make bench PART=--claims; compared with an earlier commit: make bench BEFORE=COMMIT
	@.ci/tools test
	@BEFORE="$(BEFORE)" .ci/bench $(PART)

lighthouse: build ## Measure each step with Lighthouse on a slow phone (installs some 190 MB)
	@.ci/tools lighthouse
	@.ci/with-postgres playwright test -c end2end/lighthouse

sheet: build ## Take pictures of every page in every language, for review in end2end/artefacts/sheet
	@.ci/tools sheet
	@FONTCONFIG_FILE=$(CURDIR)/end2end/sheet/fonts.conf .ci/with-postgres playwright test -c end2end/sheet

clean: ## Remove what was built here (compiled dependencies stay in the cache)
	@rm -rf target
