// Factorisations and equations, as `gpuarr op` has them.
#include "cli/base/error.hpp"
#include "cli/op/op.hpp"

namespace cli {
namespace {

void run_cholesky(OpCall& call) {
  const auto upper = static_cast<int32_t>(call.whole_or(1, 0));
  check(gpuarr_cholesky(&call.outputs[0], call.array(0), upper, nullptr, call.stream));
}

void run_lu(OpCall& call) {
  check(
      gpuarr_lu(&call.outputs[0], &call.outputs[1], &call.outputs[2], call.array(0), call.stream));
}

void run_qr(OpCall& call) {
  check(gpuarr_qr(&call.outputs[0], &call.outputs[1], call.array(0), 0, call.stream));
}

void run_svd(OpCall& call) {
  check(gpuarr_svd(&call.outputs[0], &call.outputs[1], &call.outputs[2], call.array(0), 0, nullptr,
                   call.stream));
}

void run_eigh(OpCall& call) {
  check(gpuarr_eigh(&call.outputs[0], &call.outputs[1], call.array(0), 0, nullptr, call.stream));
}

void run_eig(OpCall& call) {
  check(gpuarr_eig(&call.outputs[0], &call.outputs[1], call.array(0), nullptr, call.stream));
}

// Of a matrix, with what its code says.
template <auto function>
void run_matrix(OpCall& call) {
  check(function(&call.outputs[0], call.array(0), nullptr, call.stream));
}

void run_eigvalsh(OpCall& call) {
  check(gpuarr_eigvalsh(&call.outputs[0], call.array(0), 0, nullptr, call.stream));
}

void run_solve(OpCall& call) {
  check(gpuarr_solve(&call.outputs[0], call.array(0), call.array(1), nullptr, call.stream));
}

// By singular values: those below a part of the largest one, or below a number, count as 0.
double threshold(const OpCall& call, size_t k) {
  return call.inputs.size() > k ? call.real(k) : -1;
}

void run_lstsq(OpCall& call) {
  check(gpuarr_lstsq(&call.outputs[0], &call.outputs[1], &call.outputs[2], &call.outputs[3],
                     call.array(0), call.array(1), threshold(call, 2), nullptr, call.stream));
}

template <auto function>
void run_by_values(OpCall& call) {
  check(function(&call.outputs[0], call.array(0), threshold(call, 1), nullptr, call.stream));
}

void run_det(OpCall& call) { check(gpuarr_det(&call.outputs[0], call.array(0), call.stream)); }

void run_slogdet(OpCall& call) {
  check(gpuarr_slogdet(&call.outputs[0], &call.outputs[1], call.array(0), call.stream));
}

constexpr Op solvers_table[] = {
    {"cholesky", "A [UPPER]", 1, "L of A = L L^H, or U of A = U^H U", run_cholesky},
    {"lu", "A", 3, "row permutation P, and L and U, of A = (L U)[P]", run_lu},
    {"qr", "A", 2, "Q and R of A = Q R", run_qr},
    {"svd", "A", 3, "U, singular values and V^H of A = U diag(S) V^H", run_svd},
    {"svdvals", "A", 1, "singular values", run_matrix<gpuarr_svdvals>},
    {"eigh", "A", 2, "eigenvalues and -vectors of a symmetric or Hermitian matrix", run_eigh},
    {"eigvalsh", "A", 1, "the eigenvalues of a symmetric or Hermitian matrix", run_eigvalsh},
    {"eig", "A", 2, "eigenvalues and -vectors of any square matrix, complex", run_eig},
    {"eigvals", "A", 1, "the eigenvalues of any square matrix, complex",
     run_matrix<gpuarr_eigvals>},
    {"solve", "A B", 1, "X of A X = B", run_solve},
    {"lstsq", "A B [RCOND]", 4, "X with least |B - A X|, its square, A's rank, singular values",
     run_lstsq},
    {"inv", "A", 1, "the inverse", run_matrix<gpuarr_inv>},
    {"pinv", "A [RCOND]", 1, "the pseudoinverse", run_by_values<gpuarr_pinv>},
    {"det", "A", 1, "the determinant", run_det},
    {"slogdet", "A", 2, "the determinant's sign, and the logarithm of its absolute value",
     run_slogdet},
    {"matrix_rank", "A [TOL]", 1, "the rank, from singular values",
     run_by_values<gpuarr_matrix_rank>},
};

}  // namespace

std::span<const Op> solver_ops() { return solvers_table; }

}  // namespace cli
