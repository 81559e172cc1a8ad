#!/bin/bash
# Installs what is missing of Debian 12's packages, as root: tests/setup.sh build|test|vm|demo|lint...
# Prints one line when it installs something and nothing when all is there.
set -euo pipefail

build="g++ make pkg-config python3 ca-certificates clang bpftool libbpf-dev libcgroup-dev
  prometheus-cpp-dev libcivetweb-dev libspdlog-dev libyaml-cpp-dev nlohmann-json3-dev libcli11-dev"
declare -A groups=(
  [build]="$build"
  [demo]="$build procps"
  [test]="$build libgtest-dev libgmock-dev curl jq procps prometheus prometheus-alertmanager"
  [vm]="$build libgtest-dev libgmock-dev qemu-system-x86 busybox-static cpio util-linux binutils
    debian-archive-keyring"
  [fit]="$build python3-numpy"
  [lint]="clang-format clang-tidy-19"
  [fuzz]="clang libclang-rt-14-dev libyaml-cpp-dev"
)

missing_of() {
  local package
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || echo "$package"
  done
}

# Prometheus and Alertmanager would start as services on their usual ports: while we install,
# nothing starts.
policy=/usr/sbin/policy-rc.d
hold_services() {
  [[ ! -e $policy ]] || mv "$policy" "$policy.before-oomen"
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 755 "$policy"
}
release_services() {
  rm -f "$policy"
  [[ ! -e $policy.before-oomen ]] || mv "$policy.before-oomen" "$policy"
}

install() {
  apt-get install -y -qq --no-install-recommends "$@" >"$log" 2>&1
}

wanted=()
for group in "${@:-build}"; do
  [[ -n ${groups[$group]:-} ]] || {
    echo "setup: no group '$group': expected one of ${!groups[*]}" >&2
    exit 2
  }
  # shellcheck disable=SC2206 # lists of names
  wanted+=(${groups[$group]})
done
mapfile -t missing < <(missing_of "${wanted[@]}" | sort -u)
((${#missing[@]})) || exit 0
((EUID == 0)) || {
  echo "setup: as root, install: ${missing[*]}" >&2
  exit 1
}

log=$(mktemp)
trap 'release_services; rm -f "$log"' EXIT
hold_services
export DEBIAN_FRONTEND=noninteractive
echo "setup: installing ${missing[*]}"
# The index may be absent or older than the mirror: look again only when it did not do.
install "${missing[@]}" || { apt-get update -qq >>"$log" 2>&1 && install "${missing[@]}"; } || {
  tail -n 20 "$log" >&2
  echo "setup: could not install ${missing[*]}" >&2
  exit 1
}
