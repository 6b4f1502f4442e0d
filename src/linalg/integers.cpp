#include "linalg/integers.hpp"

#include <atomic>
#include <memory>
#include <tuple>

#include "core/once.hpp"
#include "core/text.hpp"
#include "kernel/overlap.hpp"
#include "kernel/raw.hpp"
#include "linalg/stacks.hpp"
#include "ops/copy.hpp"

namespace gpuarr {
namespace {

// T is the elements' type, U what is computed in. A block makes a tile of 64 x 64 elements.
constexpr const char* integer_text = R"(
struct Places {
  long long rows, columns, inner, tiles;
  long long x_row, x_column, x_step, y_row, y_column, y_step, out_row, out_column, out_step;
};
#ifdef __CUDACC_RTC__
// Each of 16 x 16 threads makes 4 x 4 elements, from pieces of 16 columns and rows.
static inline __device__ void make_tile(T* out, const T* x, const T* y, const Places& p,
                                        long long row, long long column) {
  __shared__ U xs[16][64], ys[16][64];
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  U sums[4][4] = {};
  for (long long k = 0; k < p.inner; k += 16) {
    for (int q = 0; q < 4; ++q) {
      const long long i = row + tx + 16 * q, j = column + tx + 16 * q, l = k + ty;
      const bool in_x = i < p.rows && l < p.inner, in_y = j < p.columns && l < p.inner;
      xs[ty][tx + 16 * q] = in_x ? (U)x[i * p.x_row + l * p.x_column] : U(0);
      ys[ty][tx + 16 * q] = in_y ? (U)y[l * p.y_row + j * p.y_column] : U(0);
    }
    __syncthreads();
    for (int l = 0; l < 16; ++l)
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b)
          sums[a][b] = ADD(sums[a][b], xs[l][ty + 16 * a], ys[l][tx + 16 * b]);
    __syncthreads();
  }
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b) {
      const long long i = row + ty + 16 * a, j = column + tx + 16 * b;
      if (i < p.rows && j < p.columns) out[i * p.out_row + j * p.out_column] = (T)sums[a][b];
    }
}
#else
// One thread makes all, from pieces of y that it packs.
static void make_tile(T* out, const T* x, const T* y, const Places& p, long long row,
                      long long column) {
  U ys[64][64], sums[64][64];
  const int rows = p.rows - row < 64 ? p.rows - row : 64;
  const int columns = p.columns - column < 64 ? p.columns - column : 64;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < 64; ++j) sums[i][j] = 0;
  for (long long k = 0; k < p.inner; k += 64) {
    const int inner = p.inner - k < 64 ? p.inner - k : 64;
    for (int l = 0; l < inner; ++l)
      for (int j = 0; j < 64; ++j)
        ys[l][j] = j < columns ? (U)y[(k + l) * p.y_row + (column + j) * p.y_column] : U(0);
    for (int i = 0; i < rows; ++i)
      for (int l = 0; l < inner; ++l) {
        const U factor = (U)x[(row + i) * p.x_row + (k + l) * p.x_column];
        for (int j = 0; j < 64; ++j) sums[i][j] = ADD(sums[i][j], factor, ys[l][j]);
      }
  }
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      out[(row + i) * p.out_row + (column + j) * p.out_column] = (T)sums[i][j];
}
#endif
extern "C" __global__ void integer_matmul(T* out, const T* x, const T* y, const Places p) {
  const long long stack = blockIdx.x / p.tiles, tile = blockIdx.x % p.tiles;
  const long long across = (p.columns + 63) / 64;
  make_tile(out + stack * p.out_step, x + stack * p.x_step, y + stack * p.y_step, p,
            tile / across * 64, tile % across * 64);
}
)";

struct Places {
  int64_t rows, columns, inner, tiles;
  int64_t x_row, x_column, x_step, y_row, y_column, y_step, out_row, out_column, out_step;
};

// Of CUDA C++, as users write it.
const char* type_name(DType dtype) {
  switch (dtype) {
    case DType::boolean:
      return "bool";
    case DType::i8:
      return "signed char";
    case DType::i16:
      return "short";
    case DType::i32:
      return "int";
    case DType::i64:
      return "long long";
    case DType::u8:
      return "unsigned char";
    case DType::u16:
      return "unsigned short";
    case DType::u32:
      return "unsigned";
    default:
      return "unsigned long long";
  }
}

std::unique_ptr<RawKernel> make_integer_kernel(DType dtype) {
  const bool is_bool = dtype == DType::boolean;
  KernelOptions options;
  options.name = "integer_matmul";
  options.preamble = text("typedef {} T;\ntypedef {} U;\n#define ADD(sum, a, b) {}\n",
                          type_name(dtype), size_of(dtype) == 8 ? "unsigned long long" : "unsigned",
                          is_bool ? "sum | (a & b)" : "sum + a * b");
  return std::make_unique<RawKernel>(
      UserModule::from_source(integer_text, "integer_matmul", "", options), "integer_matmul",
      nullptr);
}

RawKernel& integer_kernel(DType dtype) {
  static std::atomic<RawKernel*> kernels[GPUARR_C128 + 1];
  std::atomic<RawKernel*>& slot = kernels[static_cast<size_t>(dtype)];
  return made_once(slot, [&] { return make_integer_kernel(dtype); });
}

void launch_integers(const Array& out, const Array& x, const Array& y, const StackLoop& loop,
                     Stream& stream) {
  const StackLoop::Axis batch = loop.batch();
  const int64_t tiles = (loop.out.rows + 63) / 64 * ((loop.out.columns + 63) / 64);
  const auto& [x_sheet, y_sheet, out_sheet] = std::tie(loop.x, loop.y, loop.out);
  const Places places{out_sheet.rows, out_sheet.columns,    x_sheet.columns,
                      tiles,          x_sheet.row_stride,   x_sheet.column_stride,
                      batch.x,        y_sheet.row_stride,   y_sheet.column_stride,
                      batch.y,        out_sheet.row_stride, out_sheet.column_stride,
                      batch.out};
  const int64_t threads = stream.device().is_host() ? 1 : 256;
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

void multiply_integers(const Array& out, const Array& x, const Array& y, Stream& stream) {
  const bool apart = !may_overlap(out, x) && !may_overlap(out, y);
  const Array target = apart ? out : Array::empty(stream, out.dtype, out.layout.shape);
  StackLoop loop(x, y, target);
  loop.simplify();
  launch_integers(target, x, y, loop, stream);
  if (!apart) assign(out, target, stream);
}

}  // namespace gpuarr
