// Ready-made elementwise functions of the CPU device, against NumPy, which takes turns with us
// where it is installed: outputs are given to both.
#include <string>

#include "host_bench.hpp"
#include "numpy.hpp"

namespace {

constexpr int64_t size = 10000000;

struct Work {
  const char* what;  // as peers_host.py prints it
  double demand;
  std::function<void()> call;
};

void run(const Report& report, const std::vector<Work>& all) {
  Numpy numpy;
  std::vector<std::vector<double>> times(all.size());
  std::vector<std::function<void()>> functions;
  for (const Work& work : all) functions.push_back(work.call);
  for (int round = 0; round < 7; ++round) {
    numpy.run("functions");
    const auto us = in_turns(functions, 3);
    for (size_t k = 0; k < us.size(); ++k) times[k].push_back(us[k]);
  }
  for (size_t k = 0; k < all.size(); ++k) {
    const double theirs = numpy.us(all[k].what);
    report.add({std::string(all[k].what) + ", against NumPy", median(times[k]), theirs,
                theirs > 0 ? all[k].demand : 0});
  }
}

/// A call of add with its output given, beside the same elementwise kernel's.
void calls(const Report& report, gpuarr_device* device) {
  constexpr int64_t few = 1000;
  const Array x = random_array<float>(device, GPUARR_F32, few),
              y = random_array<float>(device, GPUARR_F32, few);
  Array z = random_array<float>(device, GPUARR_F32, few);
  const Kernel kernel = make_kernel("z = x + y");
  const gpuarr_arg inputs[] = {gpuarr_arg_array(x.get()), gpuarr_arg_array(y.get())};
  const auto us = in_turns({[&] { check(gpuarr_add(z.out(), inputs[0], inputs[1], nullptr)); },
                            [&] {
                              check(gpuarr_elementwise_call(kernel.get(), z.out(), 1, inputs, 2,
                                                            GPUARR_NO_SIZE, nullptr));
                            }},
                           2000);
  report.add({"call of f32 add, n = 1000, against an elementwise kernel's", us[0], us[1], 0.95});
}

}  // namespace

int main() {
  gpuarr_device* device;
  check(gpuarr_device_open(&device, "host"));
  const std::string machine = gpuarr_device_description(device);
  const Report report("host_functions", (machine + ", n = 10 000 000").c_str());
  const Array x = random_array<float>(device, GPUARR_F32, size),
              y = random_array<float>(device, GPUARR_F32, size),
              wide = random_array<double>(device, GPUARR_F64, size);
  Array z = random_array<float>(device, GPUARR_F32, size),
        sum = random_array<double>(device, GPUARR_F64, size), flags;
  const gpuarr_arg a = gpuarr_arg_array(x.get()), b = gpuarr_arg_array(y.get()),
                   c = gpuarr_arg_array(wide.get());
  check(gpuarr_greater(flags.out(), b, gpuarr_arg_f64(0), nullptr));
  const gpuarr_arg condition = gpuarr_arg_array(flags.get());
  calls(report, device);
  run(report,
      {{"f32 x+y", 1, [&] { check(gpuarr_add(z.out(), a, b, nullptr)); }},
       {"f32 and f64 x+y", 1, [&] { check(gpuarr_add(sum.out(), a, c, nullptr)); }},
       {"f32 exp(x)", 1, [&] { check(gpuarr_exp(z.out(), x.get(), nullptr)); }},
       {"f64 exp(x)", 1, [&] { check(gpuarr_exp(sum.out(), wide.get(), nullptr)); }},
       {"f32 x**2", 1, [&] { check(gpuarr_power(z.out(), a, gpuarr_arg_i64(2), nullptr)); }},
       {"f32 where", 1, [&] { check(gpuarr_where(z.out(), condition, a, b, nullptr)); }},
       {"f32 sin(x)", 1, [&] { check(gpuarr_sin(z.out(), x.get(), nullptr)); }}});
  return 0;
}
