// What a call costs on the CPU beside the driver's launch, and how long a new kernel takes:
// against NVRTC alone, and from the cache on disk in a new process.
#include <nvrtc.h>

#include "launch_bench.cuh"

namespace {

void overhead(const Report& report, Bench& bench) {
  auto sets = bench.make_sets(GPUARR_F32, 1024);
  const Set& s = sets[0];
  gpuarr_call* prepared = bench.prepare(s);
  gpuarr_arg inputs[] = {gpuarr_arg_array(s.x), gpuarr_arg_array(s.y)};
  gpuarr_array* output = s.z;
  auto ordinary = [&] {
    check(gpuarr_elementwise_call(bench.kernel(), &output, 1, inputs, 2, GPUARR_NO_SIZE, nullptr));
  };
  auto with_output = [&] {
    gpuarr_array* made = nullptr;
    check(gpuarr_elementwise_call(bench.kernel(), &made, 1, inputs, 2, GPUARR_NO_SIZE, nullptr));
    gpuarr_array_release(made);
  };
  auto array_made = [&] {
    const int64_t n = 1024;
    Array made;
    check(
        gpuarr_array_empty(made.out(), bench.device(), GPUARR_F32, 1, &n, GPUARR_ORDER_C, nullptr));
  };
  DriverLaunch raw(bench);
  const auto us = cpu_us_in_turns(
      bench.stream(), {std::ref(raw), [&] { check(gpuarr_call_launch(prepared, nullptr)); },
                       ordinary, with_output, array_made});
  report.add({"cuLaunchKernel", us[0]});
  report.add({"prepared call, on top of it", us[1] - us[0], 0, 0, 0.3});
  report.add({"ordinary call, on top of it", us[2] - us[0], 0, 0, 0.5});
  report.add({"ordinary call, array made, on top of it", us[3] - us[0]});
  report.add({"an array of 4 KiB made and released", us[4]});
  gpuarr_call_release(prepared);
  release(sets);
}

// What a profile adds while it is made; while none is, the calls above have its cost.
void profiled_calls(const Report& report, Bench& bench) {
  auto sets = bench.make_sets(GPUARR_F32, 1024);
  const Call prepared(bench.prepare(sets[0]));
  gpuarr_arg inputs[] = {gpuarr_arg_array(sets[0].x), gpuarr_arg_array(sets[0].y)};
  auto repeated = [&] {
    check(gpuarr_elementwise_call(bench.kernel(), &sets[0].z, 1, inputs, 2, GPUARR_NO_SIZE,
                                  nullptr));
  };
  const auto none = cpu_us_in_turns(bench.stream(), {[&] { launch(prepared); }, repeated});
  check(gpuarr_profile_start());
  const auto some = cpu_us_in_turns(bench.stream(), {[&] { launch(prepared); }, repeated});
  check(gpuarr_profile_stop());
  check(gpuarr_profile_reset());
  report.add({"prepared call with a profile, against none", some[0], none[0]});
  report.add({"repeated call with a profile, against none", some[1], none[1]});
  release(sets);
}

void exchanges(const Report& report, Bench& bench) {
  const Array array(bench.random(GPUARR_F32, 1024));
  report.add({"DLPack, there and back", cpu_us(bench.stream(), [&] { exchange(array); }), 0, 0,
              0.3});
}

double nvrtc_empty_ms(int k) {
  std::string source = "extern \"C\" __global__ void empty" + std::to_string(k) + "() {}";
  double begin = now_us();
  nvrtcProgram program;
  nvrtcCreateProgram(&program, source.c_str(), "empty.cu", 0, nullptr, nullptr);
  const char* options[] = {"-arch=sm_90"};
  if (nvrtcCompileProgram(program, 1, options) != NVRTC_SUCCESS) std::exit(1);
  size_t bytes;
  nvrtcGetCUBINSize(program, &bytes);
  std::string cubin(bytes, 0);
  nvrtcGetCUBIN(program, cubin.data());
  CUmodule module;
  cuModuleLoadData(&module, cubin.data());
  nvrtcDestroyProgram(&program);
  return (now_us() - begin) / 1e3;
}

double new_kernel_ms(gpuarr_dtype dtype, Bench& bench, int k) {
  auto sets = bench.make_sets(dtype, 1024);
  gpuarr_elementwise* kernel;
  std::string body = "z = (x - y) * (x - y) + (T)" + std::to_string(k % 100);
  check(gpuarr_elementwise_create(&kernel, "T x, T y", "T z", body.c_str(), nullptr));
  gpuarr_arg inputs[] = {gpuarr_arg_array(sets[0].x), gpuarr_arg_array(sets[0].y)};
  double begin = now_us();
  check(gpuarr_elementwise_call(kernel, &sets[0].z, 1, inputs, 2, GPUARR_NO_SIZE, nullptr));
  double ms = (now_us() - begin) / 1e3;
  gpuarr_elementwise_release(kernel);
  release(sets);
  return ms;
}

void compile_latency(const Report& report, Bench& bench) {
  std::vector<double> empty;
  for (int k = 0; k < 12; ++k) empty.push_back(nvrtc_empty_ms(k));
  double base = median(std::vector<double>(empty.begin() + 2, empty.end()));
  int number = 0;
  for (auto [name, dtype] : {std::pair{"f32", GPUARR_F32}, std::pair{"i8", GPUARR_I8},
                             std::pair{"f16", GPUARR_F16}, std::pair{"c64", GPUARR_C64}}) {
    std::vector<double> ms;
    for (int k = 0; k < 9; ++k) ms.push_back(new_kernel_ms(dtype, bench, ++number));
    report.add({std::string("new kernel ") + name + ", against NVRTC on an empty one",
                median(ms) * 1e3, base * 1e3, 0.4});
  }
}

// In a child: the context is up, the kernel on disk; how long until the first call returns?
void first_call() {
  Bench bench("first-call");
  auto sets = bench.make_sets(GPUARR_F32, 1024);
  check(cudaStreamSynchronize(bench.stream()));
  gpuarr_arg inputs[] = {gpuarr_arg_array(sets[0].x), gpuarr_arg_array(sets[0].y)};
  double begin = now_us();
  check(gpuarr_elementwise_call(bench.kernel(), &sets[0].z, 1, inputs, 2, GPUARR_NO_SIZE, nullptr));
  std::printf("first %f\n", now_us() - begin);
}

}  // namespace

int main(int argc, char** argv) {
  if (is_first_call(argc, argv)) {
    first_call();
    return 0;
  }
  const TemporaryCache cache;
  Bench bench("launch");
  const Report report("launch", gpuarr_device_description(bench.device()));
  overhead(report, bench);
  profiled_calls(report, bench);
  exchanges(report, bench);
  compile_latency(report, bench);
  report.add({"first call in a new process, kernel on disk", first_call_us(argv[0]), 0, 0, 2000});
  return 0;
}
