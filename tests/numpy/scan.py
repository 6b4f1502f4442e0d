"""Scans and differences against NumPy's, on random arrays in any layout."""
from support import (BF16, BOOL, C64, F16, F32, F64, FLOATS, I32, I64, INTEGERS, MORE, NUMPY, OURS,
                     U8, from_bfloat16, lib, np, random_array, random_shape, random_values,
                     refused, rng, same, some)

NAMES = {"cumsum": np.add, "cumprod": np.multiply, "cummin": np.minimum, "cummax": np.maximum}
REAL = (BOOL,) + INTEGERS + FLOATS


def shape_with_axes():
    while True:
        shape = random_shape()
        if shape:
            return shape


def expected_of(name, values, axis):
    """In the type that the library computes in."""
    kind = values.dtype.kind
    dtype = None
    if name in ("cumsum", "cumprod") and kind in "bi":
        dtype = np.int64
    elif name in ("cumsum", "cumprod") and kind == "u":
        dtype = np.uint64
    elif values.dtype == np.float16:
        dtype = np.float32
    if values.dtype == bool and dtype is None:  # NumPy has no minimum.accumulate of bools in place
        return NAMES[name].accumulate(values.astype(np.int8), axis).astype(bool)
    return NAMES[name].accumulate(values, axis, dtype=dtype)


def calm(values, dtype):
    """Sums of which do not hang on the order of adding: small whole numbers, and special ones."""
    if dtype in FLOATS or dtype == C64:
        few = rng.integers(-3, 4, values.shape).astype(values.dtype)
        special = ~np.isfinite(values) & (rng.random(values.shape) < 0.3)
        return np.where(special, values, few)
    return values


def exclusive_of(name, inclusive, axis, first):
    moved = np.moveaxis(np.empty_like(inclusive), axis, 0)
    if moved.shape[0]:
        moved[0] = first
        moved[1:] = np.moveaxis(inclusive, axis, 0)[:-1]
    return np.moveaxis(moved, 0, axis)


def first_of(name, dtype):
    if name in ("cumsum", "cumprod"):
        return 0 if name == "cumsum" else 1
    if dtype in FLOATS:
        return np.inf if name == "cummin" else -np.inf
    if dtype == BOOL:
        return name == "cummin"
    info = np.iinfo(NUMPY[dtype])
    return info.max if name == "cummin" else info.min


def check(name, dtype, shape, axis, layout="any", in_place=False):
    values = random_values(dtype, shape)
    if name == "cumsum":
        values = calm(values, dtype)
    if name == "cumprod" and dtype in FLOATS:
        values = np.exp2(rng.integers(-1, 2, shape)).astype(NUMPY[dtype])
        values = np.where(rng.random(shape) < 0.01, np.nan, values).astype(NUMPY[dtype])
    x = lib.upload(values, dtype, layout)
    expected = expected_of(name, values, axis)
    if dtype == F16:
        expected = expected.astype(np.float16)
    what = f"{name} {NUMPY[dtype]} {shape} axis {axis} {layout}"
    same(lib.make(name, x, axis, 0).numpy(), expected, what=what, signed_zeros=False)
    shifted = exclusive_of(name, expected, axis, first_of(name, dtype))
    out = x if in_place and OURS[expected.dtype] == dtype else None
    same(lib.make(name, x, axis, 1, out=out).numpy(), shifted, what=what + " exclusive",
         signed_zeros=False)


def small():
    for name in NAMES:
        dtypes = some(REAL, 2)
        for dtype in dtypes:
            for _ in range(5):
                shape = shape_with_axes()
                check(name, dtype, shape, int(rng.integers(-len(shape), len(shape))),
                      in_place=rng.random() < 0.5)


def large():
    """Rows that are cut into chunks, and columns that are."""
    shapes = [((200_000,), 0), ((3, 70_001), 1), ((70_000, 3), 0), ((1500, 40), 0),
              ((2, 3000, 9), 1), ((40_001, 33), 0), ((5, 4096), -1), ((1_000, 700), 0),
              ((700, 1000), 1), ((65_536,), 0)]
    for shape, axis in some(shapes, 5):
        for name, dtype in zip(some(NAMES, 2), some((F32, F64, I32, U8, F16, I64), 2)):
            check(name, dtype, shape, axis, layout="c" if rng.random() < 0.5 else "any",
                  in_place=True)
    if lib.on_gpu or MORE:
        for dtype in (F32, F64, U8):
            check("cumsum", dtype, (5_000_011,), 0, "c")
            check("cumsum", dtype, (2, 1_700_003), 1, "c")


def ends_of_tiles():
    """Rows that end with a tile, before it and behind it; also where rows are not aligned."""
    for length in some((8192, 11263, 11264, 11265, 22528, 45057), 3):
        for name, dtype in zip(some(NAMES, 2), some((F32, F64, U8, F16), 2)):
            check(name, dtype, (length,), 0, "c")
            check(name, dtype, (3, length), 1, "c")


def rounding():
    """Long sums of floats stay close, and their bits repeat."""
    values = rng.random(300_007, dtype=np.float32)
    x = lib.upload(values)
    got = lib.make("cumsum", x, 0, 0).numpy()
    expected = np.cumsum(values, dtype=np.float64)
    assert np.max(np.abs(got - expected) / expected) < 1e-5
    for _ in range(3):
        assert np.array_equal(lib.make("cumsum", x, 0, 0).numpy(), got)


def bfloat16_and_complex():
    values = rng.integers(-2, 3, 400).astype(np.float32)
    x = lib.upload((values.view(np.uint32) >> 16).astype(np.uint16), BF16)
    same(from_bfloat16(lib.make("cumsum", x, 0, 0).numpy()), np.cumsum(values), signed_zeros=False)
    values = (rng.integers(-2, 3, (30, 5)) + 1j * rng.integers(-2, 3, (30, 5))).astype("c8")
    for name in ("cumsum", "cummin", "cummax"):
        same(lib.make(name, lib.upload(values), 0, 0).numpy(), NAMES[name].accumulate(values, 0),
             what=name, signed_zeros=False)


def differences():
    for dtype in some(REAL, 4):
        for _ in range(4):
            shape = shape_with_axes()
            axis, order = int(rng.integers(-len(shape), len(shape))), int(rng.integers(0, 4))
            values, x = random_array(dtype, shape)
            expected = np.diff(values, order, axis)
            same(lib.make("diff", x, order, axis).numpy(), expected,
                 what=f"diff {values.dtype} {shape} {order} {axis}")


def own_operator():
    """Linear recurrences y[k] = c[k] y[k - 1] + x[k], whose operator is not commutative."""
    options = lib.handle("kernel_options_create")
    lib.call("kernel_options_set_preamble", options,
             b"struct step { double c, x; };\n"
             b"static inline step after(const step& a, const step& b) {\n"
             b"  return {a.c * b.c, a.x * b.c + b.x};\n}\n")
    lib.call("kernel_options_set_reduce_type", options, b"step")
    scan = lib.handle("scan_create", b"float64 c, float64 x", b"float64 y", b"{c, x}",
                      b"after(a, b)", b"y = a.x", None, options)
    for shape, axis in (((9,), 0), ((7, 300), 1), ((3000, 3), 0), ((70_000,), 0), ((600, 40), 0)):
        c = rng.integers(-1, 2, shape).astype(float)
        x = rng.integers(-3, 4, shape).astype(float)
        expected = np.moveaxis(np.empty(shape), axis, 0)
        last = 0
        for k, (ck, xk) in enumerate(zip(np.moveaxis(c, axis, 0), np.moveaxis(x, axis, 0))):
            expected[k] = last = ck * last + xk
        out = lib.empty(F64, shape)
        lib.call("scan_call", scan, lib_array(out), 1, [lib.upload(c), lib.upload(x)], 2, axis, 0)
        same(out.numpy(), np.moveaxis(expected, 0, axis), what=f"recurrence {shape}",
             signed_zeros=False)
    lib.c.gpuarr_scan_release(scan)
    lib.c.gpuarr_kernel_options_release(options)


def lib_array(array):
    from ctypes import c_void_p
    return (c_void_p * 1)(array.handle.value)


def bad():
    x = lib.upload(np.zeros((2, 3), np.float32))
    refused("GPUARR_ERR_AXIS", "axis", "cumsum", x, 2, 0)
    refused("GPUARR_ERR_ARGUMENT", "exclusive is 2", "cumsum", x, 0, 2)
    refused("GPUARR_ERR_SHAPE", r"\(3, 2\)", "cumsum", x, 0, 0, out=lib.empty(F32, (3, 2)))
    refused("GPUARR_ERR_DTYPE", "float64", "cumsum", x, 0, 0, out=lib.empty(F64, (2, 3)))


small()
large()
ends_of_tiles()
rounding()
bfloat16_and_complex()
differences()
own_operator()
bad()
print("scans are as NumPy's")
