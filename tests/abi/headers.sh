#!/usr/bin/env bash
# Compiles every public header alone and twice, in every standard, with every compiler there is; so
# the wrapper for C++, beside them in the tree.
# usage: headers.sh INCLUDE_DIR WORK_DIR
set -euo pipefail
include=$1
work=$2
rm -rf "$work"
mkdir -p "$work"
cd "$include"
headers=$(ls gpuarr.h gpuarr/*.h)

# The umbrella includes every header.
for header in gpuarr/*.h; do
  grep -q "^#include \"$header\"" gpuarr.h || { echo "gpuarr.h does not include $header"; exit 1; }
done

warnings="-Wall -Wextra -Wpedantic -Wconversion -Wstrict-prototypes -Werror"
list() {  # one command for each line of the output, which compiles each header
  local compiler=$1 language=$2 standard
  command -v "$compiler" >/dev/null || { echo "no $compiler here" >&2; return; }
  local flags=$warnings
  [ "$language" = c ] || flags=${warnings/-Wstrict-prototypes/-Wold-style-cast}
  for standard in "${@:3}"; do
    echo "$compiler -x $language -std=$standard $flags -fsyntax-only -I$include $work/*_h.txt"
  done
}
for header in $headers; do
  printf '#include "%s"\n#include "%s"\ntypedef int not_empty;\n' "$header" "$header" \
    >"$work/$(echo "$header" | tr /. __).txt"
done
wrapper() {
  local flags="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast"
  command -v "$1" >/dev/null || return 0
  printf '#include "gpuarr.hpp"\n#include "gpuarr.hpp"\n' >"$work/wrapper.txt"
  for standard in "${@:2}"; do
    echo "$1 -x c++ -std=$standard $flags -Werror -fsyntax-only -I$include" \
      "-I$include/../bindings/cpp $work/wrapper.txt"
  done
}
{
  wrapper g++ c++17 c++20 c++2b
  wrapper clang++ c++17 c++20 c++2b
  list gcc c c99 c11 c17 c2x
  list clang c c99 c11 c17 c2x
  list g++ c++ c++11 c++14 c++17 c++20
  list clang++ c++ c++11 c++14 c++17 c++20
} >"$work/commands"

if ! xargs -P 4 -I{} sh -c '{} || { echo "failed: {}"; exit 1; }' <"$work/commands"; then
  exit 1
fi
echo "$(wc -l <"$work/commands") times all headers"
