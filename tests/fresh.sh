#!/usr/bin/env bash
# Tries the commands of the README where nothing is installed: each in a minimal root of Debian with
# git, a clone of this tree's HEAD and a user of its own. Adds a line for each trial to
# tests/fresh.txt. Needs root, debootstrap, and 4 GB for a trial in $TMPDIR; removes what it made.
# usage: fresh.sh [SUITE USER COMMAND]...: SUITE is bookworm or trixie, USER root or somebody (who
# has sudo); each of these with ./demo.sh and ./test.sh where none is named. What test.sh installs
# alone: fresh.sh trixie somebody '. tests/support/debian.sh && install_for_tests'
#   DEBIAN_MIRROR=URL: where packages come from, as this machine's apt has it unless set
set -euo pipefail
tree=$(cd "$(dirname "$0")/.." && pwd)
record=$tree/tests/fresh.txt
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT

mirror() {
  apt-get indextargets --no-release-info --format "\$(REPO_URI)" 'Created-By: Packages' \
    'Component: main' | grep -v -- -security | sort -u | head -n 1
}

# make_root SUITE: $work/SUITE, once, from which each trial gets a copy. How the network is reached
# is this machine's own.
make_root() {
  [ ! -e "$work/$1" ] || return 0
  debootstrap --variant=minbase --include=git,ca-certificates "$1" "$work/$1.new" \
    "${DEBIAN_MIRROR:-$(mirror)}" >"$work/$1.log" 2>&1 || { tail "$work/$1.log"; return 1; }
  cp -L /etc/resolv.conf /etc/hosts "$work/$1.new/etc"
  apt-config dump --format '%f "%v";%n' Acquire::http::Proxy Acquire::https::Proxy \
    >"$work/$1.new/etc/apt/apt.conf.d/proxy"
  mv "$work/$1.new" "$work/$1"
}

# add_user ROOT: somebody, who may become root without a password.
add_user() {
  chroot "$1" bash -ec 'apt-get -qq update
    DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends sudo
    useradd --create-home somebody
    echo "somebody ALL=(ALL) NOPASSWD: ALL" >/etc/sudoers.d/somebody' >"$1.log" 2>&1 ||
    { tail "$1.log"; return 1; }
}

# enter ROOT USER COMMAND: with processes of its own, so that none of them outlives it. Its standard
# input is empty and its environment is that of a login.
enter() {
  # shellcheck disable=SC2016  # the inner one expands them
  unshare --mount --pid --fork --kill-child bash -ec '
    mount --make-rprivate /
    mount -t proc proc "$1/proc"
    mount -t devpts devpts "$1/dev/pts"
    mount -t tmpfs tmpfs "$1/dev/shm"
    exec env -i PATH="$PATH" chroot "$1" su --shell /bin/bash - "$2" -c "cd gpuarr && $3"
    ' _ "$@" </dev/null
}

# try SUITE USER COMMAND: prints the last lines of one that fails.
try() {
  local root=$work/trial home start commit result=passed log=$work/log
  make_root "$1"
  rm -rf --one-file-system "$root"
  cp -a "$work/$1" "$root"
  [ "$2" = root ] || add_user "$root"
  home=$(chroot "$root" bash -c "echo ~$2")
  git clone --quiet --no-hardlinks "$tree" "$root$home/gpuarr"
  [ "$2" = root ] || chroot "$root" chown -R "$2:" "$home/gpuarr"
  commit=$(git -C "$root$home/gpuarr" -c safe.directory='*' rev-parse --short HEAD)
  start=$SECONDS
  enter "$root" "$2" "$3" >"$log" 2>&1 || { result=FAILED failed=1; tail -n 60 "$log"; }
  printf '%s  %s  %-8s  %-8s  %-20s  %s, %d s on %d cores: %s\n' "$(date -u +%F)" \
    "$commit" "$1" "$2" "$3" "$result" $((SECONDS - start)) \
    "$(nproc)" "$(tail -n 1 "$log")" | tee -a "$record"
}

if [ $# -eq 0 ]; then
  for suite in bookworm trixie; do
    for user in root somebody; do set -- "$@" $suite $user ./demo.sh $suite $user ./test.sh; done
  done
fi
failed=0
while [ $# -gt 0 ]; do
  try "$1" "$2" "$3"
  shift 3
done
exit "$failed"
