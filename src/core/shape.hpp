// Shapes, strides and layouts of at most 32 axes, without heap memory.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace gpuarr {

constexpr int max_ndim = 32;

enum class Order : int32_t { c = 0, f = 1, k = 2 };

/// A short list of numbers, one for each axis.
class Dims {
 public:
  Dims() = default;
  Dims(std::initializer_list<int64_t> values) {
    for (int64_t v : values) push_back(v);
  }
  explicit Dims(std::span<const int64_t> values) {
    for (int64_t v : values) push_back(v);
  }
  // Of the room for many axes a copy takes what is used.
  Dims(const Dims& other) { *this = other; }
  Dims& operator=(const Dims& other) {
    size_ = other.size_;
    for (int i = 0; i < size_; ++i) (*this)[i] = other[i];
    return *this;
  }
  static Dims filled(int n, int64_t value) {
    Dims d;
    for (int i = 0; i < n; ++i) d.push_back(value);
    return d;
  }

  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  int64_t& operator[](int i) { return values_[static_cast<size_t>(i)]; }
  int64_t operator[](int i) const { return values_[static_cast<size_t>(i)]; }
  const int64_t* data() const { return values_.data(); }
  const int64_t* begin() const { return values_.data(); }
  const int64_t* end() const { return values_.data() + size_; }
  void push_back(int64_t v) { values_[static_cast<size_t>(size_++)] = v; }
  void insert(int at, int64_t v);
  void erase(int at);
  bool operator==(const Dims& other) const;

 private:
  int32_t size_ = 0;
  std::array<int64_t, max_ndim + 1> values_;  // one to spare, so that expand() can check after
};

/// How indices map to elements: element offset = sum of index * stride, from the first element.
struct Layout {
  Dims shape;
  Dims strides;  // in elements

  int ndim() const { return shape.size(); }
  void add_axis(int64_t extent, int64_t stride) {
    shape.push_back(extent);
    strides.push_back(stride);
  }
  void add_axis_of(const Layout& other, int axis) {
    add_axis(other.shape[axis], other.strides[axis]);
  }
  void erase_axis(int axis) {
    shape.erase(axis);
    strides.erase(axis);
  }
  bool operator==(const Layout&) const = default;
};

std::string to_string(const Dims& dims);  // "(3, 4)", "(3,)", "()"

/// Checks a shape that came over the C ABI: count, extents, and that its bytes fit.
Dims checked_shape(int32_t ndim, const int64_t* shape, int itemsize);

/// The same with strides in elements, null for C order; their span in bytes fits too.
Layout checked_layout(const Dims& shape, const int64_t* strides, int itemsize);

/// Product of the extents; 2^63 - 1 where it is more, as of a shape that was not checked.
int64_t size_of(const Dims& shape);

/// Bytes of so many elements. Fails with GPUARR_ERR_SHAPE where they, or the strides of such an
/// array, do not fit.
int64_t checked_bytes(const Dims& shape, int itemsize);

Dims dense_strides(const Dims& shape, Order order);  // c or f

/// Whether the elements lie so; axes of extent 1 may have any stride.
bool has_strides(const Layout& layout, const Dims& strides);

/// Strides of a new array whose axes lie in memory in the order of `like`'s, without gaps.
Dims strides_like(const Layout& like);

bool is_contiguous(const Layout& layout, Order order);  // k: in any order of the axes

/// Lowest and highest element offset that the layout reaches; {0, -1} if it has no elements.
struct Reach {
  int64_t low = 0;
  int64_t high = -1;
};
Reach reach(const Layout& layout);

/// Elements from the lowest to the highest that the layout reaches; 0 if it has none.
int64_t span_of(const Layout& layout);

/// Whether two index tuples may share an element. Exact for layouts made by views; where it cannot
/// tell, true.
bool overlaps_itself(const Layout& layout);

/// 0-based axis from one that may be negative; `argument` names it in the message.
int checked_axis(int64_t axis, int ndim, const char* argument = "axis");

/// The same of axes[k]; what it is called is written where it fails only.
int checked_axis_of(std::span<const int32_t> axes, size_t k, int ndim);

/// Joins `shape` into `result` by NumPy's rules; false, and nothing changed, if they do not fit.
/// Fails with GPUARR_ERR_SHAPE where that is more elements than can be counted.
bool broadcast_into(Dims& result, const Dims& shape);

/// The layout's stride along an axis of a shape that it broadcasts to: 0 where it repeats.
int64_t broadcast_stride(const Layout& layout, const Dims& shape, int axis);

/// The layout seen through a larger shape, with stride 0 where it repeats. Fails with
/// GPUARR_ERR_BROADCAST.
Layout broadcast_to(const Layout& layout, const Dims& shape);

}  // namespace gpuarr
