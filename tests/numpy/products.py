#!/usr/bin/env python3
"""Products of matrices beside NumPy's.

    products.py LIBRARY [DEVICE]
"""
import functools

import support
from support import (BF16, BOOL, C64, C128, COMPLEX, F16, F32, F64, FLOATS, I32, INTEGERS, NUMPY,
                     from_bfloat16, lib, np, rng, some, to_bfloat16)

# A sum that begins with 0 has no -0, one that begins with its first term may be -0.
same = functools.partial(support.same, signed_zeros=False)
WHOLE = INTEGERS + (BOOL,)
NUMBERS = FLOATS + COMPLEX


def small(dtype, shape):
    """Numbers so small that all sums of their products are exact in any dtype."""
    values = rng.integers(-3, 4, shape)
    if NUMPY[dtype].kind == "u":
        values = np.abs(values)
    if dtype in COMPLEX:
        values = values + 1j * rng.integers(-3, 4, shape)
    if dtype == BOOL:
        return rng.integers(0, 3, shape) == 0
    return values.astype(NUMPY[dtype])


def pair(shapes, dtypes):
    """Two arrays of NumPy's, and the same of ours, in any layout."""
    values = [small(dtype, shape) for dtype, shape in zip(dtypes, shapes)]
    arrays = [lib.upload(v, layout="any") for v in values]
    return values, arrays


def given(expected):
    """Sometimes an array for the result, in any layout, and else none."""
    if rng.integers(3):
        return None
    return lib.upload(np.zeros_like(expected), layout="any")


def check(expected, name, *arguments, what=""):
    expected = np.asarray(expected)
    same(lib.make(name, *arguments, out=given(expected)).numpy(), expected,
         what=f"{name} {what}")


MATMULS = [((3, 4), (4, 5)), ((4,), (4,)), ((3, 4), (4,)), ((4,), (4, 5)), ((2, 3, 4), (4, 5)),
           ((3, 4), (6, 4, 5)), ((2, 3, 4), (2, 4, 5)), ((7, 1, 3, 4), (1, 6, 4, 5)),
           ((0, 4), (4, 5)),
           ((3, 0), (0, 5)), ((2, 3, 4), (4,)), ((4,), (3, 4, 2)), ((5, 1, 4), (4, 3)),
           ((0, 2, 3), (3, 2)),
           ((5, 4), (6, 5, 4, 1)), ((1, 1), (1, 1)), ((1, 7), (7, 1)), ((40, 33), (33, 50)),
           ((3, 2, 70, 9), (2, 9, 65))]


def matmul():
    for dtype in (F32, F64) + COMPLEX + (F16,):
        for shapes in MATMULS:
            for _ in range(3):
                (a, b), (x, y) = pair(shapes, (dtype, dtype))
                expected = np.matmul(a, b)
                check(expected, "matmul", x, y, 0, what=f"{shapes}")


def matmul_whole():
    for dtype in some(WHOLE, 3):
        for shapes in MATMULS:
            (a, b), (x, y) = pair(shapes, (dtype, dtype))
            if dtype != BOOL:  # of all sizes: sums wrap around
                info = np.iinfo(NUMPY[dtype])
                a = rng.integers(info.min, info.max, shapes[0], NUMPY[dtype], endpoint=True)
                x = lib.upload(a, layout="any")
            expected = np.matmul(a, b)
            check(expected, "matmul", x, y, 0, what=f"{shapes}")


def matmul_mixed():
    for dtypes in some([(a, b) for a in WHOLE + NUMBERS for b in NUMBERS], 12):
        (a, b), (x, y) = pair(((3, 4), (2, 4, 5)), dtypes)
        expected = np.matmul(a, b)
        same(lib.make("matmul", x, y, 0).numpy(), expected, what=f"matmul of {dtypes}")


def views():
    """Windows, steps and repetitions of larger arrays, and results among them."""
    for _ in range(40):
        base, other = small(F32, (4, 9, 8)), small(F32, (4, 8, 9))
        x, y = lib.upload(base, layout="any"), lib.upload(other, layout="any")
        i, j, k = (int(v) for v in rng.integers(0, 4, 3))
        step = int(rng.choice((1, 2, -1)))
        none = lib.constants["GPUARR_NONE"]
        a, b = base[:, i:9, ::step], other[:, ::step, j:9 - k]
        left = lib.make("array_slice", lib.make("array_slice", x, 1, i, 9, 1), 2, none, none, step)
        right = lib.make("array_slice", lib.make("array_slice", y, 1, none, none, step), 2,
                         j, 9 - k, 1)
        same(lib.make("matmul", left, right, 0).numpy(), a @ b, what="windows")
        repeated = lib.broadcast(left, (3,) + left.shape)
        same(lib.make("matmul", repeated, right, 0).numpy(),
             np.broadcast_to(a, (3,) + a.shape) @ b, what="repetitions")


def overlaps():
    for dtype in (F64, I32):
        a = small(dtype, (6, 6))
        x = lib.upload(a)
        lib.make("matmul", x, x, 0, out=x)
        same(x.numpy(), a @ a, what="in place")
        turned = lib.make("array_transpose", x, 0, None)
        b = x.numpy()
        lib.make("matmul", x, x, 0, out=turned)
        same(x.numpy(), (b @ b).T, what="into its transpose")


def rounding():
    """16-bit floats are added up as float32 and rounded once; the others lose little."""
    a, b = rng.normal(size=(33, 300)), rng.normal(size=(300, 17))
    half = a.astype(np.float16), b.astype(np.float16)
    exact = half[0].astype(np.float64) @ half[1].astype(np.float64)
    got = lib.make("matmul", *map(lib.upload, half), 0).numpy()
    assert np.all(np.abs(got - exact) <= np.spacing(np.abs(exact).astype(np.float16)) * 0.51 + 1e-3)
    brain = to_bfloat16(a), to_bfloat16(b)
    exact = from_bfloat16(brain[0]).astype(np.float64) @ from_bfloat16(brain[1]).astype(np.float64)
    got = lib.make("matmul", *(lib.upload(v, BF16) for v in brain), 0)
    assert np.all(np.abs(from_bfloat16(got.numpy()) - exact) <= np.abs(exact) / 255 + 1e-3)
    for dtype, most in ((F32, 1e-6), (F64, 2e-15)):
        x, y = a.astype(NUMPY[dtype]), b.astype(NUMPY[dtype])
        got = lib.make("matmul", lib.upload(x), lib.upload(y), 0).numpy()
        x, y = x.astype(np.longdouble), y.astype(np.longdouble)
        assert np.all(np.abs(got - x @ y) <= most * (np.abs(x) @ np.abs(y)))
    tf32 = lib.make("matmul", lib.upload(a.astype(np.float32)), lib.upload(b.astype(np.float32)), 1)
    assert np.all(np.abs(tf32.numpy() - a @ b) <= 2e-3 * (np.abs(a) @ np.abs(b)))


def special_values():
    for dtype in (F16, F32, F64):
        a = np.array([[1, np.nan, 2], [np.inf, 1, 1], [np.inf, -np.inf, 0], [0, 0, 0]],
                     NUMPY[dtype])
        b = np.ones((3, 5), NUMPY[dtype])
        check(a @ b, "matmul", lib.upload(a, layout="any"), lib.upload(b, layout="any"), 0)
    large = np.full((2, 4), 300, np.float16)
    same(lib.make("matmul", lib.upload(large), lib.upload(large.T), 0).numpy(),
         np.full((2, 2), np.inf, np.float16), what="overflow of float16")


def pairs_of_elements():
    for dtypes in some([(a, b) for a in WHOLE + NUMBERS for b in WHOLE + NUMBERS], 5):
        (a, b), (x, y) = pair(((2, 3), (4, 2)), dtypes)
        expected = np.outer(a, b)
        check(expected, "outer", x, y, what=f"{dtypes}")
        for shapes in (((2, 3), (4, 2)), ((3,), (2, 2, 2)), ((2, 1, 2), (3,)), ((), (2, 2)),
                       ((0, 2), (3, 2))):
            (a, b), (x, y) = pair(shapes, dtypes)
            expected = np.kron(a, b)
            check(expected, "kron", x, y, what=f"{shapes}")


def vdot():
    for dtypes in [(C64, C64), (C128, F32), (F16, F16)] + some(
            [(a, b) for a in WHOLE + NUMBERS for b in WHOLE + NUMBERS], 4):
        for shapes in (((3, 4), (3, 4)), ((3, 4), (2, 6)), ((12,), (3, 4)), ((0,), (0, 3))):
            (a, b), (x, y) = pair(shapes, dtypes)
            same(lib.make("vdot", x, y).numpy(), np.asarray(np.vdot(a, b)), what=f"vdot {dtypes}")


INNERS = [((4,), (4,)), ((2, 4), (3, 4)), ((2, 3, 4), (5, 4)), ((), (3, 4)), ((3,), ())]
TENSORDOTS = [(((2, 3, 4), (4, 3, 5)), ([1, 2], [1, 0])), (((2, 3, 4), (4, 3)), ([2, 1], [0, 1])),
              (((2, 3, 4), (3, 4, 5)), 2), (((2, 3), (4,)), 0), (((4, 2), (5, 4)), ([0], [-1])),
              (((2, 0), (0, 3)), 1), (((2, 3, 4, 2), (4, 2, 5, 3)), ([1, 3], [3, 1]))]


def inner_and_tensordot():
    for dtypes in [(F64, F64)] * 4 + some([(a, b) for a in NUMBERS for b in WHOLE], 3):
        for shapes in INNERS:
            (a, b), (x, y) = pair(shapes, dtypes)
            check(np.inner(a, b), "inner", x, y, 0, what=f"{shapes}")
        for shapes, axes in TENSORDOTS:
            (a, b), (x, y) = pair(shapes, dtypes)
            lists = (None, None, axes) if isinstance(axes, int) else (*axes, len(axes[0]))
            check(np.tensordot(a, b, axes), "tensordot", x, y, *lists, 0, what=f"{shapes} {axes}")


EINSUMS = ["ij,jk->ik", "ij,jk", "ij,kj->ki", "bij,bjk->bik", "bij,bjk->kib", "ij,ij->i", "ij,ij->",
           "i,j->ji", "ij,jkl->lki", "...ij,...jk->...ik", "...i,i->...", "i...,i->...", "ii,i->i",
           "iij,j->i", "ijk,k->", "ij,kl->ljki", "abc,cbd->da", "ijj,jk->ik", "aib,bjc->aijc"]
EINSUMS_OF_ONE = ["ij->ji", "ii->i", "ii->", "ij->", "ij->j", "ij", "ji", "...i->...", "i...->i...",
                  "...ij->...ji", "iij->ij", "ijk->kj", " i j -> j i "]
EXTENTS = {"i": 3, "j": 4, "k": 2, "l": 5, "a": 2, "b": 3, "c": 4, "d": 2}


def shape_of(term, dots):
    letters = term.replace(" ", "").replace("...", ".")
    return sum((dots if c == "." else (EXTENTS[c],) for c in letters), ())


def einsum():
    for subscripts in EINSUMS:
        for dtypes in [(F64, F64), (C64, C64)] + some([(I32, I32), (F16, F32), (BOOL, F32)], 1):
            terms = subscripts.split("->")[0].split(",")
            dots = [(2, 3), (3,)] if rng.integers(2) else [(2, 3), (2, 1)]
            (a, b), (x, y) = pair([shape_of(t, d) for t, d in zip(terms, dots)], dtypes)
            expected = np.asarray(np.einsum(subscripts, a, b))
            check(expected, "einsum", subscripts.encode(), x, y, 0, what=f"{subscripts} {dtypes}")
    for subscripts in EINSUMS_OF_ONE:
        for dtype in [F64] + some(WHOLE + NUMBERS, 1):
            a = small(dtype, shape_of(subscripts.split("->")[0], (2, 3)))
            x = lib.upload(a, layout="any")
            expected = np.asarray(np.einsum(subscripts, a))
            check(expected, "einsum", subscripts.encode(), x, None, 0,
                  what=f"{subscripts} of {dtype}")


def traces_and_norms():
    for dtype in [F64, C64] + some(WHOLE + (F16, F32), 2):
        a = small(dtype, (2, 4, 3, 4))
        x = lib.upload(a, layout="any")
        for offset, first, second in ((0, 1, 3), (1, -1, 1), (-2, 0, 2), (9, 1, 2)):
            same(lib.make("trace", x, offset, first, second).numpy(),
                 np.trace(a, offset, first, second), what=f"trace of {dtype}")
        if dtype == BOOL or dtype == F16:
            continue
        for name, ord in (("FRO", "fro"), ("1", 1), ("MINUS_1", -1), ("INF", np.inf),
                          ("MINUS_INF", -np.inf)):
            for keepdims in (0, 1):
                number = lib.constants["GPUARR_NORM_" + name]
                got = lib.make("matrix_norm", x, number, keepdims).numpy()
                expected = np.linalg.norm(a, ord, (-2, -1), bool(keepdims))
                assert got.shape == expected.shape
                assert np.allclose(got, expected, rtol=1e-5), (name, dtype)


def matrix_power():
    for dtype in [F64, C64, I32] + some(WHOLE + NUMBERS, 1):
        for n in (0, 1, 2, 3, 5, 6):
            a = small(dtype, (2, 3, 3))
            if dtype == F16:
                a = np.clip(a, -1, 1)
            x = lib.upload(a, layout="any")
            expected = np.linalg.matrix_power(a, n).astype(a.dtype)
            check(expected, "matrix_power", x, n, 0, what=f"{n} of {dtype}")


for test in (matmul, matmul_whole, matmul_mixed, views, overlaps, rounding, special_values,
             pairs_of_elements, vdot, inner_and_tensordot, einsum, traces_and_norms, matrix_power):
    test()
    print(f"{test.__name__}: ok", flush=True)
