// What a repeated expression of ten nodes (two arrays, two numbers, six operations), as Fortran's
// bench has it, costs over the launch of a prepared kernel of the same formula: built and computed,
// and built by C's functions; the median of many rounds of each, by turns.
#include <cstdio>
#include <gpuarr_ops.hpp>

#include "batches.hpp"

using namespace gpuarr;

namespace {

constexpr int rounds = 101, calls = 2000;

gpuarr_expr* applied(const char* function, gpuarr_expr* x, gpuarr_expr* y) {
  gpuarr_expr* out = nullptr;
  const gpuarr_expr* const operands[] = {x, y};
  check(gpuarr_expr_apply(&out, 1, function, operands, 2));
  return out;
}

void by_c(gpuarr_array* z, const gpuarr_array* x, const gpuarr_array* y) {
  gpuarr_expr* n[10];
  check(gpuarr_expr_array(&n[0], x));
  check(gpuarr_expr_array(&n[1], y));
  check(gpuarr_expr_scalar(&n[2], gpuarr_arg_i32(2)));
  check(gpuarr_expr_scalar(&n[3], gpuarr_arg_i32(1)));
  n[4] = applied("subtract", n[0], n[1]);
  n[5] = applied("add", n[0], n[1]);
  n[6] = applied("multiply", n[4], n[5]);
  n[7] = applied("multiply", n[2], n[6]);
  n[8] = applied("add", n[7], n[0]);
  n[9] = applied("add", n[8], n[3]);
  const gpuarr_expr* const root = n[9];
  check(gpuarr_evaluate(&z, &root, 1, nullptr));
  for (gpuarr_expr* node : n) gpuarr_expr_release(node);
}

}  // namespace

int main() {
  const Elementwise kernel("T x, T y", "T z", "z = 2 * ((x - y) * (x + y)) + x + 1;");
  const Array x = ones(GPUARR_F32, {16}), y = ones(GPUARR_F32, {16});
  Array z = zeros(GPUARR_F32, {16});
  const Device device = z.device();
  const Call prepared = kernel.prepare({z}, {x, y});
  std::vector<double> launch, called, built, in_c;
  for (int round = 0; round < rounds; ++round) {
    launch.push_back(batch(calls, [&] { prepared.launch(); }));
    called.push_back(batch(calls, [&] { kernel.run({z}, {x, y}); }));
    device.synchronize();
    built.push_back(batch(calls, [&] { evaluate_into({z}, {2 * ((x - y) * (x + y)) + x + 1}); }));
    in_c.push_back(batch(calls, [&] { by_c(z, x, y); }));
    device.synchronize();
  }
  if (z.to_vector<float>() != std::vector<float>(16, 2)) return 1;
  std::printf("a launch: %.0f ns\na kernel: %.0f ns\n", median(launch), median(called));
  std::printf("an expression, built and computed: %.0f ns\n", median(built));
  std::printf("an expression of C, built and computed: %.0f ns\n", median(in_c));
}
