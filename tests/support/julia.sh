#!/usr/bin/env bash
# Finds Julia 1.5 or newer, or unpacks Debian 11's into a folder, as any user.
# usage: julia.sh FOLDER: prints FOLDER/bin/julia; exits with 77 where there is none to be had
#
# Debian 12 has no Julia. That of its predecessor runs on it, and elsewhere, with libraries of its
# own, but for those of C and C++. apt fetches and verifies it, once for a folder; where there is no
# network, .carry/julia.tar.xz does (tests/carry.sh --julia makes it).
set -euo pipefail
folder=$(mkdir -p "$1" && cd "$1" && pwd)
top=$(cd "$(dirname "$0")/../.." && pwd)
suite=bullseye
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
packages=(julia julia-common libjulia1 libbsd0 libdsfmt-19937-1 libedit2 libffi7 libgfortran5
  libgmp10 libllvm9 liblzma5 libmd0 libmpfr6 libopenlibm3 libpcre2-8-0 libquadmath0 libtinfo6
  libunwind8 libutf8proc2 libz3-4 zlib1g)

say() { echo "julia.sh: $*" >&2; }
skip() { say "skipped: $*"; exit 77; }
works() { [ "$("$1" --startup-file=no -e 'print(VERSION >= v"1.5")' 2>/dev/null)" = true ]; }

# fetch MIRROR: downloads the packages into the folder's apt/, by apt's own rules for signatures.
fetch() {
  local apt=$folder/apt
  local options=(-qq -o "Dir::State=$apt" -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt"
    -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o Dir::Etc::preferencesparts=/dev/null -o Acquire::Languages=none -o APT::Sandbox::User=
    -o APT::Update::Error-Mode=any)
  rm -rf "$apt"
  mkdir -p "$apt/lists/partial" "$apt/archives/partial"
  touch "$apt/status"
  echo "deb [signed-by=$keyring] $1 $suite main" >"$apt/sources.list"
  cd "$apt"
  apt-get "${options[@]}" update && apt-get "${options[@]}" download "${packages[@]}"
}

unpack_packages() {
  local mirror package
  command -v apt-get >/dev/null || skip "no Julia, and no apt-get to fetch it with"
  [ -r "$keyring" ] || skip "no Julia, and no $keyring to verify Debian's with"
  for mirror in $(apt-get indextargets --no-release-info --format "\$(REPO_URI)" \
    'Created-By: Packages' 'Component: main' | sort -u); do
    say "fetching $suite's packages from $mirror"
    if (fetch "$mirror") >"$folder/apt.log" 2>&1; then break; fi
  done
  for package in "$folder"/apt/*.deb; do
    [ -e "$package" ] || skip "no Julia, and no mirror gives Debian's: $folder/apt.log"
    dpkg -x "$package" "$1"
  done
  rm -rf "$folder/apt"
}

write_wrapper() {
  local libraries
  libraries=$(find "$folder/root" -maxdepth 3 -type d -name "*-linux-gnu*" -printf "%p:")
  mkdir -p "$folder/bin"
  cat >"$folder/bin/julia" <<EOF
#!/bin/sh
LD_LIBRARY_PATH='${libraries%:}' exec '$folder/root/usr/bin/julia' "\$@"
EOF
  chmod +x "$folder/bin/julia"
}

exec 9>"$folder/lock"
flock 9
if [ ! -e "$folder/bin/julia" ] && command -v julia >/dev/null && works julia; then
  mkdir -p "$folder/bin"
  ln -s "$(command -v julia)" "$folder/bin/julia"
fi
if [ ! -x "$folder/bin/julia" ]; then
  rm -rf "$folder/root" "$folder/root.new"
  mkdir "$folder/root.new"
  if [ -e "$top/.carry/julia.tar.xz" ]; then
    tar -C "$folder/root.new" -xf "$top/.carry/julia.tar.xz"
  else
    unpack_packages "$folder/root.new"
  fi
  mv "$folder/root.new" "$folder/root"
  write_wrapper
  works "$folder/bin/julia" || { rm "$folder/bin/julia"; skip "Debian's Julia does not run here"; }
  say "unpacked Debian's into $folder"
fi
echo "$folder/bin/julia"
