// What a repeated call costs over C's: prints "cpp: raw X ns, idiomatic Y ns, overhead Z ns". The
// two take turns, and the medians are of many batches.
#include <cstdio>
#include <gpuarr.hpp>

#include "batches.hpp"

using namespace gpuarr;

namespace {

constexpr int batches = 4001, calls = 100;

}  // namespace

int main() {
  const Elementwise kernel("T x, T y, T s", "T z", "z = x * y + s;");
  const Array x = ones(GPUARR_F32, {16}), y = ones(GPUARR_F32, {16});
  Array z = zeros(GPUARR_F32, {16});
  const Device device = z.device();

  // What C has to be given is made once, before the clock runs.
  const gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_array(y), gpuarr_arg_f32(2)};
  gpuarr_elementwise* const c_kernel = kernel;
  gpuarr_array* output = z;
  gpuarr_status status = GPUARR_OK;
  std::vector<double> raw, idiomatic;
  for (int b = 0; b < batches; ++b) {
    raw.push_back(batch(calls, [&] {
      status |= gpuarr_elementwise_call(c_kernel, &output, 1, inputs, 3, GPUARR_NO_SIZE, nullptr);
    }));
    device.synchronize();
    idiomatic.push_back(batch(calls, [&] { kernel.run({z}, {x, y, 2.0f}); }));
    device.synchronize();
  }
  if (status != GPUARR_OK || z.to_vector<float>() != std::vector<float>(16, 3)) return 1;
  const double c = median(raw), cpp = median(idiomatic);
  std::printf("cpp: raw %.1f ns, idiomatic %.1f ns, overhead %.1f ns\n", c, cpp, cpp - c);
}
