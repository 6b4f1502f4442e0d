// Expressions on $GPUARR_TEST_DEVICE beside what their nodes give one after another.
#pragma once

#include <cstdlib>
#include <random>
#include <vector>

#include "expr/evaluate.hpp"
#include "expr_build.hpp"
#include "kernel/copy.hpp"
#include "ops/base/transfer.hpp"
#include "seed.hpp"

namespace building {

using gpuarr::Array;
using gpuarr::Device;
using gpuarr::Dims;
using gpuarr::DType;
using gpuarr::Order;
using gpuarr::Stream;

inline Device& tested_device() {
  const char* name = std::getenv("GPUARR_TEST_DEVICE");
  static Device& device = gpuarr::open_device(name == nullptr || *name == '\0' ? "host" : name);
  return device;
}

inline Stream& stream() { return gpuarr::current_stream(tested_device()); }

inline Array converted(const Array& x, DType dtype) {
  Array out = Array::with_strides(stream(), dtype, x.layout.shape, gpuarr::strides_like(x.layout));
  gpuarr::convert(out, x, stream());
  return out;
}

inline std::vector<double> values_of(const Array& array) {
  const Array wide = converted(array, DType::f64);
  std::vector<double> values(static_cast<size_t>(array.size()));
  if (!values.empty())
    gpuarr::read(gpuarr::host_memory(DType::f64, array.layout.shape, nullptr, values.data()), wide,
                 stream());
  return values;
}

inline std::mt19937_64& random_bits() {
  static std::mt19937_64 bits(test_seed());
  return bits;
}

inline Array drawn(DType dtype, const Dims& shape, Order order = Order::c) {
  std::uniform_real_distribution<double> draw(-3, 3);
  std::vector<double> values(static_cast<size_t>(gpuarr::size_of(shape)));
  for (double& v : values) v = draw(random_bits());
  Array wide = Array::empty(stream(), DType::f64, shape, order);
  gpuarr::write(wide, gpuarr::host_memory(DType::f64, shape, nullptr, values.data()), stream());
  return converted(wide, dtype);
}

inline Expr of(const Array& array) { return gpuarr::expr::array_node(array); }
inline Expr random_of(DType dtype, const Dims& shape, Order order = Order::c) {
  return of(drawn(dtype, shape, order));
}

inline Array value(const Expr& root) {
  const Array* const none = nullptr;
  return *gpuarr::expr::evaluate({&root, 1}, {&none, 1}, &stream())[0];
}

// A node of what its operands are worth, each of which has been computed alone.
inline Array one_after_another(const Expr& root) {
  if (root->kind == gpuarr::expr::NodeKind::array) return root->array();
  Expr copy;
  gpuarr::expr::Node& node =
      gpuarr::expr::make_node(copy, root->kind, root->dtype, gpuarr::as_index(root->count));
  node.part = root->part;
  node.shape = root->shape;
  node.device = root->device;
  for (size_t k = 0; k < root->operands().size(); ++k) {
    const Expr& operand = root->operands()[k];
    const bool is_scalar = operand->kind == gpuarr::expr::NodeKind::scalar;
    node.operands()[k] = is_scalar ? operand : of(one_after_another(operand));
  }
  return value(copy);
}

}  // namespace building
