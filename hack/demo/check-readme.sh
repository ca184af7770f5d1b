#!/bin/sh
# Fails unless each line of the session that the README shows, between its demo markers, is a line of the demo's output.
# Lines "..." stand for what the README leaves out.
# Usage: hack/demo/check-readme.sh README.md < DEMO-OUTPUT
set -eu

tmp=$(mktemp -d "${TMPDIR:-/tmp}/kubectl-apl-readme.XXXXXX")
trap 'rm -rf -- "$tmp"' EXIT
cat > "$tmp/output"
sed -n '/<!-- demo:begin -->/,/<!-- demo:end -->/p' "$1" | grep -v -e '^<!--' -e '^```' -e '^\.\.\.$' -e '^$' > "$tmp/shown" || {
	echo "$1 shows no session between its demo markers" >&2
	exit 1
}
if grep -Fxv -f "$tmp/output" "$tmp/shown" > "$tmp/stale"; then
	echo "$1 shows lines that the demo does not print (any more):" >&2
	cat "$tmp/stale" >&2
	exit 1
fi
