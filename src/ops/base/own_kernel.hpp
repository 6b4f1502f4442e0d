// Elementwise kernels whose texts are the library's own.
#pragma once

#include <atomic>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

#include "core/once.hpp"
#include "kernel/elementwise.hpp"

namespace gpuarr {

/// To be kept in a static pointer, and never destroyed: it may be asked for while the process ends.
inline Elementwise* own_kernel(const char* name, const char* in_params, const char* out_params,
                               std::string_view body, std::string_view preamble = {}) {
  KernelOptions options;
  options.name = name;
  options.preamble = preamble;
  return new Elementwise(in_params, out_params, std::string(body), options);
}

struct OwnKernelRow {
  const char* name;
  const char* in_params;
  const char* out_params;
  std::string_view body;
};

/// The kernel of a row of a table. `contract`: products and sums may be rounded once.
template <const auto& rows>
Elementwise& own_kernel(size_t row, bool contract = true) {
  static std::atomic<Elementwise*> kernels[std::size(rows)];
  return made_once(kernels[row], [&] {
    const OwnKernelRow& r = rows[row];
    KernelOptions options;
    options.name = r.name;
    options.contract = contract;
    return std::make_unique<Elementwise>(r.in_params, r.out_params, std::string(r.body), options);
  });
}

}  // namespace gpuarr
