// Raw kernels on the CPU device: one without barriers against a hand-written loop, some with
// barriers, and what a barrier and a checked access cost.
#include <cmath>

#include "host_bench.hpp"
#include "host_ceiling.hpp"

namespace {

using Module = Handle<gpuarr_module, gpuarr_module_release>;
using Raw = Handle<gpuarr_raw, gpuarr_raw_release>;

struct Shape {
  int64_t grid[3], block[3];
};

Call prepare(const Module& module, const char* name, const Shape& shape,
             const std::vector<gpuarr_arg>& args) {
  Raw kernel;
  Call call;
  check(gpuarr_module_kernel(kernel.out(), module.get(), name, nullptr));
  check(gpuarr_raw_prepare(call.out(), kernel.get(), shape.grid, shape.block, 0, args.data(),
                           static_cast<int32_t>(args.size()), nullptr));
  return call;
}

void without_barriers(const Report& report, gpuarr_device* device, const Module& module) {
  constexpr int64_t n = 16000000;
  const Array x = random_array<float>(device, GPUARR_F32, n),
              y = random_array<float>(device, GPUARR_F32, n);
  const std::vector<gpuarr_arg> args = {gpuarr_arg_f32(0.5F), gpuarr_arg_array(x.get()),
                                        gpuarr_arg_array(y.get()), gpuarr_arg_i32(n)};
  const Call call = prepare(module, "saxpy", {{n / 256, 1, 1}, {256, 1, 1}}, args);
  const Call strides = prepare(module, "saxpy_strides", {{512, 1, 1}, {256, 1, 1}}, args);
  ceiling::Threads threads(thread_count(device));
  auto by_hand = [&](ceiling::Split split) {
    return [&, split, px = data<float>(x), py = data<float>(y)] {
      threads.run(n, split, [=](int64_t first, int64_t last) {
        ceiling::saxpy(0.5F, px + first, py + first, last - first);
      });
    };
  };
  const auto us = in_turns({[&] { launch(call); }, by_hand(ceiling::Split::even),
                            by_hand(ceiling::Split::chunks), [&] { launch(strides); }});
  const double against = std::min(us[1], us[2]);
  report.add({"saxpy 1.6e7, against a hand-written loop", us[0], against, 0.90});
  report.add({"the same, in strides of the grid", us[3], against});
}

void with_barriers(const Report& report, gpuarr_device* device, const Module& module) {
  constexpr int64_t n = 4000000, side = 512, rows = 2048, columns = 1024;
  const Array x = random_array<float>(device, GPUARR_F32, n),
              sums = random_array<float>(device, GPUARR_F32, n / 256),
              a = random_array<float>(device, GPUARR_F32, side * side),
              b = random_array<float>(device, GPUARR_F32, side * side),
              c = random_array<float>(device, GPUARR_F32, side * side),
              from = random_array<float>(device, GPUARR_F32, rows * columns),
              to = random_array<float>(device, GPUARR_F32, rows * columns);
  const Call tree =
      prepare(module, "tree_sum", {{n / 256, 1, 1}, {256, 1, 1}},
              {gpuarr_arg_array(x.get()), gpuarr_arg_array(sums.get()), gpuarr_arg_i32(n)});
  const Call product = prepare(module, "tiled_product", {{side / 16, side / 16, 1}, {16, 16, 1}},
                               {gpuarr_arg_array(a.get()), gpuarr_arg_array(b.get()),
                                gpuarr_arg_array(c.get()), gpuarr_arg_i32(side)});
  const Call across = prepare(module, "tiled_transpose", {{columns / 32, rows / 32, 1}, {32, 8, 1}},
                              {gpuarr_arg_array(from.get()), gpuarr_arg_array(to.get()),
                               gpuarr_arg_i32(rows), gpuarr_arg_i32(columns)});
  const auto us =
      in_turns({[&] { launch(tree); }, [&] { launch(product); }, [&] { launch(across); }}, 7, 3);
  report.add({"tree reduction, 4e6 floats", us[0], 0, 0, 70000});
  report.add({"tiled product, 512 x 512", us[1], 0, 0, 110000});
  report.add({"tiled transpose, 2048 x 1024", us[2], 0, 0, 8000});
}

/// One block, so that one thread of the CPU does all.
void one_barrier(const Report& report, gpuarr_device* device, const Module& module) {
  constexpr int threads = 256, count = 2000;
  const Array x = random_array<float>(device, GPUARR_F32, threads);
  auto call = [&](int barriers) {
    return prepare(module, "barriers", {{1, 1, 1}, {threads, 1, 1}},
                   {gpuarr_arg_array(x.get()), gpuarr_arg_i32(barriers)});
  };
  const Call some = call(count), few = call(1);
  const auto us = in_turns({[&] { launch(some); }, [&] { launch(few); }});
  report.add({"a barrier, per thread", (us[0] - us[1]) / threads / (count - 1), 0, 0, 0.008});
}

void one_checked_access(const Report& report, gpuarr_device* device, const Module& module,
                        const Module& checked) {
  constexpr int n = 1000, rounds = 1000;
  const Array x = random_array<float>(device, GPUARR_F32, n),
              sums = random_array<float>(device, GPUARR_F32, 1);
  auto call = [&](const Module& m) {
    return prepare(m, "accesses", {{1, 1, 1}, {1, 1, 1}},
                   {gpuarr_arg_array(x.get()), gpuarr_arg_array(sums.get()), gpuarr_arg_i32(n),
                    gpuarr_arg_i32(rounds)});
  };
  const Call plain = call(module), with_check = call(checked);
  const auto us = in_turns({[&] { launch(with_check); }, [&] { launch(plain); }}, 5, 3);
  report.add({"memory check, per access", (us[0] - us[1]) / n / rounds, 0, 0, 0.035});
}

void new_kernel(const Report& report, gpuarr_device* device) {
  std::vector<double> us;
  std::random_device unique;
  for (int k = 0; k < 9; ++k) {
    const std::string text =
        "__global__ void k(float a, const float* x, float* y, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i < n) y[i] = a * x[i] + " +
        std::to_string(unique()) + ".0f;\n}\n";
    Module module;
    check(gpuarr_module_create(module.out(), text.c_str(), nullptr));
    const double begin = now_us();
    check(gpuarr_module_build(module.get(), device));
    us.push_back(now_us() - begin);
  }
  report.add({"a new raw kernel", median(us)});
}

}  // namespace

int main() {
  gpuarr_device* device;
  check(gpuarr_device_open(&device, "host"));
  const TemporaryCache cache;
  const Report report("host_raw", gpuarr_device_description(device));
  Module module, checked;
  Options options;
  check(gpuarr_kernel_options_create(options.out()));
  check(gpuarr_kernel_options_set_check(options.get(), GPUARR_CHECK_MEMORY));
  check(gpuarr_module_open(module.out(), GPUARR_RAW_KERNELS, nullptr));
  check(gpuarr_module_open(checked.out(), GPUARR_RAW_KERNELS, options.get()));
  without_barriers(report, device, module);
  with_barriers(report, device, module);
  one_barrier(report, device, module);
  one_checked_access(report, device, module, checked);
  new_kernel(report, device);
  return 0;
}
