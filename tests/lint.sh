#!/usr/bin/env bash
# clang-format over all sources, clang-tidy over src/, shellcheck over the scripts.
# usage: lint.sh [FILE...]: clang-tidy over these only
set -euo pipefail
# shellcheck source=tests/support/debian.sh
. "$(dirname "$0")/support/debian.sh"

step "shellcheck"
shellcheck --external-sources demo.sh test.sh .ci/run tests/*.sh tests/*/*.sh benchmarks/gpu.sh

step "clang-format"
find include src tests examples benchmarks -regex '.*\.\(c\|h\|cpp\|hpp\|cuh\)' -print0 |
  xargs -0 clang-format --dry-run -Werror

step "clang-tidy"
configure -S . -B build/lint -G Ninja -DCMAKE_BUILD_TYPE=Debug
cmake --build build/lint --target gpuarr_generated >/dev/null
if [ $# -eq 0 ]; then
  mapfile -t sources < <(find src -name '*.cpp' | sort)
else
  sources=("$@")
fi
printf '%s\0' "${sources[@]}" | xargs -0 -n 1 -P 2 clang-tidy --quiet -p build/lint 2>/dev/null
echo "${#sources[@]} files are clean"
