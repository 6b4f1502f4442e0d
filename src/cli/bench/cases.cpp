// The built-in benchmarks: copies, kernels, reductions and allocations of float32 of many sizes.
#include "cli/bench/cases.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>
#include <memory>

#include "cli/base/error.hpp"

namespace cli {
namespace {

using Work = std::function<gpuarr_status()>;
using Benchmark = Handle<gpuarr_benchmark, gpuarr_benchmark_release>;

constexpr int64_t element = sizeof(float);
constexpr int64_t warmups = 3;

// y = a * x + y, over n elements and over the elements of a matrix.
constexpr const char* raw_text = R"(
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
extern "C" __global__ void saxpy_matrix(float a, const float* x, float* y, int rows, int columns) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  long long i = (long long)row * columns + column;
  if (row < rows && column < columns) y[i] = a * x[i] + y[i];
}
)";

constexpr int blocks[][2] = {{32, 1}, {64, 1}, {128, 1}, {256, 1}, {512, 1}, {1024, 1},
                             {64, 4}, {32, 8}, {16, 16}, {8, 32},  {4, 64},  {32, 32}};

double statistic(const Benchmark& benchmark, int32_t clock, int32_t which) {
  double value = 0;
  check(gpuarr_benchmark_statistic(&value, benchmark.get(), clock, which));
  return value;
}

Samples samples_of(const Benchmark& benchmark, int32_t clock) {
  return {statistic(benchmark, clock, GPUARR_SAMPLES_MEAN),
          statistic(benchmark, clock, GPUARR_SAMPLES_DEVIATION),
          statistic(benchmark, clock, GPUARR_SAMPLES_MIN),
          statistic(benchmark, clock, GPUARR_SAMPLES_MEDIAN),
          statistic(benchmark, clock, GPUARR_SAMPLES_MAX)};
}

class Bench {
 public:
  Bench(const BenchPlan& plan, Progress& progress)
      : plan_(plan),
        progress_(progress),
        steps_(plan.sizes.size() * 6 + std::size(blocks)),
        saxpy_(elementwise("bench_saxpy", "T x, T y, T a", "z = a * x + y")),
        difference_(elementwise("bench_squared_difference", "T x, T y", "z = (x - y) * (x - y)")) {
    check(gpuarr_module_create(module_.out(), raw_text, nullptr));
    check(gpuarr_module_kernel(raw_.out(), module_.get(), "saxpy", nullptr));
    check(gpuarr_module_kernel(raw_matrix_.out(), module_.get(), "saxpy_matrix", nullptr));
  }

  std::vector<BenchResult> run() {
    for (int64_t n : plan_.sizes) run_size(n);
    run_blocks(plan_.sizes.back());
    return std::move(results_);
  }

 private:
  static Elementwise elementwise(const char* name, const char* inputs, const char* body) {
    Options options;
    Elementwise kernel;
    check(gpuarr_kernel_options_create(options.out()));
    check(gpuarr_kernel_options_set_name(options.get(), name));
    check(gpuarr_elementwise_create(kernel.out(), inputs, "T z", body, options.get()));
    return kernel;
  }

  Array ones(int64_t n) const {
    Array out;
    check(gpuarr_array_ones(out.out(), plan_.device, GPUARR_F32, 1, &n, GPUARR_ORDER_C, nullptr));
    return out;
  }

  // Adds a result, of which `result` says all but the times and the shape of what is computed.
  void time(BenchResult result, const Array& computed, Work work) {
    const std::string block = block_text(result);
    progress_.show(result.name + ", " + size_text(result.elements) + " elements" +
                       (block.empty() ? "" : ", blocks of " + block),
                   results_.size(), steps_);
    Benchmark benchmark;
    check(gpuarr_benchmark_run(
        benchmark.out(), result.name.c_str(),
        [](void* user) { return (*static_cast<Work*>(user))(); }, &work, warmups, plan_.repeats,
        plan_.seconds, plan_.device, nullptr));
    check(gpuarr_benchmark_samples(&result.repeats, nullptr, 0, benchmark.get(),
                                   GPUARR_CLOCK_DEVICE));
    result.cpu = samples_of(benchmark, GPUARR_CLOCK_CPU);
    result.device = samples_of(benchmark, GPUARR_CLOCK_DEVICE);
    const int64_t* shape = gpuarr_array_shape(computed.get());
    result.shape.assign(shape, shape + gpuarr_array_ndim(computed.get()));
    results_.push_back(std::move(result));
  }

  void run_size(int64_t n) {
    const Array x = ones(n), y = ones(n), z = ones(n);
    gpuarr_array* out = z.get();
    const gpuarr_arg inputs[] = {gpuarr_arg_array(x.get()), gpuarr_arg_array(y.get()),
                                 gpuarr_arg_f32(0.5F)};
    time({"copy", n, 2 * element * n}, z,
         [&] { return gpuarr_array_assign(z.get(), x.get(), nullptr); });
    time({"saxpy", n, 3 * element * n}, z, [&] {
      return gpuarr_elementwise_call(saxpy_.get(), &out, 1, inputs, 3, GPUARR_NO_SIZE, nullptr);
    });
    time({"squared difference", n, 3 * element * n}, z, [&] {
      return gpuarr_elementwise_call(difference_.get(), &out, 1, inputs, 2, GPUARR_NO_SIZE,
                                     nullptr);
    });
    Array made;
    time({"sum", n, element * n}, made, [&] {
      made = {};
      return gpuarr_sum(made.out(), x.get(), nullptr, GPUARR_ALL_AXES, 0, nullptr);
    });
    const gpuarr_arg args[] = {gpuarr_arg_f32(0.5F), inputs[0], inputs[1],
                               gpuarr_arg_i32(static_cast<int32_t>(n))};
    constexpr int threads = 256;
    const int64_t grid[] = {(n + threads - 1) / threads, 1, 1}, block[] = {threads, 1, 1};
    time({"raw saxpy", n, 3 * element * n, {threads, 1}}, y,
         prepared(raw_, grid, block, args, std::size(args)));
    time({"allocation", n}, made, [&] {
      made = {};
      return gpuarr_array_empty(made.out(), plan_.device, GPUARR_F32, 1, &n, GPUARR_ORDER_C,
                                nullptr);
    });
  }

  Work prepared(const Raw& kernel, const int64_t* grid, const int64_t* block,
                const gpuarr_arg* args, size_t count) const {
    auto call = std::make_shared<Call>();
    check(gpuarr_raw_prepare(call->out(), kernel.get(), grid, block, 0, args,
                             static_cast<int32_t>(count), plan_.device));
    return [call] { return gpuarr_call_launch(call->get(), nullptr); };
  }

  // One size, as a matrix that is about square.
  void run_blocks(int64_t n) {
    const int64_t columns = int64_t{1} << (std::bit_width(static_cast<uint64_t>(n)) / 2);
    const int64_t rows = std::max<int64_t>(n / columns, 1);
    const Array x = ones(rows * columns), y = ones(rows * columns);
    const gpuarr_arg args[] = {
        gpuarr_arg_f32(0.5F), gpuarr_arg_array(x.get()), gpuarr_arg_array(y.get()),
        gpuarr_arg_i32(static_cast<int32_t>(rows)), gpuarr_arg_i32(static_cast<int32_t>(columns))};
    for (const auto& [width, height] : blocks) {
      const int64_t block[] = {width, height, 1};
      const int64_t grid[] = {(columns + width - 1) / width, (rows + height - 1) / height, 1};
      time({"raw saxpy", rows * columns, 3 * element * rows * columns, {width, height}, true}, y,
           prepared(raw_matrix_, grid, block, args, std::size(args)));
    }
  }

  const BenchPlan& plan_;
  Progress& progress_;
  size_t steps_;
  Elementwise saxpy_, difference_;
  Module module_;
  Raw raw_, raw_matrix_;
  std::vector<BenchResult> results_;
};

}  // namespace

std::string block_text(const BenchResult& result) {
  if (result.block[0] == 0) return "";
  return std::to_string(result.block[0]) + " x " + std::to_string(result.block[1]);
}

std::string size_text(int64_t elements) {
  constexpr const char* units[] = {"", " Ki", " Mi", " Gi"};
  size_t unit = 0;
  while (unit + 1 < std::size(units) && elements != 0 && elements % 1024 == 0) {
    elements /= 1024;
    ++unit;
  }
  return std::to_string(elements) + units[unit];
}

std::vector<BenchResult> run_benchmarks(const BenchPlan& plan, Progress& progress) {
  return Bench(plan, progress).run();
}

}  // namespace cli
