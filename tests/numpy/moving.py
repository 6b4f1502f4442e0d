"""Joining, rearranging and indexing, against NumPy."""
import ctypes

from support import (BF16, BOOL, C64, C128, F16, F32, F64, I8, I16, I32, I64, INTEGERS, NUMPY, OURS,
                     U8, U16, U64, Array, lib, np, random_array, random_shape, random_values, rng,
                     same, some, to_bfloat16)

DTYPES = (BOOL, U8, I16, F16, BF16, F32, F64, I64, C128)
NUMBERS = (BOOL, I8, U8, I16, U16, I32, I64, U64, F16, F32, F64, C64, C128)  # that NumPy has
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
        for row in (1, 2, 3, 4, 8, 12, 700):
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


def views_of(name, count, *arguments):
    """The arrays of a function that makes several, given by the address of the first."""
    cells = (ctypes.c_void_p * count)()
    lib.call(name, cells, *arguments)
    return [Array(ctypes.c_void_p(cell)) for cell in cells]


def pointers(arrays):
    return (ctypes.c_void_p * len(arrays))(*(array.handle.value for array in arrays))


def joins():
    for _ in range(ROUNDS):
        dtypes = [a_dtype()] * 3 if rng.random() < 0.5 else rng.choice(NUMBERS, 3).tolist()
        shape = a_shape()
        axis = an_axis(shape)
        parts = []
        for dtype in dtypes[:int(rng.integers(1, 4))]:
            own = list(shape)
            own[axis] = int(rng.integers(0, 5))
            parts.append(random_array(dtype, own))
        expected = np.concatenate([values for values, _ in parts], axis)
        dtype = OURS[expected.dtype] if BF16 not in dtypes else BF16
        out = maybe_out(dtype, expected.shape)
        ours = pointers([array for _, array in parts])
        same(lib.make("concatenate", ours, len(parts), axis, out=out).numpy(), expected,
             what=f"concatenate {dtypes}")
        parts = [random_array(dtype, shape) for dtype in dtypes]
        axis = int(rng.integers(-len(shape) - 1, len(shape) + 1))
        expected = np.stack([values for values, _ in parts], axis)
        ours = pointers([array for _, array in parts])
        same(lib.make("stack", ours, 3, axis).numpy(), expected, what="stack")


def splits():
    for _ in range(ROUNDS):
        shape = a_shape()
        axis = an_axis(shape)
        x, ours = random_array(F32, shape)
        sections = int(rng.choice([n for n in range(1, 8) if shape[axis] % n == 0]))
        for got, expected in zip(views_of("split", sections, sections, ours, axis),
                                 np.split(x, sections, axis)):
            same(got.numpy(), expected, what="split")
        cuts = rng.integers(-9, 9, int(rng.integers(0, 4))).tolist()
        for got, expected in zip(views_of("split_at", len(cuts) + 1, len(cuts), cuts, ours, axis),
                                 np.split(x, cuts, axis)):
            same(got.numpy(), expected, what="split_at")


def grids():
    lines = [random_array(F64, (n,)) for n in (3, 0 if rng.random() < 0.2 else 4, 2)]
    for count in (0, 1, 2, 3):
        ours = pointers([array for _, array in lines[:count]])
        for indexing, name in enumerate(("xy", "ij")):
            got = views_of("meshgrid", count, ours, count, indexing)
            for mine, theirs in zip(got, np.meshgrid(*(v for v, _ in lines[:count]),
                                                     indexing=name)):
                same(mine.numpy(), theirs, what="meshgrid")
    parts = [random_array(F32, shape) for shape in ((3, 1), (1, 4), (2, 1, 1), ())]
    got = views_of("broadcast_arrays", 4, pointers([array for _, array in parts]), 4)
    for mine, theirs in zip(got, np.broadcast_arrays(*(values for values, _ in parts))):
        same(mine.numpy(), theirs, what="broadcast_arrays")


def repeats():
    for _ in range(ROUNDS):
        dtype, shape = a_dtype(), random_shape()
        x, ours = random_array(dtype, shape)
        times = rng.integers(0 if rng.random() < 0.1 else 1, 4, int(rng.integers(0, 5))).tolist()
        expected = np.tile(x, times)
        out = maybe_out(dtype, expected.shape)
        same(lib.make("tile", ours, len(times), times, out=out).numpy(), expected, what="tile")
        if not shape:
            continue
        axis = an_axis(shape)
        count = int(rng.integers(0, 4))
        expected = np.repeat(x, count, axis)
        out = maybe_out(dtype, expected.shape)
        same(lib.make("repeat", ours, count, axis, out=out).numpy(), expected, what="repeat")
        counts = rng.integers(0, 4, shape[axis] if rng.random() < 0.8 else 1)
        dtype = INTEGERS[rng.integers(len(INTEGERS))]
        each = lib.upload(counts.astype(NUMPY[dtype]), dtype, "any")
        same(lib.make("repeat_each", ours, each, axis).numpy(), np.repeat(x, counts, axis),
             what="repeat_each")


def shifts():
    for _ in range(ROUNDS):
        dtype, shape = a_dtype(), a_shape()
        x, ours = random_array(dtype, shape)
        count = int(rng.integers(0, 5))
        axes = [an_axis(shape) for _ in range(count)]
        by = rng.integers(-20, 20, count).tolist()
        expected = np.roll(x, by, axes) if count else x
        out = maybe_out(dtype, shape)
        same(lib.make("roll", ours, count, by, axes, out=out).numpy(), expected, what="roll")
        turned = rng.permutation(len(shape))[:int(rng.integers(0, len(shape) + 1))].tolist()
        same(lib.make("flip", ours, len(turned), turned or [0]).numpy(), np.flip(x, turned))
        same(lib.make("flip", ours, 0, None).numpy(), np.flip(x))
        if len(shape) > 1:
            plane = rng.permutation(len(shape))[:2].tolist()
            turns = int(rng.integers(-5, 6))
            same(lib.make("rot90", ours, turns, *plane).numpy(), np.rot90(x, turns, plane),
                 what="rot90")


def pads():
    modes = ("constant", "edge", "reflect", "symmetric", "wrap")
    for turn in range(2 * ROUNDS):
        dtype, shape = a_dtype(), random_shape(most_axes=3)
        mode = turn % 5
        x, ours = random_array(dtype, shape)
        if mode and 0 in shape:
            continue
        # Older NumPys go on from wrong places where they go round the elements more than once.
        most = [4 if mode < 2 else min(4, n if mode > 2 else n - 1) for n in shape]
        before = [int(rng.integers(0, n + 1)) for n in most]
        after = [int(rng.integers(0, n + 1)) for n in most]
        three = {BOOL: True, BF16: to_bfloat16(3.0)}.get(dtype, 3)
        value = {"constant_values": three} if mode == 0 else {}
        expected = np.pad(x, list(zip(before, after)), modes[mode], **value) if shape else x
        out = maybe_out(dtype, expected.shape)
        same(lib.make("pad", ours, before, after, mode, True if dtype == BOOL else 3,
                      out=out).numpy(), expected, what=f"pad {modes[mode]} {shape}")


def triangles():
    for _ in range(ROUNDS):
        dtype, shape = a_dtype(), a_shape(least_axes=2)
        x, ours = random_array(dtype, shape)
        k = int(rng.integers(-9, 9))
        for name in ("triu", "tril"):
            expected = getattr(np, name)(x, k)
            out = ours if rng.random() < 0.2 else maybe_out(dtype, shape)
            same(lib.make(name, ours, k, out=out).numpy(), expected, what=name)
            if out is ours:
                x = expected
        line, of = random_array(dtype, (int(rng.integers(0, 5)),))
        same(lib.make("diag", of, k).numpy(), np.diag(line, k) if line.size or k else
             np.zeros((0, 0), line.dtype), what="diag")
        if dtype != BF16:
            rows, columns = (int(n) for n in rng.integers(0, 8, 2))
            same(lib.make("tri", lib.device, dtype, rows, columns, k, int(rng.integers(2))).numpy(),
                 np.tri(rows, columns, k, NUMPY[dtype]), what="tri")


for test in (takes, rows_taken, takes_along, puts, adds, joins, splits, grids, repeats, shifts,
             pads, triangles):
    test()
print("ok")
