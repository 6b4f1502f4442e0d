// Row kernels beside a copy of as many bytes, and beside the calls that they stand for, on the CPU
// and on a GPU if there is one. Made with the library's insides.
#include "device_bench.hpp"
#include "gpuarr/device.h"
#include "row_eager.hpp"
#include "row_texts.hpp"

using namespace gpuarr;

namespace {

class Bench : public device_bench::Bench {
 public:
  using device_bench::Bench::Bench;

  void run(const ::Report& report, row_texts::Make* make, DType dtype, int64_t rows, int64_t length,
           double demand) {
    row_texts::RowCase c = make(dtype);
    Row kernel(c.spec, c.options);
    const Array x = array(dtype, {rows, length}), w = array(dtype, {length}),
                b = array(dtype, {length}), y = Array::empty(*stream_, dtype, {rows, length});
    const Array column = array(dtype, {rows, 1});
    const Array of_rows[] = {Array::empty(*stream_, dtype, Dims{rows}),
                             Array::empty(*stream_, dtype, Dims{rows})};
    const Scalar eps = Scalar::of(0.25);
    const Argument common[] = {{&x, nullptr}, {&w, nullptr}, {&b, nullptr}, {nullptr, &eps}};
    const Argument scored[] = {{&x, nullptr}, {&column, nullptr}};
    const bool scores = make == row_texts::z_score;
    const std::span<const Argument> inputs(scores ? scored : common, kernel.input_count());
    std::vector<const Array*> outputs = {&y};
    for (size_t k = 1; k < kernel.output_count(); ++k) outputs.push_back(&of_rows[k - 1]);
    constexpr int32_t axes[] = {-1};
    const AxisRequest request{axes, false, false};
    const bool softmax = make == row_texts::softmax;
    PreparedCall call = kernel.prepare(inputs, outputs, request);
    std::vector<std::function<void()>> functions = {
        [&] { call.launch(*stream_); },
        [&] { device_.copy(y.data, x.data, x.size() * x.itemsize(), *stream_); }};
    if (!scores)
      functions.emplace_back([&] {
        if (softmax)
          row_eager::softmax(x, *stream_);
        else
          row_eager::layer_norm(x, w, b, 0.25, *stream_);
      });
    const std::vector<double> us = medians(functions);
    const std::string what =
        formatted("{} of {} rows of {} {}", c.name, rows, length, facts_of(dtype).short_name);
    report.add({what + ", against a copy", us[0], us[1], demand});
    if (!scores) report.add({what + ", against single calls", us[0], us[2], 1});
  }
};

struct Shape {
  DType dtype;
  int64_t rows, length;
  double demand;  // of a copy's speed
};

constexpr Shape on_gpus[] = {
    {DType::f32, 65536, 64, 0},      {DType::f32, 65536, 1024, 0.95},
    {DType::f32, 65536, 1000, 0},    {DType::f32, 65536, 1023, 0},
    {DType::f16, 65536, 1024, 0},    {DType::f32, 65536, 4096, 0.95},
    {DType::f16, 65536, 4096, 0.95}, {DType::f32, 16384, 8192, 0},
    {DType::f32, 4096, 16384, 0.85}, {DType::f32, 4000, 32768, 0},
    {DType::f32, 2000, 50000, 0.75}, {DType::f16, 4000, 50000, 0},
    {DType::f32, 100, 50000, 0},
};
constexpr Shape on_cpus[] = {
    {DType::f32, 8192, 1024, 0}, {DType::f32, 128, 65536, 0}, {DType::f32, 80000, 100, 0},
    {DType::f32, 500000, 17, 0}, {DType::f32, 16, 500000, 0},
};

void run_on(Device& device) {
  Bench bench(device);
  const ::Report report(bench.on_cpu() ? "host_row" : "row", device.facts().description.c_str());
  const std::span<const Shape> shapes =
      bench.on_cpu() ? std::span<const Shape>(on_cpus) : std::span<const Shape>(on_gpus);
  for (const Shape& s : shapes)
    for (row_texts::Make* make : {row_texts::softmax, row_texts::layer_norm, row_texts::z_score})
      bench.run(report, make, s.dtype, s.rows, s.length, s.demand);
}

}  // namespace

int main() {
  const TemporaryCache cache;
  run_on(host_device());
  if (device_count(GPUARR_DEVICE_CUDA) > 0) run_on(open_device("cuda"));
  return 0;
}
