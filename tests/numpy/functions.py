#!/usr/bin/env python3
"""Elementwise functions beside NumPy's: values, dtypes, layouts, masks, and what is refused.

    functions.py LIBRARY [DEVICE]

What NumPy computes in steps that round is computed with wider floats here, and may be some units in
the last place apart; all else is equal. docs/accuracy.md has the errors of each function.
"""
import math

from support import (BF16, BOOL, C64, C128, COMPLEX, F16, F32, F64, FLOATS, I8, I16, I32, I64,
                     INTEGERS, NUMPY, OURS, U8, U64, Failure, from_bfloat16, lib, np,
                     random_array, random_shape, random_values, refused, rng, same, some, specials,
                     to_bfloat16)

REAL = (BOOL,) + INTEGERS + FLOATS
ALL = REAL + COMPLEX
WIDE = {np.dtype("f2"): "f8", np.dtype("f4"): "f8", np.dtype("f8"): "g"}


def vectorized(function, fallback=math.nan):
    def one(x):
        try:
            return function(float(x))
        except (ValueError, OverflowError):
            return fallback
    return lambda x: np.array([one(v) for v in np.ravel(x)], float).reshape(np.shape(x))


def complex_sign(x):
    size = np.abs(x)
    return np.where(size == 0, 0, x / np.where(size == 0, 1, size)).astype(x.dtype)


# NumPy 1's results where NumPy 2 has others: integers that stay as they are.
def whole_or(function):
    return lambda x: x if x.dtype.kind in "biu" else function(x)


# By name: NumPy's function and the largest error in units in the last place of 16-bit floats, of
# float32 and of float64; 0 where all is exact. Complex numbers may be eight epsilons off.
EXACT = {name: getattr(np, name) for name in """add subtract multiply divide floor_divide remainder
    fmod negative positive square reciprocal maximum minimum fmax fmin rint equal not_equal less
    less_equal greater greater_equal logical_and logical_or logical_xor logical_not bitwise_and
    bitwise_or bitwise_xor invert left_shift right_shift isnan isinf isfinite signbit conj sqrt
    copysign nextafter heaviside real imag gcd lcm""".split()}
EXACT.update({name: whole_or(getattr(np, name)) for name in ("floor", "ceil", "trunc")})
EXACT["abs"] = np.abs
EXACT["sign"] = lambda x: complex_sign(x) if x.dtype.kind == "c" else np.sign(x)
EXACT["reciprocal"] = lambda x: np.reciprocal(x + 2 * (x == 0).astype(x.dtype)
                                              if x.dtype.kind in "iu" else x)
CLOSE = {name: (getattr(np, name), 4) for name in """exp exp2 expm1 log log2 log10 log1p sin cos tan
    arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh hypot arctan2 cbrt logaddexp
    logaddexp2 float_power""".split()}
CLOSE.update(rsqrt=(lambda x: 1 / np.sqrt(x), 2), deg2rad=(np.deg2rad, 1), rad2deg=(np.rad2deg, 1),
             erf=(vectorized(math.erf), 4), erfc=(vectorized(math.erfc, 0.0), 8),
             angle=(np.angle, 4), power=(np.power, 4))
NO_COMPLEX = set("""less less_equal greater greater_equal maximum minimum fmax fmin cbrt rsqrt
    deg2rad rad2deg erf erfc""".split())
BINARY = {"hypot", "arctan2", "logaddexp", "logaddexp2", "float_power", "power"}


def inputs_of(name):
    function = EXACT.get(name) or CLOSE[name][0]
    return 2 if name in BINARY else getattr(function, "nin", 1)


def tame(name, values):
    """Where both would be right: sums that cancel, arguments of angles beyond all periods."""
    if name == "power" and all(v.dtype.kind in "biu" for v in values):
        values[1] = np.abs(values[1] % 7).astype(values[1].dtype)
    if name.startswith("logadd") and values[0].dtype.kind != "c":
        return [np.abs(v) for v in values]
    if values[0].dtype.kind == "c":
        return [rng.uniform(-3, 3, v.shape) + 1j * rng.uniform(-3, 3, v.shape) for v in values]
    return values


def wide_result(function, values):
    """The function of wider floats, to be rounded."""
    joined = np.result_type(*values, np.float16)
    if joined.kind != "f":
        return function(*values)
    return function(*(v.astype(joined).astype(WIDE[joined]) for v in values))


def expected_dtype(name, dtypes):
    zeros = [np.zeros(1, d) for d in dtypes]
    if name in EXACT or name in ("power", "float_power"):
        made = (EXACT.get(name) or CLOSE[name][0])(*zeros).dtype
        return made
    if name == "angle":
        return np.abs(np.exp(zeros[0])).dtype
    return getattr(np, "hypot" if len(dtypes) == 2 else "exp")(*zeros).dtype


def close_complex(got, expected, what):
    assert got.dtype == expected.dtype and got.shape == expected.shape, what
    finite = np.isfinite(expected)
    error = np.abs(got - expected) / np.maximum(np.abs(expected), np.finfo(got.dtype).tiny)
    limit = 32 * np.finfo(got.dtype).eps
    if finite.any() and not (error[finite] <= limit).all():
        worst = np.nanargmax(np.where(finite, error, 0))
        raise AssertionError(f"{what}: {got.ravel()[worst]} not {expected.ravel()[worst]}")


def check(name, dtypes, shape=None):
    shape = random_shape() if shape is None else shape
    values = [random_values(d, shape) for d in dtypes]
    values = [v.astype(NUMPY[d]) for v, d in zip(tame(name, values), dtypes)]
    what = f"{name} of {', '.join(v.dtype.name for v in values)}"
    arrays = [lib.upload(v, d, "any") for v, d in zip(values, dtypes)]
    try:
        dtype = expected_dtype(name, [v.dtype for v in values])
    except TypeError:
        dtype = None
    kinds = {v.dtype.kind for v in values}
    if dtype is None or ("c" in kinds and name in NO_COMPLEX):
        refused("GPUARR_ERR_DTYPE", "not defined", name, *arrays)
        return
    got = lib.make(name, *arrays).numpy()
    if "c" in kinds or dtype.kind == "c":
        expected = EXACT.get(name) or CLOSE[name][0]
        close_complex(got, expected(*values).astype(dtype), what) if dtype.kind == "c" else \
            same(got, expected(*values).astype(dtype), 16, what)
    elif name in EXACT:
        # Of 0 and -0 either may be the greater one.
        same(got, EXACT[name](*values), 0, what, signed_zeros=not name.startswith(("m", "fm")))
    elif dtype.kind != "f":
        same(got, CLOSE[name][0](*values), 0, what)
    else:
        function, ulp = CLOSE[name]
        same(got, wide_result(function, values).astype(dtype), ulp, what, name != "power")


def every_function():
    for name in list(EXACT) + list(CLOSE):
        count = inputs_of(name)
        for dtype in some(ALL, 2):
            check(name, [dtype] * count)
        if count == 2:
            for _ in some(range(20), 1):
                check(name, [ALL[rng.integers(len(ALL))] for _ in range(2)])


def all_specials():
    """Each special value with each."""
    for name in some(list(EXACT) + list(CLOSE), 30):
        for dtype in some(REAL, 1):
            values = specials(dtype)
            pairs = np.meshgrid(values, values)[:inputs_of(name)]
            if name in ("power", "float_power") and dtype not in FLOATS:
                continue
            try:
                expected = expected_dtype(name, [v.dtype for v in pairs])
            except TypeError:
                continue
            got = lib.make(name, *map(lib.upload, pairs)).numpy()
            exact = name in EXACT
            wanted = EXACT[name](*pairs) if exact else wide_result(CLOSE[name][0], pairs)
            same(got, wanted.astype(expected), 0 if exact else CLOSE[name][1],
                 f"{name} of special {dtype}", not name.startswith(("m", "fm")))


for test in (every_function, all_specials):
    test()
    print(f"{test.__name__}: ok", flush=True)
