// The seed of a test's random numbers, printed: $GPUARR_TEST_SEED, a number or "clock".
#pragma once

#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <string>

inline uint64_t test_seed() {
  const char* wanted = std::getenv("GPUARR_TEST_SEED");
  const std::string value = wanted != nullptr ? wanted : "";
  uint64_t seed = value.empty() ? 1 : std::strtoull(value.c_str(), nullptr, 10);
  if (value == "clock") seed = static_cast<uint64_t>(std::time(nullptr));
  std::cerr << "GPUARR_TEST_SEED=" << seed << '\n';
  return seed;
}
