// What a call of a reduction costs on the CPU beside the driver's launch, and how long a new one
// takes: with NVRTC, and from the cache on disk in a new process.
#include "launch_bench.cuh"

namespace {

const ReductionText l2_norm = {"T x", "T y", "x * x", "a + b", "y = sqrt(a)"};

/// Small, so that the device is never behind.
Array matrix(Bench& bench) { return reshape(Array(bench.random(GPUARR_F32, 1024)), 32, 32); }

void overhead(const Report& report, Bench& bench) {
  const Array x = matrix(bench);
  const gpuarr_arg input = gpuarr_arg_array(x.get());
  const Reduction kernel = make_reduction(l2_norm);
  const int32_t axis = 0;
  const Array full = reduce(kernel, {input}, {}), columns = reduce(kernel, {input}, {axis});
  const Call prepared = prepare(kernel, {input}, {}), along = prepare(kernel, {input}, {axis});
  auto call = [&](gpuarr_array* output, int32_t axis_count) {
    check(
        gpuarr_reduction_call(kernel.get(), &output, 1, &input, 1, &axis, axis_count, 0, nullptr));
    return output;
  };
  DriverLaunch raw(bench);
  const auto us = cpu_us_in_turns(
      bench.stream(), {std::ref(raw), [&] { launch(prepared); }, [&] { launch(along); },
                       [&] { call(full.get(), GPUARR_ALL_AXES); }, [&] { call(columns.get(), 1); },
                       [&] { gpuarr_array_release(call(nullptr, GPUARR_ALL_AXES)); }});
  const char* what[] = {"cuLaunchKernel",
                        "reduction, prepared, on top of it",
                        "reduction, axis 0, prepared, on top of it",
                        "reduction, on top of it",
                        "reduction, axis 0, on top of it",
                        "reduction, array made, on top of it"};
  report.add({what[0], us[0]});
  for (size_t k = 1; k < us.size(); ++k)
    report.add({what[k], us[k] - us[0], 0, 0, k < 5 ? 0.8 : 0.0});
}

/// Kernels whose text no process has seen before, in a process that has compiled others.
void new_kernels(const Report& report, Bench& bench) {
  const Array x = matrix(bench);
  const ReductionText sum = {"T x", "T y", "x"};
  struct Kind {
    const char* what;
    ReductionText text;
    std::vector<int32_t> axes;
  };
  const std::vector<Kind> kinds = {{"new reduction, f32 sum", sum, {}},
                                   {"new reduction, f32 sum axis 0", sum, {0}},
                                   {"new reduction, f32 sum axis 1", sum, {1}},
                                   {"new reduction, argmax by a struct", argmax_text(), {}}};
  reduce(make_reduction(l2_norm), {gpuarr_arg_array(x.get())}, {});  // NVRTC's first is slower
  for (const Kind& kind : kinds) {
    std::vector<double> us;
    for (int k = 0; k < 7; ++k) {
      std::string map = kind.text.map;
      map.insert(map.find('x'), std::to_string(k) + " + ");
      ReductionText text = kind.text;
      text.map = map.c_str();
      const Reduction kernel = make_reduction(text);
      const double begin = now_us();
      reduce(kernel, {gpuarr_arg_array(x.get())}, kind.axes);
      us.push_back(now_us() - begin);
    }
    report.add({kind.what, median(us), 0, 0, 120000});
  }
}

// In a child: the context is up, the kernel on disk; how long until the first call returns?
void first_call() {
  Bench bench("first-call");
  const Array x = matrix(bench);
  const Reduction kernel = make_reduction(l2_norm);
  check(cudaStreamSynchronize(bench.stream()));
  const double begin = now_us();
  reduce(kernel, {gpuarr_arg_array(x.get())}, {});
  std::printf("first %f\n", now_us() - begin);
}

}  // namespace

int main(int argc, char** argv) {
  if (is_first_call(argc, argv)) {
    first_call();
    return 0;
  }
  const TemporaryCache cache;
  Bench bench("launch_reduction");
  const Report report("launch_reduction", gpuarr_device_description(bench.device()));
  overhead(report, bench);
  new_kernels(report, bench);
  report.add(
      {"first call of a reduction in a new process, kernel on disk", first_call_us(argv[0])});
  return 0;
}
