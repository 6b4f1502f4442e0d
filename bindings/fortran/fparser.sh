#!/usr/bin/env bash
# Unpacks fparser, the Fortran reader of `gpuarr fortran`, from a newer Debian into a folder: Debian
# 12's own reads no do concurrent. Nothing is installed; where it cannot be had, the folder stays
# empty and its tests are left out.
# usage: fparser.sh FOLDER
set -uo pipefail
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$folder" || exit 1
[ ! -d usr/lib/python3/dist-packages/fparser ] || exit 0
command -v apt-get >/dev/null || { echo "no apt-get here, so no fparser"; exit 0; }

mkdir -p lists/partial cache/archives/partial packages
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
  "http://deb.debian.org/debian trixie main" >sources.list
apt=(apt-get -qq -o "Dir::Etc::SourceList=$folder/sources.list" -o Dir::Etc::SourceParts=/dev/null
  -o "Dir::State::Lists=$folder/lists" -o "Dir::Cache=$folder/cache"
  -o Dir::State::status=/dev/null -o APT::Sandbox::User=root)
if "${apt[@]}" update && (cd packages && "${apt[@]}" download python3-fparser); then
  for package in packages/*.deb; do dpkg -x "$package" .; done
else
  echo "Debian gives no fparser, so kernels in Fortran are not tested"
fi
rm -rf lists cache packages sources.list
