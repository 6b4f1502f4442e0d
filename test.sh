#!/usr/bin/env bash
# Builds the library three times and passes the tests: optimised, under AddressSanitizer and
# UndefinedBehaviorSanitizer, and under ThreadSanitizer. The last line counts them. Arguments go to
# each cmake.
set -euo pipefail
# shellcheck source=tests/support/debian.sh
. "$(dirname "$0")/tests/support/debian.sh"
install_for_tests

# Settings of the user's own are not what is tested; GPUARR_TEST_... are.
for variable in "${!GPUARR_@}"; do
  [[ $variable == GPUARR_TEST_* ]] || unset "$variable"
done

passed=0 failed=0 skipped=0

# count NAME FILE: one number of a JUnit file's summary.
count() { sed -n "s/.*[[:space:]]$1=\"\([0-9]*\)\".*/\1/p" "$2" | head -n 1; }

# run_preset NAME OPTION...: builds and tests it, and adds to the counts; a build that fails ends it
# all.
run_preset() {
  local preset=$1 report=build/$1/tests.xml start=$SECONDS
  step "$preset: building"
  configure --preset "$@"
  cmake --build --preset "$preset"
  step "$preset: testing (built in $((SECONDS - start)) s)"
  rm -f "$report"
  start=$SECONDS
  ctest --preset "$preset" --output-junit "$PWD/$report" || true
  local all bad not_run
  all=$(count tests "$report") bad=$(count failures "$report") not_run=$(count skipped "$report")
  passed=$((passed + all - bad - not_run)) failed=$((failed + bad)) skipped=$((skipped + not_run))
  echo "$preset: $all tests in $((SECONDS - start)) s"
}

# Several sources as one, as demo.sh has it. Installed once with a shared library, in a folder of
# another depth, and once without one.
run_preset release -DCMAKE_UNITY_BUILD=ON -DGPUARR_SHARED=ON -DGPUARR_TEST_ONCE=ON \
  -DCMAKE_INSTALL_LIBDIR="lib/$(cc -print-multiarch)" "$@"
run_preset asan-ubsan "$@"
run_preset tsan "$@"

step "all of it took $((SECONDS / 60)) min $((SECONDS % 60)) s"
if [ "$skipped" -gt 0 ]; then
  echo "$skipped tests were skipped: see above for what they want"
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
