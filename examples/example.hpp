// What the examples in C++ share: they compare their answers with plain loops, and end with the
// message of what was thrown.
#pragma once

#include <cmath>
#include <cstdio>
#include <exception>
#include <gpuarr.hpp>
#include <string>
#include <vector>

/// The answer of the kernel against that of the loop.
inline void expect(double got, double wanted, double tolerance, const char* what, std::size_t at) {
  if (std::fabs(got - wanted) <= tolerance) return;
  throw std::runtime_error(std::string(what) + ": element " + std::to_string(at) + " is " +
                           std::to_string(got) + "; a plain loop gives " + std::to_string(wanted));
}

inline int failed(const std::exception& exception) {
  std::fprintf(stderr, "%s\n", exception.what());
  return 1;
}
