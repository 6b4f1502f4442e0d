#!/usr/bin/env bash
# Calls of kernels with arguments of wrong types or counts must not compile, and right ones must.
# usage: wrong_arguments.sh COMPILER MODULES GPUARR_MODULES
set -euo pipefail
compiler=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# compiles STATEMENT: whether it compiles where arrays, numbers and types are declared
compiles() {
  printf '%s\n' "program try" "use gpuarr" "use constructs_kernels" "implicit none" \
    "type(gpuarr_array) :: a, b" "type(grid) :: g" "type(model) :: m" "real(wp) :: x(3, 3), s" \
    "$1" "end program" >"$work/try.f90"
  "$compiler" -fsyntax-only -I"$2" -I"$3" "$work/try.f90" 2>"$work/said"
}

for statement in "call stencil(g, a, b)" "call stencil(g, x, x)" "s = energy(a)" \
  "a = limited(b, m)" "call clear_ends(3, a)"; do
  compiles "$statement" "$2" "$3" || { cat "$work/said"; exit 1; }
done
for statement in "call stencil(a, g, b)" "call stencil(g, a)" "call stencil(g, a, x)" \
  "call stencil(g, a, b, 3)" "call four(a, 1.0)" "a = limited(b)" "a = limited(b, g)" \
  "s = energy(3)" "a = limited(1, m)" "call clear_ends(3.0, a)"; do
  ! compiles "$statement" "$2" "$3" || { echo "compiles: $statement"; exit 1; }
done
echo "wrong arguments do not compile"
