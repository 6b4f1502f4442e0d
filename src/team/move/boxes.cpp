#include "team/move/boxes.hpp"

#include <array>
#include <atomic>
#include <cstring>
#include <memory>

#include "core/once.hpp"
#include "kernel/copy.hpp"
#include "kernel/raw/raw.hpp"
#include "ops/base/transfer.hpp"
#include "team/move_text.hpp"

namespace gpuarr::team {
namespace {

constexpr int most_axes = 4;
// A copy of so many bytes takes longer than the launch of a kernel that is made for it.
constexpr int64_t large = int64_t{1} << 20;

struct Axis {
  int64_t extent, target, source;
};

// Outermost first, joined where a step along one is as many steps along the next.
std::vector<Axis> axes_of(const Array& target, const Array& source) {
  std::vector<Axis> out;
  for (int axis = 0; axis < target.ndim(); ++axis) {
    const Axis next{target.layout.shape[axis], target.layout.strides[axis],
                    source.layout.strides[axis]};
    if (next.extent == 1) continue;
    if (!out.empty() && out.back().target == next.extent * next.target &&
        out.back().source == next.extent * next.source)
      out.back() = {out.back().extent * next.extent, next.target, next.source};
    else
      out.push_back(next);
  }
  return out;
}

using Row = std::array<int64_t, 16>;

// As copy_boxes.cuh has it.
Row row_of(const Array& target, const Array& source, int64_t end) {
  std::vector<Axis> axes = axes_of(target, source);
  axes.insert(axes.begin(), most_axes - axes.size(), Axis{1, 0, 0});
  Row row{};
  row[0] = end;
  std::memcpy(&row[1], &source.data, sizeof(void*));
  std::memcpy(&row[2], &target.data, sizeof(void*));
  for (size_t k = 0; k < most_axes; ++k) {
    if (k > 0) row[2 + k] = axes[k].extent;
    row[6 + k] = axes[k].source;
    row[10 + k] = axes[k].target;
  }
  return row;
}

RawKernel& kernel_for(int itemsize) {
  static std::atomic<RawKernel*> kernels[5];
  const int place = std::countr_zero(static_cast<unsigned>(itemsize));
  return made_once(kernels[place], [&] {
    constexpr const char* names[] = {"copy_boxes<unsigned char>", "copy_boxes<unsigned short>",
                                     "copy_boxes<unsigned>", "copy_boxes<eight_bytes>",
                                     "copy_boxes<sixteen_bytes>"};
    KernelOptions options;
    options.name = "copy_boxes";
    return std::make_unique<RawKernel>(
        UserModule::from_source(std::string(move_parts::copy_boxes), "copy_boxes", "", options),
        names[place], nullptr);
  });
}

}  // namespace

void BoxCopies::add(const Array& target, const Array& source) {
  if (target.size() > 0) copies_.push_back({target, source});
}

void BoxCopies::prepare(Stream& stream) {
  std::vector<Row> rows;
  for (Copy& copy : copies_) {
    const bool fits = copy.target.size() * copy.target.itemsize() < large &&
                      axes_of(copy.target, copy.source).size() <= most_axes;
    if (!fits || copies_.size() == 1 || stream.device().has_host_memory()) {
      alone_.push_back(copy);
      continue;
    }
    total_ += copy.target.size();
    rows.push_back(row_of(copy.target, copy.source, total_));
    together_.push_back(copy);
  }
  prepared_ = true;
  if (rows.empty()) return;
  const Dims shape{static_cast<int64_t>(rows.size()), 16};
  table_ = Array::empty(stream, DType::i64, shape);
  write(table_, host_memory(DType::i64, shape, nullptr, rows.data()), stream);
}

void BoxCopies::run(Stream& stream) {
  if (!prepared_) prepare(stream);
  for (const Copy& copy : alone_) convert(copy.target, copy.source, stream);
  if (together_.empty()) return;
  for (const Copy& copy : together_) {
    copy.target.buffer->used_in(stream);
    copy.source.buffer->used_in(stream);
  }
  const auto count = static_cast<int32_t>(together_.size());
  const std::array<RawArgument, 3> arguments{
      RawArgument{.kind = RawArgument::Kind::array, .array = &table_},
      RawArgument{.dtype = DType::i32, .data = &count},
      RawArgument{.dtype = DType::i64, .data = &total_}};
  constexpr int64_t threads = 256;
  const int64_t blocks = std::min<int64_t>((total_ - 1) / threads + 1, 8 * 1024);
  kernel_for(together_.front().target.itemsize())
      .launch({{blocks, 1, 1}, {threads, 1, 1}}, arguments, stream);
}

}  // namespace gpuarr::team
