// Factorisations on the CPU device, against NumPy, which takes turns with us.
#include <string>

#include "host_bench.hpp"
#include "numpy.hpp"

namespace {

constexpr int64_t n = 1000;

}  // namespace

/// The rows of peers_host.py, whose names these are.
int main() {
  gpuarr_device* device;
  check(gpuarr_device_open(&device, "host"));
  const Report report("host_solver", gpuarr_device_description(device));
  const Array flat = random_array<double>(device, GPUARR_F64, n * n);
  const Array a = reshape(flat, n, n), b = random_array<double>(device, GPUARR_F64, n);
  const struct {
    const char* what;
    std::function<void()> work;
  } list[] = {
      {"svd",
       [&] {
         Array u, s, vh;
         check(gpuarr_svd(u.out(), s.out(), vh.out(), a.get(), 0, nullptr, nullptr));
       }},
      {"eigh",
       [&] {
         Array w, v;
         check(gpuarr_eigh(w.out(), v.out(), a.get(), 0, nullptr, nullptr));
       }},
      {"qr",
       [&] {
         Array q, r;
         check(gpuarr_qr(q.out(), r.out(), a.get(), 0, nullptr));
       }},
      {"solve",
       [&] {
         Array x;
         check(gpuarr_solve(x.out(), a.get(), b.get(), nullptr, nullptr));
       }},
  };
  std::vector<std::function<void()>> functions;
  for (const auto& row : list) functions.push_back(row.work);
  Numpy numpy;
  std::vector<std::vector<double>> times(std::size(list));
  for (int round = 0; round < 3; ++round) {
    numpy.run("solver");
    const auto us = in_turns(functions, 1, 5);
    for (size_t k = 0; k < us.size(); ++k) times[k].push_back(us[k]);
  }
  for (size_t k = 0; k < std::size(list); ++k)
    report.add({std::string("f64 ") + list[k].what + " 1000, against NumPy", median(times[k]),
                numpy.us(std::string("NumPy f64 ") + list[k].what), 1.0});
  return 0;
}
