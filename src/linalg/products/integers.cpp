#include "linalg/products/integers.hpp"

#include <atomic>
#include <memory>
#include <string>
#include <tuple>

#include "backends.hpp"
#include "core/once.hpp"
#include "core/text.hpp"
#include "kernel/overlap.hpp"
#include "kernel/raw/raw.hpp"
#include "linalg/products/stacks.hpp"
#include "linalg/products_text.hpp"
#include "ops/base/algorithms.hpp"
#include "ops/base/copy.hpp"

namespace gpuarr {
namespace {

struct Places {
  int64_t rows, columns, inner, tiles;
  int64_t x_row, x_column, x_step, y_row, y_column, y_step, out_row, out_column, out_step, adds;
};

// Of CUDA C++, as users write it: bool and the whole numbers, in the order of their dtypes.
constexpr const char* type_names[] = {
    "bool",     "signed char",       "short", "int", "long long", "unsigned char", "unsigned short",
    "unsigned", "unsigned long long"};

std::unique_ptr<RawKernel> make_integer_kernel(DType dtype) {
  const bool is_bool = dtype == DType::boolean;
  KernelOptions options;
  options.name = "integer_matmul";
  options.preamble = formatted("typedef {} T;\ntypedef {} U;\n#define ADD(sum, a, b) {}\n",
                               type_names[static_cast<size_t>(dtype) - GPUARR_BOOL],
                               size_of(dtype) == 8 ? "unsigned long long" : "unsigned",
                               is_bool ? "sum | (a & b)" : "sum + a * b");
  return std::make_unique<RawKernel>(
      UserModule::from_source(std::string(products_parts::integer_matmul), "integer_matmul", "",
                              options),
      "integer_matmul", nullptr);
}

RawKernel& integer_kernel(DType dtype) {
  static std::atomic<RawKernel*> kernels[GPUARR_C128 + 1];
  std::atomic<RawKernel*>& slot = kernels[static_cast<size_t>(dtype)];
  return made_once(slot, [&] { return make_integer_kernel(dtype); });
}

void launch_integers(const Array& out, const Array& x, const Array& y, const StackLoop& loop,
                     bool adds, Stream& stream) {
  const StackLoop::Axis batch = loop.batch();
  const int64_t tiles = (loop.out.rows + 63) / 64 * ((loop.out.columns + 63) / 64);
  const auto& [x_sheet, y_sheet, out_sheet] = std::tie(loop.x, loop.y, loop.out);
  const Places places{out_sheet.rows, out_sheet.columns,    x_sheet.columns,
                      tiles,          x_sheet.row_stride,   x_sheet.column_stride,
                      batch.x,        y_sheet.row_stride,   y_sheet.column_stride,
                      batch.y,        out_sheet.row_stride, out_sheet.column_stride,
                      batch.out,      adds ? 1 : 0};
  const int64_t threads = algorithms_of(stream.device()).tile_threads;
  const RawArgument::Kind array = RawArgument::Kind::array;
  loop.for_each([&](int64_t x_at, int64_t y_at, int64_t out_at) {
    const Array parts[] = {out.view(out.layout, out_at), x.view(x.layout, x_at),
                           y.view(y.layout, y_at)};
    RawArgument arguments[4] = {{array, &parts[0]}, {array, &parts[1]}, {array, &parts[2]}};
    arguments[3].kind = RawArgument::Kind::bytes;
    arguments[3].data = &places;
    arguments[3].bytes = sizeof places;
    const RawShape shape{{tiles * batch.extent, 1, 1}, {threads, 1, 1}, 0};
    integer_kernel(out.dtype).launch(shape, arguments, stream);
  });
}

}  // namespace

void multiply_integers(const Array& out, const Array& x, const Array& y, bool adds,
                       Stream& stream) {
  const bool apart = !may_overlap(out, x) && !may_overlap(out, y);
  const Array target = apart ? out : Array::empty(stream, out.dtype, out.layout.shape);
  if (adds && !apart) assign(target, out, stream);
  StackLoop loop(x, y, target);
  loop.simplify();
  launch_integers(target, x, y, loop, adds, stream);
  if (!apart) assign(out, target, stream);
}

}  // namespace gpuarr
