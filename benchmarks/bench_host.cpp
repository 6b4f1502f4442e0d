// Loops of the CPU device: against hand-written ones and NumPy, which takes turns with us where it
// is installed.
#include <string>

#include "host_bench.hpp"
#include "host_ceiling.hpp"
#include "numpy.hpp"

namespace {

constexpr int64_t size = 10000000;
constexpr int64_t rows = 3200, columns = 3125;  // as many elements

/// A hand-written loop over x, y and z as a function without arguments.
template <class T>
std::function<void()> by_hand(ceiling::Threads& threads, ceiling::Split split, const Array& x,
                              const Array& y, const Array& z) {
  return [&threads, split, px = data<T>(x), py = data<T>(y), pz = data<T>(z)] {
    threads.run(size, split, [=](int64_t first, int64_t last) {
      ceiling::multiply_add(px + first, py + first, pz + first, last - first);
    });
  };
}

template <class T>
void against_hand_written(const Report& report, gpuarr_device* device, gpuarr_dtype dtype,
                          const std::string& name) {
  const Array x = random_array<T>(device, dtype, size), y = random_array<T>(device, dtype, size),
              z = random_array<T>(device, dtype, size);
  const Call call = prepare(make_kernel("z = x * y + x"), x, y, z);
  ceiling::Threads threads(thread_count(device));
  const auto us =
      in_turns({[&] { launch(call); }, by_hand<T>(threads, ceiling::Split::even, x, y, z),
                by_hand<T>(threads, ceiling::Split::chunks, x, y, z)});
  report.add({name + " x*y+x, against a hand-written loop", us[0], std::min(us[1], us[2]), 0.95});
}

template <class T>
void against_numpy(const Report& report, gpuarr_device* device, gpuarr_dtype dtype,
                   const std::string& name, double demand) {
  const Array x = random_array<T>(device, dtype, size), y = random_array<T>(device, dtype, size),
              z = random_array<T>(device, dtype, size);
  const Kernel kernel = make_kernel("z = exp(-x * x) * sin(y)");
  const Call product = prepare(make_kernel("z = x * y + x"), x, y, z);
  const Call functions = prepare(kernel, x, y, z);
  const gpuarr_arg inputs[] = {gpuarr_arg_array(x.get()), gpuarr_arg_array(y.get())};
  auto with_new_array = [&] {
    Array made;
    check(gpuarr_elementwise_call(kernel.get(), made.out(), 1, inputs, 2, GPUARR_NO_SIZE, nullptr));
  };
  Numpy numpy;
  std::vector<double> times[3];
  for (int round = 0; round < 7; ++round) {
    numpy.run("elementwise " + name);
    const auto us =
        in_turns({[&] { launch(product); }, [&] { launch(functions); }, with_new_array}, 3);
    for (size_t k = 0; k < us.size(); ++k) times[k].push_back(us[k]);
  }
  const char* work[] = {"x*y+x", "exp(-x*x)*sin(y)", "exp(-x*x)*sin(y), arrays made"};
  for (size_t k = 0; k < 3; ++k) {
    const double theirs = numpy.us(work[k]);
    const bool judged = k > 0 && theirs > 0;
    report.add(
        {name + " " + work[k] + ", against NumPy", median(times[k]), theirs, judged ? demand : 0});
  }
}

/// Each layout against the hand-written contiguous loop, by the bytes of the lines it touches.
void layouts(const Report& report, gpuarr_device* device) {
  auto make = [&](int64_t n) { return random_array<float>(device, GPUARR_F32, n); };
  const Array x = make(size + 1), y = make(size + 1), z = make(size + 1);
  auto flat = [](const Array& a) { return slice(a, 0, 0, size, 1); };
  auto off = [](const Array& a) { return slice(a, 0, 1, size + 1, 1); };
  auto second = [&](const Array& a) { return slice(flat(a), 0, 0, GPUARR_NONE, 2); };
  auto matrix = [&](const Array& a) { return reshape(flat(a), rows, columns); };
  auto inner = [&](const Array& a) { return slice(matrix(a), 1, 0, -1, 1); };
  const Array X = matrix(x), Z = matrix(z);
  const Array row = slice(matrix(y), 0, 0, 1, 1), column = slice(matrix(y), 1, 0, 1, 1);
  const Array across = transpose(reshape(flat(y), columns, rows));
  const Kernel kernel = make_kernel("z = x * y + x");
  struct Layout {
    const char* what;
    double bytes;  // of the contiguous call's
    Call call;
  };
  const Layout list[] = {
      {"one off", 1, prepare(kernel, off(x), off(y), off(z))},
      {"row broadcast", 2.0 / 3, prepare(kernel, X, row, Z)},
      {"column broadcast", 2.0 / 3, prepare(kernel, X, column, Z)},
      {"[:, :-1]", 1, prepare(kernel, inner(x), inner(y), inner(z))},
      {"one transposed", 1, prepare(kernel, X, across, Z)},
      {"[::2]", 1, prepare(kernel, second(x), second(y), second(z))},
  };
  ceiling::Threads threads(thread_count(device));
  std::vector<std::function<void()>> functions = {
      by_hand<float>(threads, ceiling::Split::even, x, y, z),
      by_hand<float>(threads, ceiling::Split::chunks, x, y, z)};
  for (const Layout& layout : list) functions.emplace_back([&layout] { launch(layout.call); });
  const auto us = in_turns(functions);
  for (size_t k = 0; k < std::size(list); ++k)
    report.add({std::string("f32 x*y+x ") + list[k].what + ", against contiguous", us[k + 2],
                std::min(us[0], us[1]) * list[k].bytes});
}

}  // namespace

int main() {
  gpuarr_device* device;
  check(gpuarr_device_open(&device, "host"));
  std::string machine = gpuarr_device_description(device);
  machine += ", " + std::to_string(thread_count(device)) + " threads, n = 10 000 000";
  const Report report("host", machine.c_str());
  against_hand_written<float>(report, device, GPUARR_F32, "f32");
  against_hand_written<double>(report, device, GPUARR_F64, "f64");
  against_numpy<float>(report, device, GPUARR_F32, "f32", 5);
  against_numpy<double>(report, device, GPUARR_F64, "f64", 0);
  layouts(report, device);
  return 0;
}
