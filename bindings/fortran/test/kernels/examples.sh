#!/usr/bin/env bash
# Compares the modules of kernels that are kept beside their sources with what the translator
# writes.
# usage: examples.sh FOLDER TRANSLATOR...
set -euo pipefail
cd "$1"
shift
for kernels in *_kernels.f90; do
  "$@" "${kernels%_kernels.f90}.f90" | diff - "$kernels" ||
    { echo "$kernels: write it anew by gpuarr fortran ... -o $kernels"; exit 1; }
done
echo "the modules of kernels are up to date"
