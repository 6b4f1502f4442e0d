#!/usr/bin/env python3
"""Exchanges arrays on a GPU with PyTorch and CuPy: DLPack and array interfaces, both ways, with
work that is still running in other streams.

    interop_gpu.py LIBRARY PyTorch|CuPy

LIBRARY is libgpuarr as a shared library. Ends with 77 where the other one is not installed.
"""
import gc
import os
import sys
from ctypes import c_int64, c_void_p

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
import gpuarr_ctypes as g  # noqa: E402

COUNT = 1 << 16
NONE = -2**63


class Torch:
    """What the tests need of PyTorch."""

    name = "PyTorch"

    def __init__(self):
        import torch
        if not torch.cuda.is_available():
            raise ImportError("it sees no GPU")
        self.torch = torch
        self.version = torch.__version__
        self.dtypes = {g.BOOL: torch.bool, g.I8: torch.int8, g.I16: torch.int16, g.I32: torch.int32,
                       g.I64: torch.int64, g.U8: torch.uint8, g.F16: torch.float16,
                       g.BF16: torch.bfloat16, g.F32: torch.float32, g.F64: torch.float64,
                       g.C64: torch.complex64, g.C128: torch.complex128}
        torch.zeros(1, device="cuda")

    def stream(self):
        return self.torch.cuda.Stream()

    def use(self, stream):
        return self.torch.cuda.stream(stream)

    def native(self, stream):
        return stream.cuda_stream

    def work_long(self):
        self.torch.cuda._sleep(100_000_000)  # clocks

    def from_dlpack(self, array):
        return self.torch.from_dlpack(array)

    def from_interface(self, array):
        return self.torch.as_tensor(g.CudaInterface(array), device="cuda")

    def zeros(self, count):
        return self.torch.zeros(count, dtype=self.torch.float64, device="cuda")

    def fill(self, theirs, value):
        theirs.fill_(value)

    def copy(self, theirs):
        return theirs.clone()

    def address(self, theirs):
        return theirs.data_ptr()

    def values(self, theirs):
        return theirs.cpu().to(self.torch.float64).flatten().tolist()

    def used(self):
        return self.torch.cuda.memory_allocated()


class Cupy:
    name = "CuPy"

    def __init__(self):
        import cupy
        if cupy.cuda.runtime.getDeviceCount() < 1:
            raise ImportError("it sees no GPU")
        self.cupy = cupy
        self.version = cupy.__version__
        self.dtypes = {g.BOOL: "?", g.I8: "i1", g.I16: "i2", g.I32: "i4", g.I64: "i8", g.U8: "u1",
                       g.U16: "u2", g.U32: "u4", g.U64: "u8", g.F16: "f2", g.F32: "f4", g.F64: "f8",
                       g.C64: "c8", g.C128: "c16"}
        self.streams = []  # we borrow them for longer than the tests hold them
        self.kernel = cupy.RawKernel(
            'extern "C" __global__ void spin(long long clocks) {'
            "  long long start = clock64(); while (clock64() - start < clocks) {} }", "spin")

    def stream(self):
        self.streams.append(self.cupy.cuda.Stream(non_blocking=True))
        return self.streams[-1]

    def use(self, stream):
        return stream

    def native(self, stream):
        return stream.ptr

    def work_long(self):
        self.kernel((1,), (1,), (self.cupy.int64(100_000_000),))

    def from_dlpack(self, array):
        return self.cupy.from_dlpack(array)

    def from_interface(self, array):
        return self.cupy.asarray(g.CudaInterface(array))

    def zeros(self, count):
        return self.cupy.zeros(count, dtype="f8")

    def fill(self, theirs, value):
        theirs.fill(value)

    def copy(self, theirs):
        return theirs.copy()

    def address(self, theirs):
        return theirs.data.ptr

    def values(self, theirs):
        return theirs.get().astype("c16").real.ravel().tolist()

    def used(self):
        return self.cupy.get_default_memory_pool().used_bytes()


def every_type_both_ways(lib, them):
    for dtype, their_dtype in them.dtypes.items():
        theirs = None
        for versions in ((True,), (False,)):
            mine = lib.zeros(dtype, (3, 4))
            mine.versions = versions
            mine.fill(1)
            try:
                theirs = them.from_dlpack(mine)
            except (RuntimeError, ValueError, BufferError, TypeError) as error:
                print(f"  {them.name} takes no {versions} {their_dtype}: {error}")
                lib.sweep()
                continue
            assert theirs.dtype == their_dtype and tuple(theirs.shape) == (3, 4)
            assert them.address(theirs) == mine.data
            assert them.values(theirs) == [1] * 12
        if theirs is None:
            continue
        back = lib.from_dlpack(theirs)
        assert back.data == mine.data and back.shape == (3, 4) and back.values() == [1] * 12
        if dtype != g.BF16:  # which not all of them spell
            shown = them.from_interface(mine)
            assert shown.dtype == their_dtype and them.address(shown) == mine.data


def shapes_and_strides(lib, them):
    array = lib.arange(24)
    steps = array.view("slice", c_int64(0), c_int64(1), c_int64(NONE), c_int64(3))
    for theirs in (them.from_dlpack(steps), them.from_interface(steps)):
        assert them.values(theirs) == list(range(1, 24, 3))
    for shape in ((0,), (2, 0, 3), ()):
        theirs = them.from_dlpack(lib.zeros(g.F32, shape))
        assert tuple(theirs.shape) == shape
        assert lib.from_dlpack(theirs).shape == shape
    theirs = them.zeros(12)[2:].reshape(2, 5).T
    mine = lib.from_dlpack(theirs)
    assert mine.shape == (5, 2) and mine.data == them.address(theirs)


def they_wait_for_our_work(lib, them):
    mine = lib.zeros(g.F64, (COUNT,))
    ours = lib.stream()
    lib.call("gpuarr_device_synchronize", lib.device)
    lib.add_slowly(mine, ours)
    side = them.stream()
    with them.use(side):
        copied = them.copy(them.from_dlpack(mine))
    side.synchronize()
    assert all(abs(value - 1) < 1e-6 for value in them.values(copied))
    lib.release("stream", ours)


def we_wait_for_their_work(lib, them):
    for told in (True, False):  # they make our stream wait, or we are told theirs
        theirs = them.zeros(COUNT)
        side = them.stream()
        lib.call("gpuarr_device_synchronize", lib.device)
        with them.use(side):
            them.work_long()
            them.fill(theirs, 7)
            if told:
                mine = lib.from_dlpack(theirs)
        if not told:
            producer = lib.made("gpuarr_stream_borrow", lib.device, c_void_p(them.native(side)))
            mine = lib.from_dlpack(theirs, producer)
            lib.release("stream", producer)
        assert mine.values() == [7] * COUNT
        side.synchronize()


def our_memory_waits_for_their_work(lib, them):
    """They have let go of it while they still use it, and so have we."""
    used = lib.memory_used()
    mine = lib.zeros(g.F64, (COUNT,))
    mine.fill(3)
    side = them.stream()
    with them.use(side):
        theirs = them.from_dlpack(mine)
        them.work_long()
        copied = them.copy(theirs)
    del theirs, mine
    gc.collect()
    lib.sweep()
    others = [lib.zeros(g.F64, (COUNT,)) for _ in range(4)]
    for other in others:
        other.fill(-1)
    side.synchronize()
    assert them.values(copied) == [3] * COUNT
    del others, other
    gc.collect()
    assert lib.memory_used() == used, (lib.memory_used(), used)


def their_memory_waits_for_our_work(lib, them):
    before = them.used()
    theirs = them.zeros(COUNT)
    side = lib.stream()
    mine = lib.from_dlpack(theirs)
    lib.call("gpuarr_device_synchronize", lib.device)
    del theirs
    gc.collect()
    assert them.used() > before
    result = lib.zeros(g.F64, (COUNT,))
    lib.call("gpuarr_device_synchronize", lib.device)
    lib.add_slowly(mine, side)
    lib.call("gpuarr_array_assign", result.handle, mine.handle, side)
    del mine  # waits
    gc.collect()
    assert them.used() == before, (them.used(), before)
    others = [them.zeros(COUNT) for _ in range(4)]
    lib.call("gpuarr_stream_synchronize", side)
    assert all(abs(value - 1) < 1e-6 for value in result.values())
    del others
    lib.release("stream", side)


def read_only_arrays(lib, them):
    """The older struct cannot say it; what else they do with one is theirs."""
    capsule = lib.arange(4).__dlpack__(max_version=(1, 0), stream=-1)
    tensor = g.capsule_pointer(capsule, g.NAMES[True])
    c_int64.from_address(tensor + 24).value = g.READ_ONLY  # its flags
    mine = g.Array(lib, lib.made("gpuarr_array_from_dlpack", c_void_p(tensor), None, None))
    g.capsule_rename(capsule, g.USED[True])
    assert lib.c.gpuarr_array_is_read_only(mine.handle)
    assert mine.interface()["data"] == (mine.data, True)
    mine.versions = (False,)
    try:
        them.from_dlpack(mine)
    except RuntimeError as error:
        assert "read-only" in str(error), error
    else:
        raise AssertionError("a read-only array was given away as one to write to")


TESTS = [every_type_both_ways, shapes_and_strides, they_wait_for_our_work, we_wait_for_their_work,
         our_memory_waits_for_their_work, their_memory_waits_for_our_work, read_only_arrays]


def main():
    library = next(library for library in (Torch, Cupy) if library.name == sys.argv[2])
    try:
        them = library()
    except Exception as error:  # without a driver they fail in ways of their own
        print(f"skipped: no {library.name}: {error}")
        sys.exit(77)
    lib = g.Library(sys.argv[1], "cuda:0")
    for test in TESTS:
        test(lib, them)
        gc.collect()
        lib.sweep()
    print(f"{len(TESTS)} tests passed with {them.name} {them.version}")
    assert lib.c.gpuarr_live_objects() == 0, lib.c.gpuarr_live_objects()


main()
