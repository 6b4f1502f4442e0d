#include "host/math/solver.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <initializer_list>
#include <memory>

#include "core/error.hpp"
#include "core/once.hpp"
#include "host/math/blas_library.hpp"
#include "host/math/lapack.hpp"
#include "host/math/matrix_loop.hpp"

namespace gpuarr::host {
namespace {

const char* triangle_letter(Triangle triangle) { return triangle == Triangle::lower ? "L" : "U"; }

bool is_double(DType dtype) { return dtype == DType::f64 || dtype == DType::c128; }
int real_size(DType dtype) { return is_double(dtype) ? 8 : 4; }

// How much room a function asked for: it says so in the first element of its workspace.
struct Asked {
  alignas(16) std::byte bytes[16] = {};

  int64_t count(DType dtype) const {
    double value = 0;
    float rounded = 0;
    if (is_double(dtype)) {
      std::memcpy(&value, bytes, sizeof value);
    } else {
      std::memcpy(&rounded, bytes, sizeof rounded);  // maybe downwards
      value = rounded < 0x1p24F ? rounded : std::nextafter(rounded, INFINITY);
    }
    return std::max<int64_t>(static_cast<int64_t>(value), 1);
  }
  int64_t integer() const {
    int64_t value = 0;
    std::memcpy(&value, bytes, sizeof value);
    return std::max<int64_t>(value, 1);
  }
};

constexpr int64_t asks = -1;

// Parts of a workspace, one behind the other, for elements, real numbers and integers.
struct Parts {
  DType dtype;
  int64_t elements = 0, reals = 0, integers = 0;

  int64_t reals_at() const { return round_up(elements * size_of(dtype)); }
  int64_t integers_at() const { return round_up(reals_at() + reals * real_size(dtype)); }
  int64_t bytes() const { return integers_at() + integers * 8; }
  static int64_t round_up(int64_t bytes) { return (bytes + 15) / 16 * 16; }
};

template <class Real>
bool all_finite(const Real* x, int64_t count) {
  Real sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += x[i] * Real{0};
  return sum == 0;
}

bool is_finite(const Matrices& a, int64_t k, int64_t column, int64_t first, int64_t last) {
  const int parts = is_complex(a.dtype) ? 2 : 1;
  const std::byte* begin = matrix_at(a, k) + (column * a.leading + first) * size_of(a.dtype);
  const int64_t count = (last - first) * parts;
  return is_double(a.dtype) ? all_finite(reinterpret_cast<const double*>(begin), count)
                            : all_finite(reinterpret_cast<const float*>(begin), count);
}

bool is_finite(const Matrices& a, int64_t k) {
  for (int64_t c = 0; c < a.columns; ++c)
    if (!is_finite(a, k, c, 0, a.rows)) return false;
  return true;
}

bool is_finite(const Matrices& a, int64_t k, Triangle triangle) {
  const bool lower = triangle == Triangle::lower;
  for (int64_t c = 0; c < a.columns; ++c)
    if (!is_finite(a, k, c, lower ? c : 0, lower ? a.rows : c + 1)) return false;
  return true;
}

// Eigenvalues as the functions for real matrices give them, real and imaginary parts apart.
template <class Real>
void join(const std::byte* parts, int64_t n, void* values) {
  const auto* real = reinterpret_cast<const Real*>(parts);
  auto* joined = static_cast<std::complex<Real>*>(values);
  for (int64_t i = 0; i < n; ++i) joined[i] = {real[i], real[n + i]};
}

// Some libraries test whether a number is at most 0, which a NaN is not.
int64_t first_not_positive(const Matrices& a, int64_t k) {
  const std::byte* at = matrix_at(a, k);
  for (int64_t i = 0; i < a.rows; ++i, at += (a.leading + 1) * size_of(a.dtype)) {
    const bool positive = is_double(a.dtype) ? *reinterpret_cast<const double*>(at) > 0
                                             : *reinterpret_cast<const float*>(at) > 0;
    if (!positive) return i + 1;
  }
  return 0;
}

void* item_at(void* data, int64_t index, int64_t size) {
  return static_cast<std::byte*>(data) + index * size;
}

// The functions for real and for complex matrices, called alike.
struct Gesdd {
  Lapack::RealGesdd* real;
  Lapack::ComplexGesdd* complex;
  const char* job;
  Matrices a;
  int64_t u_leading, vh_leading;

  int64_t operator()(void* matrix, void* values, void* u, void* vh, void* work, int64_t length,
                     void* reals, void* integers) const {
    int64_t code = 0;
    if (is_complex(a.dtype))
      complex(job, &a.rows, &a.columns, matrix, &a.leading, values, u, &u_leading, vh, &vh_leading,
              work, &length, reals, integers, &code, 1);
    else
      real(job, &a.rows, &a.columns, matrix, &a.leading, values, u, &u_leading, vh, &vh_leading,
           work, &length, integers, &code, 1);
    return code;
  }
  int64_t reals() const {
    const int64_t n = a.columns;
    if (!is_complex(a.dtype)) return 0;
    return *job == 'N' ? 7 * n : std::max(5 * n * n + 5 * n, 2 * a.rows * n + 2 * n * n + n);
  }
};

struct Syevd {
  Lapack::RealSyevd* real;
  Lapack::ComplexHeevd* complex;
  const char* job;
  const char* triangle;
  Matrices a;

  int64_t operator()(void* matrix, void* values, void* work, void* reals, void* integers,
                     const Parts& lengths) const {
    int64_t code = 0;
    if (is_complex(a.dtype))
      complex(job, triangle, &a.rows, matrix, &a.leading, values, work, &lengths.elements, reals,
              &lengths.reals, integers, &lengths.integers, &code, 1, 1);
    else
      real(job, triangle, &a.rows, matrix, &a.leading, values, work, &lengths.elements, integers,
           &lengths.integers, &code, 1, 1);
    return code;
  }
};

struct Geev {
  Lapack::RealGeev* real;
  Lapack::ComplexGeev* complex;
  const char* job;
  Matrices a;
  int64_t leading;  // of the vectors

  // `reals` has room for 2 rows of real numbers.
  int64_t operator()(void* matrix, void* values, void* vectors, void* work, int64_t length,
                     std::byte* reals) const {
    int64_t code = 0;
    const int64_t one = 1;
    const int64_t n = a.rows;
    if (is_complex(a.dtype)) {
      complex("N", job, &n, matrix, &a.leading, values, nullptr, &one, vectors, &leading, work,
              &length, reals, &code, 1, 1);
      return code;
    }
    real("N", job, &n, matrix, &a.leading, reals, reals + n * real_size(a.dtype), nullptr, &one,
         vectors, &leading, work, &length, &code, 1, 1);
    if (length == asks) return code;
    if (is_double(a.dtype))
      join<double>(reals, n, values);
    else
      join<float>(reals, n, values);
    return code;
  }
};

class HostSolver final : public Solver {
 public:
  HostSolver() : lapack_(lapack()) {}

  DType pivot_type(const Matrices& /*a*/) override {
    return lapack_.wide ? DType::i64 : DType::i32;
  }
  bool looks_for_not_finite() const override { return true; }
  bool wants_lower() const override { return false; }
  std::string description() override { return formatted("LAPACK ({})", lapack_.library.path); }

  void cholesky(const Matrices& a, Triangle triangle, int32_t* info, Stream& stream) override {
    check({a.leading});
    for_each_matrix("cholesky", a, 0, stream,
                    [a, triangle, info, potrf = lapack_.potrf[a.dtype]](int64_t k, std::byte*) {
                      int64_t code = 0;
                      potrf(triangle_letter(triangle), &a.rows, matrix_at(a, k), &a.leading, &code,
                            1);
                      if (code == 0) code = first_not_positive(a, k);
                      info[k] = static_cast<int32_t>(code);
                    });
  }

  void solve_cholesky(const Matrices& factor, Triangle triangle, const Matrices& b,
                      Stream& stream) override {
    check({factor.leading, b.leading, b.columns});
    for_each_matrix("cholesky solve", factor, 0, stream,
                    [factor, triangle, b, potrs = lapack_.potrs[b.dtype]](int64_t k, std::byte*) {
                      int64_t code = 0;
                      potrs(triangle_letter(triangle), &factor.rows, &b.columns,
                            matrix_at(factor, k), &factor.leading, matrix_at(b, k), &b.leading,
                            &code, 1);
                    });
  }

  void lu(const Matrices& a, void* pivots, int32_t* info, Stream& stream) override {
    check({a.leading, a.columns});
    const int64_t each = std::min(a.rows, a.columns) * pivot_bytes();
    for_each_matrix("lu", a, 0, stream,
                    [a, pivots, each, info, getrf = lapack_.getrf[a.dtype]](int64_t k, std::byte*) {
                      int64_t code = 0;
                      getrf(&a.rows, &a.columns, matrix_at(a, k), &a.leading,
                            item_at(pivots, k, each), &code);
                      info[k] = static_cast<int32_t>(code);
                    });
  }

  void solve_lu(const Matrices& lu, const void* pivots, MatrixOp op, const Matrices& b,
                Stream& stream) override {
    check({lu.leading, b.leading, b.columns});
    const int64_t each = lu.rows * pivot_bytes();
    for_each_matrix(
        "lu solve", lu, 0, stream,
        [lu, pivots, each, op, b, getrs = lapack_.getrs[b.dtype]](int64_t k, std::byte*) {
          int64_t code = 0;
          getrs(letter_of(op), &lu.rows, &b.columns, matrix_at(lu, k), &lu.leading,
                static_cast<const std::byte*>(pivots) + k * each, matrix_at(b, k), &b.leading,
                &code, 1);
        });
  }

  void qr(const Matrices& a, void* tau, Stream& stream) override {
    each_with_tau(a, static_cast<std::byte*>(tau), std::min(a.rows, a.columns), stream,
                  [a, geqrf = lapack_.geqrf[a.dtype]](void* matrix, void* own, void* work,
                                                      Lapack::Int length, Lapack::Info code) {
                    geqrf(&a.rows, &a.columns, matrix, &a.leading, own, work, length, code);
                  });
  }

  void form_q(const Matrices& a, int64_t reflectors, const void* tau, Stream& stream) override {
    each_with_tau(
        a, static_cast<const std::byte*>(tau), reflectors, stream,
        [a, reflectors, orgqr = lapack_.orgqr[a.dtype]](void* matrix, const void* own, void* work,
                                                        Lapack::Int length, Lapack::Info code) {
          orgqr(&a.rows, &a.columns, &reflectors, matrix, &a.leading, own, work, length, code);
        });
  }

  void svd(const Matrices& a, void* values, const Matrices* u, const Matrices* vh, int32_t* info,
           Stream& stream) override {
    check({a.leading, a.columns});
    const int place = place_of_type(a.dtype) % 2;
    const char* job = u == nullptr ? "N" : u->columns > a.columns ? "A" : "S";
    const Gesdd gesdd{lapack_.gesdd.real[place],     lapack_.gesdd.complex[place],   job, a,
                      u != nullptr ? u->leading : 1, vh != nullptr ? vh->leading : 1};
    Asked asked;
    gesdd(a.data, values, nullptr, nullptr, asked.bytes, asks, nullptr, nullptr);
    const Parts parts{a.dtype, asked.count(a.dtype), gesdd.reals(), 8 * a.columns};
    check({parts.elements});
    const Matrices left = u != nullptr ? *u : Matrices{a.dtype};
    const Matrices right = vh != nullptr ? *vh : Matrices{a.dtype};
    for_each_matrix("svd", a, parts.bytes(), stream, [=](int64_t k, std::byte* work) {
      if (!is_finite(a, k)) return void(info[k] = info_not_finite);
      void* s = item_at(values, k, a.columns * real_size(a.dtype));
      info[k] = static_cast<int32_t>(gesdd(matrix_at(a, k), s, matrix_at(left, k),
                                           matrix_at(right, k), work, parts.elements,
                                           work + parts.reals_at(), work + parts.integers_at()));
    });
  }

  void eigh(const Matrices& a, Triangle triangle, bool vectors, void* values, int32_t* info,
            Stream& stream) override {
    check({a.leading});
    const int place = place_of_type(a.dtype) % 2;
    const Syevd syevd{lapack_.syevd.real[place], lapack_.syevd.complex[place], vectors ? "V" : "N",
                      triangle_letter(triangle), a};
    Asked elements;
    Asked reals;
    Asked integers;
    syevd(a.data, values, elements.bytes, reals.bytes, integers.bytes, {a.dtype, asks, asks, asks});
    const bool complex = is_complex(a.dtype);
    const Parts parts{a.dtype, elements.count(a.dtype), complex ? reals.count(a.dtype) : 0,
                      integers.integer()};
    check({parts.elements, parts.reals});
    for_each_matrix("eigh", a, parts.bytes(), stream, [=](int64_t k, std::byte* work) {
      if (!is_finite(a, k, triangle)) return void(info[k] = info_not_finite);
      void* w = item_at(values, k, a.rows * real_size(a.dtype));
      info[k] = static_cast<int32_t>(syevd(matrix_at(a, k), w, work, work + parts.reals_at(),
                                           work + parts.integers_at(), parts));
    });
  }

  void eig(const Matrices& a, void* values, const Matrices* vectors, int32_t* info,
           Stream& stream) override {
    check({a.leading});
    const int place = place_of_type(a.dtype) % 2;
    const Geev geev{lapack_.geev.real[place], lapack_.geev.complex[place],
                    vectors != nullptr ? "V" : "N", a, vectors != nullptr ? vectors->leading : 1};
    Asked asked;
    Asked unused;
    geev(a.data, values, nullptr, asked.bytes, asks, unused.bytes);
    const Parts parts{a.dtype, asked.count(a.dtype), 2 * a.rows, 0};
    check({parts.elements});
    const Matrices right = vectors != nullptr ? *vectors : Matrices{a.dtype};
    for_each_matrix("eig", a, parts.bytes(), stream, [=](int64_t k, std::byte* work) {
      if (!is_finite(a, k)) return void(info[k] = info_not_finite);
      void* w = item_at(values, k, a.rows * 2 * real_size(a.dtype));
      info[k] = static_cast<int32_t>(geev(matrix_at(a, k), w, matrix_at(right, k), work,
                                          parts.elements, work + parts.reals_at()));
    });
  }

  void solve_triangular(const Matrices& a, Triangle triangle, MatrixOp op, bool unit_diagonal,
                        const Matrices& b, Stream& stream) override {
    check({a.leading, b.leading, b.columns});
    for_each_matrix("triangular solve", b, 0, stream,
                    [=, trsm = lapack_.trsm[a.dtype]](int64_t k, std::byte*) {
                      const BlasNumber one = number_of(1, a.dtype);
                      trsm("L", triangle_letter(triangle), letter_of(op), unit_diagonal ? "U" : "N",
                           &b.rows, &b.columns, one.bytes, matrix_at(a, k), &a.leading,
                           matrix_at(b, k), &b.leading, 1, 1, 1, 1);
                    });
  }

 private:
  void check(std::initializer_list<int64_t> extents) const {
    for (int64_t extent : extents) lapack_.check_extent(extent);
  }
  int64_t pivot_bytes() const { return lapack_.wide ? 8 : 4; }

  // Calls call(matrix, its part of tau, workspace, length, code) for each matrix, and once before,
  // to be told how long a workspace it wants.
  template <class Byte, class Call>
  void each_with_tau(const Matrices& a, Byte* tau, int64_t count, Stream& stream, Call call) {
    check({a.leading, a.columns});
    Asked asked;
    int64_t code = 0;
    call(a.data, tau, asked.bytes, &asks, &code);
    const int64_t length = asked.count(a.dtype);
    check({length});
    const int64_t each = count * size_of(a.dtype);
    for_each_matrix("qr", a, length * size_of(a.dtype), stream,
                    [a, tau, each, length, call](int64_t k, std::byte* work) {
                      int64_t result = 0;
                      call(matrix_at(a, k), tau + k * each, work, &length, &result);
                    });
  }

  const Lapack& lapack_;
};

}  // namespace

Solver& host_solver() {
  static auto* once = new Once<HostSolver>;
  return once->get([] { return std::make_unique<HostSolver>(); });
}

}  // namespace gpuarr::host
