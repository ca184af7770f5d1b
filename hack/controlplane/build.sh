#!/bin/sh
# Builds the kube-apiserver and the etcd that go.mod beside it pins into a folder: build.sh DIR. They run on this machine,
# whatever it cross-compiles for. What this script says is a part of the folder's name (Makefile, internal/testcluster).
set -eu
[ $# -eq 1 ] || { echo "usage: $0 DIR" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")"
go=${GO:-go}

# What the linker is told is what the server says its version is. kubectl and client-go cannot parse what it says else.
version=$(sed -n 's|^[[:space:]]*k8s.io/kubernetes \(v[^ ]*\).*|\1|p' go.mod)
[ -n "$version" ] || { echo "build.sh: go.mod names no version of k8s.io/kubernetes" >&2; exit 1; }
numbers=${version#v}
major=${numbers%%.*}
minor=${numbers#*.} minor=${minor%%.*}
stamp=k8s.io/component-base/version
ldflags="-s -w -X $stamp.gitVersion=$version -X $stamp.gitMajor=$major -X $stamp.gitMinor=$minor -X $stamp.gitTreeState=clean"

# Renamed last, so that a build that was stopped, or another one at the same time, leaves no half file.
half=$(mktemp -d "$out/half.XXXXXX")
trap 'rm -rf "$half"' EXIT
trap 'exit 1' HUP INT TERM
export CGO_ENABLED=0 GOOS= GOARCH=
"$go" build -trimpath -ldflags '-s -w' -o "$half/etcd" go.etcd.io/etcd/server/v3
"$go" build -trimpath -ldflags "$ldflags" -o "$half/kube-apiserver" k8s.io/kubernetes/cmd/kube-apiserver
mv "$half/etcd" "$out/etcd"
mv "$half/kube-apiserver" "$out/kube-apiserver"
