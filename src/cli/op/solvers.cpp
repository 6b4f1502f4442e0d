// Factorisations and equations, as `gpuarr op` has them.
#include "cli/op/calls.hpp"

namespace cli {
namespace {

// By singular values: those below a part of the largest one, or below a number, count as 0.
template <size_t k>
double threshold(OpCall& call) {
  return call.inputs.size() > k ? call.real(k) : -1;
}

constexpr Op solvers_table[] = {
    {"cholesky", "A [UPPER]", 1, "L of A = L L^H, or U of A = U^H U",
     calls<gpuarr_cholesky, output<0>, array_at<0>, flag_or<1, 0>, fixed<nullptr>>},
    {"lu", "A", 3, "row permutation P, and L and U, of A = (L U)[P]",
     calls<gpuarr_lu, output<0>, output<1>, output<2>, array_at<0>>},
    {"qr", "A", 2, "Q and R of A = Q R",
     calls<gpuarr_qr, output<0>, output<1>, array_at<0>, fixed<0>>},
    {"svd", "A", 3, "U, singular values and V^H of A = U diag(S) V^H",
     calls<gpuarr_svd, output<0>, output<1>, output<2>, array_at<0>, fixed<0>, fixed<nullptr>>},
    {"svdvals", "A", 1, "singular values",
     calls<gpuarr_svdvals, output<0>, array_at<0>, fixed<nullptr>>},
    {"eigh", "A", 2, "eigenvalues and -vectors of a symmetric or Hermitian matrix",
     calls<gpuarr_eigh, output<0>, output<1>, array_at<0>, fixed<0>, fixed<nullptr>>},
    {"eigvalsh", "A", 1, "the eigenvalues of a symmetric or Hermitian matrix",
     calls<gpuarr_eigvalsh, output<0>, array_at<0>, fixed<0>, fixed<nullptr>>},
    {"eig", "A", 2, "eigenvalues and -vectors of any square matrix, complex",
     calls<gpuarr_eig, output<0>, output<1>, array_at<0>, fixed<nullptr>>},
    {"eigvals", "A", 1, "the eigenvalues of any square matrix, complex",
     calls<gpuarr_eigvals, output<0>, array_at<0>, fixed<nullptr>>},
    {"solve", "A B", 1, "X of A X = B",
     calls<gpuarr_solve, output<0>, array_at<0>, array_at<1>, fixed<nullptr>>},
    {"lstsq", "A B [RCOND]", 4, "X with least |B - A X|, its square, A's rank, singular values",
     calls<gpuarr_lstsq, output<0>, output<1>, output<2>, output<3>, array_at<0>, array_at<1>,
           threshold<2>, fixed<nullptr>>},
    {"inv", "A", 1, "the inverse", calls<gpuarr_inv, output<0>, array_at<0>, fixed<nullptr>>},
    {"pinv", "A [RCOND]", 1, "the pseudoinverse",
     calls<gpuarr_pinv, output<0>, array_at<0>, threshold<1>, fixed<nullptr>>},
    {"det", "A", 1, "the determinant", calls<gpuarr_det, output<0>, array_at<0>>},
    {"slogdet", "A", 2, "the determinant's sign, and the logarithm of its absolute value",
     calls<gpuarr_slogdet, output<0>, output<1>, array_at<0>>},
    {"matrix_rank", "A [TOL]", 1, "the rank, from singular values",
     calls<gpuarr_matrix_rank, output<0>, array_at<0>, threshold<1>, fixed<nullptr>>},
};

}  // namespace

std::span<const Op> solver_ops() { return solvers_table; }

}  // namespace cli
