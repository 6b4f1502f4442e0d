#!/usr/bin/env python3
"""Unique elements, places, bins, medians and quantiles beside NumPy's."""
import warnings

from support import (BF16, BOOL, C64, COMPLEX, F16, F32, F64, FLOATS, I64, INTEGERS, NUMPY, U8,
                     from_bfloat16, lib, np, random_shape, random_values, refused, rng, same, some)

warnings.simplefilter("ignore")  # of slices that are all NaN
METHODS = ("linear", "lower", "higher", "nearest", "midpoint")


def few(dtype, shape):
    """Random elements of which many are equal."""
    values = random_values(dtype, shape)
    if values.size and rng.random() < 0.7:
        values = rng.choice(values.reshape(-1)[: rng.integers(1, 50)], shape)
    return values


def numbers(values, dtype):
    """What NumPy can compare."""
    return from_bfloat16(np.atleast_1d(values)) if dtype == BF16 else values


def unique(dtype):
    for shape in ((0,), (1,), (3, 4, 5), (20000,), (70, 90), ()):
        values = few(dtype, shape)
        x = lib.upload(values, dtype, "any")
        keys = numbers(values, dtype)
        # Of equals the first one stands for all, as where NumPy is asked for indices.
        _, at, inverse, counts = np.unique(keys, True, True, True)
        made = lib.make("unique", x)
        assert made[0].numpy().tobytes() == values.reshape(-1)[at].tobytes(), (dtype, shape)
        same(made[1].numpy(), at)
        same(made[2].numpy(), inverse.reshape(shape))
        same(made[3].numpy(), counts)
        only = lib.make("unique", x, out=(None, False, False, False))
        assert only[0].numpy().tobytes() == values.reshape(-1)[at].tobytes(), (dtype, shape)
        given = lib.upload(np.zeros(2 * len(at)), I64)
        given = lib.make("array_slice", given, 0, 0, 2 * len(at), 2)
        same(lib.make("unique", x, out=(None, False, False, given))[3].numpy(), counts)


def searchsorted(dtype):
    for count in (0, 1, 2, 100, 5000):
        among, values = np.sort(few(dtype, count)), random_values(dtype, random_shape())
        if dtype == BF16:
            among = among[np.argsort(numbers(among, dtype), kind="stable")]
        if count and values.size:
            values.reshape(-1)[::2] = rng.choice(among, len(values.reshape(-1)[::2]))
        keys = numbers(among, dtype), numbers(values, dtype).reshape(values.shape)
        ours, x = lib.upload(among, dtype, "any"), lib.upload(values, dtype, "any")
        for right, side in enumerate(("left", "right")):
            expected = np.asarray(np.searchsorted(*keys, side=side), np.int64)
            same(lib.make("searchsorted", ours, x, right).numpy(), expected, what=(dtype, count))


def close(found, expected, scale):
    """But for rounding of what may be numbers of either sign, as large as `scale`."""
    assert found.dtype == expected.dtype and found.shape == expected.shape
    nan = np.isnan(expected)
    assert np.array_equal(np.isnan(found), nan)
    assert (abs(found - expected)[~nan] <= 4 * np.finfo(found.dtype).eps * scale).all()


def finite(dtype, shape):
    if dtype in FLOATS:
        return (rng.normal(size=shape) * 10).astype(NUMPY[dtype])
    values = random_values(dtype, shape)
    return values if NUMPY[dtype].itemsize < 8 else values // 2**40


def quantiles(dtype):
    all_of_q = [0.0, 1.0, 0.5, 0.25] + rng.random(2).tolist()
    for shape, axis in (((101,), 0), ((5, 40, 3), 1), ((4, 1), -1), ((3, 6000), 1), ((2, 50), 0),
                        ((6000, 3), 0), ((150000,), 0)):
        values = finite(dtype, shape)
        if dtype in FLOATS:
            values[rng.random(shape) < rng.choice((0.2 / shape[axis], 0.5))] = np.nan
        x = lib.upload(values, dtype, "any")
        wide = values.astype(np.float64)
        kind = NUMPY[dtype] if dtype in FLOATS else np.float64
        for nan in ("", "nan"):
            method = int(rng.integers(5))
            q = all_of_q[:: rng.choice((1, 3))]  # sorted for many, not for a few
            expected = getattr(np, nan + "quantile")(wide, q, axis, method=METHODS[method])
            found = lib.make(nan + "quantile", x, q, len(q), axis, method).numpy()
            close(found, expected.astype(kind), np.nanmax(abs(wide), initial=0))
            expected = np.asarray(getattr(np, nan + "median")(wide, axis))
            found = lib.make(nan + "median", x, axis).numpy()
            same(found, expected.astype(kind), ulp=1, signed_zeros=False, what=(dtype, shape))


def part_of_complex(dtype, shape):
    """Small whole numbers, of which a part may be infinite or, of few, NaN."""
    parts = rng.integers(-3, 4, shape).astype(np.float64)
    parts[rng.random(shape) < 0.1] = rng.choice((np.inf, -np.inf))
    parts[rng.random(shape) < rng.choice((0, 0.02))] = np.nan
    return parts


def extremes_of_complex(dtype):
    """By the real parts, then by the imaginary ones; a NaN of either part wins."""
    for shape, axis in (((40, 6), 0), ((7, 300), 1), ((5000,), 0), ((3, 1), -1), ((2, 900, 3), 1)):
        values = np.empty(shape, NUMPY[dtype])
        values.real, values.imag = (part_of_complex(dtype, shape) for _ in range(2))
        x = lib.upload(values, dtype, "any")
        for name, least in (("min", True), ("max", False), ("nanmin", True), ("nanmax", False)):
            found = lib.make(name, x, [axis], 1, 0).numpy()
            expected = np.asarray(getattr(np.fmin if least else np.fmax, "reduce")(values, axis)
                                  if "nan" in name else getattr(np, name)(values, axis))
            nan = np.isnan(expected)  # which one is anybody's
            assert np.array_equal(np.isnan(found), nan), (name, shape)
            same(found[~nan], expected[~nan], what=(name, shape), signed_zeros=False)
        for name in ("argmin", "argmax"):
            expected = np.asarray(getattr(np, name)(values, axis), np.int64)
            same(lib.make(name, x, [axis], 1, 0).numpy(), expected, what=(name, shape))
        values[np.isinf(values)] = 4  # NumPy's mean of two infinities is NaN
        x = lib.upload(values, dtype, "any")
        for name in ("median", "nanmedian"):
            found = lib.make(name, x, axis).numpy()
            expected = np.asarray(getattr(np, name)(values, axis))
            nan = np.isnan(expected)
            assert np.array_equal(np.isnan(found), nan), (name, shape, found, expected)
            same(found[~nan], expected[~nan].astype(found.dtype), 1, (name, shape), False)


def histograms(dtype):
    for count, bins in ((0, 3), (1000, 10), (30000, 7), (3000, 5000)):
        values = finite(dtype, count)
        x, wide = lib.upload(values, dtype, "any"), values.astype(np.float64)
        counts, edges = lib.make("histogram", x, bins, None)
        between = np.histogram_bin_edges(wide, bins)
        assert np.allclose(edges.numpy(), between, rtol=1e-14, atol=1e-14 * abs(between).max())
        same(counts.numpy(), np.histogram(wide, edges.numpy())[0].astype(np.int64))
        assert counts.numpy().sum() == count
        low, high = np.sort(rng.normal(size=2) * 8)
        counts, edges = lib.make("histogram", x, bins, [low, high])
        expected, _ = np.histogram(wide, edges.numpy())
        same(counts.numpy(), expected.astype(np.int64), what=(dtype, count, bins))
        steps = np.sort(rng.normal(size=bins + 1)) * 8
        steps[-2:] = steps[-1]
        counts = lib.make("histogram_between", x, lib.upload(steps))
        same(counts.numpy(), np.histogram(wide, steps)[0].astype(np.int64))


def bincounts(dtype):
    for shape, most in (((0,), 5), ((100,), 120), ((300, 100), 3), ((20000,), 100)):
        values = rng.integers(0, min(most, np.iinfo(NUMPY[dtype]).max), shape).astype(NUMPY[dtype])
        x, flat = lib.upload(values, dtype, "any"), values.reshape(-1).astype(np.int64)
        least = int(rng.choice((0, 3, 3000)))
        same(lib.make("bincount", x, None, least).numpy(),
             np.bincount(flat, minlength=least).astype(np.int64), what=(dtype, shape))
        weights = rng.normal(size=shape) * 10.0 ** rng.integers(-5, 6, shape)
        found = lib.make("bincount", x, lib.upload(weights, None, "any"), least).numpy()
        expected = np.bincount(flat, weights.reshape(-1), least)
        scale = np.abs(weights).max(initial=0)
        assert found.shape == expected.shape
        assert np.allclose(found, expected, rtol=1e-13, atol=1e-12 * scale), (dtype, shape)
        if values.size:
            weights.reshape(-1)[:: max(1, values.size // 4)] = [np.inf, -np.inf, np.nan, 1, 2][
                : len(weights.reshape(-1)[:: max(1, values.size // 4)])]
            found = lib.make("bincount", x, lib.upload(weights), least).numpy()
            expected = np.bincount(flat, weights.reshape(-1), least)
            assert np.array_equal(np.isfinite(found), np.isfinite(expected))
            odd = ~np.isfinite(expected)
            same(found[odd], expected[odd])


def infinities():
    x = lib.upload(np.array([-np.inf, 1.0, 2.0, np.inf]))
    same(lib.make("quantile", x, [0, 0.1, 0.5, 0.9, 1], 5, 0, 0).numpy(),
         np.array([-np.inf, -np.inf, 1.5, np.inf, np.inf]))
    x = lib.upload(np.array([np.nan, 1.0]))
    counts, edges = lib.make("histogram", x, 2, None)
    same(counts.numpy(), np.zeros(2, np.int64))
    assert np.isnan(edges.numpy()).all()
    refused("GPUARR_ERR_ARGUMENT", "element -3; give", "bincount", lib.upload(np.array([1, -3])),
            None, 0)


for dtype in some((BOOL, *INTEGERS, *FLOATS, BF16, *COMPLEX), 4):
    unique(dtype)
    searchsorted(dtype)
for dtype in some((*INTEGERS, *FLOATS), 3):
    quantiles(dtype)
    histograms(dtype)
for dtype in COMPLEX:
    extremes_of_complex(dtype)
for dtype in some(INTEGERS, 2):
    bincounts(dtype)
infinities()
print("ok")
