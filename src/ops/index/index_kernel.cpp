#include "ops/index/index_kernel.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "backends.hpp"
#include "core/error.hpp"
#include "core/once.hpp"
#include "ops/base/algorithms.hpp"
#include "ops/base/own_kernel.hpp"
#include "ops/kernels_text.hpp"

namespace gpuarr {
namespace {

enum class IndexKind { gather, gather_line, scatter, scatter_add, gather_rows, scatter_rows };

// What the loop needs of x is its own, so that no compiler asks whether a result's memory is that.
constexpr std::string_view line_prep =
    "const auto from = x;\n"
    "const long long extent = from.shape()[0];\n"
    "long long bad = -1;";

struct IndexText {
  const char* name;
  const char* in_params;
  const char* out_params;
  std::string_view body;
  std::string_view preamble = {};
  std::string_view loop_prep = {};
  std::string_view after_loop = {};
};
constexpr IndexText index_texts[] = {
    {"take", "I k, raw T x, raw I places, uint64 reports, uint32 code, int64 axis", "T y",
     kernel_parts::take},
    {"take_line", "I k, raw T x, raw I all, uint64 reports, uint32 code, int64 axis", "T y",
     kernel_parts::take_line, kernel_parts::take_line_notes, line_prep,
     kernel_parts::take_line_end},
    {"put", "I k, T values, raw I places, uint64 reports, uint32 code, int64 axis", "raw T x",
     kernel_parts::put},
    {"put_add", "I k, T values, raw I places, uint64 reports, uint32 code, int64 axis", "raw T x",
     kernel_parts::put_add},
    {"take_rows",
     "I k, raw T x, raw I places, uint64 reports, uint32 code, int64 axis, int64 row, int64 piece",
     "raw T y", kernel_parts::take_rows},
    {"put_rows",
     "I k, raw T values, raw I places, uint64 reports, uint32 code, int64 axis, int64 row, "
     "int64 piece",
     "raw T x", kernel_parts::put_rows},
};

bool moves_rows(IndexKind kind) {
  return kind == IndexKind::gather_rows || kind == IndexKind::scatter_rows;
}

// What a body calls by names (kernels/place.cuh). It sees the array's axis of the loop's axes, and
// last the one that is indexed. `plain`: along one axis, which is that of the indices.
std::string names_of(IndexKind kind, int ndim, bool plain) {
  std::string coordinates;
  std::string place = plain ? "i" : "0";
  for (int axis = 0; axis < ndim && !plain; ++axis) {
    coordinates += formatted("{}at[{}]", axis > 0 ? ", " : "", axis);
    place += formatted(" + at[{0}] * places.strides()[{0}]", axis);
  }
  const char* comma = coordinates.empty() ? "" : ", ";
  std::string out = formatted(
      "#define INDEXED_AXIS {}\n"
      "#define ELEMENT(where) {}{}where\n"
      "#define PLACE {}\n",
      plain ? 0 : ndim, coordinates, comma, place);
  if (moves_rows(kind))
    out += formatted("#define BESIDE {}\n#define PIECE at[{}]\n", coordinates, ndim - 1);
  return out;
}

std::unique_ptr<Elementwise> make_kernel(IndexKind kind, int ndim, bool plain) {
  const IndexText& r = index_texts[static_cast<size_t>(kind)];
  const bool is_line = kind == IndexKind::gather_line;
  std::string body = plain || ndim == 0 ? "" : "const auto at = _ind.get();\n";
  if (!is_line) body += kernel_parts::place;
  body += r.body;
  KernelOptions options;
  options.name = r.name;
  options.preamble = is_line ? std::string(r.preamble) : names_of(kind, ndim, plain);
  options.loop_prep = r.loop_prep;
  options.after_loop = r.after_loop;
  return std::make_unique<Elementwise>(r.in_params, r.out_params, body, options);
}

Elementwise& kernel_for(IndexKind kind, int ndim, bool plain) {
  static std::atomic<Elementwise*> kernels[std::size(index_texts)][max_ndim + 1];
  const int number = plain ? max_ndim : ndim;
  auto& slot = kernels[static_cast<size_t>(kind)][static_cast<size_t>(number)];
  return made_once(slot, [&] { return make_kernel(kind, ndim, plain); });
}

// Of 1, 2, 4, 8 or 16 bytes.
DType word_of(int bytes) {
  constexpr DType words[] = {DType::u8, DType::u16, DType::u32, DType::u64, DType::c128};
  return words[std::countr_zero(static_cast<unsigned>(bytes))];
}

bool joins(const IndexAxis& outer, const IndexAxis& inner) {
  return outer.element == inner.element * inner.extent &&
         outer.index == inner.index * inner.extent && outer.other == inner.other * inner.extent &&
         outer.place == inner.place * inner.extent;
}

// Puts the axes in the order in which the results or values lie, and joins what everybody walks as
// one.
void tidy(IndexLoop& loop) {
  auto begin = loop.axes.begin();
  auto end =
      std::remove_if(begin, begin + loop.ndim, [](const IndexAxis& a) { return a.extent == 1; });
  std::stable_sort(begin, end, [](const IndexAxis& a, const IndexAxis& b) {
    return std::abs(a.other) > std::abs(b.other);
  });
  auto last = begin;
  for (auto next = begin; next != end; ++next) {
    if (last != begin && joins(*(last - 1), *next)) {
      next->extent *= (last - 1)->extent;
      *(last - 1) = *next;
    } else {
      *last++ = *next;
    }
  }
  loop.ndim = static_cast<int>(last - begin);
}

// How many neighbouring elements, whole at every place, can be moved as one word.
int elements_of_word(const IndexLoop& loop, const Array& x, const Array& other) {
  if (loop.ndim == 0) return 1;
  const IndexAxis& inner = loop.axes[static_cast<size_t>(loop.ndim - 1)];
  if (inner.element != 1 || inner.other != 1 || inner.index != 0) return 1;
  int64_t common = inner.extent | loop.stride;
  for (int axis = 0; axis < loop.ndim - 1; ++axis) {
    const IndexAxis& a = loop.axes[static_cast<size_t>(axis)];
    common |= a.element | a.other;
  }
  const auto addresses =
      reinterpret_cast<uintptr_t>(x.data) | reinterpret_cast<uintptr_t>(other.data);
  int count = 16 / x.itemsize();
  while (count > 1 &&
         (common % count != 0 || addresses % static_cast<uintptr_t>(count * x.itemsize()) != 0))
    count /= 2;
  return count;
}

void widen(IndexLoop& loop, int count) {
  if (count == 1) return;
  for (int axis = 0; axis < loop.ndim; ++axis) {
    IndexAxis& a = loop.axes[static_cast<size_t>(axis)];
    const bool inner = axis == loop.ndim - 1;
    if (inner)
      a.extent /= count;
    else
      a = {a.extent, a.element / count, a.index, a.other / count, a.place};
  }
  loop.stride /= count;
  tidy(loop);
}

Array seen_as(const Array& array, DType dtype, const IndexLoop& loop, int64_t IndexAxis::*stride) {
  Array out = array;
  out.dtype = dtype;
  out.layout = {};
  for (int axis = 0; axis < loop.ndim; ++axis) {
    const IndexAxis& a = loop.axes[static_cast<size_t>(axis)];
    out.layout.add_axis(a.extent, a.*stride);
  }
  return out;
}

bool is_plain(const IndexLoop& loop) {
  return loop.ndim == 1 && loop.axes[0].element == 0 && loop.axes[0].place == 1;
}

// The array with its axis that is indexed behind those of the loop.
Array indexed(const Array& x, DType dtype, const IndexLoop& loop) {
  Array out = seen_as(x, dtype, loop, &IndexAxis::element);
  if (is_plain(loop)) out.layout = {};
  if (out.ndim() == max_ndim)
    fail(GPUARR_ERR_UNSUPPORTED,
         "indices need a loop over {} axes, one more than a kernel can have", max_ndim);
  out.layout.add_axis(loop.extent, loop.stride);
  return out;
}

// What messages need of the axis and of the indices' type, in one number.
int64_t axis_and_type(const IndexLoop& loop, const Array& indices) {
  return loop.axis + (indices.dtype == DType::u64 ? max_ndim : 0);
}

uint64_t code_of(const ReportSource& source) { return static_cast<uint64_t>(source.code); }

constexpr int64_t piece_bytes = 2048;

// The inner axis, where it is one of neighbours that lie side by side on both sides.
const IndexAxis* row_of(const IndexLoop& loop, const Device& device) {
  constexpr int64_t worth_a_row = 8;
  if (!algorithms_of(device).moves_rows || loop.ndim == 0 || loop.ndim == max_ndim) return nullptr;
  const IndexAxis& inner = loop.axes[static_cast<size_t>(loop.ndim - 1)];
  const bool is_row = inner.element == 1 && inner.other == 1 && inner.index == 0;
  return is_row && inner.extent >= worth_a_row ? &inner : nullptr;
}

// In the place of the row's axis that of its pieces.
IndexLoop in_pieces(const IndexLoop& whole, int64_t piece) {
  IndexLoop loop = whole;
  IndexAxis& inner = loop.axes[static_cast<size_t>(loop.ndim - 1)];
  inner = {(inner.extent + piece - 1) / piece, piece, 0, piece, 0};
  return loop;
}

// `other` is what is written or read beside x.
void move_rows(IndexKind kind, const ReportSource& source, const IndexLoop& whole, int64_t row,
               const Array& x, const Array& other, const Array& indices, Stream& stream) {
  const int64_t piece = piece_bytes / x.itemsize();
  const IndexLoop loop = in_pieces(whole, piece);
  const DType word = word_of(x.itemsize());
  const Array at_indices = indexed(x, word, loop);
  const Array beside = seen_as(other, word, loop, &IndexAxis::other);
  const Array k = seen_as(indices, indices.dtype, loop, &IndexAxis::index);
  const Array places = seen_as(indices, indices.dtype, loop, &IndexAxis::place);
  const bool gathers = kind == IndexKind::gather_rows;
  Reporting reporting(source, stream);
  run_own(kernel_for(kind, loop.ndim, false),
          {k, gathers ? at_indices : beside, places, reporting.address(), code_of(source),
           axis_and_type(loop, indices), row, piece},
          {gathers ? &beside : &at_indices}, stream);
  reporting.finish();
}

}  // namespace

void gather(const ReportSource& source, const IndexLoop& whole, const Array& out, const Array& x,
            const Array& indices, Stream& stream) {
  IndexLoop loop = whole;
  tidy(loop);
  if (const IndexAxis* row = row_of(loop, stream.device()))
    return move_rows(IndexKind::gather_rows, source, loop, row->extent, x, out, indices, stream);
  const int count = elements_of_word(loop, x, out);
  widen(loop, count);
  const DType word = word_of(count * x.itemsize());
  const Array from = indexed(x, word, loop);
  const Array k = seen_as(indices, indices.dtype, loop, &IndexAxis::index);
  const bool plain = is_plain(loop);
  const Array places = plain ? k : seen_as(indices, indices.dtype, loop, &IndexAxis::place);
  const Array to = seen_as(out, word, loop, &IndexAxis::other);
  Reporting reporting(source, stream);
  run_own(kernel_for(plain ? IndexKind::gather_line : IndexKind::gather, loop.ndim, plain),
          {k, from, places, reporting.address(), code_of(source), axis_and_type(loop, indices)},
          {&to}, stream);
  reporting.finish();
}

void scatter(const ReportSource& source, const IndexLoop& whole, const Array& x,
             const Array& indices, const Argument& values, bool adds, Stream& stream) {
  IndexLoop loop = whole;
  tidy(loop);
  const bool moves = values.array != nullptr && !adds;
  const IndexAxis* row = moves ? row_of(loop, stream.device()) : nullptr;
  if (row != nullptr)
    return move_rows(IndexKind::scatter_rows, source, loop, row->extent, x, *values.array, indices,
                     stream);
  const int count = moves ? elements_of_word(loop, x, *values.array) : 1;
  widen(loop, count);
  const DType word = moves ? word_of(count * x.itemsize()) : x.dtype;
  const Array to = indexed(x, word, loop);
  const Array k = seen_as(indices, indices.dtype, loop, &IndexAxis::index);
  const Array places = seen_as(indices, indices.dtype, loop, &IndexAxis::place);
  std::optional<Array> from;
  if (values.array != nullptr) from = seen_as(*values.array, word, loop, &IndexAxis::other);
  Reporting reporting(source, stream);
  const IndexKind kind = adds ? IndexKind::scatter_add : IndexKind::scatter;
  run_own(kernel_for(kind, loop.ndim, is_plain(loop)),
          {k, from ? OwnInput(*from) : OwnInput(values), places, reporting.address(),
           code_of(source), axis_and_type(loop, indices)},
          {&to}, stream);
  reporting.finish();
}

}  // namespace gpuarr
