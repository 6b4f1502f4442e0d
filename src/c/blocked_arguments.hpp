// Arguments of functions on blocked arrays, from the C ABI's form.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "c/call_arguments.hpp"
#include "c/team_handles.hpp"
#include "team/map/align.hpp"
#include "team/move/redistribute.hpp"

namespace gpuarr {

/// The arrays that a call writes, which come first, and reads.
std::vector<team::Aligned> aligned_of(gpuarr_blocked* const* outputs, int32_t output_count,
                                      gpuarr_blocked* const* inputs, int32_t input_count);

/// Arguments of kernels; blocked ones are added to `arrays`. `scalars` has the values that the
/// inputs point to.
struct MapArguments {
  MapArguments(gpuarr_blocked* const* outputs, int32_t output_count, const gpuarr_arg* args,
               int32_t arg_count, const char* list);
  /// Of a raw kernel, launched for each block of `over`.
  MapArguments(gpuarr_blocked* over, const gpuarr_arg* args, int32_t arg_count);
  /// Of a reduction: the input with the most blocks is what the others go with.
  MapArguments(const gpuarr_arg* args, int32_t arg_count);

  team::Alignment alignment(team::Extents extents) const { return {*over_, arrays_, extents}; }
  team::Blocked& over() const { return *over_; }
  size_t outputs() const { return outputs_; }
  std::span<const team::MapInput> inputs() const { return inputs_; }
  uint64_t digest() const;

 private:
  void add(const gpuarr_arg& arg, const char* list, int32_t k, bool is_raw);
  void add_blocked(const gpuarr_arg& arg, const std::string& label);
  void add_number(const gpuarr_arg& arg, const std::string& label);

  team::Blocked* over_ = nullptr;
  size_t outputs_ = 0;
  std::vector<team::Aligned> arrays_;
  std::vector<team::MapInput> inputs_;
  std::vector<std::unique_ptr<Scalar>> scalars_;
};

template <class Kernel>
void check_counts(const Kernel& kernel, int32_t outputs, int32_t inputs, const char* what) {
  if (static_cast<size_t>(outputs) != kernel.output_count())
    fail(GPUARR_ERR_ARGUMENT, "output_count is {}, but the {} has {} outputs", outputs, what,
         kernel.output_count());
  if (static_cast<size_t>(inputs) != kernel.input_count())
    fail(GPUARR_ERR_ARGUMENT, "input_count is {}, but the {} has {} inputs", inputs, what,
         kernel.input_count());
}

/// Memory of the program that elements go to or come from.
struct SlabMemory {
  const void* data;
  int64_t bytes;
  const int64_t* strides;
};

/// A part of an array; `call(slab)` is made as a collective call. What is wrong with memory that
/// one place has, the others are told.
void with_slab(const char* function, const team::Blocked& blocked, const int64_t* start,
               const int64_t* stop, int32_t place, const SlabMemory& memory,
               const std::function<void(const team::Slab&)>& call);

uint64_t digest_of(std::span<const team::Aligned> arrays);

}  // namespace gpuarr
