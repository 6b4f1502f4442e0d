// Products of matrices on the CPU device, in turns with NumPy's on the same shapes.
#include <string>

#include "host_bench.hpp"
#include "numpy.hpp"

namespace {

template <class T>
Array random_matrix(gpuarr_device* device, gpuarr_dtype dtype, const std::vector<int64_t>& shape) {
  int64_t size = 1;
  for (const int64_t extent : shape) size *= extent;
  return reshape(random_array<T>(device, dtype, size), shape);
}

struct Product {
  std::string what;
  Array x, y, z;

  void run() const {
    gpuarr_array* out = z.get();
    check(gpuarr_matmul(&out, x.get(), y.get(), 0, nullptr));
  }
};

template <class T>
void against_numpy(const Report& report, gpuarr_device* device, gpuarr_dtype dtype,
                   const std::string& name) {
  std::vector<Product> products;
  auto add = [&](const std::string& what, Array x, Array y) {
    Product p{what, std::move(x), std::move(y), Array()};
    check(gpuarr_matmul(p.z.out(), p.x.get(), p.y.get(), 0, nullptr));
    products.push_back(std::move(p));
  };
  auto make = [&](const std::vector<int64_t>& shape) {
    return random_matrix<T>(device, dtype, shape);
  };
  const Array square = make({2000, 2000});
  add("x @ y, 2000", make({2000, 2000}), make({2000, 2000}));
  add("x.T @ y, 2000", transpose(square), make({2000, 2000}));
  add("x.T @ x, 2000", transpose(square), slice(square, 0, 0, 2000, 1));
  add("x @ y, 64 of 256", make({64, 256, 256}), make({64, 256, 256}));
  add("x @ y, 10000 of 16", make({10000, 16, 16}), make({10000, 16, 16}));
  add("x @ y, 4000 x 4000 by a vector", make({4000, 4000}), make({4000, 1}));
  std::vector<std::function<void()>> functions;
  for (const Product& p : products) functions.emplace_back([&p] { p.run(); });
  std::vector<std::vector<double>> times(products.size());
  Numpy numpy;
  for (int round = 0; round < 5; ++round) {
    numpy.run("matmul " + name);
    const auto us = in_turns(functions, 1, 5);
    for (size_t k = 0; k < us.size(); ++k) times[k].push_back(us[k]);
  }
  for (size_t k = 0; k < products.size(); ++k) {
    const double theirs = numpy.us(products[k].what);
    report.add({name + " " + products[k].what + ", against NumPy", median(times[k]), theirs,
                theirs > 0 ? 1.0 : 0});
  }
}

}  // namespace

int main() {
  gpuarr_device* device;
  check(gpuarr_device_open(&device, "host"));
  const Report report("host_matmul", gpuarr_device_description(device));
  against_numpy<float>(report, device, GPUARR_F32, "f32");
  against_numpy<double>(report, device, GPUARR_F64, "f64");
  return 0;
}
