#!/bin/bash
# tests/fuzz/run.sh SECONDS [TARGET...]: each target with libFuzzer under AddressSanitizer and
# UndefinedBehaviorSanitizer, for so long; what it finds is left in build/fuzz/found,
# with the logs. Inputs that reach something new stay in build/fuzz/corpus/TARGET for the next time.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:?"usage: tests/fuzz/run.sh SECONDS [TARGET...]"}
shift
if ! echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, long) { return 0; }' |
    clang++ -x c++ -fsanitize=fuzzer - -o /dev/null 2> /dev/null; then
  # shellcheck source=tests/support/debian.sh
  . tests/support/debian.sh
  install_packages "${build_packages[@]}" clang
  install_packages "libclang-rt-$(clang++ -dumpversion | cut -d. -f1)-dev"
fi
flags="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined"
cmake -S . -B build/fuzz -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_COMPILER=clang++ \
  -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_C_FLAGS="$flags" \
  -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=24 -DGPUARR_FUZZ=ON \
  -DGPUARR_BUILD_EXAMPLES=OFF -DGPUARR_BUILD_BINDINGS=OFF > /dev/null
targets=("$@")
if [[ $# -eq 0 ]]; then
  for folder in tests/fuzz/corpus/*/; do targets+=("$(basename "$folder")"); done
fi
ninja -C build/fuzz "${targets[@]/#/fuzz_}"
mkdir -p build/fuzz/found
status=0
for target in "${targets[@]}"; do
  mkdir -p "build/fuzz/corpus/$target"
  log=build/fuzz/found/$target.log
  if "build/fuzz/tests/fuzz_$target" -max_total_time="$seconds" -max_len=4096 -timeout=10 \
    -rss_limit_mb=4096 -artifact_prefix="build/fuzz/found/$target-" "build/fuzz/corpus/$target" \
    "tests/fuzz/corpus/$target" > "$log" 2>&1; then
    echo "$target: $(tail -n 1 "$log")"
  else
    status=1
    echo "$target: a finding; the whole log is $log"
    grep -aE "ERROR|SUMMARY|runtime error|it does not hold|Test unit written" "$log" || true
  fi
done
exit $status
