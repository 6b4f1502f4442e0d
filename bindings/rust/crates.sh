#!/usr/bin/env bash
# Makes a folder to be $CARGO_HOME, in which cargo takes crates from Debian's packages
# (librust-{half,num-complex,pkg-config,syn,quote,proc-macro2}-dev) and asks no network. Where they
# are not installed, cargo is left to ask crates.io as ever.
# usage: crates.sh CARGO_HOME
#
# Debian 12 has no ndarray. ndarray.sh fetches it from a newer Debian into $GPUARR_TEST_CRATES. Else
# an empty crate bears the name, since cargo wants to know a version even of what no feature asks
# for, and CARGO_HOME/no-ndarray says so.
set -euo pipefail
home=$1
debian=/usr/share/cargo/registry
newer=${GPUARR_TEST_CRATES:-/nowhere}/usr/share/cargo/registry

rm -rf "$home/crates" "$home/config.toml" "$home/no-ndarray"
mkdir -p "$home/crates"
for crate in half num-complex pkg-config syn quote proc-macro2 unicode-ident; do
  compgen -G "$debian/$crate-[0-9]*" >/dev/null || exit 0
done
ln -s "$debian"/* "$home/crates"

if compgen -G "$newer/ndarray-0.1[567].*" >/dev/null; then
  for crate in "$newer"/*; do
    [ -e "$home/crates/${crate##*/}" ] || ln -s "$crate" "$home/crates"
  done
else
  : >"$home/no-ndarray"
  mkdir -p "$home/crates/ndarray-0.15.0/src"
  cd "$home/crates/ndarray-0.15.0"
  printf '[package]\nname = "ndarray"\nversion = "0.15.0"\n' >Cargo.toml
  : >src/lib.rs
  echo '{"files":{}}' >.cargo-checksum.json
fi

cat >"$home/config.toml" <<END
[source.crates-io]
replace-with = "debian"
[source.debian]
directory = "$home/crates"
[net]
offline = true
END
