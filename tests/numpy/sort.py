#!/usr/bin/env python3
"""Sorting along an axis beside NumPy's: dtypes, layouts, lengths of rows, special values."""
from support import (BF16, BOOL, COMPLEX, F16, F32, F64, I64, INTEGERS, NUMPY, from_bfloat16, lib,
                     np, rng, some, to_bfloat16)

FLOATING = (F16, F32, F64, BF16)


def numbers(dtype, shape):
    """Elements with what is special about the dtype among them, and many equals."""
    count = int(np.prod(shape))
    kind = rng.integers(7)
    if dtype == BF16:
        return to_bfloat16(numbers(F32, shape))
    if dtype == BOOL:
        return rng.integers(0, 2, shape).astype(bool)
    if dtype in INTEGERS:
        info = np.iinfo(NUMPY[dtype])
        values = rng.integers(info.min, info.max, count, NUMPY[dtype], endpoint=True)
        special = [info.min, info.max, 0, 1]
    elif dtype in COMPLEX:
        half = F32 if NUMPY[dtype].itemsize == 8 else F64
        values = np.empty(count, NUMPY[dtype])
        values.real, values.imag = numbers(half, count), numbers(half, count)
        return values.reshape(shape)
    else:
        bits = rng.integers(0, 256, count * NUMPY[dtype].itemsize, np.uint8)
        values = bits.view(NUMPY[dtype])
        if kind > 2:
            values = rng.normal(size=count).astype(NUMPY[dtype])
        special = [np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, np.finfo(NUMPY[dtype]).tiny]
    if kind == 1:
        values = rng.choice(np.array(special, values.dtype), count)
    elif kind == 2:
        at = rng.random(count) < 0.3
        values[at] = rng.choice(np.array(special, values.dtype), int(at.sum()))
    elif kind == 3:
        values = np.sort(values)[:: rng.choice((1, -1))]
    elif kind == 4 and count:
        values = rng.choice(values[: rng.choice((1, 2, 7))], count)
    elif kind == 5 and count:  # only the last bits differ
        bits = values[:1].view(f"u{values.itemsize}")
        values = (bits ^ rng.integers(0, 8, count).astype(bits.dtype)).view(values.dtype)
    elif kind == 6 and values.dtype.kind == "f":
        values[rng.random(count) < 0.9] = np.nan
    return values.reshape(shape)


def as_compared(values, dtype):
    return from_bfloat16(values) if dtype == BF16 else values


def order_of(values, dtype, axis, descending):
    """The stable order, NaNs last."""
    keys = as_compared(values, dtype)
    if not descending:
        return np.argsort(keys, axis, kind="stable")
    turned = ~keys if dtype == BOOL or dtype in INTEGERS else -keys
    return np.argsort(turned, axis, kind="stable")


def check_partition(dtype, x, values, axis):
    """What sorting puts there, to the bit, no greater before it and no lesser after it."""
    n = values.shape[axis]
    kth = int(rng.choice((0, n - 1, n // 2, -1, rng.integers(-n, n))))
    expected = np.take_along_axis(values, order_of(values, dtype, axis, 0), axis)
    made = lib.make("partition", x, kth, axis).numpy()
    what = (dtype, values.shape, axis, kth)
    assert np.take(made, kth, axis).tobytes() == np.take(expected, kth, axis).tobytes(), what
    parts = np.split(made, (kth % n, kth % n + 1), axis)
    again = np.concatenate([np.take_along_axis(part, order_of(part, dtype, axis, 0), axis)
                            for part in parts], axis)
    again, expected = as_compared(again, dtype), as_compared(expected, dtype)
    assert np.array_equal(again, expected, equal_nan=again.dtype.kind in "fc"), what
    if dtype not in COMPLEX:  # none is lost
        bits = f"u{made.itemsize}"
        given = np.ascontiguousarray(values).view(bits)
        assert np.array_equal(np.sort(made.view(bits), axis), np.sort(given, axis)), what


def check(dtype, shape, axis, descending, layout="any"):
    values = numbers(dtype, shape)
    x = lib.upload(values, dtype, layout)
    order = order_of(values, dtype, axis, descending)
    expected = np.ascontiguousarray(np.take_along_axis(values, order, axis))
    what = (dtype, shape, axis, descending)
    index = lib.make("argsort", x, axis, descending).numpy()
    found = lib.make("sort", x, axis, descending).numpy()
    assert np.array_equal(index, order), what
    assert found.tobytes() == expected.tobytes(), what
    out = lib.upload(np.zeros(shape), dtype, "strided")
    assert lib.make("sort", x, axis, descending, out=out).numpy().tobytes() == expected.tobytes()
    if layout != "any":
        return
    into = lib.upload(np.zeros(shape), I64, "strided")
    assert np.array_equal(lib.make("argsort", x, axis, descending, out=into).numpy(), order), what
    n = shape[axis]
    if n > 0:
        check_partition(dtype, x, values, axis)
    k = int(rng.choice((0, min(n, 1), n // 100, n // 4, n, rng.integers(0, n + 1))))
    most, at = lib.make("topk", x, k, axis, descending)
    first = (slice(None),) * (axis % len(shape)) + (slice(0, k),)
    assert np.array_equal(at.numpy(), order[first]), what
    assert most.numpy().tobytes() == np.ascontiguousarray(expected[first]).tobytes(), what
    only = lib.make("topk", x, k, axis, descending, out=(False, None))[1]
    assert np.array_equal(only.numpy(), order[first]), what
    only = lib.make("topk", x, k, axis, descending, out=(None, False))[0]
    assert only.numpy().tobytes() == most.numpy().tobytes(), what
    lib.make("sort", x, axis, descending, out=x)  # in place
    assert x.numpy().tobytes() == expected.tobytes(), what


def random_shape():
    ndim = int(rng.integers(1, 4))
    length = int(rng.choice((0, 1, 2, 7, 7, 24, 25, 100, 100, 1000, 1001, 2049, 5000, 9000)))
    shape = [int(n) for n in rng.integers(1, 6, ndim)]
    axis = int(rng.integers(ndim))
    shape[axis] = length
    return tuple(shape), int(rng.choice((axis, axis - ndim)))


for dtype in some((BOOL, *INTEGERS, *FLOATING, *COMPLEX), 6):
    for descending in (0, 1):
        for _ in range(8):
            check(dtype, *random_shape(), descending)
        if dtype not in COMPLEX:
            check(dtype, (300000,), 0, descending, "c")
            check(dtype, (150000 + descending,), 0, descending)  # by many threads
    check(dtype, (3, 70000), 1, 0, "c")
    check(dtype, (50, 16), 1, 1, "c")
    check(dtype, (0, 3), 1, 0, "c")
print("ok")
