// Products by panels: van de Geijn and Watts, "SUMMA: scalable universal matrix multiplication
// algorithm", 1997.
#include "team/compute/matmul.hpp"

#include "array/views.hpp"
#include "linalg/products/multiply.hpp"
#include "ops/base/copy.hpp"
#include "team/compute/panels.hpp"
#include "team/compute/shared_memory.hpp"

namespace gpuarr::team {
namespace {

// The same blocks, without ghost cells, with one more axis of extent 1.
std::shared_ptr<Blocked> expanded(Blocked& blocked, int axis) {
  std::vector<std::vector<int64_t>> cuts = blocked.grid().cuts();
  cuts.insert(cuts.begin() + axis, {0, 1});
  const BlockedLayout layout{
      blocked.dtype(), Grid(std::move(cuts)), blocked.owners(), {}, blocked.layout().order};
  return Blocked::adopt(blocked.shared_team(), layout, [&](int place, int64_t number) {
    return expand(blocked.find(number, place)->inner, axis);
  });
}

// A product on its way: what each block of this process has added up so far.
class Product {
 public:
  Product(Blocked& out, Blocked& x, Blocked& y);

  void run();

 private:
  void add(size_t panel);
  void multiply_block(const Block& block, const Array& sum, bool is_first);

  Blocked& out_;
  std::vector<int64_t> cuts_;
  DType dtype_;  // that is computed in
  bool widens_;  // it is more than out has
  Panels left_, right_;
  std::vector<Array> sums_;
  bool apart_;  // they are not out's blocks
};

bool is_16_bit_float(DType dtype) { return is_inexact(dtype) && size_of(dtype) == 2; }

// 16-bit floats are rounded once: several panels are added up as float32.
DType dtype_of_sums(DType dtype, size_t panels) {
  return is_16_bit_float(dtype) && panels > 1 ? DType::f32 : dtype;
}

Product::Product(Blocked& out, Blocked& x, Blocked& y)
    : out_(out),
      cuts_(panel_cuts(x.grid(), y.grid(), out.dtype())),
      dtype_(dtype_of_sums(out.dtype(), cuts_.size() - 1)),
      widens_(dtype_ != out.dtype()),
      left_(x, 1, out, dtype_),
      right_(y, 0, out, dtype_),
      apart_(widens_ || share_memory(out, x) || share_memory(out, y)) {
  for (const Block& block : out.blocks()) {
    Stream& stream = *out.team().local(block.place).stream;
    sums_.push_back(apart_ ? Array::empty(stream, dtype_, block.inner.layout.shape) : block.inner);
  }
}

// The next panels are under way while these are multiplied.
void Product::run() {
  Team& team = out_.team();
  const auto prepare = [&](size_t panel) {
    for (Panels* panels : {&left_, &right_}) panels->prepare(cuts_[panel], cuts_[panel + 1]);
  };
  const auto begin = [&] {
    for (Panels* panels : {&left_, &right_}) panels->begin();
  };
  const size_t count = cuts_.size() - 1;
  if (count > 0) prepare(0);
  team.agree();
  if (count > 0) begin();
  for (size_t panel = 0; panel < count; ++panel) {
    for (Panels* panels : {&left_, &right_}) panels->end();
    if (panel + 1 < count) prepare(panel + 1);
    if (panel + 1 < count) begin();
    add(panel);
  }
  for (size_t k = 0; k < sums_.size(); ++k) {
    const Block& block = out_.blocks()[k];
    Stream& stream = *team.local(block.place).stream;
    if (count == 0) fill(sums_[k], Scalar::of(int64_t{0}), stream);
    if (apart_) assign(block.inner, sums_[k], stream);
  }
}

void Product::add(size_t panel) {
  const auto blocks = static_cast<int64_t>(sums_.size());
  const int64_t done = static_cast<int64_t>(panel) * blocks;
  const int64_t total = static_cast<int64_t>(cuts_.size() - 1) * blocks;
  for (size_t k = 0; k < sums_.size(); ++k) {
    out_.team().tell_progress(done + static_cast<int64_t>(k), total);
    if (sums_[k].size() > 0) multiply_block(out_.blocks()[k], sums_[k], panel == 0);
  }
  if (done + blocks == total) out_.team().tell_progress(total, total);
}

// A matrix by itself is another function of BLAS, with other bits: but whether both are at one
// place hangs on the places.
void Product::multiply_block(const Block& block, const Array& sum, bool is_first) {
  Stream& stream = *out_.team().local(block.place).stream;
  const Dims location = out_.grid().location(block.number);
  const Array& x = left_.of(block.place, location[0]);
  const Array& y = right_.of(block.place, location[1]);
  const bool is_square = x.data == y.data;
  if (is_first && is_square) fill(sum, Scalar::of(int64_t{0}), stream);
  const ProductOptions options{.tf32 = widens_, .adds = !is_first || is_square};
  multiply(sum, x, y, options, stream);
}

}  // namespace

void matmul(Blocked& out, Blocked& x, Blocked& y) {
  if (x.grid().ndim() == 1) return matmul(*expanded(out, 0), *expanded(x, 0), y);
  if (y.grid().ndim() == 1) return matmul(*expanded(out, 1), x, *expanded(y, 1));
  Product(out, x, y).run();
}

}  // namespace gpuarr::team
