// Boxes of arrays in files: as runs, which are contiguous in the file.
#include "array/file_box.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include "array/byte_order.hpp"
#include "array/file_runs.hpp"
#include "core/error.hpp"

namespace gpuarr {
namespace {

constexpr int64_t buffer_bytes = int64_t{256} << 10;  // fits caches; divides by 16
constexpr int64_t long_run = int64_t{32} << 10;       // a call of the system is short beside it
constexpr int64_t small_gap = int64_t{4} << 10;       // no longer to read than to call again

// Collects short runs in a buffer, and writes it when it is full or the file goes on elsewhere.
class RunWriter {
 public:
  RunWriter(int fd, const FileArray& array)
      : fd_(fd), dtype_(array.dtype), swaps_(array.big_endian != native_is_big) {}

  // Contiguous elements of at least so many bytes go to the file from where they are.
  void set_direct(int64_t least) { direct_ = least; }
  // What is passed over gets this element.
  void pad_with(const char* fill) { fill_ = fill; }

  void put(int64_t offset, const char* from, int64_t step, int64_t count) {
    go_to(offset);
    if (step == size_ && count * size_ >= direct_ && !swaps_) {
      flush();
      write(from, count * size_);
    } else {
      append(from, step, count);
    }
  }

  void start_at(int64_t offset) { at_ = offset; }
  void finish(int64_t end) {
    go_to(end);
    flush();
  }

 private:
  void go_to(int64_t offset) {
    const int64_t passed = offset - at_ - used_;
    if (passed == 0) return;
    if (fill_ != nullptr) return append(fill_, 0, passed / size_);
    flush();
    at_ = offset;
  }

  void append(const char* from, int64_t step, int64_t count) {
    while (count > 0) {
      if (used_ == buffer_bytes) flush();
      const int64_t now = std::min(count, (buffer_bytes - used_) / size_);
      copy_elements(size_, buffer() + used_, size_, from, step, now);
      used_ += now * size_;
      from += now * step;
      count -= now;
    }
  }

  void flush() {
    if (used_ == 0) return;
    if (swaps_) swap_bytes(dtype_, buffer(), used_);
    const int64_t bytes = std::exchange(used_, 0);
    write(buffer(), bytes);
  }

  void write(const char* from, int64_t bytes) {
    if (!quiet_.write_at(fd_, {from, static_cast<size_t>(bytes)}, at_))
      fail_errno("it cannot be written");
    at_ += bytes;
  }

  char* buffer() {
    if (!buffer_) buffer_ = std::make_unique_for_overwrite<char[]>(buffer_bytes);
    return buffer_.get();
  }

  QuietWriter quiet_;
  int fd_;
  DType dtype_;
  int size_ = size_of(dtype_);
  bool swaps_;
  int64_t direct_ = 0;
  const char* fill_ = nullptr;
  int64_t at_ = 0, used_ = 0;  // where the buffer's bytes go, and how many it has
  std::unique_ptr<char[]> buffer_;
};

// Reads short runs that lie close to each other through a buffer.
class RunReader {
 public:
  RunReader(const InputFile& file, const FileArray& array, const Runs& runs)
      : file_(file), array_(array), runs_(runs), group_(runs.span(small_gap)) {}

  void get(int64_t offset, char* to) {
    if (runs_.is_contiguous() && (runs_.bytes() >= long_run || runs_.bytes() == group_))
      return read(offset, to, runs_.bytes());
    if (offset >= group_end_) group_end_ = offset + group_;
    const int64_t end = offset + runs_.bytes();
    while (offset < end) {
      if (offset >= at_ + used_) load(offset);
      const int64_t count = (std::min(end, at_ + used_) - offset) / runs_.size;
      copy_elements(runs_.size, to, runs_.step, buffer_.get() + (offset - at_), runs_.size, count);
      to += count * runs_.step;
      offset += count * runs_.size;
    }
  }

 private:
  void load(int64_t offset) {
    if (!buffer_) buffer_ = std::make_unique_for_overwrite<char[]>(buffer_bytes);
    at_ = offset;
    used_ = std::min(buffer_bytes, group_end_ - offset);
    read(offset, buffer_.get(), used_);
  }

  // In pieces that are still in a cache when they are looked at.
  void read(int64_t offset, char* to, int64_t bytes) {
    const bool as_it_is = array_.dtype != DType::boolean &&
                          (size_of(array_.dtype) == 1 || array_.big_endian == native_is_big);
    const int64_t piece = as_it_is ? bytes : buffer_bytes;
    for (int64_t at = 0; at < bytes; at += piece) {
      const int64_t now = std::min(piece, bytes - at);
      file_.read_at(offset + at, to + at, now);
      if (!as_it_is) make_native(array_.dtype, array_.big_endian, to + at, now);
    }
  }

  const InputFile& file_;
  const FileArray& array_;
  const Runs& runs_;
  int64_t group_;  // bytes of runs that are read together
  int64_t group_end_ = 0;
  int64_t at_ = 0, used_ = 0;  // the part of the file that the buffer has
  std::unique_ptr<char[]> buffer_;
};

// The axis along which the host's memory is closest, if along the file's innermost one it lies so
// far apart that a run would touch a cache line for each element; -1 otherwise.
int across(const FileArray& array, const Box& box, const Dims& strides) {
  constexpr int64_t far = 128;  // bytes
  const Runs runs = runs_of(array, box, strides);
  if (runs.empty || runs.length == 1 || std::abs(runs.step) < far) return -1;
  int closest = -1;
  int64_t least = std::abs(runs.step) / runs.size;
  for (int i = 0; i < strides.size(); ++i)
    if (box.extents[i] > 1 && std::abs(strides[i]) < least) {
      closest = i;
      least = std::abs(strides[i]);
    }
  return closest;
}

// Extents of tiles that fit the buffer: a cache line or two across, and of the file's innermost
// axes as much as possible.
Dims tile_extents(const FileArray& array, const Box& box, int across) {
  const int ndim = array.shape.size();
  int64_t left = buffer_bytes / size_of(array.dtype);
  Dims tile = Dims::filled(ndim, 1);
  tile[across] = std::min<int64_t>(box.extents[across], 128 / size_of(array.dtype));
  left /= tile[across];
  for (int k = 0; k < ndim; ++k) {
    const int axis = array.order == Order::f ? k : ndim - 1 - k;
    const int64_t more = std::min(box.extents[axis] / tile[axis], left);
    tile[axis] *= std::max<int64_t>(more, 1);
    left /= std::max<int64_t>(more, 1);
  }
  return tile;
}

// Strides of a tile in the buffer. Long rows are kept from lying a power of two apart, where a
// cache has few places for what is across them.
Dims tile_strides(const FileArray& array, const Dims& tile) {
  const int size = size_of(array.dtype);
  Dims extents = tile;
  if (extents.empty()) return extents;
  int64_t& row = extents[array.order == Order::f ? 0 : extents.size() - 1];
  if (row * size >= 1024) row += 64 / size;
  return dense_strides(extents, array.order);
}

// Calls visit(tile, offset in the host's memory) for the tiles of a box.
template <class Visit>
void for_each_tile(const FileArray& array, const Box& box, const Dims& strides, int across,
                   Visit&& visit) {
  const Dims most = tile_extents(array, box, across);
  Box tile = box;
  for (;;) {
    int64_t host = 0;
    for (int i = 0; i < most.size(); ++i) {
      const int64_t done = tile.start[i] - box.start[i];
      tile.extents[i] = std::min(most[i], box.extents[i] - done);
      if (done > 0) host += done * strides[i] * size_of(array.dtype);
    }
    visit(tile, host);
    int axis = most.size() - 1;
    for (; axis >= 0; --axis) {
      tile.start[axis] += most[axis];
      if (tile.start[axis] < box.start[axis] + box.extents[axis]) break;
      tile.start[axis] = box.start[axis];
    }
    if (axis < 0) return;
  }
}

// Copies a tile, along `inner` in the innermost loop.
void copy_tile(int size, const Dims& extents, int inner, char* to, const Dims& to_strides,
               const char* from, const Dims& from_strides) {
  Dims index = Dims::filled(extents.size(), 0);
  for (;;) {
    copy_elements(size, to, to_strides[inner] * size, from, from_strides[inner] * size,
                  extents[inner]);
    int axis = extents.size() - 1;
    for (; axis >= 0; --axis) {
      if (axis == inner || extents[axis] == 1) continue;
      to += to_strides[axis] * size;
      from += from_strides[axis] * size;
      if (++index[axis] < extents[axis]) break;
      to -= extents[axis] * to_strides[axis] * size;
      from -= extents[axis] * from_strides[axis] * size;
      index[axis] = 0;
    }
    if (axis < 0) return;
  }
}

}  // namespace

void check_box(const Box& box, const Dims& shape) {
  bool fits = box.start.size() == shape.size() && box.extents.size() == shape.size();
  for (int i = 0; fits && i < shape.size(); ++i)
    fits = box.start[i] >= 0 && box.extents[i] >= 0 && box.start[i] <= shape[i] &&
           box.extents[i] <= shape[i] - box.start[i];
  if (!fits)
    fail(GPUARR_ERR_SHAPE, "the box of {} from {} on does not lie in the shape {}",
         to_string(box.extents), to_string(box.start), to_string(shape));
}

void read_box(const InputFile& file, const FileArray& array, const Box& box, void* first,
              const Dims& strides) {
  auto* host = static_cast<char*>(first);
  if (const int inner = across(array, box, strides); inner >= 0) {
    const auto buffer = std::make_unique_for_overwrite<char[]>(2 * buffer_bytes);
    for_each_tile(array, box, strides, inner, [&](const Box& tile, int64_t at) {
      const Dims dense = tile_strides(array, tile.extents);
      read_box(file, array, tile, buffer.get(), dense);
      copy_tile(size_of(array.dtype), tile.extents, inner, host + at, strides, buffer.get(), dense);
    });
    return;
  }
  const Runs runs = runs_of(array, box, strides);
  RunReader reader(file, array, runs);
  for_each_run(runs, [&](int64_t at, int64_t place) { reader.get(at, host + place); });
}

void write_box(int fd, const FileArray& array, const Box& box, const void* first,
               const Dims& strides) {
  const auto* host = static_cast<const char*>(first);
  if (const int inner = across(array, box, strides); inner >= 0) {
    const auto buffer = std::make_unique_for_overwrite<char[]>(2 * buffer_bytes);
    for_each_tile(array, box, strides, inner, [&](const Box& tile, int64_t at) {
      const Dims dense = tile_strides(array, tile.extents);
      copy_tile(size_of(array.dtype), tile.extents, inner, buffer.get(), dense, host + at, strides);
      write_box(fd, array, tile, buffer.get(), dense);
    });
    return;
  }
  const Runs runs = runs_of(array, box, strides);
  if (runs.empty) return;
  RunWriter writer(fd, array);
  const bool more_follows = runs.span(0) > runs.bytes();  // what could go with it in one write
  writer.set_direct(more_follows ? long_run : 0);
  writer.start_at(runs.offset);
  for_each_run(runs, [&](int64_t at, int64_t place) {
    writer.put(at, host + place, runs.step, runs.length);
  });
  writer.finish(runs.end());
}

void write_padded(int fd, const FileArray& array, const Dims& extents, const void* first,
                  const Dims& strides, const void* fill) {
  const Runs runs = runs_of(array, whole_box(extents), strides);
  RunWriter writer(fd, array);
  writer.set_direct(long_run);
  writer.pad_with(static_cast<const char*>(fill));
  writer.start_at(array.begin);
  for_each_run(runs, [&](int64_t at, int64_t host) {
    writer.put(at, static_cast<const char*>(first) + host, runs.step, runs.length);
  });
  writer.finish(array.begin + array.bytes());
}

void fill_box(DType dtype, const Dims& extents, void* first, const Dims& strides,
              const void* fill) {
  const Runs runs = runs_of(dtype, extents, strides);
  for_each_run(runs, [&](int64_t, int64_t host) {
    copy_elements(runs.size, static_cast<char*>(first) + host, runs.step,
                  static_cast<const char*>(fill), 0, runs.length);
  });
}

}  // namespace gpuarr
