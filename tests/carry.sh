#!/usr/bin/env bash
# Brings what tests/gpu.sh needs and a GPU machine without a network or compilers of all languages
# lacks, into .carry/.
# usage: carry.sh [BUILD_DIR [--julia]]: with a build (-DGPUARR_FORTRAN_STATIC_RUNTIME=ON), what it
# has of tests, examples and benchmarks in Fortran and Rust; with --julia, the Julia of its tests
set -euo pipefail
# shellcheck source=tests/support/debian.sh
. "$(dirname "$0")/support/debian.sh"
mkdir -p .carry
(cd .carry && apt-get download libcmocka0 libcmocka-dev libfmt-dev libxxhash-dev nlohmann-json3-dev)

# Programs of each language in a folder of its own, without what debuggers want.
if [ $# -gt 0 ]; then
  programs=$(mktemp -d)
  mkdir "$programs"/{fortran,fortran_examples,rust,rust_examples,overhead}
  find "$1"/bindings/fortran -type f \( -name 'test_*' -o -name 'fortran_kernels_*' \) -executable \
    -exec cp -t "$programs/fortran" {} +
  find "$1"/bindings/fortran -type f -name '[0-9]*' -executable \
    -exec cp -t "$programs/fortran_examples" {} +
  cp "$1"/bindings/rust/it "$programs/rust"
  cp "$1"/bindings/rust/examples/* "$programs/rust_examples"
  find "$1"/bindings/{cpp,fortran} "$1"/bindings/overhead/rust-target -type f -executable \
    \( -name '*_overhead' -o -name '[cf]*_expressions' -o -name 'overhead-*' \
    -o -name 'kernels-*' -o -name fortran_kernels \) \
    -exec cp -t "$programs/overhead" {} +
  find "$programs" -type f -exec strip {} +
  tar -C "$programs" -c . | xz -9 >.carry/programs.tar.xz  # they have the library in common
  rm -rf "$programs"
fi
if [ "${2-}" = --julia ] && [ ! -e .carry/julia.tar.xz ]; then
  tests/support/julia.sh "$1/julia" >/dev/null
  root=$(mktemp -d)
  cp -a "$1/julia/root/." "$root"
  rm -rf "$root"/usr/share/{doc,man,julia/test,julia/base.cache}
  rm -rf "$root"/usr/share/julia/stdlib/*/*/{docs,test}
  strip "$root"/usr/lib/*/{julia/sys.so,julia/libopenblas64_.so,libLLVM-*.so.?}
  tar -C "$root" -c . | xz -9 >.carry/julia.tar.xz
  rm -rf "$root"
fi
ls -l .carry
