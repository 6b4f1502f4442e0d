// Outputs of operations that are not one kernel: given ones checked, missing ones made.
#pragma once

#include <optional>
#include <span>

#include "array/array.hpp"

namespace gpuarr {

/// What a result must be.
struct ResultFacts {
  DType dtype;
  Dims shape;
  Dims strides;  // where it is made
};

/// The stream to work in: the given one, checked, or the current one of the arrays' device.
Stream& stream_for(Stream* given, Device& device);

/// Fails if the array, which is the argument of that name, is on another device than `device`.
void check_device(const Array& array, const char* argument, const Device& device);

/// Fails if the array that was given for a result, which is the argument of that name, is on
/// another device, of another dtype or shape, or cannot be written to.
void check_given(const Array& given, const char* argument, DType dtype, const Dims& shape,
                 const Device& device);

/// A result to be worked into, and whether it was made.
class Result {
 public:
  Result(const Array* given, const ResultFacts& facts, Stream& stream);

  const Array& array() const { return given_ != nullptr ? *given_ : *made_; }
  bool given() const { return given_ != nullptr; }

  /// Fills it in by `work`, which gets an array of its shape that shares no memory with any of
  /// `inputs`.
  template <class Work>
  void fill(std::span<const Array* const> inputs, Stream& stream, Work&& work) {
    if (!overlaps(inputs)) return work(array());
    const Array apart = Array::with_strides(stream, array().dtype, array().layout.shape,
                                            strides_like(array().layout));
    work(apart);
    take_over(apart, stream);
  }

  std::optional<Array> take() { return std::move(made_); }

 private:
  bool overlaps(std::span<const Array* const> inputs) const;
  void take_over(const Array& apart, Stream& stream);

  const Array* given_;
  std::optional<Array> made_;
};

}  // namespace gpuarr
