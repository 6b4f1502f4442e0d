#!/bin/bash
# usage: run.sh BUILD [SECONDS]: the whole of what README.md says, in hours; ctest runs samples.
# BUILD is a build folder; threads run for SECONDS (600), under ThreadSanitizer if BUILD is such.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)/tests
seconds=${2:-600}
failed=0

# sweep [NAME=VALUE...]: every call fails, a share of them on each processor, with a cache of its
# own: where nothing can be read from one, each would wait for all others that compile the same.
sweep() {
  local shares
  shares=$(nproc)
  seq 0 $((shares - 1)) | xargs -I{} -P "$shares" env "$@" FAULTS_SHARE={}/"$shares" \
    GPUARR_CACHE_DIR="$build/cache/faults{}" "$build/faults" || failed=1
}

export GPUARR_CACHE_DIR=$build/cache/faults
echo "$(date -I) $(git -C "$here" rev-parse --short HEAD)"
"$build/threads" "$seconds" || failed=1
if [ -x "$build/faults" ]; then
  "$build/kills" 100 || failed=1
  sweep
  if [ -e "$build/libfake_cuda.so" ]; then
    sweep GPUARR_LIBCUDA="$build/libfake_cuda.so" GPUARR_CUBLAS="$build/libfake_cublas.so" \
      FAULTS_DEVICE=cuda:0
  fi
fi
exit "$failed"
