"""Selection by masks against NumPy's, on random arrays in any layout."""
from support import (BF16, BOOL, C64, C128, F16, F32, F64, I8, I32, I64, MORE, NUMPY, U16, lib, np,
                     random_array, random_shape, random_values, refused, rng, same, some)

DTYPES = (BOOL, I8, U16, F16, BF16, F32, I32, I64, F64, C64, C128)  # of all sizes


def masks(shape):
    chance = rng.choice((0, 0.02, 0.5, 0.98, 1))
    return rng.random(shape) < chance


def exact(got, expected, what):
    """To the bit: what is moved is not looked at."""
    got, expected = np.ascontiguousarray(got), np.ascontiguousarray(expected)
    assert got.shape == expected.shape, (what, got.shape, expected.shape)
    assert got.dtype == expected.dtype and got.tobytes() == expected.tobytes(), what


def check(dtype, shape, layout="any"):
    what = f"{NUMPY[dtype]} {shape} {layout}"
    values, x = random_array(dtype, shape, layout)
    chosen = masks(shape)
    mask = lib.upload(chosen, BOOL, layout)
    expected = values[chosen]
    exact(lib.make("select", x, mask).numpy(), expected, "select " + what)
    room = rng.integers(0, values.size + 2)
    out = lib.empty(dtype, (room,))
    count = into(out, x, mask)
    assert count == expected.size, (what, count, expected.size)
    exact(out.numpy()[:min(count, room)], expected[:room], "select_into " + what)
    supply = random_values(dtype, (rng.integers(1, expected.size + 3),))
    wanted = values.copy()
    np.place(wanted, chosen, supply)
    lib.call("place", x, mask, lib.upload(supply, dtype))
    exact(x.numpy(), wanted, "place " + what)


def into(out, x, mask):
    """The number of chosen elements."""
    from ctypes import byref, c_void_p
    from support import Array
    count = c_void_p()
    lib.call("select_into", out, byref(count), x, mask)
    return int(Array(count).numpy())


def zeros_left_out(dtype, shape):
    values = random_values(dtype, shape)
    keep = rng.random(shape) < 0.5
    values = np.where(keep, values, np.array(0, values.dtype))
    x = lib.upload(values, dtype, "any")
    bits = values & 0x7FFF if dtype == BF16 else values  # -0 is 0
    same(lib.make("flatnonzero", x).numpy(), np.flatnonzero(bits), what=f"{NUMPY[dtype]} {shape}")
    if not shape:
        return
    handles = indices_of(x, len(shape))
    for got, expected in zip(handles, np.nonzero(bits)):
        same(got.numpy(), expected, what=f"nonzero {NUMPY[dtype]} {shape}")


def indices_of(x, ndim):
    from ctypes import c_void_p
    from support import Array
    cells = (c_void_p * ndim)()
    lib.call("nonzero", cells, ndim, x)
    return [Array(c_void_p(cell)) for cell in cells]


def scalars():
    for dtype in some((BOOL, I32, F32, C128), 2):
        shape = random_shape()
        values, x = random_array(dtype, shape)
        chosen = masks(shape)
        lib.call("place", x, lib.upload(chosen, BOOL, "any"), 1)
        exact(x.numpy(), np.where(chosen, np.array(1, values.dtype), values), f"place 1 {shape}")


def bad():
    x = lib.upload(np.zeros((2, 3), np.float32))
    mask = lib.upload(np.ones((2, 3), bool))
    refused("GPUARR_ERR_DTYPE", "mask is int32; give bool", "select", x,
            lib.upload(np.ones((2, 3), np.int32)))
    refused("GPUARR_ERR_SHAPE", r"mask has shape \(3,\)", "select", x, lib.upload(np.ones(3, bool)))
    refused("GPUARR_ERR_SHAPE", r"\(6,\) are chosen", "select", x, mask, out=lib.empty(F32, (5,)))


for dtype in some(DTYPES, 4):
    for _ in range(6):
        check(dtype, random_shape())
        zeros_left_out(dtype, random_shape())
    check(dtype, (200_003,), "c")
    zeros_left_out(dtype, (70_001,))
    check(dtype, (300, 401))
    if lib.on_gpu or MORE:
        check(dtype, (9_000_001,), "c")
        zeros_left_out(dtype, (3000, 3001))
scalars()
bad()
print("selections are as NumPy's")
