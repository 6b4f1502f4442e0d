#include "ops/random/order.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "array/views.hpp"
#include "core/error.hpp"
#include "kernel/overlap.hpp"
#include "ops/base/copy.hpp"
#include "ops/base/own_kernel.hpp"
#include "ops/base/transfer.hpp"
#include "ops/kernels_text.hpp"
#include "ops/reduce/reduce.hpp"
#include "ops/sort/sort.hpp"

namespace gpuarr {
namespace {

enum class OrderStep { rank, bijection, gather, chunk_sums, starts, running, search, handicap };
constexpr int order_step_count = static_cast<int>(OrderStep::handicap) + 1;

constexpr OwnKernelRow order_rows[] = {
    {"random_rank", "raw uint64 keys, int64 count", "int64 out", kernel_parts::random_rank},
    {"random_order", "raw uint32 keys, uint64 count, int32 left, int32 right, uint32 mask",
     "int64 out", kernel_parts::random_order},
    {"random_gather", "int64 from, raw T x, int64 inner", "T out",
     "out = x[from * inner + (inner == 1 ? 0 : i % inner)];"},
    {"weight_sums", "raw float64 p, int64 count, int64 chunk", "float64 out",
     kernel_parts::weight_sums},
    {"weight_starts", "raw float64 sums, int64 count", "raw float64 starts, float64 out",
     kernel_parts::weight_starts},
    {"weight_ends", "raw float64 p, raw float64 starts, int64 count, int64 chunk, float64 total",
     "raw float64 ends, int8 out", kernel_parts::weight_ends},
    {"weighted_choice", "float64 u, raw float64 ends, raw float64 p, int64 count", "int64 out",
     kernel_parts::weighted_choice},
    {"weighted_lots", "float64 lot, float64 p", "float64 out", "out = lot / p;"},
};
static_assert(std::size(order_rows) == order_step_count);

void run(OrderStep step, std::initializer_list<OwnInput> inputs,
         std::initializer_list<const Array*> outputs, Stream& stream) {
  run_own(own_kernel<order_rows>(static_cast<size_t>(step), false), inputs, outputs, stream);
}

// Numbers that a step needs, of all values that the dtype has.
Array random_keys(Generator& generator, DType dtype, int64_t count, Stream& stream) {
  const Scalar end = Scalar::of(dtype == DType::u32 ? 0x1p32 : 0x1p64);
  return draw_integers(generator, {nullptr, dtype, Dims{count}}, Scalar::of(int64_t{0}), end,
                       &stream);
}

// Up to so many numbers are ranked by keys, each against each: of a few, every order must be as
// likely as another, which a network of rounds does not promise.
constexpr int64_t most_ranked = 1024;

void fill_order(Generator& generator, const Array& out, int64_t n, Stream& stream) {
  if (out.size() == 0) return;
  if (n <= most_ranked)
    return run(OrderStep::rank, {random_keys(generator, DType::u64, n, stream), n}, {&out}, stream);
  const auto bits = static_cast<int64_t>(std::bit_width(static_cast<uint64_t>(n - 1)));
  const int64_t left = bits / 2;
  const int64_t right = bits - left;
  run(OrderStep::bijection,
      {random_keys(generator, DType::u32, 25, stream), n, left, right, (int64_t{1} << right) - 1},
      {&out}, stream);
}

Array weight_ends_of(const Array& p, Stream& stream) {
  const int64_t n = p.size();
  const auto root = static_cast<int64_t>(std::sqrt(static_cast<double>(n)));
  const int64_t chunk = std::max<int64_t>(64, root);
  const int64_t chunks = ceil_div(n, chunk);
  const Array sums = Array::empty(stream, DType::f64, Dims{chunks});
  const Array starts = Array::empty(stream, DType::f64, Dims{chunks});
  const Array sum = Array::empty(stream, DType::f64, Dims{1});
  run(OrderStep::chunk_sums, {p, n, chunk}, {&sums}, stream);
  run(OrderStep::starts, {sums, chunks}, {&starts, &sum}, stream);
  const auto total = number_in<double>(sum, stream);
  if (!(total > 0 && std::isfinite(total)))
    fail(GPUARR_ERR_ARGUMENT,
         "p adds up to {}; give weights of 0 or more that have a finite sum above 0", total);
  Array ends = Array::empty(stream, DType::f64, Dims{n});
  const Array done = Array::empty(stream, DType::i8, Dims{chunks});
  run(OrderStep::running, {p, starts, n, chunk, total}, {&ends, &done}, stream);
  return ends;
}

void check_weights(const Array& weights, int64_t n, const Stream& stream) {
  if (is_complex(weights.dtype))
    fail(GPUARR_ERR_DTYPE, "p is {}; give real numbers", name(weights.dtype));
  if (weights.ndim() != 1 || weights.size() != n)
    fail(GPUARR_ERR_SHAPE, "p has shape {}, but n is {}; give one weight for each number",
         to_string(weights.layout.shape), n);
  if (&weights.device() != &stream.device())
    fail(GPUARR_ERR_DEVICE, "p is on {}, but the numbers are drawn on {}; copy p there",
         weights.device().facts().name, stream.device().facts().name);
  if (stream.captures())
    fail(GPUARR_ERR_UNSUPPORTED,
         "stream is being captured, but the call waits for the sum of p; call it before the "
         "capture");
}

// Efraimidis, Spirakis, "Weighted random sampling with a reservoir", 2006: those with the least of
// exponential numbers, each over its weight.
void fill_distinct(Generator& generator, const Array& out, const Array& p, Stream& stream) {
  const auto counted = reduce(Reducer::count_nonzero, p, nullptr, {}, &stream);
  const auto possible = number_in<int64_t>(*counted, stream);
  if (possible < out.size())
    fail(GPUARR_ERR_ARGUMENT,
         "{} different numbers are wanted, but p has {} weights above 0; choose fewer", out.size(),
         possible);
  const Scalar one = Scalar::of(1.0);
  const Argument scale{nullptr, &one};
  const Array lots = draw(Distribution::exponential, generator,
                          {nullptr, DType::f64, p.layout.shape}, {&scale, 1}, &stream);
  run(OrderStep::handicap, {lots, p}, {&lots}, stream);
  const Array order = *argsort(nullptr, lots, 0, false, stream);
  const Dims& shape = out.layout.shape;
  assign(out, reshape(slice(order, 0, 0, out.size(), 1), shape.size(), shape.data()), stream);
}

void fill_weighted(Generator& generator, const Array& out, const Array& weights, bool replace,
                   Stream& stream) {
  const Array p = copy(weights, DType::f64, Order::c, stream);
  const Array ends = weight_ends_of(p, stream);
  if (!replace) return fill_distinct(generator, out, p, stream);
  const Scalar zero = Scalar::of(0.0);
  const Scalar one = Scalar::of(1.0);
  const Argument interval[] = {{nullptr, &zero}, {nullptr, &one}};
  const Array u = draw(Distribution::uniform, generator, {nullptr, DType::f64, out.layout.shape},
                       interval, &stream);
  run(OrderStep::search, {u, ends, p, p.size()}, {&out}, stream);
}

void check_count(int64_t n, int64_t wanted, bool replace) {
  if (n < 0) fail(GPUARR_ERR_ARGUMENT, "n is {}; give a number, 0 or more", n);
  if (wanted > 0 && n == 0)
    fail(GPUARR_ERR_EMPTY, "n is 0, so there is nothing to choose {} of; give more", wanted);
  if (!replace && wanted > n)
    fail(GPUARR_ERR_ARGUMENT,
         "{} of {} numbers cannot be different; give more numbers, or replace 1", wanted, n);
}

void check_index_dtype(DType dtype) {
  if (dtype != DType::i64)
    fail(GPUARR_ERR_DTYPE, "out is {}, but indices are int64; give such an array", name(dtype));
}

// The axis first.
Array with_axis_first(const Array& array, int axis) {
  std::vector<int32_t> axes = {axis};
  for (int32_t k = 0; k < array.ndim(); ++k)
    if (k != axis) axes.push_back(k);
  return transpose(array, axes);
}

}  // namespace

Array draw_order(Generator& generator, const RandomTarget& target, int64_t n, Stream* given) {
  check_index_dtype(target.dtype);
  check_count(n, size_of(target.shape), false);
  PreparedTarget p = prepare_target(target, generator, given);
  fill_order(generator, p.array, n, p.stream);
  return std::move(p.array);
}

Array shuffle(Generator& generator, const Array& x, int64_t axis, const Array* given,
              Stream* given_stream) {
  const int along = checked_axis(axis, x.ndim());
  Stream& stream = given_stream != nullptr ? *given_stream : current_stream(x.device());
  if (given != nullptr) check_alike(x, *given);
  Array out = given != nullptr
                  ? *given
                  : Array::with_strides(stream, x.dtype, x.layout.shape, strides_like(x.layout));
  check_writable(out, "out");
  if (x.size() == 0) return out;
  const Array from = may_overlap(x, out) ? copy(x, x.dtype, Order::k, stream) : x;
  const Array ordered = with_axis_first(out, along);
  const int64_t n = ordered.layout.shape[0];
  Array order = Array::empty(stream, DType::i64, Dims{n});
  fill_order(generator, order, n, stream);
  for (int k = 1; k < ordered.ndim(); ++k) order = expand(order, k);
  run(OrderStep::gather, {order, with_axis_first(from, along), x.size() / n}, {&ordered}, stream);
  return out;
}

Array choose(Generator& generator, const RandomTarget& target, int64_t n, const Array* weights,
             bool replace, Stream* given) {
  check_index_dtype(target.dtype);
  check_count(n, size_of(target.shape), replace);
  PreparedTarget p = prepare_target(target, generator, given);
  if (weights != nullptr) check_weights(*weights, n, p.stream);
  if (p.array.size() == 0) return std::move(p.array);
  if (weights != nullptr) {
    fill_weighted(generator, p.array, *weights, replace, p.stream);
  } else if (replace) {
    const Scalar zero = Scalar::of(int64_t{0});
    draw_integers(generator, {&p.array, DType::i64, target.shape}, zero, Scalar::of(n), &p.stream);
  } else {
    fill_order(generator, p.array, n, p.stream);
  }
  return std::move(p.array);
}

}  // namespace gpuarr
