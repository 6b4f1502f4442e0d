#!/usr/bin/env bash
# Builds and runs the hello program of docs/LANGUAGE.md outside of the tree, by the page's own
# commands, against a staged prefix and again after that was moved. page.py has the marks that a
# page's blocks carry.
# usage: languages.sh LANGUAGE BUILD_DIR WORK_DIR [PAGE]: c, cpp, fortran, rust or julia
# The page is docs/LANGUAGE.md if it is not given.
#
# What commands find set: PKG_CONFIG_PATH and CMAKE_PREFIX_PATH, to find the prefix by, and
# GPUARR_LIBRARY, its shared library, if it has one. Each prefix is tried in a folder of its own.
set -euo pipefail
language=$1 build=$2 work=$3
here=$(cd "$(dirname "$0")" && pwd)
page=$here/../../docs/${4:-$language}.md
skip() { echo "skipped: no $*"; exit 77; }

command -v pkg-config >/dev/null || skip pkg-config
case $language in
  c | cpp) command -v c++ >/dev/null || skip "C++ compiler" ;;
  fortran) command -v gfortran >/dev/null || skip gfortran ;;
  rust) command -v cargo >/dev/null || skip cargo ;;
  julia) command -v julia >/dev/null || skip julia ;;
esac

export GPUARR_CACHE_DIR=${GPUARR_CACHE_DIR:-$work/cache} GPUARR_DEVICE=${GPUARR_TEST_DEVICE:-host}
export JULIA_DEPOT_PATH=$work/depot

# use PREFIX NAME: all that the page says, in the folder NAME
use() {
  local prefix=$1 folder=$work/$2 script
  PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name gpuarr.pc)")
  GPUARR_LIBRARY=$(find "$prefix" -name libgpuarr.so)
  PATH=$prefix/bin:$PATH
  export PKG_CONFIG_PATH GPUARR_LIBRARY CMAKE_PREFIX_PATH=$prefix
  [ -z "$GPUARR_LIBRARY" ] || export LD_LIBRARY_PATH=${GPUARR_LIBRARY%/*}  # pkg-config prefers it
  python3 "$here/page.py" "$page" "$folder"
  for script in "$folder"/run-*.sh; do
    echo "-- $2: $(cat "$script")"
    (cd "$folder" && bash -euo pipefail "$script") >"$script.out" 2>"$script.err" ||
      { cat "$script.out" "$script.err"; return 1; }
    tail -n "$(wc -l <"$folder/prints.txt")" "$script.out" | diff "$folder/prints.txt" - ||
      { echo "the page says otherwise (<)"; return 1; }
  done
}

rm -rf "$work"
mkdir -p "$work"
if [ "$language" = rust ]; then
  export CARGO_HOME=$work/cargo
  "$here/../../bindings/rust/crates.sh" "$CARGO_HOME"
  [ -e "$CARGO_HOME/config.toml" ] || skip "crates of Debian's"
fi
cmake --install "$build" --prefix "$work/stage" >"$work/install.log"
use "$work/stage" staged
mv "$work/stage" "$work/moved"
use "$work/moved" moved
