#!/usr/bin/env bash
# clang-format over all sources, clang-tidy over src/, shellcheck over the scripts.
# usage: lint.sh [FILE...]: clang-tidy over these only
set -euo pipefail
# shellcheck source=tests/support/debian.sh
. "$(dirname "$0")/support/debian.sh"

step "shellcheck"
shellcheck --external-sources demo.sh test.sh .ci/run tests/*.sh tests/*/*.sh benchmarks/*.sh \
  benchmarks/*/*.sh bindings/*/*.sh bindings/*/test/*/*.sh

step "clang-format"
find include src bindings tests examples benchmarks -regex '.*\.\(c\|h\|cpp\|hpp\|cuh\)' -print0 |
  xargs -0 clang-format --dry-run -Werror

step "clang-tidy"
# Headers cost most of the time, so that all of it goes by several sources at once.
unity=ON
[ $# -eq 0 ] || unity=OFF
configure -S . -B build/lint -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_UNITY_BUILD=$unity
cmake --build build/lint --target gpuarr_generated >/dev/null
sources=("$@")
[ $# -gt 0 ] || mapfile -t sources < <(
  grep -o "$PWD/\(build/lint/\)\?src/[^\" ]*\.c[px][px]" build/lint/compile_commands.json | sort -u)
printf '%s\0' "${sources[@]}" | xargs -0 -n 1 -P 2 clang-tidy --quiet -p build/lint 2>/dev/null
echo "${#sources[@]} units are clean"
