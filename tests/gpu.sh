#!/usr/bin/env bash
# Passes the tests on a machine with a GPU: the suite on cuda:0 and on the CPU, then the C tests
# under compute-sanitizer. Needs g++, CMake, Ninja and a CUDA toolkit; takes the other packages from
# .carry/ (tests/carry.sh) where the system lacks them. Logs go to $OUT, build/gpu-logs unless set.
# usage: gpu.sh [PART...]: of cuda host second numpy unit cli examples interop bindings carried
# overhead memcheck racecheck synccheck initcheck; all of them unless given. Where there are two
# GPUs, second is the suite on cuda:1.
# shellcheck disable=SC2317  # the functions are called by attempt
set -uo pipefail
# shellcheck source=tests/support/debian.sh
. "$(dirname "$0")/support/debian.sh"
logs=${OUT:-build/gpu-logs}
build=build/gpu
jobs=$(nproc)
mkdir -p "$logs"
parts=" $* "
rows=()
failed=0

# attempt NAME COMMAND...: runs it into NAME.log; a row of the table tells how it went.
attempt() {
  local name=$1 start=$SECONDS result=ok note
  if [ "$parts" != "  " ] && [[ $name != build && $parts != *" $name "* ]]; then return; fi
  shift
  step "$name"
  "$@" >"$logs/$name.log" 2>&1 || { result=FAILED failed=1; tail -n 30 "$logs/$name.log"; }
  local notes='tests passed|ERROR SUMMARY|programs|overhead|^skipped'
  note=$(grep -E "$notes" "$logs/$name.log" | tail -n 1)
  rows+=("$(printf '%-12s %-6s %4d s  %s' "$name" "$result" $((SECONDS - start)) "$note")")
}

build_it() {
  local options
  mapfile -t options < <(carried_packages build/gpu-deps)
  # The Python that has NumPy need not be the system's.
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DGPUARR_CUDA=ON -DGPUARR_WERROR=ON \
    -DGPUARR_PYTHON="$(command -v python3)" "${options[@]}" && cmake --build "$build" -j "$jobs"
}

# suite DEVICE: the C tests there. Where the device does not open they are skipped, which fails.
suite() {
  GPUARR_TEST_DEVICE=$1 ctest --test-dir "$build" --output-on-failure -j "$jobs" -L suite \
    --output-junit "$PWD/$build/suite.xml" || return 1
  ! grep -q 'name="test_array" .*status="notrun"' "$build/suite.xml"
}

# The Python that has PyTorch and CuPy need not be the system's; 77 is what a script skips with.
exchange_one() {
  python3 -X faulthandler "$@"
  case $? in 0 | 77) ;; *) return 1 ;; esac
}
exchange() {
  local library=$build/tests/libgpuarr_python.so
  exchange_one tests/interop_numpy.py "$library" &&
    exchange_one tests/interop_gpu.py "$library" PyTorch &&
    exchange_one tests/interop_gpu.py "$library" CuPy
}

# The programs in languages that have no compiler here, which tests/carry.sh BUILD_DIR brought.
carried() {
  local program count=0 bad=0 folder=$build/carried
  [ -e .carry/programs.tar.xz ] || { echo "skipped: no .carry/programs.tar.xz"; return; }
  mkdir -p "$folder" && tar -C "$folder" -xf .carry/programs.tar.xz || return 1
  export GPUARR_TEST_DEVICE=cuda:0 GPUARR_DEVICE=cuda:0 GPUARR_CACHE_DIR=$PWD/$folder/cache
  for program in "$folder"/{fortran,rust}*/*; do
    if [ ! -f "$program" ] || [ ! -x "$program" ]; then continue; fi
    echo "-- ${program#"$folder"/}"
    case $program in
      */*15_tiled_product*) "$program" examples/15_tiled_product.cu ;;
      *) "$program" ;;
    esac || { echo "${program##*/}: exit status $?"; bad=$((bad + 1)); }
    count=$((count + 1))
  done
  echo "$count programs, $bad of them failed"
  [ "$bad" = 0 ]
}

# What a repeated call, and a repeated expression, costs in each language beside C's.
overhead() {
  local program script julia=$build/julia/bin/julia
  export GPUARR_TEST_DEVICE=cuda:0 GPUARR_DEVICE=cuda:0 GPUARR_CACHE_DIR=$PWD/$build/carried/cache
  for program in "$build"/carried/overhead/*; do
    echo "-- ${program##*/}"
    "$program" || return 1
  done
  if [ ! -x "$julia" ]; then return; fi
  export GPUARR_LIBRARY=$build/tests/libgpuarr_python.so JULIA_DEPOT_PATH=$build/carried/depot
  export JULIA_LOAD_PATH="@:$PWD/bindings/julia:@stdlib"
  for script in overhead lazy own_language; do
    "$julia" --startup-file=no "bindings/julia/bench/$script.jl" || return 1
  done
}

# sanitize_one TOOL PROGRAM; a program that skips itself (77) is no failure.
sanitize_one() {
  local log=$build/$1-${2##*/}.txt code options=()
  # The tests provoke errors of the driver, which are answers and no faults.
  [ "$1" != memcheck ] || options=(--report-api-errors no --leak-check no)
  timeout 240 compute-sanitizer --tool "$1" "${options[@]}" --error-exitcode 99 "$2" >"$log" 2>&1
  code=$?
  case $code in 0 | 77) return ;; esac
  # A program that calls nothing of CUDA is none of the sanitizer's business.
  if grep -q 'before first instrumented API call' "$log"; then return; fi
  echo "${2##*/}: exit status $code"
  tail -n 40 "$log"
  return 1
}
export -f sanitize_one
export build

# sanitize TOOL PROGRAM...: each of them under one of compute-sanitizer's tools, four at a time.
sanitize() {
  local tool=$1
  shift
  export GPUARR_TEST_DEVICE=cuda:0 GPUARR_CACHE_DIR=$PWD/$build/cache-$tool
  printf '%s\0' "$@" | xargs -0 -I{} -P 4 bash -c "sanitize_one $tool {}" || return 1
  echo "$# programs"
}

PATH=$PATH:${CUDA_PATH:-/usr/local/cuda}/bin
# NCCL may be one of Python's packages, whose environment need not be active.
if [ -z "${GPUARR_NCCL-}" ]; then
  nccl=$(python3 -c 'import nvidia.nccl; print(*nvidia.nccl.__path__)' 2>/dev/null)/lib/libnccl.so.2
  if [ -e "$nccl" ]; then export GPUARR_NCCL=$nccl; fi
fi
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader || exit 1
attempt build build_it
if [ $failed = 0 ]; then
  attempt cuda suite cuda:0
  attempt host suite host
  # The second GPU, and copies, streams and kernels of both in turns (test_devices_together).
  if [ "$(nvidia-smi --list-gpus | wc -l)" -gt 1 ]; then attempt second suite cuda:1; fi
  attempt numpy env GPUARR_TEST_DEVICE=cuda:0 ctest --test-dir "$build" --output-on-failure \
    -j 4 -R '^numpy_'
  attempt unit env GPUARR_TEST_DEVICE=cuda:0 ctest --test-dir "$build" --output-on-failure \
    -j "$jobs" -L unit
  attempt cli env GPUARR_TEST_DEVICE=cuda:0 ctest --test-dir "$build" --output-on-failure -j 4 \
    -L cli
  attempt examples env GPUARR_DEVICE=cuda:0 ctest --test-dir "$build" --output-on-failure -L example
  attempt interop exchange
  attempt bindings env GPUARR_TEST_DEVICE=cuda:0 ctest --test-dir "$build" --output-on-failure \
    -j 4 -L bindings -LE 'house|example'
  attempt carried carried
  attempt overhead overhead
  # These two provoke faults in processes of their own.
  mapfile -t programs < <(find "$build/tests" -maxdepth 1 -name 'test_*' -type f -executable \
    ! -name test_raw_faults ! -name test_release_at_exit)
  attempt memcheck sanitize memcheck "${programs[@]}"
  for tool in racecheck synccheck initcheck; do
    attempt $tool sanitize $tool "$build"/tests/test_elementwise{,_body,_layouts} \
      "$build"/tests/test_reduction{,_identity,_layouts,_order,_texts} "$build"/tests/test_reduce \
      "$build"/tests/test_raw{,_arguments,_cuda} "$build"/tests/test_{module,scan,select,sort,order}
  done
fi
step "$SECONDS s in all; logs in $logs"
printf '%s\n' "${rows[@]}"
exit $failed
