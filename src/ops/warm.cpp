#include "ops/warm.hpp"

#include <vector>

#include "core/error.hpp"
#include "gpuarr/order.h"
#include "ops/base/copy.hpp"
#include "ops/index/select.hpp"
#include "ops/reduce/scan.hpp"
#include "ops/sort/order.hpp"
#include "ops/sort/sort.hpp"

namespace gpuarr {
namespace {

// Enough that rows are cut on either device; that ranks are found without sorting, by a block; few.
constexpr int64_t long_row = 200000;
constexpr int64_t block_row = 4096;
constexpr int64_t short_row = 300;

// What a GPU has a text for of sorting shorter rows: each tile holds a power of two.
constexpr int64_t least_tile = 8;
constexpr int64_t most_of_a_tile = 8192;

Array zeros(Device& device, DType dtype, int64_t count) {
  Stream& stream = current_stream(device);
  Array made = Array::empty(stream, dtype, Dims{count});
  fill(made, Scalar::of(int64_t{0}), stream);
  return made;
}

template <Scanner scanner>
void warm_scan(Device& device, DType dtype) {
  scan(scanner, zeros(device, dtype, long_row), nullptr, {}, nullptr);
}

void warm_select(Device& device, DType dtype) {
  const Array x = zeros(device, dtype, short_row);
  const Array mask = zeros(device, DType::boolean, short_row);
  select(x, mask, nullptr, nullptr);
  place(x, mask, {&x, nullptr}, nullptr);
}

void warm_nonzero(Device& device, DType dtype) {
  flat_nonzero(zeros(device, dtype, short_row), nullptr);
}

template <auto sorting>
void warm_sort(Device& device, DType dtype) {
  Stream& stream = current_stream(device);
  for (int64_t count = least_tile; count <= most_of_a_tile; count *= 2)
    sorting(nullptr, zeros(device, dtype, count), 0, false, stream);
  sorting(nullptr, zeros(device, dtype, long_row), 0, false, stream);
}

void warm_partition(Device& device, DType dtype) {
  Stream& stream = current_stream(device);
  for (int64_t count : {block_row, long_row})
    partition(nullptr, zeros(device, dtype, count), 0, 0, stream);
}

void warm_topk(Device& device, DType dtype) {
  constexpr int64_t k = 10;
  for (int64_t count : {block_row, long_row})
    for (bool largest : {false, true}) {
      Wanted values{"values"}, indices{"indices"};
      topk(values, indices, zeros(device, dtype, count), k, 0, largest, current_stream(device));
    }
}

void warm_median(Device& device, DType dtype) {
  constexpr double half = 0.5;
  const QuantileRequest request{{&half, 1}, 0, GPUARR_QUANTILE_MIDPOINT, false, false};
  for (int64_t count : {short_row, block_row, long_row})
    quantile(nullptr, zeros(device, dtype, count), request, current_stream(device));
}

// Running is what compiles: so there is no second list of kernels to keep in step with the first.
struct WarmRow {
  const char* name;
  void (*run)(Device& device, DType dtype);
  std::vector<DType> dtypes;
};

const std::vector<WarmRow>& warm_rows() {
  using enum DType;
  static const auto* rows = new std::vector<WarmRow>{
      {"cumsum", warm_scan<Scanner::cumsum>, {i32, i64, f32, f64}},
      {"cumprod", warm_scan<Scanner::cumprod>, {f32, f64}},
      {"cummin", warm_scan<Scanner::cummin>, {i32, i64, f32, f64}},
      {"cummax", warm_scan<Scanner::cummax>, {i32, i64, f32, f64}},
      {"select", warm_select, {u8, u16, f32, f64, c128}},  // by their sizes
      {"nonzero", warm_nonzero, {boolean, i32, i64, f32, f64}},
      {"sort", warm_sort<sort>, {i32, i64, u32, f32, f64}},
      {"argsort", warm_sort<argsort>, {i32, i64, u32, f32, f64}},
      {"partition", warm_partition, {i32, i64, f32, f64}},
      {"topk", warm_topk, {i32, i64, f32, f64}},
      {"median", warm_median, {i32, i64, f32, f64}},
  };
  return *rows;
}

}  // namespace

void warm_cache(Device& device, const WarmProgress& progress) {
  Stream& stream = current_stream(device);
  if (stream.captures())
    fail(GPUARR_ERR_UNSUPPORTED,
         "the device's current stream is being captured, and warming the cache runs kernels; do it "
         "before the capture");
  int all = 0;
  int done = 0;
  for (const WarmRow& row : warm_rows()) all += static_cast<int>(row.dtypes.size());
  for (const WarmRow& row : warm_rows())
    for (DType dtype : row.dtypes) {
      if (!progress(formatted("{} of {}", row.name, name(dtype)), done++, all)) return;
      row.run(device, dtype);
    }
  stream.synchronize();
}

}  // namespace gpuarr
