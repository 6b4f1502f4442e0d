// Histograms and counts of whole numbers.
#include "codegen/count/bins.hpp"

#include <algorithm>
#include <cmath>

#include "backends.hpp"
#include "core/error.hpp"
#include "ops/base/copy.hpp"
#include "ops/base/own_function.hpp"
#include "ops/base/own_kernel.hpp"
#include "ops/base/result.hpp"
#include "ops/base/transfer.hpp"
#include "ops/base/wanted.hpp"
#include "ops/reduce/reduce.hpp"
#include "ops/sort/order.hpp"

namespace gpuarr {
namespace {

void launch_bins(const char* name, int64_t blocks, const BinVariant& variant, const BinCount& count,
                 Stream& stream) {
  static auto* const functions = new OwnFunctions;
  functions->launch(
      name, {name, gpuarr::name(variant.dtype)}, variant,
      [&] {
        return Source{name, bin_text(target_of(stream.device()), variant), {}};
      },
      {blocks, bin_threads, 0}, count, stream);
}

void check_countable(const Array& x) {
  if (is_complex(x.dtype))
    fail(GPUARR_ERR_DTYPE, "x is {}, which has no bins; give real numbers", name(x.dtype));
}

// Counts are made in memory of their own, side by side, and then put where they are wanted.
void count_in_bins(const BinVariant& variant, BinCount& count, Stream& stream) {
  constexpr int64_t worth_a_block = 16384;
  constexpr int64_t blocks_of_a_processor = 8;
  const int64_t most = stream.device().facts().processors * blocks_of_a_processor;
  count.blocks = std::clamp<int64_t>(count.n / worth_a_block, 1, most);
  if (count.n > 0) launch_bins("bin_count", count.blocks, variant, count, stream);
}

// The elements side by side, in whatever order they lie.
Array dense(const Array& x, Stream& stream) { return contiguous(x, Order::k, stream); }

Array cleared(DType dtype, int64_t count, Stream& stream) {
  Array out = Array::empty(stream, dtype, {count});
  fill(out, Scalar::of(int64_t{0}), stream);
  return out;
}

Array bin_counts(const Array& x, const double* edges, int64_t count, Bins bins, Stream& stream) {
  x.buffer->used_in(stream);
  const Array from = dense(x, stream);
  Array counts = cleared(DType::u64, count, stream);
  BinCount args{};
  args.x = from.data;
  args.edges = edges;
  args.counts = static_cast<uint64_t*>(counts.data);
  args.n = from.size();
  args.bins = count;
  count_in_bins({x.dtype, bins, false}, args, stream);
  counts.dtype = DType::i64;
  return counts;
}

Array bin_counts(const Array& x, const Array& edges, Bins bins, Stream& stream) {
  return bin_counts(x, static_cast<const double*>(edges.data), edges.size() - 1, bins, stream);
}

// edges[i] between two numbers, which are arrays or scalars.
void make_edges(const Array& edges, const OwnInput& low, const OwnInput& high, Stream& stream) {
  static Elementwise* const kernel =
      own_kernel("bin_edges", "T low, T high, int64 bins", "float64 edge",
                 "double a = (double)low, b = (double)high;\n"
                 "if (!(a - a == 0 && b - b == 0)) a = b = NAN;\n"
                 "if (a == b) { a -= 0.5; b += 0.5; }\n"
                 "edge = i == bins ? b : a + i * ((b - a) / bins);");
  run_own(*kernel, {low, high, edges.size() - 1}, {&edges}, stream);
}

void make_even_edges(const Array& edges, const Array& x, const double* range, Stream& stream) {
  if (range == nullptr && x.size() > 0) {
    const Array low = *reduce(Reducer::min, x, nullptr, {}, &stream);
    const Array high = *reduce(Reducer::max, x, nullptr, {}, &stream);
    return make_edges(edges, low, high, stream);
  }
  make_edges(edges, range != nullptr ? range[0] : 0.0, range != nullptr ? range[1] : 1.0, stream);
}

void check_edges(const Array& edges, Stream& stream) {
  std::vector<double> values(static_cast<size_t>(edges.size()));
  read(host_memory(DType::f64, {edges.size()}, nullptr, values.data()), edges, stream);
  for (size_t k = 0; k < values.size(); ++k) {
    if (std::isnan(values[k]))
      fail(GPUARR_ERR_ARGUMENT, "edges[{}] is NaN; give numbers in ascending order", k);
    if (k > 0 && values[k] < values[k - 1])
      fail(GPUARR_ERR_ARGUMENT, "edges[{}] is {}, less than edges[{}], {}; sort them", k, values[k],
           k - 1, values[k - 1]);
  }
}

// What bincount's result holds, from the elements' extremes.
int64_t bins_for(const Array& x, int64_t minlength, Stream& stream) {
  if (x.size() == 0) return minlength;
  Scalar extremes[2];
  for (int k : {0, 1}) {
    const Reducer reducer = k == 0 ? Reducer::min : Reducer::max;
    const Array found = *reduce(reducer, x, nullptr, {}, &stream);
    extremes[k].dtype = x.dtype;
    read(host_memory(x.dtype, {}, nullptr, extremes[k].bytes), found, stream);
  }
  if (extremes[0].real() < 0)
    fail(GPUARR_ERR_ARGUMENT, "x has the element {}; give numbers that are 0 or more",
         extremes[0].to_text());
  if (extremes[1].real() >= 0x1p62L)
    fail(GPUARR_ERR_SHAPE, "x has the element {}, and that many counts do not fit into memory",
         extremes[1].to_text());
  return std::max(minlength, static_cast<int64_t>(extremes[1].real()) + 1);
}

// The largest magnitude of finite weights, as an array without axes.
Array largest(const Array& weights, Stream& stream) {
  static Elementwise* const kernel =
      own_kernel("magnitudes", "float64 x", "float64 y", "y = x - x == 0 ? abs(x) : 0.0;");
  const Array magnitudes = Array::empty(stream, DType::f64, {weights.size()});
  run_own(*kernel, {weights}, {&magnitudes}, stream);
  return *reduce(Reducer::max, magnitudes, nullptr, {}, &stream);
}

Array sums_of_weights(const Array& x, const Array& given, int64_t bins, Stream& stream) {
  given.buffer->used_in(stream);
  const Array from = contiguous(x, Order::c, stream);
  const Array dense_weights = given.dtype == DType::f64 ? contiguous(given, Order::c, stream)
                                                        : copy(given, DType::f64, Order::c, stream);
  const Array weights = dense_weights.view({{given.size()}, {1}});
  Array sums = cleared(DType::f64, bins, stream);
  if (x.size() == 0) return sums;
  const Array counts = cleared(DType::u64, bins * bin_parts, stream);
  const Array most = largest(weights, stream);
  BinCount args{};
  args.x = from.data;
  args.weights = static_cast<const double*>(weights.data);
  args.counts = static_cast<uint64_t*>(counts.data);
  args.most = static_cast<const double*>(most.data);
  args.sums = static_cast<double*>(sums.data);
  args.n = from.size();
  args.bins = bins;
  const BinVariant variant{x.dtype, Bins::self, true};
  count_in_bins(variant, args, stream);
  launch_bins("bin_finish", (bins + bin_threads - 1) / bin_threads, variant, args, stream);
  return sums;
}

void check_weights(const Array& weights, const Array& x) {
  if (!(weights.layout.shape == x.layout.shape))
    fail(GPUARR_ERR_SHAPE, "weights has shape {}, but x has {}; give a weight for each element",
         to_string(weights.layout.shape), to_string(x.layout.shape));
  if (is_complex(weights.dtype))
    fail(GPUARR_ERR_DTYPE, "weights is {}; give real numbers", name(weights.dtype));
  check_device(weights, "weights", x.device());
}

}  // namespace

void histogram(Wanted& counts, Wanted& edges, const Array& x, int64_t bins, const double* range,
               Stream& stream) {
  check_countable(x);
  if (bins < 1) fail(GPUARR_ERR_ARGUMENT, "bins is {}; give 1 or more", bins);
  if (range != nullptr && !(std::isfinite(range[0]) && std::isfinite(range[1])))
    fail(GPUARR_ERR_ARGUMENT, "range is {} to {}; give finite numbers", range[0], range[1]);
  if (range != nullptr && range[0] > range[1])
    fail(GPUARR_ERR_ARGUMENT, "range is {} to {}; give the lesser number first", range[0],
         range[1]);
  check_given(counts, DType::i64, checked_shape(1, &bins, 8), stream.device());
  check_given(edges, DType::f64, {bins + 1}, stream.device());
  check_apart({&counts, &edges});
  const Array made = Array::empty(stream, DType::f64, {bins + 1});
  make_even_edges(made, x, range, stream);
  const Array found = bin_counts(x, made, Bins::even, stream);
  deliver(counts, found, stream);
  deliver(edges, made, stream);
}

std::optional<Array> histogram_between(const Array* out, const Array& x, const Array& edges,
                                       Stream& stream) {
  check_countable(x);
  if (edges.ndim() != 1 || edges.size() < 2)
    fail(GPUARR_ERR_SHAPE, "edges has shape {}; it must have one axis with two elements or more",
         to_string(edges.layout.shape));
  if (is_complex(edges.dtype))
    fail(GPUARR_ERR_DTYPE, "edges is {}; give real numbers", name(edges.dtype));
  check_device(edges, "edges", x.device());
  check_can_wait(stream, "the edges, to check them");
  Wanted counts{"counts", true, out};
  check_given(counts, DType::i64, {edges.size() - 1}, stream.device());
  const Array own = copy(edges, DType::f64, Order::c, stream);
  check_edges(own, stream);
  deliver(counts, bin_counts(x, own, Bins::edges, stream), stream);
  return std::move(counts.made);
}

std::optional<Array> bincount(const Array* out, const Array& x, const Array* weights,
                              int64_t minlength, Stream& stream) {
  if (is_inexact(x.dtype)) fail(GPUARR_ERR_DTYPE, "x is {}; give whole numbers", name(x.dtype));
  if (minlength < 0) fail(GPUARR_ERR_ARGUMENT, "minlength is {}; give 0 or more", minlength);
  if (weights != nullptr) check_weights(*weights, x);
  check_can_wait(stream, "the greatest number");
  x.buffer->used_in(stream);
  const int64_t bins = bins_for(x, minlength, stream);
  checked_shape(1, &bins, 8 * bin_parts);
  Wanted result{"out", true, out};
  check_given(result, weights != nullptr ? DType::f64 : DType::i64, {bins}, stream.device());
  deliver(result,
          weights != nullptr ? sums_of_weights(x, *weights, bins, stream)
                             : bin_counts(x, nullptr, bins, Bins::self, stream),
          stream);
  return std::move(result.made);
}

}  // namespace gpuarr
