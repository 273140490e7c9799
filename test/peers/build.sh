#!/usr/bin/env bash
# Builds peers: real programs that the tests run against. See docs/peers.md.
#   test/peers/build.sh NAME [NAME …]   build these; with no name, list the names
# For each peer, prints to stdout: name, absolute path of the binary, seconds taken
# (0 when it was in the cache), separated by tabs. Prints to stderr only on failure.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${KUBELIMBO_PEERS:-${XDG_CACHE_HOME:-$HOME/.cache}/kubelimbo/peers}
[[ $cache == /* ]] || cache=$PWD/$cache

# What the linker stamps: package.variable=value, where @V is the version of the module
# in the folder's go.mod, and @M and @m are the first two numbers of that version.
v=k8s.io/component-base/version
k8s="$v.gitVersion=@V $v.gitMajor=@M $v.gitMinor=@m $v.gitTreeState=clean"
cri=sigs.k8s.io/cri-tools
csi=github.com/kubernetes-csi/csi-test/v5
ctd=github.com/containerd/containerd/v2

# One peer a line: name | folder | build or test | module | package in it (. is the folder's own) | stamps
peers="
crictl                  | cri-tools       | build | $cri | cmd/crictl  | $cri/pkg/version.Version=@V
critest                 | cri-tools       | test  | $cri | cmd/critest | $cri/pkg/version.Version=@V
csi-sanity              | csi-test        | build | $csi | cmd/csi-sanity | main.VERSION=@V
csi-mock                | csi-mock        | build | k8s.io/kubernetes | . |
csi-bind                | csi-bind        | build | github.com/container-storage-interface/spec | . |
kubectl                 | kubernetes      | build | k8s.io/kubernetes | cmd/kubectl | $k8s
kubelet                 | kubernetes      | build | k8s.io/kubernetes | cmd/kubelet | $k8s
kube-apiserver          | kubernetes      | build | k8s.io/kubernetes | cmd/kube-apiserver | $k8s
http2-oracle            | http2-oracle    | build | golang.org/x/net | . |
h2spec                  | h2spec          | build | github.com/summerwind/h2spec | cmd/h2spec |
grpc-proxy              | grpc-proxy      | build | github.com/mwitkow/grpc-proxy | . |
toxiproxy               | toxiproxy       | build | github.com/Shopify/toxiproxy/v2 | cmd/server |
fuse-hang               | fuse-hang       | build | github.com/hanwen/go-fuse/v2 | . |
sample-device-plugin    | kubernetes      | build | k8s.io/kubernetes | test/images/sample-device-plugin |
kubelet-1.18            | kubernetes-1.18 | build | k8s.io/kubernetes | cmd/kubelet | $k8s
kubelet-1.17            | kubernetes-1.17 | build | k8s.io/kubernetes | cmd/kubelet | $k8s
etcd                    | etcd            | build | go.etcd.io/etcd/server/v3 | |
containerd              | containerd      | build | $ctd | cmd/containerd | $ctd/version.Version=@V
containerd-shim-runc-v2 | containerd      | build | $ctd | cmd/containerd-shim-runc-v2 | $ctd/version.Version=@V
ctr                     | containerd      | build | $ctd | cmd/ctr | $ctd/version.Version=@V
"

fail() { echo "build.sh: $*" >&2; exit 1; }

build() { # NAME
  local line name folder how module package stamps version stamp flags="-s -w" key out start took command
  line=$(sed -E 's/ *\| */|/g' <<<"$peers" | awk -F'|' -v n="$1" '$1 == n')
  [[ $line ]] || fail "there is no peer '$1'."
  IFS='|' read -r name folder how module package stamps <<<"$line"
  cd "$here/$folder"
  version=$(awk -v m="$module" '$1 == "require" { sub(/^require /, "") } $1 == m && $2 ~ "^v" { print $2; exit }' go.mod)
  [[ $version =~ ^v([0-9]+)\.([0-9]+) ]] || fail "$folder/go.mod names no version of $module."
  for stamp in $stamps; do
    stamp=${stamp//@V/$version} stamp=${stamp//@M/${BASH_REMATCH[1]}}
    flags+=" -X ${stamp//@m/${BASH_REMATCH[2]}}"
  done
  [[ $package == . ]] || package=$module${package:+/$package}
  [[ $how == test ]] && command=(test -c) || command=(build)
  key=$(cat go.mod go.sum $(find . -name '*.go' | sort) - <<<"$how $package $flags" | sha256sum | cut -c1-12)
  out=$cache/$name-$key
  if [[ ! -x $out/$name ]]; then
    start=$SECONDS
    mkdir -p "$out"
    if ! CGO_ENABLED=0 GOFLAGS="${GOFLAGS:-} -buildvcs=false" go "${command[@]}" -mod=readonly -trimpath \
      -ldflags "$flags" -o "$out/.$name.$$" "$package" >"$out/.log.$$" 2>&1; then
      cat "$out/.log.$$" >&2
      rm -f "$out/.$name.$$" "$out/.log.$$"
      rmdir "$out" 2>/dev/null || :
      fail "the build of $name failed; its log is above."
    fi
    mv "$out/.$name.$$" "$out/$name" # a second build of the same peer meanwhile does no harm
    rm -f "$out/.log.$$"
    took=$((SECONDS > start ? SECONDS - start : 1))
  fi
  printf '%s\t%s\t%s\n' "$name" "$out/$name" "${took:-0}"
}

if (($# == 0)); then
  awk -F'|' 'NF > 1 { gsub(/ /, "", $1); print $1 }' <<<"$peers"
  exit
fi
command -v go >/dev/null || fail "the go command is missing; building peers needs Go 1.26.6 or newer."
for name in "$@"; do (build "$name"); done
