// Ready-made reductions: the table of them, and how one is run.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "kernel/reduction.hpp"

namespace gpuarr {

enum class Reducer : int32_t {  // the rows of the table, in its order
  sum,
  prod,
  min,
  max,
  argmin,
  argmax,
  any,
  all,
  count_nonzero,
  mean,
  var,
  std,
  norm_1,
  norm_2,
  norm_inf,
  dot,
  nansum,
  nanmin,
  nanmax,
  logsumexp,
};
constexpr int reducer_count = static_cast<int>(Reducer::logsumexp) + 1;

const char* name_of(Reducer reducer);
bool has_identity(Reducer reducer);
/// The type of its partial results; a struct's has only a name in the reducer's preamble.
FoldType partial_of(Reducer reducer, DType dtype, bool long_counts = false);
/// Of those that take one array.
std::optional<Reducer> find_reducer(std::string_view name);

/// The kernel's texts for elements of a dtype, and for more than 2^32 of them to a result if
/// `long_counts`. Fails if the reduction does not take the dtype.
struct ReducerText {
  MapReduceSpec spec;
  KernelOptions options;
};
ReducerText reducer_text(Reducer reducer, DType dtype, bool long_counts = false);

DType result_dtype(Reducer reducer, DType dtype);

/// Fails if there is no such reduction of the dtype.
void check_reducer(Reducer reducer, DType dtype);

/// Runs it on inputs of which the first are arrays. `out` is null where the result is to be made;
/// that is returned. A null stream is the current one of the arrays' device.
std::optional<Array> reduce(Reducer reducer, std::span<const Argument> inputs, const Array* out,
                            const AxisRequest& axes, Stream* stream);
inline std::optional<Array> reduce(Reducer reducer, const Array& x, const Array* out,
                                   const AxisRequest& axes, Stream* stream) {
  const Argument input{&x, nullptr};
  return reduce(reducer, {&input, 1}, out, axes, stream);
}

/// A ready-made reduction of arrays that lie in blocks: what its kernel's stages are called with
/// (kernel/reduction.hpp). Counts are long where those of the whole are.
class StagedReducer {
 public:
  struct Inputs {
    std::array<Argument, 2> all{};
    size_t count = 0;
    operator std::span<const Argument>() const { return {all.data(), count}; }
  };

  /// `whole` is the shape of all blocks together, `ddof` what var and std take.
  StagedReducer(Reducer reducer, DType dtype, const Dims& whole, const AxisRequest& axes,
                double ddof = 0);

  Reduction& kernel() const { return kernel_; }  // lives as long as the process
  size_t array_count() const { return reducer_ == Reducer::dot ? 2 : 1; }
  DType result_dtype() const { return gpuarr::result_dtype(reducer_, dtype_); }
  /// Of blocks that lie at one place; the arrays and this must live as long.
  Inputs inputs(std::span<const Array> arrays) const;

 private:
  Reducer reducer_;
  DType dtype_;
  Scalar ddof_;
  Reduction& kernel_;
};

/// The norm that a number means: 1, 2 or infinity.
Reducer norm_of(double ord);

/// Fails unless the arrays have one shape and dtype.
void check_alike(const Array& x, const Array& y);

}  // namespace gpuarr
