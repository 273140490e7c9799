#!/usr/bin/env bash
# Builds peers: real programs that the tests run against. See docs/peers.md.
#   test/peers/build.sh NAME [NAME …]   build these; with no name, list the names
# For each peer, prints to stdout: name, absolute path of the binary, seconds taken
# (0 when it was in the cache), separated by tabs.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${KUBELIMBO_PEERS:-${XDG_CACHE_HOME:-$HOME/.cache}/kubelimbo/peers}

k8s='-X k8s.io/component-base/version.gitVersion=@V -X k8s.io/component-base/version.gitMajor=@M
 -X k8s.io/component-base/version.gitMinor=@m -X k8s.io/component-base/version.gitTreeState=clean'

# One peer a line: name | folder | build or test | package | module that gives the version | -ldflags
# (@V is the version as in the folder's go.mod, @M and @m are its first two numbers).
peers="
crictl   | cri-tools | build | sigs.k8s.io/cri-tools/cmd/crictl  | sigs.k8s.io/cri-tools | -X sigs.k8s.io/cri-tools/pkg/version.Version=@V
critest  | cri-tools | test  | sigs.k8s.io/cri-tools/cmd/critest | sigs.k8s.io/cri-tools | -X sigs.k8s.io/cri-tools/pkg/version.Version=@V
csi-sanity | csi-test | build | github.com/kubernetes-csi/csi-test/v5/cmd/csi-sanity | github.com/kubernetes-csi/csi-test/v5 | -X main.VERSION=@V
kubectl | kubernetes | build | k8s.io/kubernetes/cmd/kubectl | k8s.io/kubernetes | $k8s
kubelet | kubernetes | build | k8s.io/kubernetes/cmd/kubelet | k8s.io/kubernetes | $k8s
kube-apiserver | kubernetes | build | k8s.io/kubernetes/cmd/kube-apiserver | k8s.io/kubernetes | $k8s
"

fail() { echo "build.sh: $*" >&2; exit 1; }
trim() { local s=${1#"${1%%[![:space:]]*}"}; printf '%s' "${s%"${s##*[![:space:]]}"}"; }

build() { # NAME
  local line name folder how package module flags version major minor key out start took
  line=$(grep -E "^$1 *\|" <<<"$peers") || fail "there is no peer '$1'."
  IFS='|' read -r name folder how package module flags <<<"$line"
  name=$(trim "$name") folder=$(trim "$folder") how=$(trim "$how")
  package=$(trim "$package") module=$(trim "$module") flags="-s -w $(trim "$flags")"
  cd "$here/$folder"
  version=$(awk -v m="$module" '$1 == "require" { sub(/^require /, "") } $1 == m { print $2; exit }' go.mod)
  [[ $version =~ ^v([0-9]+)\.([0-9]+) ]] || fail "$folder/go.mod names no version of $module."
  major=${BASH_REMATCH[1]} minor=${BASH_REMATCH[2]}
  flags=${flags//@V/$version} flags=${flags//@M/$major} flags=${flags//@m/$minor}
  key=$(cat go.mod go.sum <(find . -name '*.go' | sort | xargs -r cat) - <<<"$how $package $flags" | sha256sum | cut -c1-12)
  out=$cache/$name-$key
  if [[ -x $out/$name ]]; then
    printf '%s\t%s\t0\n' "$name" "$out/$name"
    return
  fi
  start=$SECONDS
  mkdir -p "$out"
  local command=(build)
  [[ $how == test ]] && command=(test -c)
  if ! CGO_ENABLED=0 GOFLAGS="${GOFLAGS:-} -buildvcs=false" go "${command[@]}" -mod=readonly -trimpath \
    -ldflags "$flags" -o "$out/.$name.$$" "$package" >"$out/.log.$$" 2>&1; then
    cat "$out/.log.$$" >&2
    rm -f "$out/.$name.$$" "$out/.log.$$"
    fail "the build of $name failed; its log is above."
  fi
  rm -f "$out/.log.$$"
  mv "$out/.$name.$$" "$out/$name"
  took=$((SECONDS - start))
  printf '%s\t%s\t%s\n' "$name" "$out/$name" "$((took > 0 ? took : 1))"
}

if (($# == 0)); then
  awk -F'|' 'NF > 1 { gsub(/ /, "", $1); print $1 }' <<<"$peers"
  exit
fi
command -v go >/dev/null || fail "the go command is missing; building peers needs Go 1.26 or newer."
for name in "$@"; do (build "$name"); done
