# Two commands matter: `make demo` and `make test`. Everything else is a part of them.

SWIFT  ?= swift
RULES  ?= rules
BINARY := build/rules-test

SECONDS ?= 60
JOBS    ?= 2

# The shipped binary needs nothing installed. Where static executables do not exist it is dynamic.
# The toolchain's own linker, since the system's warns about each libc function that a static program should not call.
STATIC := $(if $(filter Linux,$(shell uname -s)),-Xswiftc -static-executable -Xswiftc -use-ld=lld)

.PHONY: docs packaging install load rest-parity contradictions unknowns formats crash races token-interop identity-flows help setup build demo test unit consumer parity parity-coverage parity-faults fuzz fuzz-edges bench speed clean

help:             ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup:            ## Install the system libraries that are missing (Debian, Ubuntu)
	@scripts/setup

# What `rules-test --version` says of the commit.
build: export RULES_TEST_COMMIT ?= $(shell git describe --always --dirty --abbrev=12 2>/dev/null)

build: setup      ## Build the release binary, build/rules-test
	$(SWIFT) build -c release --product rules-test --scratch-path .build/static $(STATIC)
	@mkdir -p build
	@install -m 755 "$$($(SWIFT) build -c release --scratch-path .build/static $(STATIC) --show-bin-path)/rules-test" $(BINARY)

demo: build       ## Build, then run the tests of the example rule sets in rules/
	$(BINARY) $(RULES)

unit: setup       ## Run the unit tests
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build

consumer: setup   ## Check that another package can depend on this one, by path and by git tag
	scripts/check-consumer

formats: setup    ## Give reports to their consumers (junitparser, prove, SARIF's schema, genhtml), as far as they are installed
	$(SWIFT) build --product rules-test
	scripts/check-formats

docs: setup       ## Build the documentation of the libraries, build/docs (DocC; a warning is an error)
	scripts/docs

packaging: setup  ## Run what comes with the program: completions in their shells, the manual page, as far as those are installed
	$(SWIFT) build --product rules-test
	scripts/check-packaging

PREFIX  ?= /usr/local

install:          ## Copy build/rules-test, its manual page and completions to PREFIX=/usr/local (after make build)
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/man/man1" \
	  "$(DESTDIR)$(PREFIX)/share/bash-completion/completions" "$(DESTDIR)$(PREFIX)/share/zsh/site-functions" \
	  "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d"
	install -m 755 $(BINARY) "$(DESTDIR)$(PREFIX)/bin/rules-test"
	$(BINARY) help --man > "$(DESTDIR)$(PREFIX)/share/man/man1/rules-test.1"
	$(BINARY) completion bash > "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/rules-test"
	$(BINARY) completion zsh > "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_rules-test"
	$(BINARY) completion fish > "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/rules-test.fish"

SEEDS  ?= 1 2 3
COUNT  ?= 20000
# Of each seed: queries under rules, and operations on a store.
PAIRS  ?= 2000
OPERATIONS ?= 1000

ANSWER = "$$($(SWIFT) build -c release --show-bin-path)/rules-answer"

parity:           ## Random questions, answered by the official emulator, by RE2 and by us (SEEDS="1 2 3" COUNT=20000 PAIRS=2000 OPERATIONS=1000)
	@if python3 Corpus/tools/parity.py --found; then \
	  $(MAKE) --no-print-directory setup && $(SWIFT) build -c release --product rules-answer && \
	  python3 Corpus/tools/parity.py --seeds "$(SEEDS)" --count $(COUNT) --program $(ANSWER) && \
	  python3 Corpus/tools/parity_patterns.py --seeds "$(SEEDS)" --count $(COUNT) --program $(ANSWER) && \
	  python3 Corpus/tools/query_parity.py --seeds "$(SEEDS)" --count $(PAIRS) --program $(ANSWER) && \
	  python3 Corpus/tools/firestore_parity.py --seeds "$(SEEDS)" --count $(OPERATIONS) --program $(ANSWER); \
	else echo "skipped: emulator not installed"; fi

REST ?= 20000

rest-parity:      ## The same random HTTP requests to the official emulator and to `rules-test serve` (SEEDS="1 2 3" REST=20000 each)
	@if python3 Corpus/tools/rest_parity.py --found; then \
	  $(MAKE) --no-print-directory setup && $(SWIFT) build -c release --product rules-test && \
	  python3 Corpus/tools/rest_parity.py --seeds "$(SEEDS)" --count $(REST) --program "$$($(SWIFT) build -c release --show-bin-path)/rules-test"; \
	else echo "skipped: emulator not installed"; fi

KILLS     ?= 500
TRANSFERS ?= 300

crash: setup      ## Kill a writer and a server, and cut the power of a disk, each KILLS=500 times: nothing acknowledged may be lost
	$(SWIFT) build -c release --product rules-answer
	python3 Corpus/tools/crash.py --times $(KILLS) --program $(ANSWER)
	$(SWIFT) build -c release --product rules-test
	python3 Corpus/tools/server_crash.py --times $(KILLS) --program "$$($(SWIFT) build -c release --show-bin-path)/rules-test"
	$(SWIFT) build --build-tests
	POWER_CUTS=$(KILLS) $(SWIFT) test --skip-build --filter LocalFirestoreTests.PowerCutTests

races: setup      ## Transfers of eight tasks at once under the thread sanitizer, TRANSFERS=300 seconds
	$(SWIFT) build --build-tests --sanitize=thread --scratch-path .build/thread
	clang -shared -fPIC -O1 scripts/thread-sanitizer-locks.c -o .build/thread/locks.so
	LD_PRELOAD="$(CURDIR)/.build/thread/locks.so" TRANSFER_SECONDS=$(TRANSFERS) $(SWIFT) test --skip-build --sanitize=thread \
	  --scratch-path .build/thread --no-parallel --filter LocalFirestoreTests.TransferTests

REQUESTS ?= 20000
MUTANTS  ?= 2000

contradictions: setup ## Hold proofs against steered random requests: MUTANTS=2000 weaker rule sets, REQUESTS=20000 each
	$(SWIFT) build -c release --product contradictions
	"$$($(SWIFT) build -c release --show-bin-path)/contradictions" --requests $(REQUESTS) --mutants $(MUTANTS) \
	  Corpus/leaks/*/safe.rules $$(find rules Corpus/rulesets -name '*.rules' ! -name '*_test.rules')

unknowns: setup   ## What of Corpus/rulesets cannot be decided: the share of UNKNOWN, each kind with its count, and times
	$(SWIFT) build -c release --product rules-test
	scripts/unknowns "$$($(SWIFT) build -c release --show-bin-path)/rules-test" Corpus/rulesets

token-interop: setup ## Our ID tokens checked by PyJWT and google-auth, theirs by us (pip install pyjwt google-auth cryptography requests)
	@if python3 Corpus/tools/token_interop.py --found; then python3 Corpus/tools/token_interop.py live build/token-interop; \
	else echo "skipped: PyJWT or google-auth is not installed"; fi

COVERED := .build/coverage

parity-coverage:  ## How much of the evaluator the parity questions reach (SEEDS="1 2 3" COUNT=20000)
	@if python3 Corpus/tools/parity.py --found; then \
	  $(MAKE) --no-print-directory setup && rm -rf $(COVERED)/profiles && mkdir -p $(COVERED)/profiles && \
	  $(SWIFT) build -c release --product rules-answer --scratch-path $(COVERED) \
	    -Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping && \
	  export LLVM_PROFILE_FILE=$(COVERED)/profiles/%p.profraw && \
	  python3 Corpus/tools/parity.py --seeds "$(SEEDS)" --count $(COUNT) --program $(COVERED)/release/rules-answer && \
	  python3 Corpus/tools/query_parity.py --seeds "5 6 7" --count 6000 --program $(COVERED)/release/rules-answer && \
	  python3 Corpus/tools/parity_coverage.py --program $(COVERED)/release/rules-answer --profiles $(COVERED)/profiles; \
	else echo "skipped: emulator not installed"; fi

parity-faults:    ## Plant faults in a copy, and show that the parity questions catch each
	@$(MAKE) --no-print-directory setup
	python3 Corpus/tools/parity_faults.py

bench: build      ## Measure speed: one table of instructions, allocations and ratios
	@Benchmarks/run

load: build       ## The servers under load: speed beside the official emulator, 10,000 connections, hostile clients (needs wrk)
	@Benchmarks/load

speed: setup      ## Check that nothing takes a tenth more instructions than recorded
	@Benchmarks/run --gate

STEPS ?= 1000000

identity-flows: setup ## Random sequences of sign-in flows (STEPS=1000000); make test walks a few thousand
	$(SWIFT) build -c release --product identity-walk
	nice -n 10 "$$($(SWIFT) build -c release --show-bin-path)/identity-walk" $(STEPS)

test: setup       ## Everything: the example rule sets, a package that depends on ours, the unit tests, killed writers, the speed gate
	@$(MAKE) --no-print-directory demo
	@$(MAKE) --no-print-directory consumer
	@$(MAKE) --no-print-directory unit
	python3 Corpus/tools/crash.py --times 20 --program .build/debug/rules-answer
	python3 Corpus/tools/server_crash.py --times 10 --program .build/debug/rules-test
	@$(MAKE) --no-print-directory speed

fuzz:             ## Fuzz every target (SECONDS=60 each, JOBS=2 at once; see Fuzz/run)
	FUZZ_SECONDS="$(SECONDS)" JOBS="$(JOBS)" KEEP="$(KEEP)" Fuzz/run $(TARGETS)

fuzz-edges:       ## Megabytes of what hurts, 100,000 levels of what nests: answers, time, memory (release build)
	Fuzz/edges

clean:            ## Remove everything that was built
	rm -rf .build build
