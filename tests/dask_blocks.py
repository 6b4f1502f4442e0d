#!/usr/bin/env python3
"""Blocked arrays beside those of Dask: which blocks meet in map_blocks, ghost cells, reductions.

    dask_blocks.py LIBRARY

LIBRARY is libgpuarr as a shared library. $GPUARR_TEST_SEED repeats a run, or is "clock". Ends with
77 (skipped) where there is no Dask.
"""
import ctypes
import os
import sys
import time
from ctypes import POINTER, c_double, c_int32, c_int64, c_void_p

try:
    import dask
    import dask.array as da
    import numpy as np
except ImportError:
    print("skipped: no Dask")
    sys.exit(77)

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
import gpuarr_ctypes as g  # noqa: E402

ROUNDS = 60
BOUNDARIES = {"none": 0, "periodic": 1, "constant": 2, "nearest": 3, "reflect": 4}
REDUCTIONS = ("sum", "prod", "min", "max", "argmin", "argmax", "any", "all", "mean", "var", "std")
DTYPES = {g.I64: np.dtype("i8"), g.F64: np.dtype("f8")}
WIDE = {g.BOOL: "?", g.I64: "i8", g.U64: "u8", g.F64: "f8"}
CYCLIC, REPLICATED = 2, 3

lib = g.Library(sys.argv[1], "host")
lib.c.gpuarr_arg_blocked.restype = g.Arg
for name in ("extent", "count", "start", "stop", "local_count", "local_number"):
    getattr(lib.c, f"gpuarr_blocked_{name}").restype = c_int64
for name in ("location", "start", "stop"):
    getattr(lib.c, f"gpuarr_block_{name}").restype = c_int64
BlockFunction = ctypes.CFUNCTYPE(c_int32, c_void_p, POINTER(c_void_p), POINTER(c_void_p), c_void_p)
dask.config.set(scheduler="synchronous")


def drawn_seed():
    wanted = os.environ.get("GPUARR_TEST_SEED", "")
    seed = int(time.time()) if wanted == "clock" else int(wanted or 1)
    print(f"GPUARR_TEST_SEED={seed}", flush=True)
    return seed


rng = np.random.default_rng(drawn_seed())


def draw(low, high):
    return int(rng.integers(low, high + 1))


def longs(values):
    return (c_int64 * len(values))(*values)


def ints(values):
    return (c_int32 * len(values))(*values)


def view(handle):
    """The memory of an array on the CPU, as NumPy's."""
    handle = c_void_p(handle)
    ndim = lib.c.gpuarr_array_ndim(handle)
    dtype = DTYPES[lib.c.gpuarr_array_dtype(handle)]
    strides = longs([0] * ndim)
    lib.call("gpuarr_array_byte_strides", strides, handle)
    shape = tuple(lib.c.gpuarr_array_shape(handle)[:ndim])
    span = sum((n - 1) * step for n, step in zip(shape, strides)) + dtype.itemsize
    memory = (ctypes.c_char * span).from_address(lib.c.gpuarr_array_data(handle))
    return np.ndarray(shape, dtype, memory, 0, tuple(strides))


class Team:
    def __init__(self):
        self.size = draw(1, 6)
        devices = (c_void_p * self.size)(*[lib.device] * self.size)
        self.handle = lib.made("gpuarr_team_local", devices, c_int32(self.size))

    def __del__(self):
        lib.release("team", self.handle)

    def empty(self, dtype, shape, chunks, placement=None, low=None, high=None, boundary=None):
        options = lib.made("gpuarr_blocked_options_create")
        lib.call("gpuarr_blocked_options_set_placement", options,
                 c_int32(placement or draw(1, CYCLIC)))
        lib.call("gpuarr_blocked_options_set_order", options, c_int32(draw(0, 1)))
        if low is not None:
            kinds = [BOUNDARIES[kind] for kind in boundary]
            lib.call("gpuarr_blocked_options_set_halo", options, c_int32(len(shape)), longs(low),
                     longs(high), ints(kinds))
            lib.call("gpuarr_blocked_options_set_fill", options, lib.c.gpuarr_arg_i64(c_int64(-7)))
        handle = lib.made("gpuarr_blocked_empty", self.handle, c_int32(dtype),
                          c_int32(len(shape)), longs(shape), longs(chunks), options)
        lib.release("blocked_options", options)
        return Blocked(handle)

    def blocked(self, values, chunks, **options):
        dtype = g.I64 if values.dtype == "i8" else g.F64
        out = self.empty(dtype, values.shape, chunks, **options)
        data = np.ascontiguousarray(values)
        lib.call("gpuarr_blocked_write", out.handle, None, None, c_int32(-1),
                 c_void_p(data.ctypes.data), c_int64(data.nbytes), None)
        return out


class Blocked:
    def __init__(self, handle):
        self.handle = handle

    def __del__(self):
        lib.release("blocked", self.handle)

    def like(self):
        return Blocked(lib.made("gpuarr_blocked_empty_like", self.handle, c_int32(0)))

    @property
    def shape(self):
        c = lib.c
        return tuple(c.gpuarr_blocked_extent(self.handle, axis)
                     for axis in range(c.gpuarr_blocked_ndim(self.handle)))

    def numpy(self):
        out = np.empty(self.shape, WIDE[lib.c.gpuarr_blocked_dtype(self.handle)])
        lib.call("gpuarr_blocked_read", c_void_p(out.ctypes.data), c_int64(out.nbytes), None,
                 self.handle, None, None, c_int32(-1))
        return out

    def blocks(self, halo):
        """By their numbers, each with its location."""
        counts = [lib.c.gpuarr_blocked_count(self.handle, axis) for axis in range(len(self.shape))]
        for k in range(lib.c.gpuarr_blocked_local_count(self.handle)):
            number = lib.c.gpuarr_blocked_local_number(self.handle, c_int64(k))
            array = g.Array(lib, lib.made("gpuarr_blocked_local", self.handle, c_int64(k),
                                          c_int32(halo)))
            yield np.unravel_index(number, counts), view(array.handle.value).copy()


def handles(arrays):
    return (c_void_p * len(arrays))(*[array.handle for array in arrays])


def map_blocks(work, output, inputs, overlap=False):
    """work(location, bounds, *blocks) for each block. What it raises comes out of here."""
    raised = []

    def call(block, outputs, arrays, _):
        try:
            c, ndim = lib.c, len(output.shape)
            location = tuple(c.gpuarr_block_location(c_void_p(block), axis) for axis in range(ndim))
            bounds = [(c.gpuarr_block_start(c_void_p(block), axis),
                       c.gpuarr_block_stop(c_void_p(block), axis)) for axis in range(ndim)]
            view(outputs[0])[...] = work(location, bounds,
                                         *[view(arrays[k]) for k in range(len(inputs))])
        except Exception as error:  # cannot pass through C
            raised.append(error)
        return 900 if raised else 0

    function = BlockFunction(call)
    flags = () if overlap else (c_int32(0),)
    try:
        lib.call("gpuarr_map_overlap" if overlap else "gpuarr_map_blocks", function, None,
                 handles([output]), c_int32(1), handles(inputs), c_int32(len(inputs)), *flags)
    except RuntimeError:
        if raised:
            raise raised[0]
        raise


def random_values(shape):
    if draw(0, 1):
        return rng.integers(-50, 50, shape)
    return rng.standard_normal(shape)


def random_shape():
    shape = [draw(1, 12) for _ in range(draw(1, 3))]
    return shape, [draw(1, extent) for extent in shape]


def blocks_that_meet():
    """Dask gives a function the blocks at one position; an input of one block goes with all."""
    team = Team()
    shape, chunks = random_shape()
    x = rng.integers(-50, 50, shape)  # sums of which are exact
    dropped = draw(0, len(shape) - 1)
    kinds = [draw(0, 2) for _ in shape[dropped:]]  # extent 1, all in one block, as many blocks
    extents = [1 if kind == 0 else n for kind, n in zip(kinds, shape[dropped:])]
    own = [c if kind == 2 else max(n, 1) for kind, c, n in zip(kinds, chunks[dropped:], extents)]
    y = rng.integers(-50, 50, extents)

    def work(a, b, bounds):
        return a * b.max() + b.sum() + a.min() + sum(low * 10 - high for low, high in bounds)

    def by_dask(a, b, block_info=None):
        return work(a, b, block_info[None]["array-location"])

    expected = da.map_blocks(by_dask, da.from_array(x, tuple(chunks)), da.from_array(y, tuple(own)),
                             dtype="i8", meta=np.array([], "i8")).compute()
    bx = team.blocked(x, chunks)
    out = bx.like()
    map_blocks(lambda location, bounds, a, b: work(a, b, bounds), out,
               [bx, team.blocked(y, own, placement=REPLICATED)])
    assert np.array_equal(out.numpy(), expected), (shape, chunks, own)


def random_halo():
    """Each chunk has as many elements as the halo is wide: Dask divides anew otherwise."""
    chunks = [draw(2, 5) for _ in range(draw(1, 3))]
    shape = [chunk * draw(1, 3) for chunk in chunks]
    shape = [n + draw(2, c) if draw(0, 1) else n for n, c in zip(shape, chunks)]
    kinds = [str(rng.choice(list(BOUNDARIES))) for _ in shape]
    low = [draw(0, 2) for _ in shape]
    high = [draw(0, 2) if kind == "none" else n for kind, n in zip(kinds, low)]
    return shape, chunks, kinds, low, high


def dask_halo(kinds, low, high):
    boundary = {axis: -7 if kind == "constant" else kind for axis, kind in enumerate(kinds)}
    depth = {axis: (a, b) if a != b else a for axis, (a, b) in enumerate(zip(low, high))}
    return depth, boundary


def ghost_cells():
    shape, chunks, kinds, low, high = random_halo()
    x = random_values(shape)
    depth, boundary = dask_halo(kinds, low, high)
    expected = da.overlap.overlap(da.from_array(x, tuple(chunks)), depth, boundary)
    found = Team().blocked(x, chunks, low=low, high=high, boundary=kinds)
    lib.call("gpuarr_halo_exchange", found.handle)
    for location, block in found.blocks(1):
        theirs = expected.blocks[tuple(int(k) for k in location)].compute()
        assert np.array_equal(block, theirs), (shape, chunks, kinds, low, high, location)


def stencils():
    """Sums of neighbours. Dask trims what a function makes of a block with its ghost cells; here
    the output has none."""
    shape, chunks, kinds, low, high = random_halo()
    x = random_values(shape)
    depth, boundary = dask_halo(kinds, low, high)

    def work(block):
        out = block.copy()
        for axis, (a, b) in enumerate(zip(low, high)):
            out = out + 2 * np.roll(block, a, axis) - np.roll(block, -b, axis)
        return out

    expected = da.map_overlap(work, da.from_array(x, tuple(chunks)), depth=depth,
                              boundary=boundary, dtype=x.dtype, meta=np.array([], x.dtype))
    bx = Team().blocked(x, chunks, low=low, high=high, boundary=kinds)
    out = bx.like()

    def trimmed(_, bounds, block):
        made = work(block)
        for axis, (first, last) in enumerate(bounds):
            begin = min(low[axis], first) if kinds[axis] == "none" else low[axis]
            made = made.take(range(begin, begin + last - first), axis)
        return made

    map_blocks(trimmed, out, [bx], overlap=True)
    assert np.array_equal(out.numpy(), expected.compute()), (shape, chunks, kinds, low, high)


def reductions():
    shape, chunks = random_shape()
    x = random_values(shape)
    name = str(rng.choice(REDUCTIONS))
    axes = [axis for axis in range(len(shape)) if draw(0, 1)] or [0]
    if name.startswith("arg"):
        axes = axes[:1]
    theirs = da.from_array(x, tuple(chunks))
    keepdims = draw(0, 1)
    axis = axes[0] if name.startswith("arg") else tuple(axes)
    expected = getattr(da, name)(theirs, axis=axis, keepdims=bool(keepdims)).compute()
    found = c_void_p()
    mine = Team().blocked(x, chunks)
    lib.call("gpuarr_blocked_reduce", ctypes.byref(found), name.encode(), mine.handle, ints(axes),
             c_int32(len(axes)), c_int32(keepdims), c_double(0), c_int32(0))
    values = Blocked(found).numpy()
    assert values.shape == expected.shape, (name, shape, axes, keepdims)
    exact = expected.dtype != "f8" or name in ("min", "max")
    close = np.array_equal if exact else lambda a, b: np.allclose(a, b, rtol=1e-12, atol=1e-12)
    assert close(values, expected), (name, shape, chunks, axes, values, expected)


def other_chunks():
    team = Team()
    shape, chunks = random_shape()
    others = [draw(1, extent) for extent in shape]
    x = random_values(shape)
    expected = da.from_array(x, tuple(chunks)).rechunk(tuple(others))
    source = team.blocked(x, chunks)
    target = team.empty(g.I64 if x.dtype == "i8" else g.F64, shape, others)
    lib.call("gpuarr_redistribute", target.handle, source.handle)
    for location, block in target.blocks(0):
        theirs = expected.blocks[tuple(int(k) for k in location)].compute()
        assert np.array_equal(block, theirs), (shape, chunks, others)


def main():
    for check in (blocks_that_meet, ghost_cells, stencils, reductions, other_chunks):
        for _ in range(ROUNDS):
            check()
        print(check.__name__, flush=True)


main()
