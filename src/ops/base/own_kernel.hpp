// Elementwise kernels whose texts are the library's own.
#pragma once

#include <array>
#include <atomic>
#include <concepts>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string_view>
#include <type_traits>

#include "core/once.hpp"
#include "kernel/elementwise.hpp"

namespace gpuarr {

/// To be kept in a static pointer, and never destroyed: it may be asked for while the process ends.
inline Elementwise* own_kernel(const char* name, const char* in_params, const char* out_params,
                               std::string_view body, std::string_view preamble = {}) {
  KernelOptions options;
  options.name = name;
  options.preamble = preamble;
  return new Elementwise(in_params, out_params, body, options);
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
    return std::make_unique<Elementwise>(r.in_params, r.out_params, r.body, options);
  });
}

/// What a kernel of our own reads: an array, or a number.
struct OwnInput {
  OwnInput(const Array& of) : array(&of) {}
  OwnInput(const Scalar& of) : scalar(of) {}
  OwnInput(const Argument& of) : array(of.array) {
    if (of.scalar != nullptr) scalar = *of.scalar;
  }
  OwnInput(double value) : scalar(Scalar::of(value)) {}
  template <std::integral T>
  OwnInput(T value) {
    constexpr bool natural = std::is_unsigned_v<T> && !std::same_as<T, bool>;
    scalar = Scalar::of(static_cast<std::conditional_t<natural, uint64_t, int64_t>>(value));
  }

  const Array* array = nullptr;  // null: the scalar
  Scalar scalar;
};

inline MadeOutputs run_own(Elementwise& kernel, std::initializer_list<OwnInput> inputs,
                           std::initializer_list<const Array*> outputs, Stream& stream,
                           int64_t size = no_size) {
  std::array<Argument, 8> arguments;  // as many as any of them has
  size_t count = 0;
  for (const OwnInput& input : inputs)
    arguments.at(count++) = {input.array, input.array != nullptr ? nullptr : &input.scalar};
  return kernel.call({arguments.data(), count}, {outputs.begin(), outputs.size()}, size, &stream);
}

}  // namespace gpuarr
