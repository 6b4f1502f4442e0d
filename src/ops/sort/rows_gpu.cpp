// Sorting rows on a GPU: each by a block, or, where they are long, by passes over all of them.
#include <algorithm>
#include <vector>

#include "codegen/sort/cub/cub.hpp"
#include "codegen/sort/cuda.hpp"
#include "ops/base/copy.hpp"
#include "ops/base/own_function.hpp"
#include "ops/sort/rows.hpp"

namespace gpuarr {
namespace {

constexpr int64_t most_row_blocks = INT32_MAX;

void clear_bytes(const Array& bytes, Stream& stream) {
  fill(bytes, Scalar::of(int64_t{0}), stream);
}

// Where each pass writes to. The last one writes the result; before it two places take turns, the
// result's memory among them where that is free. A pass cannot write where it reads.
class Turns {
 public:
  /// `result` may be null; `source` is what the first pass reads.
  Turns(int64_t passes, int64_t bytes, void* result, const void* source, Stream& stream)
      : targets_(static_cast<size_t>(passes), result) {
    if (passes == 1 && (result == nullptr || result != source)) return;
    own_.push_back(bytes_for(bytes, stream));
    if (passes == 1) {
      targets_[0] = own_[0].data;
      return;
    }
    void* other = result;
    if (other == nullptr && passes > 2) {
      own_.push_back(bytes_for(bytes, stream));
      other = own_[1].data;
    }
    for (int64_t pass = passes - 2, turn = 0; pass >= 0; --pass, ++turn)
      targets_[static_cast<size_t>(pass)] = turn % 2 == 0 ? own_[0].data : other;
  }

  void* of(int64_t pass) const { return targets_[static_cast<size_t>(pass)]; }

 private:
  std::vector<void*> targets_;
  std::vector<Array> own_;
};

// There is a text for each tile that a row fits.
template <auto text>
Source tile_source(const SortVariant& variant) {
  Source source = sort_source<text>(variant);
  source.options = cub_options();
  source.embedded = cub_headers();
  return source;
}

class Passes {
 public:
  Passes(const RowSort& job, const SortVariant& variant, Stream& stream)
      : job_(job),
        variant_(variant),
        stream_(stream),
        tile_(tile_of_sweep(variant)),
        passes_(sort_passes(variant.dtype)),
        portion_(std::min(most_of_a_portion / tile_.size() * tile_.size(), job.n)),
        portions_((job.n + portion_ - 1) / portion_) {}

  void run() {
    const int64_t index_bytes = variant_.wide ? 8 : 4;
    bins_ = bytes_for(portions_ * bins_of_a_portion() * index_bytes, stream_);
    counters_ = bytes_for(portions_ * passes_ * job_.rows * 4, stream_);
    lookback_ = bytes_for(job_.rows * tiles_in(portion_) * sort_digits * 4, stream_);
    clear_bytes(bins_, stream_);
    clear_bytes(counters_, stream_);
    count();
    const int64_t elements = job_.rows * job_.n;
    const Turns keys(passes_, elements * size_of(variant_.dtype), job_.out, job_.in, stream_);
    // The indices' memory serves for those of fewer bits on their way.
    const Turns indices(variant_.indexed ? passes_ : 1, elements * index_bytes, job_.index, nullptr,
                        stream_);
    for (int64_t pass = 0; pass < passes_; ++pass) sweep(pass, keys, indices);
    if (passes_ == 1 && job_.out != nullptr && keys.of(0) != job_.out)
      stream_.device().copy(job_.out, keys.of(0), elements * size_of(variant_.dtype), stream_);
  }

 private:
  int64_t bins_of_a_portion() const { return job_.rows * passes_ * sort_digits; }
  int64_t tiles_in(int64_t count) const { return (count + tile_.size() - 1) / tile_.size(); }
  void* bins_at(int64_t portion) const {
    const int64_t bytes = variant_.wide ? 8 : 4;
    return static_cast<char*>(bins_.data) + portion * bins_of_a_portion() * bytes;
  }

  CudaSort arguments() const {
    CudaSort args{};
    args.in = job_.in;
    args.bins = bins_.data;
    args.rows = job_.rows;
    args.n = job_.n;
    args.passes = passes_;
    return args;
  }

  void launch(const char* name, int64_t blocks, int threads, const CudaSort& args) {
    launch_own(variant_, {tile_source<cuda_sort_sweep_text>, name, {blocks, threads, 0}}, args,
               stream_);
  }

  // A grid as large as the GPU, but at least a block for each row.
  void count() {
    constexpr int64_t blocks_of_a_processor = 16;
    const int64_t blocks = stream_.device().facts().processors * blocks_of_a_processor;
    const int64_t of_a_row = (job_.n + histogram_tile - 1) / histogram_tile;
    CudaSort args = arguments();
    args.tiles = std::clamp<int64_t>(blocks / job_.rows, 1, of_a_row);
    launch("sort_count", job_.rows * args.tiles, histogram_threads, args);
    launch("sort_sums", job_.rows * passes_, sums_threads, args);
  }

  void sweep(int64_t pass, const Turns& keys, const Turns& indices) {
    CudaSort args = arguments();
    const bool last = pass == passes_ - 1;
    args.pass = pass;
    if (pass > 0) args.in = keys.of(pass - 1);
    args.out = keys.of(pass);
    if (variant_.indexed) {
      args.index_in = pass > 0 ? indices.of(pass - 1) : nullptr;
      args.index_out = last ? nullptr : indices.of(pass);
      args.index = last ? job_.index : nullptr;
    }
    args.lookback = static_cast<int32_t*>(lookback_.data);
    for (int64_t k = 0; k < portions_; ++k) {
      args.first = k * portion_;
      args.count = std::min(portion_, job_.n - args.first);
      args.tiles = tiles_in(args.count);
      args.bins = bins_at(k);
      args.bins_out = k + 1 < portions_ ? bins_at(k + 1) : nullptr;
      args.counters = static_cast<int32_t*>(counters_.data) + (k * passes_ + pass) * job_.rows;
      clear_bytes(lookback_, stream_);
      launch("sort_sweep", job_.rows * args.tiles, tile_.threads, args);
    }
  }

  const RowSort& job_;
  const SortVariant& variant_;
  Stream& stream_;
  SortTile tile_;
  int64_t passes_, portion_, portions_;
  Array bins_, counters_, lookback_;
};

}  // namespace

void sort_rows_on_gpu(const RowSort& job, Stream& stream) {
  const SortVariant variant = variant_of(job);
  const SortTile tile = tile_of_row(variant, job.n);
  const int few = threads_of_few(job.n);
  if (tile.threads == 0) return Passes(job, variant, stream).run();
  CudaSort args{};
  args.in = job.in;
  args.out = job.out;
  args.index = job.index;
  args.rows = job.rows;
  args.n = job.n;
  if (few > 0) {
    const int64_t rows_of_a_block = few_block / few;
    const int64_t blocks = (job.rows + rows_of_a_block - 1) / rows_of_a_block;
    return launch_own(few_variant(variant, few),
                      {sort_source<cuda_sort_few_text>, "sort_few", {blocks, few_block, 0}}, args,
                      stream);
  }
  if (const int items = items_of_warp(variant, job.n); items > 0) {
    const int64_t blocks = (job.rows + rows_of_a_warp_block - 1) / rows_of_a_warp_block;
    const LaunchShape shape{std::min(blocks, most_row_blocks), 32 * rows_of_a_warp_block, 0};
    return launch_own(warp_variant(variant, items),
                      {sort_source<cuda_sort_warp_text>, "sort_warps", shape}, args, stream);
  }
  const LaunchShape shape{std::min(job.rows, most_row_blocks), tile.threads, 0};
  launch_own(row_variant(variant, tile), {tile_source<cuda_sort_row_text>, "sort_rows", shape},
             args, stream);
}

}  // namespace gpuarr
