#!/bin/sh
# Shows the main job of kubectl-apl on the recorded cluster in testdata/platform: the plan, the commit, the files, and
# that a second run has nothing to do. It is a check too: it fails unless every command ends with the exit code that
# the README of testdata/platform promises.
#
# Usage: BIN=path/to/kubectl-apl hack/demo/demo.sh
# Needs git 2.28 or newer and a POSIX shell. Touches nothing outside a folder of its own, which it removes at its end.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
BIN=${1:-${BIN:-$root/bin/kubectl-apl}}
case $BIN in
/*) ;;
*) BIN=$PWD/$BIN ;;
esac
if [ ! -x "$BIN" ]; then
	echo "demo: there is no program at $BIN: run 'make build' first, or set BIN" >&2
	exit 2
fi

tmp=$(mktemp -d "${TMPDIR:-/tmp}/kubectl-apl-demo.XXXXXX")
trap 'rm -rf -- "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# A git config of the user, a hook template or a surrounding repo must not change what is shown.
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_COMMON_DIR GIT_NAMESPACE
export HOME="$tmp/home" XDG_CONFIG_HOME="$tmp/home/.config" GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_PAGER=cat LC_ALL=C TZ=UTC COLUMNS=120
# The author is known from the environment only, and the dates are fixed, so that every run shows the same.
export GIT_AUTHOR_NAME=Demo GIT_AUTHOR_EMAIL=demo@example.test
export GIT_COMMITTER_NAME=Demo GIT_COMMITTER_EMAIL=demo@example.test

at() {
	export GIT_AUTHOR_DATE="$1" GIT_COMMITTER_DATE="$1"
}

title() {
	printf '\n# %s\n' "$1"
}

# run CODE COMMAND... shows the command as one would type it, runs it, and ends the demo unless it exits with CODE.
run() {
	want=$1
	shift
	printf '$ %s\n' "$*"
	got=0
	"$@" || got=$?
	if [ "$got" -ne "$want" ]; then
		echo "demo: '$*' ended with exit code $got, expected $want" >&2
		exit 1
	fi
}

head_of() {
	git -C values rev-parse HEAD
}

fail() {
	echo "demo: $1" >&2
	exit 1
}

mkdir -p "$tmp/bin" "$HOME"
ln -s "$BIN" "$tmp/bin/kubectl-apl"
PATH=$tmp/bin:$PATH
cp -R "$root/testdata/platform" "$tmp/platform"
cp -R "$root/testdata/platform/values-repo" "$tmp/values"
# Short relative paths, so that nothing shown depends on where the demo runs.
cd "$tmp"

at 2026-10-05T09:00:00+00:00
git init -q -b main --template= values
git -C values add -A
git -C values commit -q -m "The values repo as the platform left it"
start=$(head_of)

set -- migrate -f platform/live --releases platform/releases.json --managed platform/managed \
	--charts platform --repo values

title "The plan. Nothing is written; exit code 1, since some apps cannot move as they are."
run 1 kubectl-apl "$@" --dry-run
[ "$(head_of)" = "$start" ] || fail "a dry run made a commit"
[ -z "$(git -C values status --porcelain)" ] || fail "a dry run changed files"

title "The run. Introduced keys are accepted; exit code 1, since two apps stay blocked."
at 2026-10-05T09:30:00+00:00
run 1 kubectl-apl "$@" --keep-going --accept-introduced --backup backup.yaml
moved=$(head_of)
[ "$moved" != "$start" ] || fail "the run made no commit"
[ "$(git -C values rev-list --count HEAD)" -eq 2 ] || fail "the run made more than one commit"
[ -z "$(git -C values status --porcelain)" ] || fail "the run left files uncommitted"

title "What is in the values repo now."
run 0 git -C values ls-files env
run 0 git -C values log -1 --stat

title "One app: what the platform computes, what people set, and the Application that names both."
run 0 cat values/env/values/observe/telemetry/values.managed.yaml
run 0 cat values/env/values/observe/telemetry/values.custom.yaml
run 0 cat values/env/manifests/namespaces/argocd/applications/observe-telemetry.yaml

title "Once more. There is nothing to do, and the commit is the same."
at 2026-10-05T10:00:00+00:00
run 1 kubectl-apl "$@" --keep-going --accept-introduced
run 0 git -C values log --oneline
[ "$(head_of)" = "$moved" ] || fail "the second run made a commit"
[ -z "$(git -C values status --porcelain)" ] || fail "the second run changed files"

title "The repo is clean. A typo in custom values is told where it stands, as CI tells it."
run 0 kubectl-apl validate --repo values --charts platform
printf 'autoscaling:\n  maxReplicas: many\n' >> values/env/values/edge-router/edge-router/values.custom.yaml
run 1 kubectl-apl validate --repo values --charts platform --changed-since HEAD
