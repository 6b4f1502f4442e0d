#include "host/math/blas.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "core/error.hpp"
#include "core/once.hpp"
#include "device/solver.hpp"
#include "host/math/blas_library.hpp"
#include "host/threads/stream.hpp"
#include "host/threads/threads.hpp"

namespace gpuarr::host {
namespace {

using Letter = const char*;
using Int = const int64_t*;
using Value = const void*;

// The last two are the letters' lengths, which Fortran's compilers pass.
using GemmFunction = void (*)(Letter, Letter, Int, Int, Int, Value, Value, Int, Value, Int, Value,
                              void*, Int, size_t, size_t);
using GemvFunction = void (*)(Letter, Int, Int, Value, Value, Int, Value, Int, Value, void*, Int,
                              size_t);
using SyrkFunction = void (*)(Letter, Letter, Int, Int, Value, Value, Int, Value, void*, Int,
                              size_t, size_t);

struct BlasFunctions {
  GemmFunction gemm;
  GemvFunction gemv;
  SyrkFunction syrk;
};

constexpr const char* prefixes[] = {"s", "d", "c", "z"};  // by place_of_type()

const void* element_at(const void* data, int64_t index, int size) {
  return static_cast<const std::byte*>(data) + index * size;
}

void* element_at(void* data, int64_t index, int size) {
  return static_cast<std::byte*>(data) + index * size;
}

// One matrix and one vector, as gemv takes them: y = alpha op(M) x + beta y.
struct Vectors {
  MatrixOp op;
  int64_t rows, columns;  // of M as it lies
  const void *matrix, *x;
  int64_t leading, x_step, y_step, length;  // of y
};

// A square whose elements above the diagonal go to below it, by strips of columns.
struct Mirrored {
  static constexpr int64_t edge = 32;  // of the tiles that are turned in the cache
  void* data;
  int64_t n, leading;

  template <class T>
  void strip(int64_t number) const {
    T* square = static_cast<T*>(data);
    const int64_t first = number * edge, end = std::min(first + edge, n);
    for (int64_t row = 0; row < end; row += edge)
      for (int64_t i = row; i < std::min(row + edge, end); ++i)
        for (int64_t j = std::max(first, i + 1); j < end; ++j)
          square[i * leading + j] = square[j * leading + i];
  }
};

template <class T>
void mirror_strips(const void* context, long long first, long long last) {
  for (long long k = first; k < last; ++k) static_cast<const Mirrored*>(context)->strip<T>(k);
}

template <class T>
void mirror_elements(const Mirrored& square) {
  constexpr int64_t worth_threads = 256;
  const int64_t strips = (square.n + Mirrored::edge - 1) / Mirrored::edge;
  if (square.n < worth_threads) return mirror_strips<T>(&square, 0, strips);
  parallel(mirror_strips<T>, &square, strips);
}

void mirror(const Mirrored& square, int size) {
  if (size == 4) return mirror_elements<uint32_t>(square);
  if (size == 8) return mirror_elements<uint64_t>(square);
  mirror_elements<std::complex<double>>(square);
}

// A batch, and what is called for each of its products.
struct GemmWork {
  Gemm gemm;
  BlasFunctions functions;
  BlasNumber alpha, beta;
  int size;

  const void* a(int64_t index) const { return element_at(gemm.a.data, index * gemm.a.step, size); }
  const void* b(int64_t index) const { return element_at(gemm.b.data, index * gemm.b.step, size); }
  void* c(int64_t index) const { return element_at(gemm.c.data, index * gemm.c.step, size); }

  // gemv is faster for a vector: it reads the matrix as it lies. It cannot conjugate a vector.
  bool is_vector() const {
    return (gemm.n == 1 && gemm.b.op != MatrixOp::conjugate_transpose) ||
           (gemm.m == 1 && gemm.a.op != MatrixOp::conjugate_transpose &&
            gemm.b.op != MatrixOp::conjugate_transpose);
  }

  Vectors vectors(int64_t index) const {
    const Gemm& g = gemm;
    if (g.n == 1 && g.b.op != MatrixOp::conjugate_transpose) {
      const bool turned = g.a.op != MatrixOp::none;
      return {g.a.op,
              turned ? g.k : g.m,
              turned ? g.m : g.k,
              a(index),
              b(index),
              g.a.leading,
              g.b.op == MatrixOp::none ? 1 : g.b.leading,
              1,
              g.m};
    }
    const bool turned = g.b.op == MatrixOp::none;
    return {turned ? MatrixOp::transpose : MatrixOp::none,
            turned ? g.k : g.n,
            turned ? g.n : g.k,
            b(index),
            a(index),
            g.b.leading,
            g.a.op == MatrixOp::none ? g.a.leading : 1,
            g.c.leading,
            g.n};
  }

  void multiply_vector(int64_t index) const {
    const Vectors v = vectors(index);
    void* y = c(index);
    // Some libraries multiply what was in y by 0, and a NaN stays one.
    if (gemm.beta == 0.0)
      for (int64_t i = 0; i < v.length; ++i)
        std::memset(element_at(y, i * v.y_step, size), 0, static_cast<size_t>(size));
    functions.gemv(letter_of(v.op), &v.rows, &v.columns, alpha.bytes, v.matrix, &v.leading, v.x,
                   &v.x_step, beta.bytes, y, &v.y_step, 1);
  }

  // A matrix by its own transpose is symmetric: half of it is enough to compute.
  bool is_square_of_one() const {
    const Gemm& g = gemm;
    const bool conjugates =
        g.a.op == MatrixOp::conjugate_transpose || g.b.op == MatrixOp::conjugate_transpose;
    return g.a.data == g.b.data && g.a.leading == g.b.leading && g.a.step == g.b.step &&
           g.m == g.n && g.a.op != g.b.op && !conjugates && g.beta == 0.0 && g.n >= 64 && g.k >= 16;
  }

  void multiply_by_itself(int64_t index) const {
    const Gemm& g = gemm;
    functions.syrk("U", letter_of(g.a.op), &g.n, &g.k, alpha.bytes, a(index), &g.a.leading,
                   beta.bytes, c(index), &g.c.leading, 1, 1);
    mirror({c(index), g.n, g.c.leading}, size);
  }

  void multiply(int64_t index) const {
    if (is_vector()) return multiply_vector(index);
    if (is_square_of_one()) return multiply_by_itself(index);
    const Gemm& g = gemm;
    functions.gemm(letter_of(g.a.op), letter_of(g.b.op), &g.m, &g.n, &g.k, alpha.bytes, a(index),
                   &g.a.leading, b(index), &g.b.leading, beta.bytes, c(index), &g.c.leading, 1, 1);
  }

  // OpenBLAS computes small products with one thread; these get one each.
  bool is_small() const {
    const double most = is_vector() ? 9216 : 64.0 * 64 * 64;
    return static_cast<double>(gemm.m) * static_cast<double>(gemm.n) *
               static_cast<double>(gemm.k) <=
           most;
  }

  void run() const;
};

// Several products are a block, so that handing it out costs little beside them.
struct BatchBlocks {
  const GemmWork* work;
  int64_t size;
};

void run_products(const void* context, long long first, long long last) {
  const auto& blocks = *static_cast<const BatchBlocks*>(context);
  const int64_t end = std::min<int64_t>(last * blocks.size, blocks.work->gemm.batch);
  for (int64_t k = first * blocks.size; k < end; ++k) blocks.work->multiply(k);
}

void GemmWork::run() const {
  constexpr double worth_a_block = 1 << 18;  // multiplications, which take some ten microseconds
  if (gemm.batch > 1 && is_small()) {
    const double each = static_cast<double>(gemm.m * gemm.n) * static_cast<double>(gemm.k);
    const BatchBlocks blocks{this, static_cast<int64_t>(worth_a_block / each) + 1};
    return parallel(run_products, &blocks, (gemm.batch + blocks.size - 1) / blocks.size);
  }
  for (int64_t k = 0; k < gemm.batch; ++k) multiply(k);
}

class HostBlas final : public Blas {
 public:
  HostBlas() : library_(blas_library()) {
    for (size_t k = 0; k < std::size(prefixes); ++k) {
      functions_[k].gemm = reinterpret_cast<GemmFunction>(need(prefixes[k], "gemm"));
      functions_[k].gemv = reinterpret_cast<GemvFunction>(need(prefixes[k], "gemv"));
      functions_[k].syrk = reinterpret_cast<SyrkFunction>(need(prefixes[k], "syrk"));
    }
  }

  bool takes(DType dtype) const override { return is_inexact(dtype) && size_of(dtype) >= 4; }

  void gemm(const Gemm& gemm, Stream& stream) override {
    for (int64_t extent : {gemm.m, gemm.n, gemm.k, gemm.a.leading, gemm.b.leading, gemm.c.leading})
      library_.check_extent(extent);
    const GemmWork work{gemm, functions_[place_of_type(gemm.dtype)],
                        number_of(gemm.alpha, gemm.dtype), number_of(gemm.beta, gemm.dtype),
                        size_of(gemm.dtype)};
    static_cast<HostStream&>(stream).submit("matmul", [work] { work.run(); });
  }

  std::string description() override { return library_.description; }

 private:
  void* need(const char* prefix, const char* name) const {
    const std::string wanted = std::string(prefix) + name;
    if (void* found = library_.find(wanted)) return found;
    fail(GPUARR_ERR_NO_LIBRARY, "{} has no {}{}; install OpenBLAS (apt install libopenblas0)",
         library_.library.path, wanted, library_.suffix);
  }

  const BlasLibrary& library_;
  BlasFunctions functions_[std::size(prefixes)];
};

}  // namespace

Blas& host_blas() {
  static auto* once = new Once<HostBlas>;
  return once->get([] { return std::make_unique<HostBlas>(); });
}

}  // namespace gpuarr::host
