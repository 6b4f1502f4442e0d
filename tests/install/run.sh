#!/usr/bin/env bash
# Installs a build into a staging folder and uses it from projects outside the tree.
# usage: run.sh BUILD_DIR WORK_DIR
# $CFLAGS and $CXXFLAGS are what such projects need besides, for a library with sanitizers.
set -euo pipefail
build=$1
work=$2
here=$(cd "$(dirname "$0")" && pwd)
command -v pkg-config >/dev/null || { echo "skipped: no pkg-config"; exit 77; }

export GPUARR_CACHE_DIR=$work/cache
step() { printf '%s\n' "-- $*"; }

# Give every file that a C user sees a try: flags by pkg-config, then C and C++ by CMake.
use() {
  local prefix=$1 name=$2 lib language flags
  PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name gpuarr.pc)")
  export PKG_CONFIG_PATH
  lib=$(pkg-config --variable=libdir gpuarr)

  step "$name: C by pkg-config: $(pkg-config --libs gpuarr)"
  read -ra flags <<<"${CFLAGS-} $(pkg-config --cflags --libs gpuarr)"
  cc "$here/c/user.c" -o "$work/user-$name" "${flags[@]}"
  LD_LIBRARY_PATH=$lib "$work/user-$name"
  if pkg-config --libs gpuarr | grep -Eq '\.a( |$)|\.so( |$)|--start-group|--whole-archive'; then
    echo "gpuarr.pc must give plain -l flags only"
    return 1
  fi

  step "$name: the headers for C++"
  c++ -std=c++17 -fsyntax-only -x c++ - "${flags[@]}" <<<'#include <gpuarr_ops.hpp>'

  for language in c cpp; do
    step "$name: $language by CMake"
    cmake -S "$here/$language" -B "$work/$language-$name" -DCMAKE_PREFIX_PATH="$prefix" \
      -DCMAKE_BUILD_TYPE=Debug >"$work/$language-$name.log"
    cmake --build "$work/$language-$name" >>"$work/$language-$name.log" ||
      { cat "$work/$language-$name.log"; return 1; }
    "$work/$language-$name/user"
    if [ -x "$work/$language-$name/user_shared" ]; then "$work/$language-$name/user_shared"; fi
  done
}

rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --prefix "$work/stage" >"$work/install.log"
for file in include/{gpuarr,gpuarr_mpi,gpuarr/array}.h share/doc/gpuarr/LICENSE; do
  [ -s "$work/stage/$file" ] || { echo "$file was not installed"; exit 1; }
done
use "$work/stage" staged

mv "$work/stage" "$work/moved"
use "$work/moved" moved

if [ -x "$work/moved/bin/gpuarr" ]; then
  step "the installed command"
  "$work/moved/bin/gpuarr" info >/dev/null
fi

so=$(find "$work/moved" -name 'libgpuarr.so.0.?')
if [ -n "$so" ]; then
  step "the shared library"
  python3 "$here/../abi/symbols.py" "$here/../.." nm "$so"
  # Before 1.0 it has the minor version, since that may break programs.
  soname="libgpuarr.so.$(pkg-config --modversion gpuarr | cut -d. -f1,2)"
  readelf -d "$so" | grep -qF "soname: [$soname]" || { echo "the SONAME is not $soname"; exit 1; }
  readelf -d "$work/user-moved" | grep -qF "[$soname]" ||
    { echo "pkg-config's program does not use the shared library"; exit 1; }
  # Plain archive use stays possible: take the shared library away, ask for --static.
  find "$work/moved" -name 'libgpuarr.so*' -delete
  read -ra flags <<<"$(pkg-config --static --cflags --libs gpuarr)"
  cc "$here/c/user.c" -o "$work/user-static" "${flags[@]}"
  "$work/user-static"
fi
echo "installed trees work"
