// Row kernels beside the calls that they stand for, on $GPUARR_TEST_DEVICE: the same bits on the
// CPU, where contraction is off, and close ones on a GPU; NaN and infinities likewise.
#include "row_eager.hpp"

#include <cstdlib>
#include <cstring>
#include <random>

#include "backends.hpp"
#include "check.hpp"
#include "row_texts.hpp"
#include "seed.hpp"

using namespace gpuarr;

namespace {

class Comparison {
 public:
  Comparison(Device& device, uint64_t seed)
      : device_(device), stream_(device.create_stream(0)), random_(seed) {}

  Array array(const Dims& shape, bool rare) {
    std::vector<float> values(static_cast<size_t>(size_of(shape)));
    for (float& v : values) v = std::uniform_real_distribution<float>(-4, 4)(random_);
    constexpr float odd[] = {NAN, INFINITY, -INFINITY, 0.0F, -0.0F};
    for (int k = 0; rare && k < 3; ++k) values[random_() % values.size()] = odd[random_() % 5];
    const Array out = Array::empty(*stream_, DType::f32, shape);
    device_.copy_from_host(out.data, values.data(), static_cast<int64_t>(values.size() * 4),
                           *stream_);
    stream_->synchronize();
    return out;
  }

  std::vector<float> values(const Array& x) {
    std::vector<float> out(static_cast<size_t>(x.size()));
    device_.copy_to_host(out.data(), x.data, x.size() * 4, *stream_);
    stream_->synchronize();
    return out;
  }

  void compare(const char* what, const Array& ours, const Array& theirs) {
    const std::vector<float> a = values(ours), b = values(theirs);
    for (size_t k = 0; k < a.size(); ++k) {
      const bool both_nan = std::isnan(a[k]) && std::isnan(b[k]);
      const bool same =
          device_.has_host_memory()
              ? std::memcmp(&a[k], &b[k], sizeof(float)) == 0
              : std::fabs(a[k] - b[k]) <= 1e-5F * std::max(1.0F, std::fabs(b[k])) || a[k] == b[k];
      if (both_nan || same) continue;
      check::report(__FILE__, __LINE__)
          << what << " of shape " << to_string(ours.layout.shape) << ": element " << k << " is "
          << a[k] << ", by single calls " << b[k] << "\n";
      return;
    }
  }

  // On a GPU rows may be too long for a processor. On the CPU what is refused is only slow.
  bool fits(const Row& kernel, std::span<const Argument> inputs) {
    if (device_.has_host_memory()) return true;
    std::vector<Operand> operands;
    for (const Argument& input : inputs)
      operands.push_back({input.array != nullptr ? Role::input : Role::scalar, DType::f32, nullptr,
                          input.array != nullptr ? &input.array->layout : nullptr, nullptr});
    const Layout& loop = inputs[0].array->layout;
    operands.push_back({Role::output, DType::f32, nullptr, &loop, nullptr});
    ReducedAxes axes;
    axes.reduced[1] = true;
    return row_fits(target_of(device_), row_device(device_), operands, loop.shape, axes,
                    kernel.traits());
  }

  void compare(row_texts::RowCase c, std::span<const Argument> inputs,
               const std::function<Array()>& single_calls) {
    c.options.contract = false;
    Row kernel(c.spec, c.options);
    if (!fits(kernel, inputs)) return;
    static constexpr int32_t axes[] = {-1};
    const Array* const outputs[] = {nullptr};
    compare(c.name, *only_of(kernel.call(inputs, outputs, {axes, false, false}, stream_.get())),
            single_calls());
  }

  void run(int64_t rows, int64_t length, bool rare) {
    const Array x = array({rows, length}, rare), w = array({length}, false),
                b = array({length}, false);
    const Scalar eps = Scalar::of(0.25);
    const Argument inputs[] = {{&x, nullptr}, {&w, nullptr}, {&b, nullptr}, {nullptr, &eps}};
    // The last elements of a loop go through another exp on the CPU, where they are not a vector.
    if (length % 16 == 0 || !device_.has_host_memory())
      compare(row_texts::softmax(DType::f32), {inputs, 1},
              [&] { return row_eager::softmax(x, *stream_); });
    compare(row_texts::layer_norm(DType::f32), inputs,
            [&] { return row_eager::layer_norm(x, w, b, 0.25, *stream_); });
  }

 private:
  Device& device_;
  std::shared_ptr<Stream> stream_;
  std::mt19937_64 random_;
};

}  // namespace

int main() {
  const char* name = std::getenv("GPUARR_TEST_DEVICE");
  Device* device = nullptr;
  try {
    device = &open_device(name == nullptr || *name == '\0' ? "host" : name);
  } catch (const Error& e) {
    std::cout << "skipped: " << e.what() << "\n";
    return 77;
  }
  Comparison comparison(*device, test_seed());
  // Shorter rows are columns to a reduction on the CPU, those above 65536 several tasks.
  for (int64_t length : {17, 32, 63, 64, 100, 128, 1000, 1024, 1027, 4096, 10000, 49999, 65536,
                         65537, 131100, 459000})
    for (int64_t rows : {1, 7})
      for (bool rare : {false, true}) comparison.run(rows, length, rare);
  comparison.run(500, 1024, false);
  return check::result();
}
