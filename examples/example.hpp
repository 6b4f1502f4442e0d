// What the examples in C++ share: they compare their answers with plain loops, and end with the
// message of what was thrown.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
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

/// The last line of what gpuarr::explain() tells says how many kernels there are.
inline void expect_kernels(const std::string& explained, double wanted) {
  const std::size_t last = explained.rfind('\n', explained.size() - 2);
  expect(std::atof(explained.c_str() + last + 1), wanted, 0, "number of kernels", 0);
}

inline int failed(const std::exception& exception) {
  std::fprintf(stderr, "%s\n", exception.what());
  return 1;
}
