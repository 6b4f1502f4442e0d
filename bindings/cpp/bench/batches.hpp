// What one of many calls takes.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

/// Nanoseconds of a call, of `calls` of them.
template <class Call> double batch(int calls, const Call& call) {
  const auto start = std::chrono::steady_clock::now();
  for (int k = 0; k < calls; ++k) call();
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
  return took.count() / calls;
}

inline double median(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}
