// Random numbers on the CPU device, against NumPy's generator on Philox, which takes turns with us
// where it is installed: outputs are given to both where NumPy takes them.
#include <string>

#include "host_bench.hpp"
#include "numpy.hpp"

namespace {

constexpr int64_t size = 10000000;

struct Work {
  const char* what;  // as peers_host.py prints it
  gpuarr_dtype dtype;
  std::function<gpuarr_status(gpuarr_array** out, gpuarr_generator* g)> call;
};

std::vector<Work> all_work() {
  const auto real = [](double x) { return gpuarr_arg_f64(x); };
  const auto whole = [](int64_t x) { return gpuarr_arg_i64(x); };
  const auto uniform = [=](gpuarr_array** out, gpuarr_generator* g) {
    return gpuarr_random_uniform(out, g, real(0), real(1), 0, 0, nullptr, nullptr);
  };
  const auto normal = [=](gpuarr_array** out, gpuarr_generator* g) {
    return gpuarr_random_normal(out, g, real(0), real(1), 0, 0, nullptr, nullptr);
  };
  const auto exponential = [=](gpuarr_array** out, gpuarr_generator* g) {
    return gpuarr_random_exponential(out, g, real(1), 0, 0, nullptr, nullptr);
  };
  const auto gamma = [=](double k) {
    return [=](gpuarr_array** out, gpuarr_generator* g) {
      return gpuarr_random_gamma(out, g, real(k), real(1), 0, 0, nullptr, nullptr);
    };
  };
  const auto integers = [=](gpuarr_array** out, gpuarr_generator* g) {
    return gpuarr_random_integers(out, g, whole(0), whole(1000), 0, 0, nullptr, nullptr);
  };
  const auto poisson = [=](double lam) {
    return [=](gpuarr_array** out, gpuarr_generator* g) {
      return gpuarr_random_poisson(out, g, real(lam), 0, nullptr, nullptr);
    };
  };
  const auto binomial = [=](int64_t trials, double p) {
    return [=](gpuarr_array** out, gpuarr_generator* g) {
      return gpuarr_random_binomial(out, g, whole(trials), real(p), 0, nullptr, nullptr);
    };
  };
  const auto permutation = [](gpuarr_array** out, gpuarr_generator* g) {
    return gpuarr_random_permutation(out, g, size, nullptr);
  };
  return {{"f32 uniform", GPUARR_F32, uniform},
          {"f64 uniform", GPUARR_F64, uniform},
          {"f32 normal", GPUARR_F32, normal},
          {"f64 normal", GPUARR_F64, normal},
          {"f32 exponential", GPUARR_F32, exponential},
          {"i64 integers below 1000", GPUARR_I64, integers},
          {"f64 gamma(2.5)", GPUARR_F64, gamma(2.5)},
          {"f64 gamma(0.3)", GPUARR_F64, gamma(0.3)},
          {"poisson(3.5)", GPUARR_I64, poisson(3.5)},
          {"poisson(100)", GPUARR_I64, poisson(100)},
          {"binomial(20, 0.1)", GPUARR_I64, binomial(20, 0.1)},
          {"binomial(1000, 0.3)", GPUARR_I64, binomial(1000, 0.3)},
          {"permutation", GPUARR_I64, permutation}};
}

}  // namespace

int main() {
  gpuarr_device* device;
  gpuarr_generator* generator;
  check(gpuarr_device_open(&device, "host"));
  check(gpuarr_generator_create(&generator, device, 1, 0));
  const std::string machine = gpuarr_device_description(device);
  const Report report("host_random", (machine + ", n = 10 000 000").c_str());
  const std::vector<Work> all = all_work();
  std::vector<Array> outs(all.size());
  std::vector<std::function<void()>> functions;
  for (size_t k = 0; k < all.size(); ++k) {
    check(
        gpuarr_array_empty(outs[k].out(), device, all[k].dtype, 1, &size, GPUARR_ORDER_C, nullptr));
    functions.emplace_back([&, k] { check(all[k].call(outs[k].out(), generator)); });
  }
  Numpy numpy;
  std::vector<std::vector<double>> times(all.size());
  for (int round = 0; round < 3; ++round) {
    numpy.run("random");
    const auto us = in_turns(functions, 1);
    for (size_t k = 0; k < us.size(); ++k) times[k].push_back(us[k]);
  }
  for (size_t k = 0; k < all.size(); ++k) {
    const double theirs = numpy.us(all[k].what);
    report.add({std::string(all[k].what) + ", against NumPy", median(times[k]), theirs,
                theirs > 0 ? 1.0 : 0.0});
  }
  gpuarr_generator_release(generator);
  return 0;
}
