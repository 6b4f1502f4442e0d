// Products, factorisations and equations, against loops.
#include "check.hpp"
#include "gpuarr_ops.hpp"

using namespace gpuarr;
using check::over;

namespace {

using Doubles = std::vector<double>;
using Integers = std::vector<int64_t>;
using Numbers = check::Both<double>;

/// Compares with f(i) for every index of a shape.
template <class F> void near(const Array& x, const Shape& shape, F&& f, int line) {
  if (x.shape() != shape) check::report(__FILE__, line) << "another shape\n";
  check::same(x.to_vector<double>(), over<double>(shape, f), 1e-11, __FILE__, line);
}

/// Compares two arrays.
void near(const Array& x, const Array& y, int line) {
  if (x.shape() != y.shape()) check::report(__FILE__, line) << "another shape\n";
  check::same(x.to_vector<double>(), y.to_vector<double>(), 1e-9, __FILE__, line);
}

/// The sum of f(k) for k below n.
template <class F> double sum_over(int64_t n, F&& f) {
  double sum = 0;
  for (int64_t k = 0; k < n; ++k) sum += f(k);
  return sum;
}

void products() {
  const Numbers x({3, 4}), y({4, 2}), z({3, 4});
  const auto product = [&](auto& i) {
    return sum_over(4, [&](int64_t k) { return x({i[0], k}) * y({k, i[1]}); });
  };
  near(matmul(x.array, y.array), {3, 2}, product, __LINE__);
  near(tensordot(x.array, y.array, 1), {3, 2}, product, __LINE__);
  near(tensordot(x.array, y.array, {1}, {0}), {3, 2}, product, __LINE__);
  near(einsum("ij,jk->ik", x.array, y.array), {3, 2}, product, __LINE__);
  near(
      einsum("ij->j", x.array), {4},
      [&](auto& i) { return sum_over(3, [&](int64_t k) {
                       return x({k, i[0]});
                     }); }, __LINE__);
  near(
      inner(x.array, z.array), {3, 3},
      [&](auto& i) { return sum_over(4, [&](int64_t k) {
                       return x({i[0], k}) * z({i[1], k});
                     }); },
      __LINE__);
  double all = 0;
  for (std::size_t k = 0; k < 12; ++k) all += x.values[k] * z.values[k];
  CHECK_EQ(vdot(x.array, z.array).item<double>(), all);
  CHECK_EQ(tensordot(x.array, z.array).item<double>(), all);
  near(
      outer(x.array.select(0, 0), y.array.select(0, 0)), {4, 2},
      [&](auto& i) {
        return x({0, i[0]}) * y({0, i[1]});
      },
      __LINE__);
  near(
      kron(x.array, y.array), {12, 8},
      [&](auto& i) {
        return x({i[0] / 4, i[1] / 2}) * y({i[0] % 4, i[1] % 2});
      },
      __LINE__);
  CHECK_EQ(trace(x.array, 1).item<double>(), x({0, 1}) + x({1, 2}) + x({2, 3}));
  CHECK_EQ(matrix_norm(x.array, GPUARR_NORM_INF).item<double>(), [&] {
    double most = 0;
    for (int64_t i = 0; i < 3; ++i)
      most = std::max(most, sum_over(4, [&](int64_t k) { return x({i, k}); }));
    return most;
  }());
  CHECK(matrix_norm(x.array, GPUARR_NORM_FRO, true).shape() == (Shape{1, 1}));
  const Array square = matmul(x.array, z.array.transpose());
  near(matrix_power(square, 3), matmul(square, matmul(square, square)), __LINE__);
}

/// A matrix that is far from singular, and one that is positive definite.
Array regular(int64_t n) {
  return Array::from(
      over<double>({n, n},
                   [&](auto& i) {
                     return static_cast<double>(i[0] == i[1] ? 40 + i[0] : check::random(10)) / 3;
                   }),
      {n, n});
}

void factorisations() {
  const Array a = regular(4), definite = matmul(a, a.transpose()), one = eye(GPUARR_F64, 4);
  const Array l = cholesky(definite), upper = cholesky(definite, true);
  near(matmul(l, l.transpose()), definite, __LINE__);
  near(upper, l.transpose(), __LINE__);
  const auto [p, left, right] = lu(a);
  near(take(matmul(left, right), p), a, __LINE__);
  const auto [q, r] = qr(a.slice(1, 0, 2));
  near(matmul(q, r), a.slice(1, 0, 2), __LINE__);
  CHECK(qr(a.slice(1, 0, 2), true).q.shape() == (Shape{4, 4}));
  const auto [u, s, vh] = svd(a.slice(0, 0, 3));
  near(matmul(u * s, vh), a.slice(0, 0, 3), __LINE__);
  CHECK(svd(a.slice(0, 0, 3), true).vh.shape() == (Shape{4, 4}));
  near(svdvals(a.slice(0, 0, 3)), s, __LINE__);
  const auto [w, v] = eigh(definite);
  near(matmul(definite, v), v * w, __LINE__);
  near(eigvalsh(definite, true), w, __LINE__);
  const auto [values, vectors] = eig(a);
  CHECK(allclose(matmul(a.astype(GPUARR_C128), vectors), vectors * values, 1e-9, 1e-9));
  CHECK(allclose(eigvals(a), values, 1e-9));
  near(matmul(vh, vh.transpose()), one.slice(0, 0, 3).slice(1, 0, 3), __LINE__);
}

void equations() {
  const Array a = regular(4), b = Array::from(Doubles{1, 2, 3, 4}), one = eye(GPUARR_F64, 4);
  const Array definite = matmul(a, a.transpose());
  near(matmul(a, solve(a, b)), b, __LINE__);
  near(matmul(tril(a), solve_triangular(a, b)), b, __LINE__);
  near(matmul(triu(a).transpose(), solve_triangular(a, b, true, GPUARR_MATRIX_TRANSPOSED)), b,
       __LINE__);
  near(matmul(definite, cholesky_solve(cholesky(definite), b)), b, __LINE__);
  near(matmul(a.transpose(), lu_solve(lu_factor(a), b, GPUARR_MATRIX_TRANSPOSED)), b, __LINE__);
  near(matmul(a, inv(a)), one, __LINE__);
  const auto [sign, logdet] = slogdet(a);
  near(det(a), sign * exp(logdet), __LINE__);
  const Array tall = a.slice(1, 0, 2);
  const auto [x, residuals, rank, s] = lstsq(tall, b);
  near(x, matmul(pinv(tall), b), __LINE__);
  near(residuals, square(norm(matmul(tall, x) - b, 2)), __LINE__);
  CHECK_EQ(rank.item<int64_t>(), 2);
  CHECK_EQ(matrix_rank(tall).item<int64_t>(), 2);
  CHECK_EQ(matrix_rank(tall, 1e6).item<int64_t>(), 0);
  near(s, svdvals(tall), __LINE__);
}

/// Codes instead of exceptions, and no waiting.
void codes_of_matrices() {
  const Array both = stack({eye(GPUARR_F64, 2), zeros(GPUARR_F64, {2, 2})});
  Array info;
  inv(both, &info);
  CHECK(info.to_vector<int32_t>() == (std::vector<int32_t>{0, 1}));
  cholesky(-both, false, &info);
  CHECK(info.to_vector<int32_t>() == (std::vector<int32_t>{1, 1}));
  svd(full(GPUARR_F64, {2, 2}, INFINITY), false, &info);
  CHECK_EQ(info.item<int32_t>(), -1);
}

void refused() {
  const Array x = zeros(GPUARR_F64, {2, 3}), square = zeros(GPUARR_F64, {2, 2});
  CHECK_FAILS(GPUARR_ERR_SHAPE, "gpuarr_matmul: ", [&] { matmul(x, x); });
  CHECK_FAILS(GPUARR_ERR_SHAPE, "gpuarr_det: ", [&] { det(x); });
  CHECK_FAILS(GPUARR_ERR_SINGULAR, "gpuarr_solve: ", [&] { solve(square, square); });
  CHECK_FAILS(GPUARR_ERR_NOT_POSITIVE_DEFINITE, "gpuarr_cholesky: ", [&] { cholesky(square); });
  CHECK_FAILS(GPUARR_ERR_NOT_FINITE, "gpuarr_eigh: ", [] { eigh(full(GPUARR_F64, {2, 2}, NAN)); });
  CHECK_FAILS(GPUARR_ERR_SYNTAX, "gpuarr_einsum: ", [&] { einsum("ij-", x); });
  CHECK_FAILS(GPUARR_ERR_ARGUMENT, "tensordot: axes of y has 2 numbers; it takes 1", [&] {
    tensordot(x, x, {1}, Axes{0, 1});
  });
}

}  // namespace

int main() {
  check::choose_device();
  products();
  factorisations();
  equations();
  codes_of_matrices();
  refused();
  return check::result();
}
