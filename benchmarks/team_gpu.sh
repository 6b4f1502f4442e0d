#!/usr/bin/env bash
# Teams on all GPUs of a machine, any number of them: the tests in one process and by mpirun, by
# NCCL and by the host's memory, with a process that is killed, then the benchmark beside raw NCCL.
# Needs mpirun, NCCL, and what benchmarks/gpu.sh needs. Logs go to $OUT, or build/gpu-results.
# usage: team_gpu.sh [FOLDER]: that has the programs already; otherwise they are built
set -uo pipefail
# shellcheck source=tests/support/debian.sh
. "$(dirname "$0")/../tests/support/debian.sh"
out=${OUT:-build/gpu-results}
build=build/gpu-team
mkdir -p "$out"
out=$(realpath "$out")
gpus=$(nvidia-smi --list-gpus | wc -l)
programs=(test_team test_blocked test_blocked_files test_blocked_linalg test_blocked_order
  test_blocked_random test_blocked_reduce test_blocked_refused test_map_blocks
  test_map_blocks_refused)

build_it() {
  local options
  mapfile -t options < <(carried_packages build/gpu-deps)
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DGPUARR_BUILD_BENCHMARKS=ON \
    -DGPUARR_BUILD_EXAMPLES=OFF "${options[@]}" &&
    cmake --build "$build" -j "$(nproc)" --target bench_team mpi_failures "${programs[@]}"
}

# attempt NAME COMMAND...: into NAME.log; a row tells how it went, and $out/failed is there after a
# failure.
attempt() {
  local name=$1 start=$SECONDS result=ok
  shift
  timeout "${LIMIT:-100}" "$@" >"$out/$name.log" 2>&1 || { result=FAILED; : >"$out/failed"; }
  local ends
  ends=$(grep -E 'PASSED|FAILED|survived' "$out/$name.log" | sort | uniq -c | head -n 3)
  printf '%-28s %-6s %4d s  %s\n' "$name" "$result" $((SECONDS - start)) "${ends//$'\n'/ }"
  [ "$result" = ok ] || grep -vE 'OK \]|RUN ' "$out/$name.log" | tail -n 12
}

if [ $# -gt 0 ]; then
  folder=$(realpath "$1")
  export LD_LIBRARY_PATH=$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
else
  step "building; the log is $out/build.log"
  build_it >"$out/build.log" 2>&1 || { tail -n 30 "$out/build.log"; exit 1; }
  folder=$build/programs
  mkdir -p "$folder"
  find "$build" -type f \( -name bench_team -o -name mpi_failures -o -name 'test_*' \) -executable \
    -exec cp {} "$folder" \;
  folder=$(realpath "$folder")
fi
export NCCL_NVLS_ENABLE=0 GPUARR_CACHE_DIR=${GPUARR_CACHE_DIR:-/tmp/gpuarr-team} GPUARR_TIMEOUT=30
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1
mpi=(mpirun --bind-to none)
cd "$folder" || exit 1

# On two GPUs as well, where there are more: latencies and bandwidths are fitted beside each other.
rm -f "$out/failed"
for count in $([ "$gpus" -gt 2 ] && echo 2) "$gpus"; do
  step "the benchmark on $count of $gpus GPUs"
  LIMIT=240 attempt "bench_$count" "${mpi[@]}" -n "$count" ./bench_team
  cat "$out/bench_$count.log"
  if [ -e team.jsonl ]; then mv team.jsonl "$out/team_$count.jsonl"; fi
done

# program_tests PROGRAM: in all ways at once; nothing is timed.
program_tests() {
  export GPUARR_TEST_DEVICE=cuda:0
  GPUARR_TEST_TEAM=gpus attempt "$1.one_process" "./$1" &
  export GPUARR_TEST_TEAM=world
  attempt "$1.nccl" "${mpi[@]}" -n "$gpus" "./$1" &
  GPUARR_TEAM_TRANSPORT=staged attempt "$1.staged" "${mpi[@]}" -n "$gpus" "./$1" &
  attempt "$1.shared" "${mpi[@]}" -n $((2 * gpus)) "./$1" &
  wait
}

step "tests"
for program in "${programs[@]}"; do
  (program_tests "$program")
done
for case in callback wrong leaves unanswered; do
  attempt "failures.$case" "${mpi[@]}" -n "$gpus" ./mpi_failures "$case"
done
LIMIT=40 attempt failures.killed "${mpi[@]}" --enable-recovery -n "$gpus" ./mpi_failures killed
[ ! -e "$out/failed" ]
