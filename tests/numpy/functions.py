#!/usr/bin/env python3
"""Elementwise functions beside NumPy's: values, dtypes, layouts, masks, and what is refused.

    functions.py LIBRARY [DEVICE]

What NumPy computes in steps that round is computed with wider floats here, and may be some units in
the last place apart; all else is equal. docs/accuracy.md has the errors of each function.
"""
import inspect
import math
import operator
import re

from support import (BF16, BOOL, C128, CATALOGUE, COMPLEX, F16, F32, F64, FLOATS, I8, I32, I64,
                     INTEGERS, NUMPY, U64, from_bfloat16, lib, np, random_shape, random_values,
                     refused, rng, same, some, specials, to_bfloat16)

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


# What NumPy has not, or has otherwise: the sign of complex numbers, and integers by 0.
OTHERWISE = {
    "floor": whole_or(np.floor), "ceil": whole_or(np.ceil), "trunc": whole_or(np.trunc),
    "sign": lambda x: complex_sign(x) if x.dtype.kind == "c" else np.sign(x),
    "reciprocal": lambda x: np.reciprocal(x + 2 * (x == 0).astype(x.dtype)
                                          if x.dtype.kind in "iu" else x),
    "erf": vectorized(math.erf), "erfc": vectorized(math.erfc, 0.0)}


def function_of(row):
    """What a function of the catalogue is in NumPy."""
    if "oracle" in row:
        names = ", ".join(given["name"] for given in row["inputs"])
        return eval(f"lambda {names}: {row['oracle']}", {"np": np})
    return OTHERWISE.get(row["name"]) or getattr(np, row["name"])


# By name: the function, and the largest error in units in the last place of 16-bit floats, of
# float32 and of float64; 0 where all is exact. Complex numbers may be eight epsilons off.
EXACT = {name: function_of(row) for name, row in CATALOGUE.items() if row.get("ulp") == 0}
CLOSE = {name: (function_of(row), row["ulp"]) for name, row in CATALOGUE.items()
         if row.get("ulp", 0) > 0}
# Of 0 and -0 either may be the greater one; from one to the other, NumPy stays for float16 only.
EITHER_ZERO = ("m", "fm", "nextafter")


def inputs_of(name):
    return len(CATALOGUE[name]["inputs"])


def tame(name, values):
    """Where both would be right: sums that cancel, arguments of angles beyond all periods."""
    if name == "power" and all(v.dtype.kind in "biu" for v in values):
        values[1] = np.abs(values[1] % 7).astype(values[1].dtype)
    if name.startswith("logadd") and values[0].dtype.kind != "c":
        return [np.abs(v) for v in values]
    if not any(v.dtype.kind == "c" for v in values):
        return values
    # An exponent below 0 would be a large one where it has no sign.
    return [rng.uniform(0 if v.dtype.kind == "u" else -3, 3, v.shape)
            + (1j * rng.uniform(-3, 3, v.shape) if v.dtype.kind == "c" else 0) for v in values]


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
    values = [np.asarray(v).astype(NUMPY[d]) for v, d in zip(tame(name, values), dtypes)]
    what = f"{name} of {', '.join(v.dtype.name for v in values)}"
    arrays = [lib.upload(v, d, "any") for v, d in zip(values, dtypes)]
    try:
        dtype = expected_dtype(name, [v.dtype for v in values])
    except TypeError:
        dtype = None
    kinds = {v.dtype.kind for v in values}
    if dtype is None or ("c" in kinds and "complex" not in CATALOGUE[name]["takes"]):
        refused("GPUARR_ERR_DTYPE", "not defined", name, *arrays)
        return
    got = lib.make(name, *arrays).numpy()
    if "c" in kinds or dtype.kind == "c":
        expected = EXACT.get(name) or CLOSE[name][0]
        close_complex(got, expected(*values).astype(dtype), what) if dtype.kind == "c" else \
            same(got, expected(*values).astype(dtype), 16, what)
    elif name in EXACT:
        same(got, EXACT[name](*values), 0, what, signed_zeros=not name.startswith(EITHER_ZERO))
    elif dtype.kind != "f":
        same(got, CLOSE[name][0](*values), 0, what)
    else:
        function, ulp = CLOSE[name]
        same(got, wide_result(function, values).astype(dtype), ulp, what, name != "power")


def every_function():
    for name in list(EXACT) + list(CLOSE):
        count = inputs_of(name)
        for dtype in some(ALL, 1):
            check(name, [dtype] * count)
        if count == 2:
            for _ in some(range(20), 1):
                check(name, [ALL[rng.integers(len(ALL))] for _ in range(2)])


def all_specials():
    """Each special value with each."""
    for name in some(list(EXACT) + list(CLOSE), 15):
        for dtype in some(REAL, 1):
            values = specials(dtype)
            pairs = tame(name, np.meshgrid(values, values)[:inputs_of(name)])
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
                 f"{name} of special {dtype}", not name.startswith(EITHER_ZERO))


def two_outputs():
    for dtype in some(FLOATS, 1):
        values = np.concatenate([specials(dtype), random_values(dtype, (200,))])
        for name in ("frexp", "modf"):
            for got, wanted in zip(lib.make(name, lib.upload(values)), getattr(np, name)(values)):
                same(got.numpy(), wanted, what=name)
    for dtype in some(INTEGERS + FLOATS, 2):
        x, y = (random_values(dtype, (5, 40)) for _ in range(2))
        for got, wanted in zip(lib.make("divmod", lib.upload(x, layout="f"), lib.upload(y)),
                               np.divmod(x, y)):
            same(got.numpy(), wanted, what="divmod")


def choices():
    for dtype in some(ALL, 2):
        x, y = (random_values(dtype, (3, 4, 5)) for _ in range(2))
        flags = random_values(F32 if rng.random() < 0.5 else BOOL, (4, 1))
        got = lib.make("where", lib.upload(flags), lib.upload(x, layout="any"), lib.upload(y))
        same(got.numpy(), np.where(flags, x, y), what="where")
        same(lib.make("where", lib.upload(flags), lib.upload(x), True).numpy(),
             np.where(flags, x, True), what="where with a scalar")
    for dtype in some(INTEGERS + FLOATS + COMPLEX, 2):
        x, low, high = (random_values(dtype, (50,)) for _ in range(3))
        # np.clip passes over a complex bound of which the imaginary part alone is NaN.
        same(lib.make("clip", lib.upload(x), lib.upload(low), 3).numpy(),
             np.minimum(np.maximum(x, low), 3), what="clip", signed_zeros=False)
        nothing = lib.c.gpuarr_arg_array(None)
        same(lib.make("clip", lib.upload(x), nothing, lib.upload(high)).numpy(),
             np.minimum(x, high), what="clip", signed_zeros=False)


def order_of_complex():
    """Each special value with each, part for part the same."""
    for dtype in COMPLEX:
        parts = np.array([0, 1, -1, np.inf, -np.inf, np.nan, 3])
        values = (parts[:, None] + 0j).repeat(7, 1)
        values.imag = parts
        pairs = [v.astype(NUMPY[dtype]) for v in np.meshgrid(values, values)]
        for name in """less less_equal greater greater_equal maximum minimum fmax fmin""".split():
            same(lib.make(name, *map(lib.upload, pairs)).numpy(), getattr(np, name)(*pairs),
                 what=name)


def rounding():
    for dtype in some(FLOATS[1:] + COMPLEX, 1):
        x = random_values(dtype, (300,))
        for places in (0, 1, 3, -1, -2):
            scaled = 10.0 ** max(places, 0) * np.maximum(np.abs(x.real), np.abs(x.imag))
            x = np.where(scaled < 1e30, x, 1).astype(x.dtype)
            same(lib.make("round", lib.upload(x), places).numpy(), np.round(x, places),
                 what=f"round to {places}")
    for dtype in some(INTEGERS, 2):
        x = (random_values(dtype, (100,)) % 100).astype(NUMPY[dtype])
        for places in (2, 0, -1, -2, -30):
            wanted = x if places >= 0 else np.round(x / 10.0**-places) * 10.0**-places
            wanted = np.asarray(wanted).astype("i8").astype(x.dtype)
            same(lib.make("round", lib.upload(x), places).numpy(), wanted, what=f"round {places}")


def closeness():
    for dtype in some(FLOATS + (I32, C128), 2):
        x = random_values(dtype, (400,))
        if dtype == C128:  # NumPy multiplies infinities by 1
            x = np.where(np.isfinite(x), x, 1)
        y = (x * (1 + rng.choice([0, 1e-6, 1e-3], 400))).astype(x.dtype)
        wide = [v.astype("f4") if v.dtype == "f2" else v for v in (x, y)]
        for nan in (0, 1):
            got = lib.make("isclose", lib.upload(x), lib.upload(y), 1e-4, 1e-8, nan).numpy()
            same(got, np.isclose(*wide, 1e-4, 1e-8, bool(nan)), what="isclose")


def parts_and_scales():
    for dtype in some(FLOATS, 1):
        x, y = random_values(dtype, (60,)), rng.integers(-300, 300, 60).astype("i2")
        wide = np.ldexp(x.astype("f8"), y) if dtype != F64 else np.ldexp(x, y)
        same(lib.make("ldexp", lib.upload(x), lib.upload(y)).numpy(), wide.astype(x.dtype),
             what="ldexp")
        made = lib.make("complex", lib.upload(x), lib.upload(y)).numpy()
        same(made.real.copy(), x.astype(made.real.dtype), what="complex")
        same(made.imag.copy(), y.astype(made.real.dtype), what="complex")


def special_functions():
    x = np.concatenate([rng.uniform(-20, 20, 500), rng.uniform(-0.1, 0.1, 100)])
    for name, wanted in (("sinc", np.sinc(x.astype("g")).astype("f8")),
                         ("gamma", vectorized(math.gamma)(x)),
                         ("lgamma", vectorized(math.lgamma)(x))):
        got = lib.make(name, lib.upload(x)).numpy()
        assert (np.abs(got - wanted) <= 1e-14 * np.maximum(1, np.abs(wanted))).all(), name


def domains():
    """Where functions change that are NaN nearly everywhere, and at the ends of that."""
    for name, row in CATALOGUE.items():
        low, high = row.get("domain", (0, 0))
        for dtype in FLOATS if high > low else ():
            ends = np.array([low, high, (low + high) / 2], NUMPY[dtype])
            near = np.concatenate([np.nextafter(ends, NUMPY[dtype].type(to)) for to in (-9, 9)])
            values = np.concatenate([ends, near, rng.uniform(low, high, 500), ends[2]
                                     + (high - low) * 2.0 ** rng.uniform(-60, -2, 100)])
            values = values.astype(NUMPY[dtype])
            function, ulp = CLOSE[name]
            wanted = wide_result(function, [values]).astype(values.dtype)
            same(lib.make(name, lib.upload(values)).numpy(), wanted, ulp, f"{name} of {dtype}")


def apart():
    """What the catalogue says to be checked in a test of its own is named there."""
    for name, row in CATALOGUE.items():
        if "checked" in row:
            text = inspect.getsource(globals()[row["checked"]])
            assert re.search(rf'["( ]{name}["( ]', text), f"{row['checked']}() has no {name}"


def bfloat16():
    for name in some([n for n in CLOSE if inputs_of(n) == 1] + ["add", "maximum", "floor"], 3):
        count = inputs_of(name)
        bits = [random_values(BF16, (300,)) for _ in range(count)]
        values = [from_bfloat16(b).astype("f8") for b in bits]
        got = lib.make(name, *(lib.upload(b, BF16) for b in bits))
        assert got.dtype == BF16, name
        function = EXACT.get(name) or CLOSE[name][0]
        wanted = to_bfloat16(function(*values).astype("f4"))
        got, wanted = (from_bfloat16(b).astype("f8") for b in (got.numpy(), wanted))
        near = (got == wanted) | (np.isnan(got) & np.isnan(wanted)) | \
            (np.abs(got - wanted) <= np.abs(wanted) * 2.0**-7 + 2.0**-133)
        assert near.all(), (name, values[0][~near], got[~near], wanted[~near])


def mixed_integers():
    """Compared without conversion."""
    grid = np.meshgrid(specials(I64), specials(U64))
    arrays = list(map(lib.upload, grid))
    pairs = [(int(a), int(b)) for a, b in zip(*map(np.ravel, grid))]
    for name, compare in (("equal", operator.eq), ("not_equal", operator.ne), ("less", operator.lt),
                          ("less_equal", operator.le), ("greater", operator.gt),
                          ("greater_equal", operator.ge)):
        wanted = np.array([compare(*pair) for pair in pairs]).reshape(grid[0].shape)
        same(lib.make(name, *arrays).numpy(), wanted, what=name)


def into_outputs():
    """Other dtypes, masks, in place, and overlapping by one element."""
    for dtype in some((I8, I32, F16, F32), 2):
        x, y = (random_values(dtype, (6, 9)) for _ in range(2))
        out = random_values(F64, (6, 9))
        flags = rng.integers(2, size=9).astype(bool)
        given = lib.upload(out, layout="any")
        inputs = [lib.upload(x), lib.upload(y, layout="f")]
        lib.call("apply", [given], 1, b"multiply", inputs, 2, lib.upload(flags))
        same(given.numpy(), np.where(flags, (x * y).astype("f8"), out), what="where the mask is")
        lib.make("add", inputs[0], inputs[1], out=inputs[0])
        same(inputs[0].numpy(), x + y, what="in place")
    none = lib.constants["GPUARR_NONE"]
    x = random_values(F32, (100,))
    base = lib.upload(x)
    later, earlier = (lib.make("array_slice", base, 0, a, b, 1) for a, b in ((1, none), (none, -1)))
    lib.make("negative", earlier, out=later)
    same(base.numpy(), np.concatenate([x[:1], -x[:-1]]), what="overlapping")


for test in (every_function, all_specials, two_outputs, choices, order_of_complex, rounding,
             closeness, parts_and_scales, special_functions, domains, apart, bfloat16,
             mixed_integers, into_outputs):
    test()
    print(f"{test.__name__}: ok", flush=True)
