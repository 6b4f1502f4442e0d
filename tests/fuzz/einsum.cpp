// Subscripts of sums of products, over arrays without elements.
#include "linalg/products/einsum.hpp"

#include <string>

#include "backends.hpp"
#include "device/stream.hpp"
#include "targets.hpp"

void fuzz::einsum(std::string_view input) {
  using namespace gpuarr;
  if (input.empty()) return;
  const std::string subscripts(input.substr(1));
  Stream& stream = current_stream(host_device());
  const auto of = [&](int ndim) {
    Dims shape;
    for (int k = 0; k < ndim; ++k) shape.push_back(0);
    return Array::empty(stream, DType::f32, shape, Order::c);
  };
  const int axes = static_cast<unsigned char>(input[0]);
  const Array x = of(axes % 8), y = of(axes / 8 % 8);
  survive([&] { gpuarr::einsum(nullptr, subscripts, x, axes >= 128 ? nullptr : &y, 0, &stream); });
}
