// Numbers that count through a blocked array as a whole.
#include <array>
#include <atomic>
#include <string>

#include "core/error.hpp"
#include "core/once.hpp"
#include "team/map/map.hpp"

namespace gpuarr::team {
namespace {

// For so many axes: y = start + step * (first + the index of each axis times its stride).
std::unique_ptr<Elementwise> make_counter(int ndim, bool whole) {
  const char* const type = whole ? "int64" : "float64";
  std::string params = formatted("{0} start, {0} step, int64 first", type);
  std::string body = "long long k = first; ";
  for (int axis = 0; axis < ndim; ++axis) {
    params += formatted(", int64 s{}", axis);
    body += formatted("k += _ind.get()[{0}] * s{0}; ", axis);
  }
  KernelOptions options;
  options.name = "blocked_arange";
  const std::string last =
      whole ? "y = (T)((unsigned long long)start + step * (unsigned long long)k);"
            : "y = (T)(start + step * k);";
  return std::make_unique<Elementwise>(params, "T y", UserText(body + last), options);
}

Elementwise& counter_for(int ndim, bool whole) {
  static std::atomic<Elementwise*> kernels[2][max_ndim + 1];
  return made_once(kernels[whole ? 1 : 0][static_cast<size_t>(ndim)],
                   [&] { return make_counter(ndim, whole); });
}

Dims c_strides(const Dims& shape) { return dense_strides(shape, Order::c); }

}  // namespace

void arange(Blocked& target, const Scalar& start, const Scalar& step) {
  if (is_complex(target.dtype()))
    fail(GPUARR_ERR_DTYPE, "blocked is {}; give one of a real dtype", name(target.dtype()));
  const bool whole = start.is_whole() && step.is_whole();
  const Dims strides = c_strides(target.shape());
  each_block(target, [&](const BlockCall& call) {
    const Layout& layout = call.block->inner.layout;
    std::vector<Scalar> numbers{start, step, Scalar::of(int64_t{0})};
    Layout counted;  // without axes of one index: arrays have more axes than kernels take scalars
    int64_t first = 0;
    for (int axis = 0; axis < layout.ndim(); ++axis) {
      first += call.box.low[axis] * strides[axis];
      if (layout.shape[axis] == 1) continue;
      counted.shape.push_back(layout.shape[axis]);
      counted.strides.push_back(layout.strides[axis]);
      numbers.push_back(Scalar::of(strides[axis]));
    }
    numbers[2] = Scalar::of(first);
    std::vector<Argument> arguments;
    arguments.reserve(numbers.size());
    for (const Scalar& number : numbers) arguments.push_back({nullptr, &number});
    const Array block = call.block->inner.view(counted);
    const Array* const output = &block;
    counter_for(counted.ndim(), whole).call(arguments, {&output, 1}, no_size, call.stream);
  });
}

}  // namespace gpuarr::team
