"""What fortran_operations.py writes: the arguments of each ready-made operation in Fortran.

A row is a name, arguments in the order of Fortran's and C's, a comment, and C's arguments where
their order is another. An argument is KIND:NAME, with "?" behind the kind or "=DEFAULT" behind the
name if it may be left out:

out       an array that is made if it is not set; place the same for indices, which get from 1
into      an array that is written to
operand   an array or a result; index the same for indices, which are from 1
value     an array, a result or a scalar
dim       a dim; dims several
whole     an integer of any kind; from_one an index; wholes several integers
pair      two reals
int, real, reals, flag, text  as they are

A fifth entry is about sizes that have to be equal.
"""

ELEMENTS = [
    ("cumsum", "out:out operand:x dim:dim=1 flag:exclusive=false",
     "The sum of the elements along a dim as far as each; without its own element if `exclusive`."),
    ("cumprod", "out:out operand:x dim:dim=1 flag:exclusive=false",
     "The product of the elements along a dim as far as each."),
    ("cummin", "out:out operand:x dim:dim=1 flag:exclusive=false",
     "The least element along a dim as far as each."),
    ("cummax", "out:out operand:x dim:dim=1 flag:exclusive=false",
     "The greatest element along a dim as far as each."),
    ("diff", "out:out operand:x int:order=1 dim:dim=1",
     "Each element along a dim less the one before, `order` times."),
    ("sort", "out:out operand:x dim:dim=1 flag:descending=false",
     "The elements in order along a dim, NaN last. Stable."),
    ("argsort", "place:out operand:x dim:dim=1 flag:descending=false",
     "The indices along a dim, from 1, that put its elements in order, as int64."),
    ("partition", "out:out operand:x from_one:kth dim:dim=1",
     "The element that sorting would put at place kth, from 1, is there; the lesser are before."),
    ("topk", "out?:values place?:indices operand:x whole:k dim:dim=1 flag:largest=true",
     "The k greatest elements along a dim, or the least, the most extreme first, and their indices "
     "from 1; what is not wanted is left out."),
    ("searchsorted", "place:out operand:sorted operand:x flag:right=false",
     "Which index, from 1, each element of x would get in the vector `sorted` for it to stay in "
     "order: before its equals, or behind them."),
    ("histogram", "out:counts out?:edges operand:x whole:bins=10 pair?:range",
     "Counts of elements in bins of one width, from range(1) to range(2), or from the least to the "
     "greatest element."),
    ("histogram_between", "out:counts operand:x operand:edges",
     "Counts of elements in bins between given edges."),
    ("bincount", "out:out operand:x operand?:weights whole:minlength=0",
     "How often each whole number occurs, or the sum of its weights. Element 1 is for number 0, so "
     "that of indices from 1 it is 0."),
    ("median", "out:out operand:x dim:dim=1", "The median along a dim; NaN if there is a NaN."),
    ("nanmedian", "out:out operand:x dim:dim=1", "The median along a dim, ignoring NaNs."),
    ("quantile", "out:out operand:x reals:q dim:dim=1 int:method=GPUARR_QUANTILE_LINEAR",
     "Quantiles along a dim, q from 0 to 1: the first dim of the result is that of q.",
     "{out}, {x}, {q}, size(q, kind=c_int32_t), {dim}, {method}"),
    ("nanquantile", "out:out operand:x reals:q dim:dim=1 int:method=GPUARR_QUANTILE_LINEAR",
     "Quantiles along a dim, ignoring NaNs.",
     "{out}, {x}, {q}, size(q, kind=c_int32_t), {dim}, {method}"),
    ("take", "out:out operand:x index:indices dim:dim=1",
     "Slices of x by their indices along a dim, from 1: the dims of `indices` are in the place of "
     "that dim. An index that is out of range is an error (GPUARR_ERR_INDEX), on a GPU of the next "
     "call that waits for the stream."),
    ("take_along_axis", "out:out operand:x index:indices dim:dim=1",
     "An element of x for each index along a dim, from 1: x(i, indices(i, j)) for dim 2."),
    ("put", "into:x index:indices value:values dim:dim=1",
     "Set slices of x, by their indices along a dim, from 1, to values."),
    ("put_add", "into:x index:indices value:values dim:dim=1",
     "Add values to slices of x, by their indices along a dim, from 1: also several to one."),
    ("put_along_axis", "into:x index:indices value:values dim:dim=1",
     "Set an element of x for each index along a dim, from 1, to a value."),
    ("tile", "out:out operand:x wholes:times", "The array repeated as a whole along its dims.",
     "{out}, {x}, size(times, kind=c_int32_t), {times}"),
    ("repeat", "out:out operand:x whole:count dim:dim=1", "Each index of a dim so many times."),
    ("repeat_each", "out:out operand:x operand:counts dim:dim=1",
     "Each index of a dim as often as an array says."),
    ("roll", "out:out operand:x wholes:shifts dims:dims",
     "Elements shifted along dims towards greater indices; what leaves comes in at the other end.",
     "{out}, {x}, size(shifts, kind=c_int32_t), {shifts}, {dims}",
     ("shifts and dims", "[size(shifts), size(dims)]")),
    ("pad", "out:out operand:x wholes:before wholes:after int:mode=GPUARR_PAD_CONSTANT "
     "value:value=0",
     "A border around the array, `before` and `after` each dim, of a value, 0 if none is given, or "
     "as GPUARR_PAD_... says.",
     None, ("before, after and the dims of x", "[size(before), size(after), rank_of(x)]")),
    ("triu", "out:out operand:x whole:k=0",
     "The last two dims without what is below diagonal k: 0 the main one, above it positive."),
    ("tril", "out:out operand:x whole:k=0",
     "The last two dims without what is above diagonal k."),
    ("diag", "out:out operand:x whole:k=0", "A square matrix with x on diagonal k, else 0."),
]

MATRICES = [
    ("matmul", "out:out operand:x operand:y int:flags=0",
     "The product of matrices, or of stacks of them, which are in the last two dims."),
    ("vdot", "out:out operand:x operand:y",
     "The sum of conjg(x) * y over all elements."),
    ("inner", "out:out operand:x operand:y int:flags=0",
     "Sums of products along the last dim of both."),
    ("outer", "out:out operand:x operand:y", "Every element of x times every element of y."),
    ("kron", "out:out operand:x operand:y", "A block, y times the element, for each element of x."),
    ("tensordot", "out:out operand:x operand:y dims:x_dims dims:y_dims int:flags=0",
     "Sums of products along pairs of dims of x and y.",
     "{out}, {x}, {y}, {x_dims}, {y_dims}, size(x_dims, kind=c_int32_t), {flags}",
     ("x_dims and y_dims", "[size(x_dims), size(y_dims)]")),
    ("einsum", "out:out text:subscripts operand:x operand?:y int:flags=0",
     "Sums of products along dims named by letters, \"ij,jk->ik\"."),
    ("matrix_power", "out:out operand:x whole:n int:flags=0",
     "Matrices multiplied by themselves; below 0 their inverses."),
    ("trace", "out:out operand:x whole:offset=0 dim:dim1=1 dim:dim2=2",
     "The sum of the elements of a diagonal."),
    ("matrix_norm", "out:out operand:x int:ord=GPUARR_NORM_FRO flag:keepdims=false",
     "Norms of the matrices in the last two dims, GPUARR_NORM_...; of Frobenius without one."),
    ("cholesky", "out:out operand:a flag:upper=false out?:info",
     "The factor L of positive definite matrices a = L L^H, or U of a = U^H U."),
    ("lu", "place:p out:l out:u operand:a",
     "Triangles l and u: row i of a is row p(i), from 1, of their product."),
    ("lu_factor", "out:lu place:pivots operand:a out?:info",
     "The same in the form that gpuarr_lu_solve takes: row k was exchanged with row pivots(k)."),
    ("qr", "out?:q out?:r operand:a flag:complete=false",
     "Orthonormal columns q and an upper triangle r, a = q r; what is not wanted is left out."),
    ("svd", "out?:u out:s out?:vh operand:a flag:full_matrices=false out?:info",
     "a = u diag(s) vh, with u and vh unitary and s in descending order."),
    ("svdvals", "out:out operand:a out?:info", "Singular values, in descending order."),
    ("eigh", "out:w out:v operand:a flag:upper=false out?:info",
     "Eigenvalues, in ascending order, and eigenvectors, in columns, of symmetric or Hermitian "
     "matrices, of which one triangle is read."),
    ("eigvalsh", "out:out operand:a flag:upper=false out?:info", "These eigenvalues alone."),
    ("eig", "out:w out:v operand:a out?:info",
     "Eigenvalues and eigenvectors of any square matrices, complex."),
    ("eigvals", "out:out operand:a out?:info", "These eigenvalues alone."),
    ("solve", "out:out operand:a operand:b out?:info",
     "The x of a x = b: b is a vector, or has one in each column."),
    ("solve_triangular", "out:out operand:a operand:b flag:upper=false "
     "int:op=GPUARR_MATRIX_AS_IT_IS flag:unit_diagonal=false out?:info",
     "The x of a x = b, of which only one triangle of a is read."),
    ("cholesky_solve", "out:out operand:factor operand:b flag:upper=false",
     "The x of a x = b with what gpuarr_cholesky made of a."),
    ("lu_solve", "out:out operand:lu index:pivots=lu operand:b int:op=GPUARR_MATRIX_AS_IT_IS",
     "The x of a x = b with what gpuarr_lu_factor made of a."),
    ("inv", "out:out operand:a out?:info", "Inverses of square matrices."),
    ("det", "out:out operand:a", "Determinants."),
    ("slogdet", "out:sign out:logdet operand:a", "Determinants as sign * exp(logdet)."),
    ("lstsq", "out:x out?:residuals out?:rank out?:s operand:a operand:b real:rcond=-1.0 out?:info",
     "The x that makes the norm of b - a x least, the squares of what is left, the rank of a and "
     "its singular values."),
    ("pinv", "out:out operand:a real:rcond=-1.0 out?:info", "Pseudoinverses."),
    ("matrix_rank", "out:out operand:a real:tol=-1.0 out?:info",
     "How many singular values are above a threshold."),
]

COMMON = ("Results come first and are made if they are not set; arguments are arrays or what "
          "expressions make; the stream is the current one without `stream`. Errors are those of "
          "the C function of the same name. ")

OPERATIONS = {
    "gpuarr_elements": (
        "Cumulative sums, sorting, counting, taking, repeating, moving elements. " + COMMON +
        "Without `dim` it is the first dim. Indices count from 1.", ELEMENTS),
    "gpuarr_matrices": (
        "Linear algebra. " + COMMON + "Matrices are the last two dims; those before are stacks. "
        "With `info`, an int32 array, a call does not wait and a matrix that fails is told there.",
        MATRICES),
}
