#!/usr/bin/env bash
# Passes the package's tests: all of them interpreted, which starts fastest, then those of memory
# and order once more compiled, by two threads, with work behind the caller's back.
# usage: test.sh JULIA_DIR LIBRARY WORK_DIR: the folder is that of tests/support/julia.sh
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
julia=$("$here/../../tests/support/julia.sh" "$1")
export GPUARR_LIBRARY=$2
[ -e "$GPUARR_LIBRARY" ] || { echo "skipped: no $GPUARR_LIBRARY"; exit 77; }
export GPUARR_CACHE_DIR=${GPUARR_CACHE_DIR:-$3/cache}
export JULIA_DEPOT_PATH=$3/depot JULIA_LOAD_PATH="@:$here:@stdlib"

tests() { "$julia" --startup-file=no "$@"; }
tests --compile=min "$here/GPUArr/test/runtests.jl"
echo "-- compiled, by two threads, with work behind the caller's back"
JULIA_NUM_THREADS=2 GPUARR_HOST_ASYNC=1 tests -O1 "$here/GPUArr/test/runtests.jl" memory streams
