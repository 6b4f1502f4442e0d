#!/usr/bin/env python3
"""Factorisations and what is solved with them, judged by residuals and orthogonality in units of
the dtype's precision, and beside NumPy's where results are unique: decompositions.py LIBRARY
[DEVICE]."""
from support import C64, C128, F32, F64, NUMPY, Failure, lib, np, refused, rng, some

DTYPES = (F64, C128, F32, C64)
SHAPES = [(1, 1), (5, 5), (9, 4), (4, 9), (40, 40), (70, 30), (30, 70), (3, 6, 6), (2, 3, 7, 4),
          (2, 1, 4, 7), (17, 3, 3), (0, 4), (4, 0), (0, 0), (0, 3, 3), (2, 0, 3), (2, 3, 0)]
SQUARE = [(n, n) for n in (0, 1, 2, 5, 33, 80)] + [(3, 6, 6), (2, 2, 7, 7), (19, 4, 4), (0, 3, 3)]


def matrices(dtype, shape, scale=1.0):
    values = rng.standard_normal(shape) * scale
    if NUMPY[dtype].kind == "c":
        values = values + 1j * rng.standard_normal(shape) * scale
    return values.astype(NUMPY[dtype])


def hermitian(dtype, shape):
    a = matrices(dtype, shape)
    return (a + adjoint(a)) / 2


def positive(dtype, shape):
    a = matrices(dtype, shape)
    return a @ adjoint(a) + shape[-1] * np.eye(shape[-1], dtype=a.dtype)


def adjoint(a):
    return a.conj().swapaxes(-1, -2)


def real(dtype):
    return np.finfo(NUMPY[dtype]).dtype


def near(got, expected, dtype, times=30, what=""):
    """The norm of the difference, against that of what is expected, the precision and the size."""
    got, expected = np.asarray(got), np.asarray(expected)
    assert got.shape == expected.shape, (what, got.shape, expected.shape)
    if got.size == 0:
        return
    n = max(got.shape[-2:]) if got.ndim > 1 else got.size
    allowed = times * n * np.finfo(NUMPY[dtype]).eps * max(np.abs(expected).max(), 1e-300)
    apart = np.abs(got.astype(np.clongdouble) - expected).max()
    assert apart <= allowed, (what, got.shape, dtype, float(apart), float(allowed))


def unitary(q, dtype, what=""):
    near(adjoint(q) @ q, np.broadcast_to(np.eye(q.shape[-1]), adjoint(q).shape[:-2] +
                                         (q.shape[-1],) * 2), dtype, what=what)


def inputs(shapes, count, make):
    for dtype in DTYPES:
        for shape in some(shapes, count):
            a = make(dtype, shape)
            yield dtype, a, lib.upload(a, layout="any")


def made(name, *arguments, **options):
    results = lib.make(name, *arguments, **options)
    return [r.numpy() for r in results] if isinstance(results, tuple) else results.numpy()


def cholesky():
    for dtype, a, x in inputs(SQUARE, 4, positive):
        lower, upper = made("cholesky", x, 0, None), made("cholesky", x, 1, None)
        assert lower.dtype == a.dtype
        near(lower @ adjoint(lower), a, dtype)
        near(adjoint(upper) @ upper, a, dtype)
        assert (np.triu(lower, 1) == 0).all() and (np.tril(upper, -1) == 0).all()
        b = matrices(dtype, a.shape[:-1] + (3,))
        for factor, flag in ((lower, 0), (upper, 1)):
            got = made("cholesky_solve", lib.upload(factor, layout="any"),
                       lib.upload(b, layout="any"), flag)
            near(a @ got, b, dtype, 300)
    a = positive(F64, (3, 5, 5))
    a[1, 2, 2] = -1
    refused("GPUARR_ERR_NOT_POSITIVE_DEFINITE", "matrix 1 of the stack a .*order 3", "cholesky",
            lib.upload(a), 0, None)
    a[1] = a[0]
    a[2, 3, 3] = np.nan
    refused("GPUARR_ERR_NOT_POSITIVE_DEFINITE", "matrix 2 of the stack a .*order 4", "cholesky",
            lib.upload(a), 1, None)


def lu():
    for dtype, a, x in inputs(SHAPES, 6, matrices):
        p, lower, upper = made("lu", x)
        assert p.dtype == np.int64
        product = np.take_along_axis(lower @ upper, p[..., None], -2)
        near(product, a, dtype)
        assert (np.abs(lower) <= 1.5).all() and (np.tril(upper, -1) == 0).all()
        k = min(a.shape[-2:])
        assert (lower[..., range(k), range(k)] == 1).all() and (np.triu(lower, 1) == 0).all()
    for dtype, a, x in inputs(SQUARE, 3, matrices):
        factors, pivots = lib.make("lu_factor", x, None)
        b = matrices(dtype, a.shape[:-1] + (2,))
        for op, left in ((0, a), (1, a.swapaxes(-1, -2)), (2, adjoint(a))):
            got = made("lu_solve", factors, pivots, lib.upload(b, layout="any"), op)
            near(left @ got, b, dtype, 3000)


def qr():
    for dtype, a, x in inputs(SHAPES, 6, matrices):
        for complete in (0, 1):
            q, r = made("qr", x, complete)
            near(q @ r, a, dtype)
            unitary(q, dtype)
            assert (np.tril(r, -1) == 0).all()
            if complete:
                assert q.shape[-1] == a.shape[-2] == r.shape[-2]
        alone = lib.make("qr", x, 0, out=(False, None))[1].numpy()
        near(np.abs(alone), np.abs(np.linalg.qr(a, "r")) if a.ndim == 2 else np.abs(alone), dtype)


def svd():
    for dtype, a, x in inputs(SHAPES, 6, matrices):
        expected = np.linalg.svd(a, compute_uv=False) if a.size else np.zeros(
            a.shape[:-2] + (min(a.shape[-2:]),))
        for full in (0, 1):
            u, s, vh = made("svd", x, full, None)
            k = s.shape[-1]
            assert s.dtype == real(dtype)
            near(s, expected, dtype)
            near(u[..., :k] * s[..., None, :] @ vh[..., :k, :], a, dtype)
            unitary(u, dtype)
            unitary(adjoint(vh), dtype)
            if full:
                assert u.shape[-2:] == (a.shape[-2],) * 2 and vh.shape[-2:] == (a.shape[-1],) * 2
        near(made("svdvals", x, None), expected, dtype)
    for scale in (1e-280, 1e280):
        a = matrices(F64, (6, 4), scale)
        near(made("svdvals", lib.upload(a), None) / scale,
             np.linalg.svd(a, compute_uv=False) / scale, F64)
    rank_one = np.outer(np.arange(5.0), np.ones(7))
    u, s, vh = made("svd", lib.upload(rank_one), 0, None)
    near(u * s @ vh, rank_one, F64)
    unitary(u, F64)


def eigh():
    for dtype, a, x in inputs(SQUARE, 4, hermitian):
        expected = np.linalg.eigvalsh(a) if a.size else np.zeros(a.shape[:-1])
        for upper in (0, 1):
            half = (np.triu if upper else np.tril)(a) + (np.tril if upper else np.triu)(
                np.full_like(a, 99), -1 if upper else 1)
            w, v = made("eigh", lib.upload(half, layout="any"), upper, None)
            near(w, expected, dtype)
            near(a @ v, v * w[..., None, :], dtype, 100)
            unitary(v, dtype)
        near(made("eigvalsh", x, 0, None), expected, dtype)


def eig():
    for dtype, a, x in inputs(SQUARE, 4, matrices):
        w, v = made("eig", x, None)
        assert w.dtype.kind == v.dtype.kind == "c" and w.dtype.itemsize == 2 * real(dtype).itemsize
        if a.size:
            near(a @ v, v * w[..., None, :], dtype, 300)
            near(np.linalg.norm(v, axis=-2), np.ones(w.shape), dtype)
            near(np.sort_complex(made("eigvals", x, None)), np.sort_complex(w), dtype, 3000)
    w, v = made("eig", lib.upload(np.array([[0.0, 1], [-1, 0]])), None)
    near(np.sort_complex(w), np.array([-1j, 1j]), C128)


def solve():
    for left, right in some([((4, 4), (4,)), ((4, 4), (4, 3)), ((5, 3, 3), (3,)),
                             ((3, 3), (2, 3, 2)), ((2, 1, 4, 4), (3, 4, 2)),
                             ((6, 3, 3), (6, 3, 1)), ((0, 0), (0, 2)),
                             ((1, 3, 3), (4, 3, 2)), ((60, 60), (60, 5)), ((0, 2, 2), (2, 2)),
                             ((2, 3, 3), (2, 3, 0)), ((3, 3), (0, 3, 2))], 8):
        dtype, other = rng.choice(DTYPES), rng.choice(DTYPES)
        a, b = matrices(dtype, left), matrices(other, right)
        x = made("solve", lib.upload(a, layout="any"), lib.upload(b, layout="any"), None)
        columns = b[:, None] if b.ndim == 1 else b
        assert x.dtype == np.result_type(a, b)
        product = a @ (x[..., None] if b.ndim == 1 else x)
        worst = F32 if F32 in (dtype, other) or C64 in (dtype, other) else F64
        near(product, np.broadcast_to(columns, product.shape), worst, 3000)
    near(made("solve", lib.upload(np.array([[2, 1], [1, 3]])), lib.upload(np.array([3, 5])), None),
         np.array([0.8, 1.4]), F64)
    singular = np.stack([np.eye(5), np.diag([1.0, 2, 3, 4, 0])])
    refused("GPUARR_ERR_SINGULAR", r"matrix 1 of the stack a is singular: U\(5,5\) is 0", "solve",
            lib.upload(singular), lib.upload(np.ones(5)), None)


def solve_triangular():
    for dtype, a, _ in inputs(SQUARE, 3, positive):
        b = matrices(dtype, a.shape[:-1] + (3,))
        for upper in (0, 1):
            for op in (0, 1, 2):
                unit = int(rng.integers(2))
                part = (np.triu if upper else np.tril)(a)
                if unit:
                    n = a.shape[-1]
                    part = part / (10 * a.shape[-1] + 1)
                    part[..., range(n), range(n)] = 1
                noise = part + (np.tril if upper else np.triu)(np.full_like(a, 9),
                                                               -1 if upper else 1)
                x = made("solve_triangular", lib.upload(noise, layout="any"),
                         lib.upload(b, layout="any"), upper, op, unit, None)
                left = (part, part.swapaxes(-1, -2), adjoint(part))[op]
                near(left @ x, b, dtype, 3000)
    refused("GPUARR_ERR_SINGULAR", r"diagonal element \(2,2\) is 0", "solve_triangular",
            lib.upload(np.diag([1.0, 0, 1])), lib.upload(np.ones(3)), 0, 0, 0, None)


def inv_and_determinants():
    for dtype, a, x in inputs(SQUARE, 4, matrices):
        if a.shape[-1] < 40:
            near(a @ made("inv", x, None), np.broadcast_to(np.eye(a.shape[-1]), a.shape), dtype,
                 3000)
        sign, log = made("slogdet", x)
        expected_sign, expected_log = np.linalg.slogdet(a)
        assert sign.dtype == a.dtype and log.dtype == real(dtype) and log.shape == a.shape[:-2]
        worst = np.linalg.cond(a).max() if a.size else 1  # how much an error may grow
        tolerance = 10 * max(a.shape[-1], 1) * worst * np.finfo(a.dtype).eps
        assert np.allclose(log, expected_log, rtol=tolerance, atol=tolerance)
        assert np.allclose(sign, expected_sign, rtol=tolerance, atol=tolerance)
        if a.shape[-1] < 20:  # of larger ones it overflows
            assert np.allclose(made("det", x), np.linalg.det(a), rtol=tolerance)
    assert made("det", lib.upload(np.diag([1e200, 1e200, 1e-300]))) == 1e100
    assert made("det", lib.upload(np.array([[1, 2], [2, 4]]))) == 0
    sign, log = made("slogdet", lib.upload(np.zeros((3, 2, 2))))
    assert (sign == 0).all() and (log == -np.inf).all()


def by_singular_values():
    for dtype, a, x in inputs(SHAPES, 5, matrices):
        p = made("pinv", x, -1.0, None)
        near(a @ p @ a, a, dtype, 300)
        near(p @ a @ p, p, dtype, 300)
        rank = made("matrix_rank", x, -1.0, None)
        assert rank.dtype == np.int64 and (rank == min(a.shape[-2:])).all()
    for rows, columns, sides, rank in ((8, 3, 2, 3), (3, 8, 0, 3), (6, 6, 1, 4), (9, 5, None, 2)):
        for dtype in some(DTYPES, 2):
            a = matrices(dtype, (rows, rank)) @ matrices(dtype, (rank, columns))
            b = matrices(dtype, (rows,) if sides is None else (rows, sides))
            rcond = 1e-4 if dtype in (F32, C64) else 1e-10
            x, rest, found, s = made("lstsq", lib.upload(a, layout="any"),
                                     lib.upload(b, layout="any"), rcond, None)
            expected = np.linalg.lstsq(a, b, rcond=rcond)
            assert found == expected[2] == rank
            near(x, expected[0], dtype, 1000)
            near(s, expected[3], dtype)
            near(rest, (np.abs(b - a @ expected[0]) ** 2).sum(0), dtype, 1000)
    stack, b = matrices(F64, (3, 1, 6, 2)), matrices(F64, (2, 6, 2))
    x = made("lstsq", lib.upload(stack), lib.upload(b), -1.0, None)[0]
    near(x, np.linalg.pinv(stack) @ b, F64, 1000)
    assert made("matrix_rank", lib.upload(np.diag([1.0, 1e-3, 0])), 0.5, None) == 1


def norms_and_powers():
    for dtype, a, x in inputs([(4, 4), (5, 3), (2, 3, 4)], 2, matrices):
        for name, order in (("2", 2), ("MINUS_2", -2), ("NUC", "nuc")):
            got = made("matrix_norm", x, lib.constants["GPUARR_NORM_" + name], 1)
            near(got, np.linalg.norm(a, order, (-2, -1), True), dtype, 300)
    for dtype, a, x in inputs([(4, 4), (2, 3, 3)], 1, positive):
        near(made("matrix_power", x, -3, 0), np.linalg.matrix_power(a, -3), dtype, 3000)
    near(made("matrix_power", lib.upload(np.array([[2, 0], [0, 4]])), -1, 0),
         np.diag([0.5, 0.25]), F64)


def not_finite():
    for value in (np.nan, np.inf):
        a = matrices(F64, (3, 4, 4))
        a[1, 2, 1] = value
        x = lib.upload(a, layout="any")
        for call in (("svd", x, 0), ("svdvals", x), ("eigh", x, 0), ("eigvalsh", x, 0),
                     ("eig", x), ("eigvals", x), ("pinv", x, -1.0), ("matrix_rank", x, -1.0),
                     ("lstsq", x, lib.upload(np.ones(4)), -1.0)):
            refused("GPUARR_ERR_NOT_FINITE", "matrix 1 of the stack a has an element", *call, None)
        near(made("eigvalsh", x, 1, None), np.linalg.eigvalsh(a, "U"), F64)  # not in that triangle


def given_outputs():
    a = positive(F64, (2, 4, 4))
    for layout in ("c", "f", "strided"):
        out = lib.upload(np.zeros_like(a), layout=layout)
        lib.make("cholesky", lib.upload(a), 0, None, out=out)
        near(out.numpy(), np.linalg.cholesky(a), F64)
    x = lib.upload(a, layout="f")
    assert lib.make("inv", x, None, out=x) is x  # in place
    near(x.numpy(), np.linalg.inv(a), F64, 300)
    for layout in ("c", "f"):
        x = lib.upload(matrices(F64, (5, 5)), layout=layout)
        for name, rest in (("inv", (None,)), ("cholesky", (0, None))):
            try:
                result = lib.make(name, x, *rest)
            except Failure:
                continue
            assert result.strides == x.strides, (name, layout)


for test in (cholesky, lu, qr, svd, eigh, eig, solve, solve_triangular, inv_and_determinants,
             by_singular_values, norms_and_powers, not_finite, given_outputs):
    test()
    print(f"{test.__name__}: ok", flush=True)
