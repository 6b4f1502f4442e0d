#!/usr/bin/env bash
# Runs the benchmarks, and the peers that are installed, on a machine with a GPU. Needs g++, CMake,
# Ninja and a CUDA toolkit; takes the other packages from .carry/ (tests/carry.sh) where the system
# lacks them. results.json, the tables and the logs go to $OUT, build/gpu-results unless set.
# usage: gpu.sh [TOPIC...]: these only, such as "reduction peers"; all of them unless given
set -uo pipefail
# shellcheck source=tests/support/debian.sh
. "$(dirname "$0")/../tests/support/debian.sh"
out=${OUT:-build/gpu-results}
build=build/gpu-bench
mkdir -p "$out" "$build/run"
out=$(realpath "$out")
python=${PYTHON:-python3}
failed=0
topics=("$@")
if [ $# -eq 0 ]; then
  topics=(accuracy host host_functions host_reduction host_launch host_raw host_memory
    host_matmul host_moving host_random host_scan host_solver host_sort host_expr elementwise
    functions launch reduction launch_reduction row gufunc expr raw matmul memory graph moving
    random scan solver sort peers peers_reduction peers_expr peers_gufunc)
fi

# target TOPIC: the program that measures it; nothing for a script.
target() {
  case $1 in
    peers*) ;;
    accuracy | row | gufunc | expr | host*) echo "bench_$1" ;;
    *) echo "bench_$1_cuda" ;;
  esac
}

build_it() {
  local options targets
  mapfile -t targets < <(for topic in "${topics[@]}"; do target "$topic"; done)
  mapfile -t options < <(carried_packages build/gpu-deps)
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DGPUARR_BUILD_BENCHMARKS=ON \
    -DGPUARR_BUILD_TESTS=OFF -DGPUARR_BUILD_EXAMPLES=OFF -DGPUARR_BUILD_CLI=OFF \
    "${options[@]}" || return 1
  [ ${#targets[@]} -eq 0 ] || cmake --build "$build" -j "$(nproc)" --target "${targets[@]}"
}

# limit TOPIC: how many seconds it may take; PyTorch compiles each expression for several.
limit() {
  case $1 in
    *expr) echo 450 ;;
    *) echo 150 ;;
  esac
}

# measure SECONDS PROGRAM...: in the folder that takes the JSON lines, and into the log.
measure() {
  local seconds=$1
  shift
  step "$*"
  (cd "$build/run" && timeout "$seconds" "$@") || { echo "$*: exit status $?"; failed=1; }
}

measure_all() {
  rm -f "$build"/run/*.jsonl
  local programs=$PWD/$build/benchmarks scripts=$PWD/benchmarks topic program
  for topic in "${topics[@]}"; do
    program=$(target "$topic")
    if [ -n "$program" ]; then
      measure "$(limit "$topic")" "$programs/$program"
    else
      measure "$(limit "$topic")" "$python" "$scripts/$topic.py"
    fi
  done
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
