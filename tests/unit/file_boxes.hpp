// Random arrays, boxes of them, and host memory of all strides, for what is read from files.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "array/file_box.hpp"
#include "check.hpp"
#include "core/dtype.hpp"
#include "seed.hpp"

/// Calls visit(index) for each index of a box, the last axis fastest.
template <class Visit>
void for_each_index(const gpuarr::Dims& extents, Visit&& visit) {
  if (gpuarr::size_of(extents) == 0) return;
  gpuarr::Dims index = gpuarr::Dims::filled(extents.size(), 0);
  for (;;) {
    visit(index);
    int axis = extents.size() - 1;
    while (axis >= 0 && ++index[axis] == extents[axis]) index[axis--] = 0;
    if (axis < 0) return;
  }
}

/// Reverses the bytes of each number.
inline void reverse_parts(gpuarr::DType dtype, std::string& bytes) {
  const auto width =
      static_cast<size_t>(gpuarr::size_of(dtype) / (gpuarr::is_complex(dtype) ? 2 : 1));
  for (size_t at = 0; at < bytes.size(); at += width)
    std::reverse(bytes.data() + at, bytes.data() + at + width);
}

/// An array's elements, in C order.
class HostArray {
 public:
  HostArray(gpuarr::DType dtype, const gpuarr::Dims& shape, std::string bytes)
      : size_(gpuarr::size_of(dtype)),
        shape_(shape),
        strides_(gpuarr::dense_strides(shape, gpuarr::Order::c)),
        bytes_(std::move(bytes)) {}

  std::string at(const gpuarr::Dims& index) const { return bytes_.substr(place(index), size()); }
  void set(const gpuarr::Dims& index, const std::string& element) {
    bytes_.replace(place(index), size(), element);
  }
  const gpuarr::Dims& shape() const { return shape_; }

  /// All elements, as they lie in a file.
  std::string bytes_in(gpuarr::Order order) const {
    std::string out = bytes_;
    const gpuarr::Dims in_file = gpuarr::dense_strides(shape_, order);
    for_each_index(shape_, [&](const gpuarr::Dims& index) {
      int64_t to = 0;
      for (int i = 0; i < index.size(); ++i) to += index[i] * in_file[i];
      out.replace(static_cast<size_t>(to * size_), size(), at(index));
    });
    return out;
  }

  /// The elements of a box get those of another array.
  void take(const HostArray& other, const gpuarr::Box& box) {
    for_each_index(box.extents, [&](gpuarr::Dims index) {
      for (int i = 0; i < index.size(); ++i) index[i] += box.start[i];
      set(index, other.at(index));
    });
  }

 private:
  size_t size() const { return static_cast<size_t>(size_); }
  size_t place(const gpuarr::Dims& index) const {
    int64_t at = 0;
    for (int i = 0; i < index.size(); ++i) at += index[i] * strides_[i];
    return static_cast<size_t>(at * size_);
  }

  int size_;
  gpuarr::Dims shape_, strides_;
  std::string bytes_;
};

/// Host memory of some strides, with guards around.
class HostBox {
 public:
  HostBox(gpuarr::DType dtype, const gpuarr::Layout& layout)
      : size_(gpuarr::size_of(dtype)), layout_(layout) {
    const gpuarr::Reach reach = gpuarr::reach(layout);
    offset_ = guard - reach.low * size_;
    memory_.assign(static_cast<size_t>(2 * guard + (reach.high - reach.low + 1) * size_), poison);
  }

  char* first() { return memory_.data() + offset_; }
  const gpuarr::Dims& strides() const { return layout_.strides; }

  void take(const HostArray& all, const gpuarr::Box& box) {
    visit(box, [&](const gpuarr::Dims& index, char* place) {
      all.at(index).copy(place, static_cast<size_t>(size_));
    });
  }
  bool holds(const HostArray& all, const gpuarr::Box& box) {
    bool same = true;
    visit(box, [&](const gpuarr::Dims& index, char* place) {
      same &= all.at(index) == std::string(place, static_cast<size_t>(size_));
    });
    return same;
  }
  /// Spoils what holds() has looked at.
  bool rest_is_untouched() {
    for_each_index(layout_.shape,
                   [&](const gpuarr::Dims& index) { std::fill_n(at(index), size_, poison); });
    return std::ranges::all_of(memory_, [](char c) { return c == poison; });
  }

 private:
  static constexpr int64_t guard = 64;
  static constexpr char poison = '\x5a';

  char* at(const gpuarr::Dims& index) {
    int64_t offset = 0;
    for (int i = 0; i < index.size(); ++i) offset += index[i] * layout_.strides[i];
    return first() + offset * size_;
  }
  template <class Visit>
  void visit(const gpuarr::Box& box, Visit&& visit) {
    for_each_index(layout_.shape, [&](const gpuarr::Dims& index) {
      gpuarr::Dims in_all = index;
      for (int i = 0; i < index.size(); ++i) in_all[i] += box.start[i];
      visit(in_all, at(index));
    });
  }

  int64_t size_, offset_ = 0;
  gpuarr::Layout layout_;
  std::vector<char> memory_;
};

/// Draws all of these.
class Draw {
 public:
  explicit Draw(uint64_t seed) : generator_(seed) {}

  int64_t below(int64_t end) {
    return std::uniform_int_distribution<int64_t>(0, end - 1)(generator_);
  }
  gpuarr::Order order() { return below(2) == 0 ? gpuarr::Order::c : gpuarr::Order::f; }
  gpuarr::DType dtype() {
    const auto rows = gpuarr::dtype_table();
    return rows[static_cast<size_t>(below(static_cast<int64_t>(rows.size())))].dtype;
  }
  gpuarr::Dims shape(int64_t least = 0) {
    gpuarr::Dims out;
    const int64_t longest = below(4) == 0 ? 20 : 6;
    for (int64_t n = below(5); n > 0; --n)
      out.push_back(below(12) == 0 ? least : 1 + below(longest));
    return out;
  }

  /// Of a dtype that NumPy has.
  gpuarr::FileArray file_array() {
    gpuarr::FileArray out;
    do out.dtype = dtype();
    while (out.dtype == gpuarr::DType::bf16);
    out.big_endian = gpuarr::size_of(out.dtype) > 1 && below(3) == 0;
    out.order = order();
    out.shape = shape();
    return out;
  }

  HostArray elements(gpuarr::DType dtype, const gpuarr::Dims& shape) {
    std::string bytes(static_cast<size_t>(gpuarr::size_of(shape) * gpuarr::size_of(dtype)), '\0');
    const int64_t values = dtype == gpuarr::DType::boolean ? 2 : 256;
    for (char& c : bytes) c = static_cast<char>(below(values));
    return {dtype, shape, std::move(bytes)};
  }

  gpuarr::Box box(const gpuarr::Dims& shape) {
    gpuarr::Box out;
    const bool whole = below(6) == 0;
    for (int64_t extent : shape) {
      const int64_t start = whole ? 0 : below(extent + 1);
      out.start.push_back(start);
      out.extents.push_back(whole ? extent : below(extent - start + 1));
    }
    return out;
  }

  /// Boxes that have each element once.
  std::vector<gpuarr::Box> tiles(const gpuarr::Dims& shape) {
    gpuarr::Dims tile, counts;
    for (int64_t extent : shape) {
      tile.push_back(1 + below(std::max<int64_t>(extent, 1)));
      counts.push_back((extent + tile[tile.size() - 1] - 1) / tile[tile.size() - 1]);
    }
    std::vector<gpuarr::Box> out;
    for_each_index(counts, [&](const gpuarr::Dims& index) {
      gpuarr::Box box;
      for (int i = 0; i < index.size(); ++i) {
        box.start.push_back(index[i] * tile[i]);
        box.extents.push_back(std::min(tile[i], shape[i] - box.start[i]));
      }
      out.push_back(box);
    });
    return out;
  }

  /// In any order of the axes, forwards and backwards, with and without gaps.
  HostBox host_box(gpuarr::DType dtype, const gpuarr::Dims& extents) {
    gpuarr::Layout layout{extents, gpuarr::dense_strides(extents, order())};
    if (below(3) == 0) {
      std::vector<int> axes(static_cast<size_t>(extents.size()));
      for (size_t i = 0; i < axes.size(); ++i) axes[i] = static_cast<int>(i);
      std::ranges::shuffle(axes, generator_);
      int64_t step = 1 + below(3);
      for (int axis : axes) {
        layout.strides[axis] = below(3) == 0 ? -step : step;
        step *= std::max<int64_t>(extents[axis], 1) + below(2);
      }
    }
    for (int i = 0; i < extents.size(); ++i)  // what stands for one index means nothing
      if (extents[i] == 1 && below(4) == 0) layout.strides[i] = INT64_MAX;
    return {dtype, layout};
  }

 private:
  std::mt19937_64 generator_;
};
