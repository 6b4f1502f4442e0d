// What a call costs on the CPU device, and how long a new kernel takes: compiled, and from the
// cache on disk in a new process.
#include <cstring>
#include <filesystem>
#include <string>

#include "graph_bench.hpp"
#include "host_bench.hpp"
#include "host_ceiling.hpp"

namespace {

void small_calls(const Report& report, gpuarr_device* device) {
  constexpr int64_t n = 1000;
  constexpr int batch = 1000;
  const Array x = random_array<float>(device, GPUARR_F32, n),
              y = random_array<float>(device, GPUARR_F32, n),
              z = random_array<float>(device, GPUARR_F32, n);
  const Kernel kernel = make_kernel("z = x * y + x");
  const Call call = prepare(kernel, x, y, z);
  const gpuarr_arg inputs[] = {gpuarr_arg_array(x.get()), gpuarr_arg_array(y.get())};
  auto repeat = [](auto function) {
    return [function] {
      for (int k = 0; k < batch; ++k) function();
    };
  };
  gpuarr_array* output = z.get();
  const auto us = in_turns({repeat([&] {
                              check(gpuarr_elementwise_call(kernel.get(), &output, 1, inputs, 2,
                                                            GPUARR_NO_SIZE, nullptr));
                            }),
                            repeat([&] { launch(call); }), repeat([&] {
                              Array made;
                              check(gpuarr_elementwise_call(kernel.get(), made.out(), 1, inputs, 2,
                                                            GPUARR_NO_SIZE, nullptr));
                            }),
                            repeat([px = data<float>(x), py = data<float>(y), pz = data<float>(z)] {
                              ceiling::multiply_add(px, py, pz, n);
                            })},
                           31);
  const double loop = us[3] / batch;
  report.add({"repeated call, n = 1000, against the loop alone", us[0] / batch, loop, 0, 1});
  report.add({"prepared call, n = 1000, against the loop alone", us[1] / batch, loop, 0, 1});
  report.add({"repeated call, n = 1000, array made", us[2] / batch, loop});
}

/// What a profile adds while it is made; while none is, the calls above have its cost.
void profiled_calls(const Report& report, gpuarr_device* device) {
  constexpr int64_t n = 1000;
  constexpr int batch = 1000;
  const Array x = random_array<float>(device, GPUARR_F32, n),
              y = random_array<float>(device, GPUARR_F32, n),
              z = random_array<float>(device, GPUARR_F32, n);
  const Kernel kernel = make_kernel("z = x * y + x");
  const Call call = prepare(kernel, x, y, z);
  const gpuarr_arg inputs[] = {gpuarr_arg_array(x.get()), gpuarr_arg_array(y.get())};
  gpuarr_array* output = z.get();
  auto prepared = [&] {
    for (int k = 0; k < batch; ++k) launch(call);
  };
  auto repeated = [&] {
    for (int k = 0; k < batch; ++k)
      check(gpuarr_elementwise_call(kernel.get(), &output, 1, inputs, 2, GPUARR_NO_SIZE, nullptr));
  };
  auto with_profile = [](auto calls) {
    return [calls] {
      check(gpuarr_profile_start());
      calls();
      check(gpuarr_profile_stop());
    };
  };
  const auto us =
      in_turns({prepared, repeated, with_profile(prepared), with_profile(repeated)}, 31);
  check(gpuarr_profile_reset());
  report.add({"prepared call with a profile, against none", us[2] / batch, us[0] / batch});
  report.add({"repeated call with a profile, against none", us[3] / batch, us[1] / batch});
}

void exchanges(const Report& report, gpuarr_device* device) {
  constexpr int batch = 1000;
  const Array array = random_array<float>(device, GPUARR_F32, 1000);
  const auto us = in_turns({[&] {
    for (int k = 0; k < batch; ++k) exchange(array);
  }});
  report.add({"DLPack, there and back", us[0] / batch, 0, 0, 0.3});
}

// On the CPU device a graph is a list of the calls.
void graphs(const Report& report, gpuarr_device* device) {
  constexpr int batch = 100;
  Stream stream;
  check(gpuarr_stream_create(stream.out(), device, 0, 0));
  const Chain chain(device, stream.get());
  const GraphExec graph = chain.captured();
  const auto us = in_turns({[&] {
                              for (int k = 0; k < batch; ++k)
                                check(gpuarr_graph_exec_launch(graph.get(), stream.get()));
                            },
                            [&] {
                              for (int k = 0; k < batch; ++k) chain.launch();
                            }},
                           31);
  report.add({"graph of 20 kernels, against 20 prepared calls", us[0] / batch, us[1] / batch});
}

/// A kernel of new text, called once, in turns with the compiler on an empty file.
void new_kernels(const Report& report, gpuarr_device* device, const std::string& directory) {
  const char* chosen = std::getenv("GPUARR_CXX");
  const std::string compiler = std::string(chosen != nullptr ? chosen : "g++") +
                               " -x c++ -shared -fPIC -nostdlib -o " + directory +
                               "/empty.so /dev/null";
  std::random_device unique;
  std::vector<double> empty, plain, functions;
  auto time = [&](const char* body) {
    const Array x = random_array<float>(device, GPUARR_F32, 1000),
                y = random_array<float>(device, GPUARR_F32, 1000),
                z = random_array<float>(device, GPUARR_F32, 1000);
    const std::string text = std::string(body) + " + " + std::to_string(unique()) + ".0f";
    const Kernel kernel = make_kernel(text.c_str());
    const double begin = now_us();
    launch(prepare(kernel, x, y, z));
    return now_us() - begin;
  };
  time("z = x * y");
  for (int k = 0; k < 15; ++k) {
    const double begin = now_us();
    if (std::system(compiler.c_str()) == 0) empty.push_back(now_us() - begin);
    plain.push_back(time("z = x * y"));
    functions.push_back(time("z = exp(-x * x) * sin(y)"));
  }
  const double base = median(empty);
  report.add({"new kernel x*y, against the compiler on no text", median(plain), base, 0, 80000});
  report.add(
      {"new kernel exp*sin, against the compiler on no text", median(functions), base, 0, 80000});
}

constexpr const char* first_body = "z = x * y - x";

double first_call(gpuarr_device* device) {
  const Array x = random_array<float>(device, GPUARR_F32, 1000),
              y = random_array<float>(device, GPUARR_F32, 1000),
              z = random_array<float>(device, GPUARR_F32, 1000);
  const Kernel kernel = make_kernel(first_body);
  const double begin = now_us();
  launch(prepare(kernel, x, y, z));
  return now_us() - begin;
}

void new_process(const Report& report, gpuarr_device* device) {
  first_call(device);  // puts the kernel on disk
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  const std::string command = "'" + self + "' --first-call";
  std::vector<double> us;
  for (int k = 0; k < 15; ++k) {
    FILE* child = popen(command.c_str(), "r");
    double time;
    if (child != nullptr && std::fscanf(child, "%lf", &time) == 1) us.push_back(time);
    if (child != nullptr) pclose(child);
  }
  report.add({"first call in a new process, kernel on disk", median(us), 0, 0, 2000});
}

}  // namespace

int main(int argc, char** argv) {
  gpuarr_device* device;
  check(gpuarr_device_open(&device, "host"));
  if (argc > 1 && std::strcmp(argv[1], "--first-call") == 0) {
    std::printf("%f\n", first_call(device));
    return 0;
  }
  const TemporaryCache cache;
  const Report report("host_launch", gpuarr_device_description(device));
  small_calls(report, device);
  profiled_calls(report, device);
  exchanges(report, device);
  graphs(report, device);
  new_kernels(report, device, cache.path());
  new_process(report, device);
  return 0;
}
