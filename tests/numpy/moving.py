"""Joining, rearranging and indexing, against NumPy."""
from support import (BF16, BOOL, C128, F16, F32, F64, I16, I64, INTEGERS, NUMPY, U8, U64, lib, np,
                     random_array, random_shape, random_values, refused, rng, same, some)

DTYPES = (BOOL, U8, I16, F16, BF16, F32, F64, I64, C128)
ROUNDS = 12


def a_shape(least_axes=1, least=0, **options):
    while True:
        shape = random_shape(**options)
        if len(shape) >= least_axes and all(n >= least for n in shape):
            return shape


def an_axis(shape):
    return int(rng.integers(-len(shape), len(shape)))


def a_dtype():
    return DTYPES[rng.integers(len(DTYPES))]


def indices_for(extent, shape):
    """In NumPy's and ours: of an integer dtype, some counted from the end."""
    dtype = INTEGERS[rng.integers(len(INTEGERS))]
    low = 0 if U8 <= dtype <= U64 else -extent
    values = rng.integers(low, max(extent, low + 1), shape).astype(NUMPY[dtype])
    return values.astype(np.int64), lib.upload(values, dtype, "any")


def maybe_out(dtype, shape):
    """A given output in half of the cases, of any layout."""
    if rng.random() < 0.5:
        return None
    return lib.upload(random_values(dtype, shape), dtype, "any")


def takes():
    for _ in range(ROUNDS):
        dtype, shape = a_dtype(), a_shape()
        axis = an_axis(shape)
        x, ours = random_array(dtype, shape)
        wanted = random_shape(most_axes=2, most=6) if shape[axis] else (0,)
        k, indices = indices_for(shape[axis], wanted)
        expected = np.take(x, k, axis)
        out = maybe_out(dtype, expected.shape)
        same(lib.make("take", ours, indices, axis, out=out).numpy(), expected, what="take")


def rows_taken():
    """Rows that are moved in words of any size."""
    for dtype in some((U8, F16, F32, F64, C128), 3):
        for row in (1, 2, 3, 4, 8, 12):
            x, ours = random_array(dtype, (9, row), "c")
            k, indices = indices_for(9, (7,))
            same(lib.make("take", ours, indices, 0).numpy(), x[k], what=f"rows of {row}")
            values, of = random_array(dtype, (7, row), "c")
            lib.call("put", ours, lib.upload(np.arange(7)), of, 0)
            x[:7] = values
            same(ours.numpy(), x, what=f"put rows of {row}")


def takes_along():
    for _ in range(ROUNDS):
        dtype, shape = a_dtype(), a_shape(least=1)
        axis = an_axis(shape)
        x, ours = random_array(dtype, shape)
        wanted = [1 if rng.random() < 0.2 else n for n in shape]
        wanted[axis] = int(rng.integers(0, 6))
        k, indices = indices_for(shape[axis], wanted)
        expected = np.take_along_axis(x, k, axis)
        out = maybe_out(dtype, expected.shape)
        same(lib.make("take_along_axis", ours, indices, axis, out=out).numpy(), expected)
        distinct = np.argsort(rng.random(shape), axis)
        values, of = random_array(dtype, shape)
        lib.call("put_along_axis", ours, lib.upload(distinct, I64, "any"), of, axis)
        np.put_along_axis(x, distinct, values, axis)
        same(ours.numpy(), x, what="put_along_axis")


def puts():
    for _ in range(ROUNDS):
        dtype, shape = a_dtype(), a_shape(least=1)
        axis = an_axis(shape)
        x, ours = random_array(dtype, shape)
        count = int(rng.integers(0, shape[axis] + 1))
        k = rng.permutation(shape[axis])[:count]
        at = (slice(None),) * (axis % len(shape)) + (k,)
        values, of = random_array(dtype, x[at].shape)
        if rng.random() < 0.3:
            values, of = random_array(dtype, x[at].shape[1:])
        lib.call("put", ours, lib.upload(k, I64, "any"), of, axis)
        x[at] = values
        same(ours.numpy(), x, what="put")
        if dtype != BF16:
            one = random_values(dtype, (1,))[0]
            lib.call("put", ours, lib.upload(k), one, axis)
            x[at] = one
            same(ours.numpy(), x, what="put a scalar")


def adds():
    for dtype in some((I16, U64, I64, F32, F64, C128), 3):
        shape = a_shape(least=1)
        axis = an_axis(shape)
        x = rng.integers(0, 9, shape).astype(NUMPY[dtype])
        ours = lib.upload(x, dtype, "any")
        k, indices = indices_for(shape[axis], (20,))
        at = (slice(None),) * (axis % len(shape)) + (k,)
        values = rng.integers(0, 9, x[at].shape).astype(NUMPY[dtype])
        lib.call("put_add", ours, indices, lib.upload(values, dtype, "any"), axis)
        np.add.at(x, at, values)
        same(ours.numpy(), x, what="put_add")


for test in (takes, rows_taken, takes_along, puts, adds):
    test()
print("ok")
