// Scans and selection on the CPU device, against NumPy, which takes turns with us where it is
// installed: outputs are given to both where NumPy takes them.
#include <string>

#include "host_bench.hpp"
#include "numpy.hpp"

namespace {

constexpr int64_t size = 10000000;

struct ScanWork {
  const char* what;  // as peers_host.py prints it
  std::function<void()> call;
};

void run(const Report& report, const std::vector<ScanWork>& all) {
  Numpy numpy;
  std::vector<std::vector<double>> times(all.size());
  std::vector<std::function<void()>> functions;
  for (const ScanWork& work : all) functions.push_back(work.call);
  for (int round = 0; round < 7; ++round) {
    numpy.run("scan");
    const auto us = in_turns(functions, 3);
    for (size_t k = 0; k < us.size(); ++k) times[k].push_back(us[k]);
  }
  for (size_t k = 0; k < all.size(); ++k) {
    const double theirs = numpy.us(all[k].what);
    report.add({std::string(all[k].what) + ", against NumPy", median(times[k]), theirs,
                theirs > 0 ? 1.0 : 0.0});
  }
}

}  // namespace

int main() {
  gpuarr_device* device;
  check(gpuarr_device_open(&device, "host"));
  const std::string machine = gpuarr_device_description(device);
  const Report report("host_scan", (machine + ", n = 10 000 000").c_str());
  const Array x = random_array<float>(device, GPUARR_F32, size),
              wide = random_array<double>(device, GPUARR_F64, size);
  Array z = random_array<float>(device, GPUARR_F32, size),
        sum = random_array<double>(device, GPUARR_F64, size), flags, table, out;
  const int64_t shape[] = {4000, 2500};
  check(gpuarr_greater(flags.out(), gpuarr_arg_array(x.get()), gpuarr_arg_f64(0), nullptr));
  check(gpuarr_array_reshape(table.out(), x.get(), 2, shape));
  check(gpuarr_array_reshape(out.out(), z.get(), 2, shape));
  run(report,
      {{"f32 cumsum", [&] { check(gpuarr_cumsum(z.out(), x.get(), 0, 0, nullptr)); }},
       {"f64 cumsum", [&] { check(gpuarr_cumsum(sum.out(), wide.get(), 0, 0, nullptr)); }},
       {"f32 cummax", [&] { check(gpuarr_cummax(z.out(), x.get(), 0, 0, nullptr)); }},
       {"f32 cumsum, rows", [&] { check(gpuarr_cumsum(out.out(), table.get(), 1, 0, nullptr)); }},
       {"f32 cumsum, columns",
        [&] { check(gpuarr_cumsum(out.out(), table.get(), 0, 0, nullptr)); }},
       {"f32 x[mask]",
        [&] {
          Array chosen;
          check(gpuarr_select(chosen.out(), x.get(), flags.get(), nullptr));
        }},
       {"nonzero", [&] {
          Array places;
          check(gpuarr_flatnonzero(places.out(), flags.get(), nullptr));
        }}});
  return 0;
}
