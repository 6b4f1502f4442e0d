#!/usr/bin/env bash
# Calls every function of the API through the raw layer of each language that is here, with a
# library behind it that looks at what arrives: see echo.py.
# usage: echo.sh WORK_DIR CXX
set -euo pipefail
work=$1 cxx=$2
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..
julia=${GPUARR_JULIA:-julia}
called=0

# has LANGUAGE COMMAND: whether the language is here.
has() {
  if command -v "$2" >/dev/null && "$2" --version >/dev/null 2>&1; then
    called=$((called + 1))
    echo "-- $1"
  else
    echo "-- $1: no $2 here"
    return 1
  fi
}

rm -rf "$work"
python3 "$here/echo.py" "$work"
cd "$work"
"$cxx" -std=c++20 -Wall -Wextra -Werror -fPIC -c echo.cpp -I "$top/include"
"$cxx" -shared -o libecho.so echo.o

if has Fortran gfortran; then
  gfortran -std=f2018 -Wall -Wextra -Werror -c "$top/bindings/fortran/src/gpuarr_c.f90"
  gfortran echo.f90 gpuarr_c.o echo.o -lstdc++ -o echo_fortran
  ./echo_fortran
fi
if has Rust rustc; then
  GPUARR_BINDINGS=$top/bindings/rust/gpuarr-sys/src/bindings.rs rustc -C link-arg=echo.o \
    -C link-arg=-lstdc++ echo.rs -o echo_rust
  ./echo_rust
fi
if has Julia "$julia"; then
  "$julia" --startup-file=no --compile=min -O0 echo.jl ./libecho.so \
    "$top/bindings/julia/GPUArr/src/lib.jl"
fi
[ $called -gt 0 ] || { echo "skipped: none of the languages is here"; exit 77; }
