// An array's elements as text.
#include "cli/base/elements.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <vector>

#include "cli/base/error.hpp"
#include "cli/base/objects.hpp"

namespace cli {
namespace {

constexpr int64_t most_shown = 1000;  // that are all shown
constexpr int64_t shown_at_ends = 3;  // of an axis of a larger array

template <class T>
std::string number_at(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

template <class T>
std::string complex_at(const std::byte* at) {
  const std::string imaginary = number_at<T>(at + sizeof(T));
  const bool has_sign = imaginary[0] == '-';
  return number_at<T>(at) + (has_sign ? "" : "+") + imaginary + "j";
}

std::string truth_at(const std::byte* at) { return *at != std::byte{0} ? "True" : "False"; }

using ElementText = std::string (*)(const std::byte*);

ElementText text_of(gpuarr_dtype dtype) {
  constexpr ElementText integers[] = {
      // from GPUARR_BOOL on
      truth_at,           number_at<int8_t>,  number_at<int16_t>,  number_at<int32_t>,
      number_at<int64_t>, number_at<uint8_t>, number_at<uint16_t>, number_at<uint32_t>,
      number_at<uint64_t>};
  if (dtype <= GPUARR_U64) return integers[dtype - GPUARR_BOOL];
  if (dtype == GPUARR_C64) return complex_at<float>;
  if (dtype == GPUARR_C128) return complex_at<double>;
  return dtype == GPUARR_F64 ? number_at<double> : number_at<float>;
}

// The elements in C order, 16-bit floats as float32.
class Elements {
 public:
  Elements(const gpuarr_array* array, gpuarr_stream* stream)
      : shape_(gpuarr_array_shape(array), gpuarr_array_shape(array) + gpuarr_array_ndim(array)),
        is_long_(gpuarr_array_size(array) > most_shown) {
    Array wide;
    const gpuarr_dtype own = gpuarr_array_dtype(array);
    if (own == GPUARR_F16 || own == GPUARR_BF16) {
      check(gpuarr_array_astype(wide.out(), array, GPUARR_F32, stream));
      array = wide.get();
    }
    text_ = text_of(gpuarr_array_dtype(array));
    size_ = gpuarr_dtype_size(gpuarr_array_dtype(array));
    bytes_.resize(static_cast<size_t>(bytes_of(array)));
    check(gpuarr_array_read(bytes_.data(), bytes_of(array), nullptr, array, stream));
  }

  std::string text() {
    if (shape_.empty()) return text_(bytes_.data());
    measure(0, 0);
    std::string out;
    add(0, 0, out);
    return out;
  }

 private:
  // What is shown of an axis; -1 stands for what is not.
  std::vector<int64_t> shown(size_t axis) const {
    const int64_t extent = shape_[axis];
    std::vector<int64_t> out;
    for (int64_t k = 0; k < extent; ++k)
      if (!is_long_ || k < shown_at_ends || k >= extent - shown_at_ends)
        out.push_back(k);
      else if (out.back() != -1)
        out.push_back(-1);
    return out;
  }

  std::string element(int64_t at) const { return text_(bytes_.data() + at * size_); }
  bool is_last(size_t axis) const { return axis + 1 == shape_.size(); }

  // At most 32 axes deep.
  void measure(size_t axis, int64_t at) {
    for (const int64_t k : shown(axis)) {
      const int64_t next = at * shape_[axis] + k;
      if (k >= 0 && is_last(axis))
        width_ = std::max(width_, element(next).size());
      else if (k >= 0)
        measure(axis + 1, next);
    }
  }

  void add(size_t axis, int64_t at, std::string& out) const {
    out += '[';
    bool first = true;
    for (const int64_t k : shown(axis)) {
      if (!std::exchange(first, false))
        out += is_last(axis)
                   ? " "
                   : std::string(shape_.size() - axis - 1, '\n') + std::string(axis + 1, ' ');
      const int64_t next = at * shape_[axis] + k;
      if (k < 0) {
        out += "...";
      } else if (is_last(axis)) {
        const std::string text = element(next);
        out += std::string(width_ - text.size(), ' ') + text;
      } else {
        add(axis + 1, next, out);
      }
    }
    out += ']';
  }

  std::vector<int64_t> shape_;
  bool is_long_;
  ElementText text_ = nullptr;
  int64_t size_ = 0;
  std::vector<std::byte> bytes_;
  size_t width_ = 0;
};

}  // namespace

std::string elements_text(const gpuarr_array* array, gpuarr_stream* stream) {
  return Elements(array, stream).text();
}

}  // namespace cli
