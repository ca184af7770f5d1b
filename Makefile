# What a machine needs: Go, git and make. Everything else is fetched as Go modules, on the first use of a target.

GO ?= go
BIN := bin/kubectl-apl
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)

# The one place that names the version of golangci-lint.
GOLANGCI_VERSION := v2.15.0
GOLANGCI := .cache/bin/golangci-lint-$(GOLANGCI_VERSION)

# The program that benchmarks of validate are measured against.
KUBECONFORM_VERSION := v0.8.0
KUBECONFORM := .cache/bin/kubeconform-$(KUBECONFORM_VERSION)

# A real API server for the tests, built from the Go modules that hack/controlplane pins. The folder's name holds all that
# decides on the binaries, so that another version is another folder; internal/testcluster looks for the same name.
CONTROLPLANE_MODULE := hack/controlplane
CONTROLPLANE_VERSION := $(shell sed -n 's|^[[:space:]]*k8s.io/kubernetes \(v[^ ]*\).*|\1|p' $(CONTROLPLANE_MODULE)/go.mod)
CONTROLPLANE_HOST := $(subst $() ,-,$(shell $(GO) env GOHOSTOS GOHOSTARCH))
CONTROLPLANE_SUM := $(shell cd $(CONTROLPLANE_MODULE) && cat go.mod go.sum build.sh | git hash-object --stdin | cut -c 1-12)
CONTROLPLANE := .cache/controlplane/kubernetes-$(CONTROLPLANE_VERSION)-$(CONTROLPLANE_HOST)-$(CONTROLPLANE_SUM)
ASSETS := KUBEBUILDER_ASSETS='$(CURDIR)/$(CONTROLPLANE)'

# The race detector needs a C compiler; without one the tests run without it.
RACE ?= $(shell test "$$($(GO) env CGO_ENABLED)" = 1 && command -v $$($(GO) env CC) >/dev/null 2>&1 && echo -race)
FUZZTIME ?= 20s
BENCH ?= .

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

## Product

.PHONY: build
build: ## Build bin/kubectl-apl
	$(GO) build -trimpath -ldflags '-X main.version=$(VERSION)' -o $(BIN) ./cmd/kubectl-apl

.PHONY: demo
demo: build ## Migrate the recorded platform of testdata/ in a scratch folder, and show every step
	BIN='$(CURDIR)/$(BIN)' hack/demo/demo.sh

.PHONY: check-readme
check-readme: build ## Fail when the session that the README shows is not what the demo prints
	@output=$$(BIN='$(CURDIR)/$(BIN)' hack/demo/demo.sh 2>&1) || { echo "$$output"; exit 1; }; \
	printf '%s\n' "$$output" | hack/demo/check-readme.sh README.md

.PHONY: generate
generate: ## Write again what is generated from code (each go:generate line of the tree)
	$(GO) generate ./...

.PHONY: clean
clean: ## Remove what was built, the linter too
	rm -rf bin .cache

## Tests

.PHONY: controlplane
controlplane: $(CONTROLPLANE)/kube-apiserver ## Build the API server and the etcd that tests start, on first use

.PHONY: test
test: controlplane ## Run all tests, with the race detector where there is a C compiler
	@test -n '$(RACE)' || echo 'no C compiler here: running without the race detector'
	$(ASSETS) $(GO) test $(RACE) -timeout 30m ./...
	@# The race detector multiplies memory, so that the bound on it is tested without.
	$(if $(RACE),$(ASSETS) $(GO) test -run '^TestMemory' ./pkg/migrate ./plugin)

.PHONY: test-short
test-short: controlplane ## Run the tests that are quick, without the race detector
	$(ASSETS) $(GO) test -short ./...

.PHONY: bench
bench: $(KUBECONFORM) ## Run all benchmarks, one package after the other (BENCH=regexp)
	KUBECONFORM='$(CURDIR)/$(KUBECONFORM)' $(GO) test -p 1 -run '^$$' -bench '$(BENCH)' -benchmem -timeout 30m \
		$$(grep -rl --include='*_test.go' '^func Benchmark' . | sed 's|/[^/]*$$||' | sort -u)

# Go fuzzes one target at a time.
.PHONY: fuzz
fuzz: ## Run each fuzz target for FUZZTIME (20s)
	@grep -rl --include='*_test.go' '^func Fuzz' . | sort | while read -r file; do \
		for target in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$$file"); do \
			echo "== $$target in $$(dirname "$$file")"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "$$(dirname "$$file")" || exit 1; \
		done; \
	done

## Checks

.PHONY: fmt
fmt: ## Format the code
	gofmt -w .

.PHONY: check-fmt
check-fmt: ## Fail when a file is not gofmt-ed
	@files=$$(gofmt -l .) && test -z "$$files" || { echo "not gofmt-ed (make fmt): $$files"; exit 1; }

.PHONY: vet
vet: ## Run go vet
	$(GO) vet ./...

.PHONY: lint
lint: $(GOLANGCI) ## Run golangci-lint, built on first use
	$(GOLANGCI) run ./...

.PHONY: lint-bites
lint-bites: $(GOLANGCI) ## Show that each import rule of .golangci.yml refuses what it is there to refuse
	$(GO) run ./hack/lint -golangci-lint $(GOLANGCI)

# A replace directive would break `go install`.
.PHONY: check-mod
check-mod: ## Fail when go.mod is not tidy or replaces a module
	@for dir in . $(CONTROLPLANE_MODULE); do \
		diff=$$($(GO) -C $$dir mod tidy -diff 2>&1) || { echo "$$diff" | head -n 60; echo "$$dir/go.mod or go.sum is not tidy (go mod tidy)"; exit 1; }; \
		! grep -nE '^[[:space:]]*replace|=>' $$dir/go.mod || { echo "$$dir/go.mod has a replace directive"; exit 1; }; \
	done

# Compares two snapshots of the work tree, made with an index and an object folder of their own: uncommitted work is no
# hindrance, and the repository is left as it is.
.PHONY: check-generated
check-generated: ## Fail when a generated file is not current
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && mkdir "$$dir/objects" && \
	objects=$$(cd "$$(git rev-parse --git-path objects)" && pwd) && \
	own() { GIT_INDEX_FILE="$$dir/index" GIT_OBJECT_DIRECTORY="$$dir/objects" GIT_ALTERNATE_OBJECT_DIRECTORIES="$$objects" git "$$@"; } && \
	own add -A . && before=$$(own write-tree) && \
	$(MAKE) --no-print-directory generate && \
	own add -A . && after=$$(own write-tree) && \
	own diff --exit-code "$$before" "$$after" || { echo 'generated files are not current (make generate)'; exit 1; }

CI_STEPS := check-fmt check-mod vet lint lint-bites check-generated build demo check-readme test

.PHONY: ci
ci: ## Run everything that the project's gate runs, in its order
	@for step in $(CI_STEPS); do \
		echo; echo "==== make $$step"; \
		$(MAKE) --no-print-directory $$step || exit 1; \
	done

# The version is in the file's name, so a new version is a new file. GOBIN is a folder of its own because go install
# chooses the file's name; the rename comes last, so that a build that was stopped leaves no half file.
$(GOLANGCI):
	@echo "building golangci-lint $(GOLANGCI_VERSION), once; this takes some minutes"
	@rm -rf '$@.tmp' && mkdir -p '$@.tmp'
	GOBIN='$(CURDIR)/$@.tmp' GOOS= GOARCH= $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	@mv '$@.tmp/golangci-lint' '$@' && rmdir '$@.tmp'

$(KUBECONFORM):
	@rm -rf '$@.tmp' && mkdir -p '$@.tmp'
	GOBIN='$(CURDIR)/$@.tmp' GOOS= GOARCH= $(GO) install github.com/yannh/kubeconform/cmd/kubeconform@$(KUBECONFORM_VERSION)
	@mv '$@.tmp/kubeconform' '$@' && rmdir '$@.tmp'

$(CONTROLPLANE)/kube-apiserver:
	@echo "building kube-apiserver and etcd, once; this takes some minutes"
	GO='$(GO)' $(CONTROLPLANE_MODULE)/build.sh '$(@D)'
