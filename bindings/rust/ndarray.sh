#!/usr/bin/env bash
# Unpacks the crate ndarray, and what it needs beyond Debian 12, from a newer Debian into a folder.
# Nothing is installed; where it cannot be had, the folder stays empty and its tests are left out.
# usage: ndarray.sh FOLDER
set -uo pipefail
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$folder" || exit 1
compgen -G "usr/share/cargo/registry/ndarray-*" >/dev/null && exit 0
command -v apt-get >/dev/null || { echo "no apt-get here, so no ndarray"; exit 0; }

mkdir -p lists/partial cache/archives/partial packages
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
  "http://deb.debian.org/debian forky main" >sources.list
apt=(apt-get -qq -o "Dir::Etc::SourceList=$folder/sources.list" -o Dir::Etc::SourceParts=/dev/null
  -o "Dir::State::Lists=$folder/lists" -o "Dir::Cache=$folder/cache"
  -o Dir::State::status=/dev/null -o APT::Sandbox::User=root)
crates=(ndarray matrixmultiply rawpointer num-integer portable-atomic portable-atomic-util)
names=("${crates[@]/#/librust-}")
names=("${names[@]/%/-dev}")
if "${apt[@]}" update && (cd packages && "${apt[@]}" download "${names[@]}"); then
  for package in packages/*.deb; do dpkg -x "$package" .; done
else
  echo "Debian gives no ndarray, so it is not tested"
fi
rm -rf lists cache packages
