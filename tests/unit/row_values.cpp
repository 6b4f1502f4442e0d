// Row kernels on $GPUARR_TEST_DEVICE, against sums by hand: random shapes, axes, strides, dtypes
// and lengths. Nothing but the outputs' elements may be written.
#include <cstdlib>
#include <cstring>
#include <random>

#include "backends.hpp"
#include "check.hpp"
#include "row_elements.hpp"
#include "row_texts.hpp"
#include "seed.hpp"

using namespace gpuarr;
using row_elements::read;
using row_elements::write;
using row_texts::Lies;
using row_texts::Real;
using row_texts::RowCase;
using row_texts::RowValues;

namespace {

Real epsilon(DType dtype) {
  if (dtype == DType::f16) return 1e-3L;
  if (dtype == DType::bf16) return 8e-3L;
  return dtype == DType::f32 ? 1.2e-7L : 2.3e-16L;
}

class Drawing {
 public:
  Drawing(uint64_t seed, Device& device) : random_(seed), device_(device) {
    stream_ = device.create_stream(0);
  }

  int64_t between(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random_);
  }
  bool one_in(int n) { return between(1, n) == 1; }
  double number() { return std::uniform_real_distribution<double>(-4, 4)(random_); }
  Device& device() { return device_; }
  Stream& stream() { return *stream_; }

 private:
  std::mt19937_64 random_;
  Device& device_;
  std::shared_ptr<Stream> stream_;
};

/// An array on the device, with the bytes that it lies among.
struct Placed {
  Array array;
  std::vector<std::byte> bytes;
  int64_t first = 0;  // element of `bytes`

  int64_t at(const Dims& index) const {
    int64_t at = first;
    for (int axis = 0; axis < array.ndim(); ++axis) at += index[axis] * array.layout.strides[axis];
    return at * array.itemsize();
  }
  void take(Drawing& draw) {
    draw.device().copy_to_host(bytes.data(), array.buffer->data(),
                               static_cast<int64_t>(bytes.size()), draw.stream());
    draw.stream().synchronize();
  }
};

// `inside`: axes whose elements are neighbours, of which the first `row_axes` have no gaps between
// them.
Placed place(Drawing& draw, DType dtype, const Dims& shape, const std::vector<int>& inside,
             size_t row_axes) {
  Placed out;
  Layout layout{shape, Dims::filled(shape.size(), 1)};
  int64_t step = 1;
  const bool gaps = draw.one_in(4);
  for (size_t k = 0; k < inside.size(); ++k) {
    layout.strides[inside[k]] = step;
    step *= std::max<int64_t>(1, shape[inside[k]]);
    if (gaps && k + 1 >= row_axes) step += draw.between(0, 3) * (draw.one_in(2) ? 4 : 1);
  }
  out.first = draw.one_in(3) ? draw.between(0, 9) : 16;
  const int64_t count = out.first + step + 64;
  out.bytes.resize(static_cast<size_t>(count * size_of(dtype)));
  for (int64_t k = 0; k < count; ++k)
    write(dtype, out.bytes.data() + k * size_of(dtype), draw.number());
  const Array whole = Array::empty(draw.stream(), dtype, Dims{count});
  draw.device().copy_from_host(whole.data, out.bytes.data(), static_cast<int64_t>(out.bytes.size()),
                               draw.stream());
  draw.stream().synchronize();
  out.array = whole.view(layout, out.first);
  return out;
}

struct Loop {
  Dims shape;
  std::vector<bool> reduced;
  std::vector<int> inside;  // axes, reduced ones first
  int64_t rows = 1, length = 1;

  size_t row_axes() const { return static_cast<size_t>(std::ranges::count(reduced, true)); }
  Dims without(bool of_kept, bool keepdims) const {
    Dims out;
    for (int axis = 0; axis < shape.size(); ++axis)
      if (reduced[static_cast<size_t>(axis)] != of_kept)
        out.push_back(shape[axis]);
      else if (keepdims)
        out.push_back(1);
    return out;
  }
};

// Long ones are by hand only where they take a cluster's memory.
int64_t length_of(Drawing& draw) {
  if (!draw.device().has_host_memory() && draw.one_in(12)) return draw.between(50000, 300000);
  switch (draw.between(0, 6)) {
    case 0:
      return draw.between(1, 40);
    case 1:
      return int64_t{1} << draw.between(0, 14);
    case 2:
      return 4 * draw.between(1, 3000);
    case 3:
      return draw.one_in(4) ? draw.between(20000, 70000) : draw.between(1, 3000);
    default:
      return draw.between(1, 2000);
  }
}

Loop loop_of(Drawing& draw) {
  Loop out;
  int64_t length = length_of(draw);
  std::vector<int64_t> row_axes = {length};
  if (draw.one_in(4) && length % 6 == 0) row_axes = {length / 6, 6};
  std::vector<int64_t> kept;
  for (int64_t axes = draw.between(0, 3); axes > 0; --axes)
    kept.push_back(draw.between(1, std::max<int64_t>(2, 40 / (length / 500 + 1))));
  if (draw.one_in(30)) kept.push_back(0);
  const bool leading = draw.one_in(4);  // the reduced axes stand first
  const auto add = [&](const std::vector<int64_t>& extents, bool reduced) {
    for (int64_t extent : extents) {
      out.shape.push_back(extent);
      out.reduced.push_back(reduced);
      (reduced ? out.length : out.rows) *= extent;
    }
  };
  if (leading) add(row_axes, true);
  add(kept, false);
  if (!leading) add(row_axes, true);
  for (const bool reduced : {true, false})
    for (int axis = out.shape.size() - 1; axis >= 0; --axis)
      if (out.reduced[static_cast<size_t>(axis)] == reduced) out.inside.push_back(axis);
  return out;
}

class Trial {
 public:
  Trial(Drawing& draw, RowCase c, DType dtype)
      : draw_(draw), case_(std::move(c)), dtype_(dtype), loop_(loop_of(draw)) {}

  int64_t length() const { return loop_.length; }

  void run() {
    make_arrays();
    Row kernel(case_.spec, case_.options);
    std::vector<Argument> inputs;
    for (size_t k = 0; k < in_.size(); ++k)
      inputs.push_back(case_.lies[k] == Lies::scalar ? Argument{nullptr, &eps_}
                                                     : Argument{&in_[k].array, nullptr});
    std::vector<const Array*> outputs;
    for (const Placed& p : out_) outputs.push_back(&p.array);
    std::vector<int32_t> axes;
    for (int axis = 0; axis < loop_.shape.size(); ++axis)
      if (loop_.reduced[static_cast<size_t>(axis)]) axes.push_back(axis);
    const AxisRequest request{axes, false, keepdims_};
    std::vector<const Array*> wanted = outputs;
    const bool makes = draw_.one_in(3) && in_place_ < 0;
    if (makes) std::ranges::fill(wanted, nullptr);
    if (draw_.one_in(4) && !makes) {
      PreparedCall call = kernel.prepare(inputs, wanted, request);
      for (int k = 0; k < (in_place_ < 0 ? 2 : 1); ++k)
        if (loop_.rows > 0) call.launch(draw_.stream());
    } else {
      MadeOutputs made = kernel.call(inputs, wanted, request, &draw_.stream());
      CHECK_EQ(made.size(), makes ? outputs.size() : 0);
      for (auto& [k, array] : made) take_made(out_[static_cast<size_t>(k)], std::move(array));
    }
    compare();
  }

 private:
  Placed place_input(Lies lies) {
    if (lies == Lies::whole)
      return place(draw_, dtype_, loop_.shape, loop_.inside, loop_.row_axes());
    const bool row = lies == Lies::row;
    return place(draw_, dtype_, loop_.without(!row, true), loop_.inside, loop_.row_axes());
  }

  void make_arrays() {
    keepdims_ = draw_.one_in(2);
    for (Lies lies : case_.lies) {
      in_.emplace_back();
      if (lies != Lies::scalar) in_.back() = place_input(lies);
    }
    const std::vector<Parameter> outputs = row_texts::signature_of(case_).outputs;
    along_ = static_cast<size_t>(row_texts::outputs_along(case_));
    for (size_t k = 0; k < along_; ++k)
      out_.push_back(place(draw_, *outputs[k].dtype, loop_.shape, loop_.inside, loop_.row_axes()));
    if (along_ > 0 && *outputs[0].dtype == dtype_ && draw_.one_in(4)) {
      in_place_ = 0;
      before_ = in_[0].bytes;
      out_[0] = in_[0];
    }
    for (size_t k = along_; k < outputs.size(); ++k) place_result(*outputs[k].dtype);
  }

  void place_result(DType dtype) {
    const bool keeps = draw_.one_in(2);
    const Dims shape = loop_.without(true, keeps);
    std::vector<int> inside;
    for (int axis = shape.size() - 1; axis >= 0; --axis) inside.push_back(axis);
    out_.push_back(place(draw_, dtype, shape, inside, 1));
  }

  void take_made(Placed& to, Array array) {
    to.first = 0;
    to.bytes.resize(static_cast<size_t>(array.buffer->bytes()));
    to.array = std::move(array);
  }

  Dims index_of(int64_t row, int64_t k) const {
    Dims index = Dims::filled(loop_.shape.size(), 0);
    for (int axis = loop_.shape.size() - 1; axis >= 0; --axis) {
      int64_t& rest = loop_.reduced[static_cast<size_t>(axis)] ? k : row;
      index[axis] = rest % loop_.shape[axis];
      rest /= loop_.shape[axis];
    }
    return index;
  }

  Dims own_index(const Array& array, const Dims& index) const {
    if (array.ndim() == index.size()) {
      Dims own = index;
      for (int axis = 0; axis < own.size(); ++axis)
        if (array.layout.shape[axis] == 1) own[axis] = 0;
      return own;
    }
    Dims own;
    for (int axis = 0; axis < index.size(); ++axis)
      if (!loop_.reduced[static_cast<size_t>(axis)]) own.push_back(index[axis]);
    return own;
  }

  RowValues values_of(int64_t row) const {
    RowValues v;
    for (size_t k = 0; k < in_.size(); ++k) {
      v.in.emplace_back();
      if (case_.lies[k] == Lies::scalar) {
        v.in.back().push_back(0.5L);
        continue;
      }
      const int64_t count = case_.lies[k] == Lies::column ? 1 : loop_.length;
      const std::vector<std::byte>& bytes =
          in_place_ == static_cast<int>(k) ? before_ : in_[k].bytes;
      for (int64_t e = 0; e < count; ++e)
        v.in.back().push_back(
            read(dtype_, bytes.data() + in_[k].at(own_index(in_[k].array, index_of(row, e)))));
    }
    for (int64_t e = 0; e < loop_.length; ++e) {
      const Dims index = index_of(row, e);
      int64_t number = 0;
      for (int axis = 0; axis < index.size(); ++axis)
        number = number * loop_.shape[axis] + index[axis];
      v.numbers.push_back(number);
    }
    return v;
  }

  void compare_one(const Placed& p, const Dims& index, Real wanted, std::vector<bool>& seen) {
    const int64_t at = p.at(own_index(p.array, index));
    seen[static_cast<size_t>(at / p.array.itemsize())] = true;
    const Real got = read(p.array.dtype, p.bytes.data() + at);
    const bool exact = !is_inexact(p.array.dtype);
    const Real unit = std::max(epsilon(p.array.dtype), is_inexact(dtype_) ? epsilon(dtype_) : 0);
    const Real allowed = exact ? 0 : 30 * unit * std::max(std::fabs(wanted), case_.size);
    if (std::fabs(got - wanted) <= allowed || wrong_++ > 0) return;
    check::report(__FILE__, __LINE__)
        << case_.name << " of " << name(dtype_) << ", shape " << to_string(loop_.shape) << ", "
        << loop_.rows << " rows of " << loop_.length << ", in place " << in_place_ << ": index "
        << to_string(index) << " is " << static_cast<double>(got) << ", by hand "
        << static_cast<double>(wanted) << "\n";
  }

  void compare() {
    std::vector<std::vector<bool>> seen;
    std::vector<std::vector<std::byte>> before;
    for (Placed& p : out_) {
      before.push_back(p.bytes);
      p.take(draw_);
      seen.emplace_back(p.bytes.size() / static_cast<size_t>(p.array.itemsize()));
    }
    for (int64_t row = 0; row < loop_.rows; ++row) {
      RowValues v = values_of(row);
      case_.by_hand(v);
      for (size_t k = 0; k < along_; ++k)
        for (int64_t e = 0; e < loop_.length; ++e)
          compare_one(out_[k], index_of(row, e), v.along[k][static_cast<size_t>(e)], seen[k]);
      for (size_t k = along_; k < out_.size(); ++k)
        compare_one(out_[k], index_of(row, 0), v.of_row[k - along_], seen[k]);
    }
    for (size_t k = 0; k < out_.size(); ++k) {
      const auto size = static_cast<size_t>(out_[k].array.itemsize());
      for (size_t e = 0; e < seen[k].size() && out_[k].first > 0; ++e)
        if (!seen[k][e] &&
            std::memcmp(out_[k].bytes.data() + e * size, before[k].data() + e * size, size) != 0)
          return void(check::report(__FILE__, __LINE__)
                      << case_.name << ": element " << e << " beside output " << k
                      << " was written\n");
    }
  }

  Drawing& draw_;
  RowCase case_;
  DType dtype_;
  Loop loop_;
  bool keepdims_ = false;
  int in_place_ = -1;
  int wrong_ = 0;
  size_t along_ = 0;
  std::vector<Placed> in_, out_;
  std::vector<std::byte> before_;
  Scalar eps_ = Scalar::of(0.5);
};

constexpr int trials = check::sanitized ? 1 : 2;

// Long rows of several arrays, or of wide ones, fit no processor.
void run_one(Drawing& draw, const RowCase& c, DType dtype) {
  Trial trial(draw, c, dtype);
  try {
    trial.run();
  } catch (const Error& e) {
    if (e.status() != GPUARR_ERR_UNSUPPORTED || trial.length() < 50000) throw;
  }
}

void draw_all(Drawing& draw) {
  constexpr DType floats[] = {DType::f32, DType::f32, DType::f64, DType::f16, DType::bf16};
  for (row_texts::Make* make : row_texts::of_floats)
    for (DType dtype : floats) {
      const bool is_short = size_of(dtype) == 2;
      // Sums of squares of what was rounded to 8 bits are not close to anything.
      if (is_short && make == row_texts::cosine) continue;
      for (int k = 0; k < trials; ++k) run_one(draw, make(dtype), dtype);
    }
  for (DType dtype : {DType::i8, DType::i32, DType::i64, DType::boolean})
    for (int k = 0; k < trials; ++k) run_one(draw, row_texts::above_mean(dtype), dtype);
}

}  // namespace

int main() {
  const char* name = std::getenv("GPUARR_TEST_DEVICE");
  Device* device = nullptr;
  try {
    device = &open_device(name == nullptr || *name == '\0' ? "host" : name);
  } catch (const Error& e) {
    std::cout << "skipped: " << e.what() << "\n";
    return 77;
  }
  Drawing draw(test_seed(), *device);
  draw_all(draw);
  return check::result();
}
