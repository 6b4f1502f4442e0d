#!/usr/bin/env bash
# Runs all benchmarks, and the peers that are installed, on a machine with a GPU. Needs g++, CMake,
# Ninja and a CUDA toolkit; takes the other packages from .carry/ (tests/carry.sh) where the system
# lacks them. results.json, the table and the logs go to $OUT, build/gpu-results unless set.
set -uo pipefail
# shellcheck source=tests/support/debian.sh
. "$(dirname "$0")/../tests/support/debian.sh"
out=${OUT:-build/gpu-results}
build=build/gpu-bench
mkdir -p "$out" "$build/run"
out=$(realpath "$out")
python=${PYTHON:-python3}
failed=0

build_it() {
  local options
  mapfile -t options < <(carried_packages build/gpu-deps)
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DGPUARR_BUILD_BENCHMARKS=ON \
    -DGPUARR_BUILD_TESTS=OFF -DGPUARR_BUILD_EXAMPLES=OFF -DGPUARR_BUILD_CLI=OFF \
    "${options[@]}" && cmake --build "$build" -j "$(nproc)"
}

# measure PROGRAM...: in the folder that takes the JSON lines, and into the log.
measure() {
  step "$*"
  (cd "$build/run" && timeout 150 "$@") || { echo "$*: exit status $?"; failed=1; }
}

measure_all() {
  rm -f "$build"/run/*.jsonl
  local programs=$PWD/$build/benchmarks peers=$PWD/benchmarks/peers.py name
  for name in bench_host bench_host_launch bench_elementwise_cuda bench_launch_cuda; do
    if [ -x "$programs/$name" ]; then measure "$programs/$name"; fi
  done
  measure "$python" "$peers"
}

PATH=$PATH:${CUDA_PATH:-/usr/local/cuda}/bin
export PYTHONDONTWRITEBYTECODE=1
step "building; the log is $out/build.log"
if ! build_it >"$out/build.log" 2>&1; then
  tail -n 30 "$out/build.log"
  exit 1
fi
measure_all >"$out/run.log" 2>&1
grep 'exit status' "$out/run.log"
"$python" benchmarks/results.py "$build/run" "$out/results.json" | tee "$out/table.txt" || failed=1
echo "$SECONDS s in all; results are in $out"
exit $failed
