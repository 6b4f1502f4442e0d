#!/usr/bin/env python3
"""Exchanges arrays with NumPy itself, in memory: DLPack both ways, array interfaces, deleters.

    interop_numpy.py LIBRARY

LIBRARY is libgpuarr as a shared library. Ends with 77 (skipped) where there is no NumPy.
"""
import gc
import os
import sys
import threading
import weakref
from ctypes import c_int32, c_int64, c_void_p

try:
    import numpy as np
except ImportError:
    print("skipped: no NumPy")
    sys.exit(77)

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
import gpuarr_ctypes as g  # noqa: E402

lib = g.Library(sys.argv[1], "host")
VERSIONED = tuple(int(part) for part in np.__version__.split(".")[:2]) >= (2, 1)
NONE = -2**63
DTYPES = {g.I8: "i1", g.I16: "i2", g.I32: "i4", g.I64: "i8", g.U8: "u1", g.U16: "u2", g.U32: "u4",
          g.U64: "u8", g.F16: "f2", g.F32: "f4", g.F64: "f8", g.C64: "c8", g.C128: "c16"}


def ours_in_numpy():
    for dtype, name in DTYPES.items():
        for shape in [(), (0,), (3, 0, 2), (5,), (3, 4), (2, 3, 4)]:
            for order in (0, 1):
                mine = lib.zeros(dtype, shape, order)
                mine.fill(1)
                for theirs in (np.from_dlpack(mine), np.asarray(g.HostInterface(mine))):
                    assert theirs.dtype == np.dtype(name) and theirs.shape == shape
                    assert (theirs == 1).all()
                    if theirs.size:
                        assert theirs.__array_interface__["data"][0] == mine.data
                        assert theirs.flags.f_contiguous or order == 0
                mine.fill(2)
                assert (theirs == 2).all()
    for dtype, name in ((g.BOOL, "|b1"), (g.BF16, "<V2")):
        mine = lib.zeros(dtype, (3,))
        assert np.asarray(g.HostInterface(mine)).dtype.str.endswith(name[1:]), name


def views_of_ours():
    mine = lib.arange(12)
    backwards = mine.view("slice", c_int64(0), c_int64(NONE), c_int64(NONE), c_int64(-5))
    for theirs in (np.from_dlpack(backwards), np.asarray(g.HostInterface(backwards))):
        assert theirs.strides == (-40,) and theirs.tolist() == [11, 6, 1]


def memory_stays_for_numpy():
    used = lib.memory_used()
    mine = lib.arange(1000)
    theirs = np.from_dlpack(mine)
    del mine
    assert lib.memory_used() > used
    assert (theirs == np.arange(1000.0)).all()
    view = theirs[5:7]
    del theirs
    assert view.tolist() == [5, 6]
    del view
    gc.collect()
    assert lib.memory_used() == used
    lib.arange(10).__dlpack__()  # that nobody takes
    assert lib.memory_used() > used
    lib.sweep()
    assert lib.memory_used() == used


def versions():
    """NumPy before 2.1 takes the older struct alone, and leaves the other to its capsule."""
    used = lib.memory_used()
    mine = lib.arange(4)
    mine.versions = (True,)
    try:
        theirs = np.from_dlpack(mine)
    except ValueError as error:
        assert not VERSIONED and "incorrect name" in str(error), error
    else:
        assert VERSIONED and theirs.tolist() == [0, 1, 2, 3]
        del theirs
    del mine
    gc.collect()
    lib.sweep()
    assert lib.memory_used() == used


def numpys_in_ours():
    for name in DTYPES.values():
        theirs = np.arange(24).astype(name).reshape(2, 3, 4)
        for view in (theirs, theirs.T, theirs[:, ::-1, ::2], theirs[1, 2], theirs[:0],
                     theirs[1, 2, 3:4].reshape(())):
            mine = lib.from_dlpack(view)
            assert mine.shape == view.shape
            assert mine.values() == view.astype("c16").real.ravel().tolist(), (name, view.strides)
            if view.size:
                assert mine.data == view.__array_interface__["data"][0]
    mine.fill(7)
    assert theirs[1, 2, 3] == 7
    assert VERSIONED or not mine.lib.c.gpuarr_array_is_read_only(mine.handle)


def numpys_memory_comes_back():
    for elsewhere in (False, True):
        theirs = np.arange(12.0)
        alive = weakref.ref(theirs)
        mine = lib.from_dlpack(theirs)
        view = mine.view("slice", c_int64(0), c_int64(2), c_int64(5), c_int64(1))
        del theirs, mine
        gc.collect()
        assert alive() is not None and view.values() == [2, 3, 4]
        if elsewhere:  # the handle is released in a thread that Python does not hold
            thread = threading.Thread(target=lib.release, args=("array", view.handle))
            thread.start()
            thread.join()
            view.handle = None
        del view
        gc.collect()
        assert alive() is None


def read_only_numpy():
    theirs = np.arange(3.0)
    theirs.flags.writeable = False
    if not VERSIONED:  # its struct cannot say it, so that NumPy refuses
        return
    mine = lib.from_dlpack(theirs, max_version=(1, 0))
    assert lib.c.gpuarr_array_is_read_only(mine.handle)
    try:
        mine.fill(1)
    except RuntimeError as error:
        assert "read-only" in str(error)
    else:
        raise AssertionError("a read-only array was written to")


def wrapped_numpy():
    theirs = np.arange(12.0).reshape(3, 4)
    returned = []
    deleter = g.Deleter(returned.append)
    shape, strides = (c_int64 * 2)(3, 2), (c_int64 * 2)(4, 2)
    mine = g.Array(lib, lib.made(
        "gpuarr_array_wrap", lib.device, c_int32(g.F64), c_int32(2), shape, strides,
        c_void_p(theirs.ctypes.data), c_int32(g.READ_ONLY), deleter, c_void_p(42)))
    assert mine.values() == theirs[:, ::2].ravel().tolist()
    shown = np.asarray(g.HostInterface(mine))
    assert not shown.flags.writeable
    del mine, shown
    gc.collect()
    assert returned == [42]


def main():
    tests = [ours_in_numpy, views_of_ours, memory_stays_for_numpy, versions, numpys_in_ours,
             numpys_memory_comes_back, read_only_numpy, wrapped_numpy]
    for test in tests:
        test()
    gc.collect()
    assert lib.c.gpuarr_live_objects() == 0
    print(f"{len(tests)} tests passed with NumPy {np.__version__}")


main()
