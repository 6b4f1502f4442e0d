#!/usr/bin/env bash
# What a repeated elementwise call costs in each language beside the C call: builds and runs what
# each language measures that with, and prints one table. A language that is not there is left out.
# usage: bindings.sh BUILD_DIR [LANGUAGE...]: cpp, fortran, rust, julia; all of them unless given
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
languages=("${@:2}")
[ $# -gt 1 ] || languages=(cpp fortran rust julia)
work=$build/bindings/overhead
mkdir -p "$work"
export GPUARR_CACHE_DIR=$work/cache

# Each prints "LANGUAGE: raw X ns, idiomatic Y ns, overhead Z ns"; 77 is the status of one not here.
cpp() {
  cmake --build "$build" --target cpp_overhead >&2
  "$build/bindings/cpp/cpp_overhead"
}

fortran() {
  command -v gfortran >/dev/null || return 77
  cmake --build "$build" --target fortran_overhead >&2
  "$(find "$build/bindings/fortran" -name fortran_overhead -type f)"
}

rust() {
  command -v cargo >/dev/null || return 77
  cmake --build "$build" --target gpuarr >&2
  rm -rf "$work/rust"
  mkdir -p "$work/rust/bindings/rust"
  cp -a "$here"/bindings/rust/{Cargo.toml,gpuarr,gpuarr-macros,gpuarr-sys} \
    "$work/rust/bindings/rust"
  ln -s "$here/examples" "$work/rust/examples"
  export CARGO_HOME=$work/cargo CARGO_TARGET_DIR=$work/rust-target GPUARR_DIR=$build
  "$here/bindings/rust/crates.sh" "$CARGO_HOME"
  cd "$work/rust/bindings/rust"
  cargo bench --quiet -p gpuarr --no-run --bench kernels >&2  # which tests/carry.sh takes along
  cargo bench --quiet -p gpuarr --bench overhead
}

julia() {
  local command
  command=$("$here/tests/support/julia.sh" "$build/julia") || return 77
  cmake --build "$build" --target gpuarr_python >&2
  GPUARR_LIBRARY=$build/tests/libgpuarr_python.so JULIA_LOAD_PATH="@:$here/bindings/julia:@stdlib" \
    JULIA_DEPOT_PATH=$work/depot \
    "$command" --startup-file=no "$here/bindings/julia/bench/overhead.jl"
}

measure() {
  case $1 in
    cpp) cpp ;;
    fortran) fortran ;;
    rust) rust ;;
    julia) julia ;;
    *) echo "no language $1" >&2; return 1 ;;
  esac
}

figures="raw ([0-9.]+) ns, idiomatic ([0-9.]+) ns, overhead (-?[0-9.]+) ns"
failed=0
printf '%-10s %12s %14s %13s\n' language "C's call" "its own" overhead
for language in "${languages[@]}"; do
  status=0
  line=$(measure "$language" 2>"$work/$language.log") || status=$?
  if [[ $line =~ $figures ]]; then
    percent=$(awk "BEGIN { printf \"%.1f\", 100 * ${BASH_REMATCH[3]} / ${BASH_REMATCH[1]} }")
    printf '%-10s %9s ns %11s ns %10s ns, %s %%\n' "$language" "${BASH_REMATCH[@]:1}" "$percent"
  elif [ $status = 77 ]; then
    printf '%-10s is not here\n' "$language"
  else
    printf '%-10s failed: %s\n' "$language" "$work/$language.log"
    failed=1
  fi
done
exit $failed
