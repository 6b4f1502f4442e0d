#!/usr/bin/env bash
# How teams scale to 512 processes, in SimGrid on one machine without a GPU: installs what it needs
# on Debian, builds the library and the program, prints tables in Markdown.
# usage: run.sh [MOST_RANKS]: 8 to 512, 512 unless given; LIBGPUARR=FILE takes that archive instead
# of building one
set -euo pipefail
# shellcheck source=tests/support/debian.sh
. "$(dirname "$0")/../../tests/support/debian.sh"
build=build/simgrid
archive=${LIBGPUARR:-$build/src/libgpuarr.a}
install_packages "${build_packages[@]}" libsimgrid-dev

if [ -z "${LIBGPUARR:-}" ]; then
  step "building the library in $build"
  configure -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON \
    -DGPUARR_CUDA=OFF -DGPUARR_BUILD_TESTS=OFF -DGPUARR_BUILD_EXAMPLES=OFF -DGPUARR_BUILD_CLI=OFF \
    -DGPUARR_BUILD_BINDINGS=OFF
  cmake --build "$build" --target gpuarr
fi
mkdir -p "$build"
step "building the program"
g++ -std=c++20 -O2 -Wall -Wextra -Iinclude benchmarks/simgrid/teams.cpp "$archive" -lsimgrid \
  -lpthread -ldl -o "$build/teams"
step "simulating, minutes for 512 ranks"
GPUARR_CACHE_DIR=$PWD/$build/cache "$build/teams" "${1:-512}"
