#include "ops/functions/compare.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>

#include "core/error.hpp"
#include "core/once.hpp"
#include "kernel/reduction.hpp"
#include "ops/base/transfer.hpp"
#include "ops/functions/functions.hpp"

namespace gpuarr {
namespace {

// Whether a function of two arrays is true everywhere.
Reduction& everywhere(Op function, DType dtype) {
  static std::array<std::array<std::atomic<Reduction*>, GPUARR_C128 + 1>, 2> kernels;
  auto& slot = kernels[function == Op::equal ? 0 : 1][static_cast<size_t>(dtype)];
  return made_once(slot, [&] {
    FunctionText text = function_text(function, {dtype});
    text.options.name = function == Op::equal ? "array_equal" : "allclose";
    text.options.reduce_type = name(DType::i32);
    const MapReduceSpec spec{text.in_params, "bool out", text.values[0], "a & b", "out = a", "1"};
    return std::make_unique<Reduction>(spec, text.options);
  });
}

bool is_true_everywhere(Op function, std::span<const Argument> inputs, Stream* given) {
  const Array& x = *inputs[0].array;
  Stream& stream = given != nullptr ? *given : current_stream(x.device());
  if (stream.captures())
    fail(GPUARR_ERR_UNSUPPORTED,
         "the stream is being captured, but the call waits for its result; compare outside of the "
         "capture");
  std::array<Typed, most_function_inputs> types;
  std::ranges::transform(inputs, types.begin(), typed_of);
  const DType dtype = resolve(function, {types.data(), inputs.size()}).dtype;
  const std::array<const Array*, 1> none = {nullptr};
  const auto made = everywhere(function, dtype).call(inputs, none, AxisRequest{}, &stream);
  return number_in<uint8_t>(made[0].second, stream) != 0;
}

}  // namespace

bool array_equal(const Array& x, const Array& y, Stream* stream) {
  if (!(x.layout.shape == y.layout.shape)) return false;
  const Argument inputs[] = {{&x, nullptr}, {&y, nullptr}};
  return is_true_everywhere(Op::equal, inputs, stream);
}

bool all_close(const Array& x, const Array& y, const Tolerance& within, Stream* stream) {
  const Scalar relative = Scalar::of(within.relative);
  const Scalar absolute = Scalar::of(within.absolute);
  const Scalar equal_nan = Scalar::of(int64_t{within.equal_nan});
  const Argument inputs[] = {{&x, nullptr},
                             {&y, nullptr},
                             {nullptr, &relative},
                             {nullptr, &absolute},
                             {nullptr, &equal_nan}};
  return is_true_everywhere(Op::isclose, inputs, stream);
}

}  // namespace gpuarr
