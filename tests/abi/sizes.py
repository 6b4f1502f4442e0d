#!/usr/bin/env python3
"""Calls every function that makes an array with sizes that are too large, or nearly.

usage: sizes.py LIBRARY [FUNCTION]...

Made of bindings/gen/api.json. Arrays of one element, broadcast to 2^31 - 1 to 2^62 + 1, take the
place of each array once, in shapes of one, two and 32 axes; each size, count and shape is as large.
All that may come of it is an array whose first and last elements are there, or an error of the
arguments or of memory, of which there are 256 MiB; or the call comes to the compiler, which there
is none of, as a kernel over 2^60 elements would run for years. With GPUARR_TEST_MORE there is one,
what still runs after a moment is ended, and small arrays of 32 axes give what those of two do.
"""
import ctypes
import itertools
import mmap
import os
import signal
import struct
import sys
from ctypes import byref, c_int32, c_int64, c_void_p

MORE = "GPUARR_TEST_MORE" in os.environ
os.environ.update(GPUARR_MEMORY_LIMIT="256MiB", GPUARR_NUM_THREADS="2")
if not MORE:
    os.environ["GPUARR_CXX"] = "/nowhere"
from calls import api, c, device, made, make_handles, plain, value_of, with_handle  # noqa: E402

BOOL, I8, I32, I64, F64, C128 = 1, 2, 4, 5, 13, 15
ERR_NO_COMPILER = 302
MEMORY = 256 << 20
SIZES = [2**31 - 1, 2**31, 2**31 + 1, *(2**k + more for k in (60, 61, 62) for more in (0, 1))]
NUMBERS = [*SIZES, 2**63 - 1, -1, -2**63]
# Their arrays are where the caller says; and there is nothing to size.
PASSED = {"gpuarr_array_from_dlpack", "gpuarr_array_from_dlpack_legacy", "gpuarr_array_wrap",
          "gpuarr_module_global", "gpuarr_npy_load"}
DTYPES = {"mask": BOOL, "where": BOOL, "indices": I64, "pivots": I64, "counts": I64}
# They go through a list in the host's memory, for as long as it takes: a moment is given them.
READERS = {"gpuarr_repeat_each"}
VALUES = {"axis": 0, "axis1": 0, "axis2": 1, "order": 0, "mode": 0, "stream": None}


def shapes_of(size):
    """Of one, two, three and 32 axes, and two of no elements."""
    factors = []
    rest = size
    for prime in (2, 3, 5, 7, 11, 13, 17):
        while rest % prime == 0 and len(factors) < 61:
            factors.append(prime)
            rest //= prime
    factors.append(rest)
    many = [1] * 32
    for i, factor in enumerate(factors):
        many[i * 7 % 32] *= factor
    shapes = [[size], [1, size], [0, size], [size, 0], many]
    if size % 4 == 0:
        low = 2 ** ((size.bit_length() - 1) // 2)
        shapes += [[size // low, low], [size // 4, 2, 2]]
    return shapes


def extents(shape):
    return (c_int64 * 64)(*shape)


def zeros(dtype, shape):
    return made("gpuarr_array_zeros", device, dtype, len(shape), extents(shape), 0, None)


def broadcast(dtype, shape):
    """None where so many bytes are refused, as they should be."""
    one, out = zeros(dtype, [1]), c_void_p()
    status = c.gpuarr_array_broadcast(byref(out), one, len(shape), extents(shape))
    c.gpuarr_array_release(one)
    return out if status == 0 else None


class Case:
    """One call: what stands for which parameter, and the shape of what is large."""

    def __init__(self, function, label, operands, **given):
        self.function, self.label, self.given = function, label, given
        self.operands = operands  # the dtype of small arrays

    def value(self, p, smalls):
        small = smalls[DTYPES.get(p["name"], self.operands)]
        base, stars = plain(p["c"])
        if p["name"] in self.given:
            return self.given[p["name"]]
        if p["c"] == "gpuarr_dtype":
            return self.operands
        if with_handle(p, small) is not None and base in ("gpuarr_array", "gpuarr_arg"):
            return with_handle(p, small)
        if p["name"] in VALUES:
            return VALUES[p["name"]]
        if base == "int32_t" and stars:
            return (c_int32 * 64)()
        if p["name"] == "count" and any(q["c"].startswith("const gpuarr_array* const*")
                                        for q in self.function["parameters"]):
            return 4
        return value_of(self.function["name"], p)

    def arguments(self, smalls):
        self.outs = []
        for p in self.function["parameters"]:
            if plain(p["c"])[0] == "gpuarr_array" and "const" not in p["c"] and "**" in p["c"]:
                self.outs.append((c_void_p * 4)())
                yield self.outs[-1]
            else:
                yield self.value(p, smalls)


def takes_arrays(p):
    base = plain(p["c"])[0]
    return base == "gpuarr_arg" or base == "gpuarr_array" and "const" in p["c"]


def cases_of(f, large):
    """With each array, number and shape too large in turn, and with all arrays."""
    parameters = f["parameters"]
    arrays = [p for p in parameters if takes_arrays(p)]
    has_shape = any(p["name"] == "shape" for p in parameters)
    for (dtype, shape), handle in large.items():
        if dtype not in (I8, C128):
            continue
        given = {p["name"]: with_handle(p, large.get((DTYPES.get(p["name"], dtype), shape), handle))
                 for p in arrays}
        shaped = {"ndim": len(shape), "shape": extents(shape)} if has_shape else {}
        shaped |= {q["name"]: C128 for q in parameters if q["c"] == "gpuarr_dtype"}
        for p in arrays:
            one = {p["name"]: given[p["name"]]}
            yield Case(f, f"{p['name']} of {shape}", dtype, **one, **shaped)
        if len(arrays) > 1:
            yield Case(f, f"all of {shape}", dtype, **given, **shaped)
    for dtype, size in itertools.product((I8, C128), NUMBERS):
        for p in parameters:
            base, stars = plain(p["c"])
            if base != "int64_t" or stars > 1:
                continue
            value = extents([size] * 32) if stars else size
            yield Case(f, f"{p['name']} {size}", dtype, **{p["name"]: value})
        if has_shape:
            for shape in shapes_of(size) if size > 0 else ():
                yield Case(f, f"shape {shape}", dtype, shape=extents(shape), ndim=len(shape))


class Shared:
    """Numbers that children leave behind: the case that runs, and counts."""

    names = ("case", "made", "refused", "compiled", "complaints")

    def __init__(self):
        self.cells = (c_int64 * len(self.names)).from_buffer(mmap.mmap(-1, 4096))

    def __getitem__(self, name):
        return self.cells[self.names.index(name)]

    def __setitem__(self, name, value):
        self.cells[self.names.index(name)] = value


shared = Shared()


def complain(case, what):
    shared["complaints"] += 1
    print(f"{case.function['name']}: {case.label} of dtype {case.operands}: {what}", flush=True)


def check(case, out):
    """That its first and last bytes are there: reading them ends the process if they are not."""
    array = c_void_p(out)
    ndim = c.gpuarr_array_ndim(array)
    shape = (c_int64 * ndim).from_address(c.gpuarr_array_shape(array)) if ndim else []
    steps = (c_int64 * 32)()
    assert c.gpuarr_array_byte_strides(steps, array) == 0
    size, low, high = 1, 0, c.gpuarr_dtype_size(c.gpuarr_array_dtype(array)) - 1
    for extent, step in zip(shape, steps):
        size *= extent
        low, high = low + min(0, (extent - 1) * step), high + max(0, (extent - 1) * step)
    if size != c.gpuarr_array_size(array):
        complain(case, f"made {list(shape)} of size {c.gpuarr_array_size(array)}")
    elif size > 0 and high - low >= MEMORY:
        complain(case, f"made {list(shape)} of {high - low + 1} bytes")
    elif size > 0:
        data = c.gpuarr_array_data(array)
        ctypes.string_at(data + low, 1)
        ctypes.string_at(data + high, 1)


def try_case(case):
    name = case.function["name"]
    arguments = list(case.arguments(smalls))
    status = getattr(c, name)(*arguments)
    if status == 0:
        shared["made"] += 1
        for out in {out for outs in case.outs for out in outs if out}:
            check(case, out)
            c.gpuarr_array_release(out)
        return
    if status == ERR_NO_COMPILER and not MORE:
        shared["compiled"] += 1
        return
    shared["refused"] += 1
    message = c.gpuarr_last_error().decode(errors="replace")
    if status // 100 not in (1, 2, 5, 7) or not message.startswith(name + ":"):
        complain(case, f"{status}, {message!r}")


def run(f, cases, start, seconds):
    for dtype in (I8, C128) if MORE else ():  # compiles
        getattr(c, f["name"])(*Case(f, "small", dtype).arguments(smalls))
    for i, case in enumerate(cases[start:], start):
        shared["case"] = i
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try_case(case)


def try_function(f):
    """In children of this process, one after another; returns how many were ended."""
    cases, start, ended = list(cases_of(f, large)), 0, 0
    reads = MORE or f["name"] in READERS
    while start < len(cases):
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            run(f, cases, start, 0.1 if reads else 20)
            os._exit(0)
        status = os.waitpid(child, 0)[1]
        if status == 0:
            break
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM and reads:
            ended += 1
        else:
            complain(cases[shared["case"]], f"wait status {status}")
        start = shared["case"] + 1
    return ended


def matrix(dtype, shape):
    """Four numbers that are an index, or a matrix that has an inverse."""
    values = [0, 1, 0, 1] if dtype in (BOOL, I64) else [4, 1, 2, 3]
    data = struct.pack("4" + {BOOL: "?", I32: "i", I64: "q", F64: "d"}[dtype], *values)
    return made("gpuarr_array_from_host", device, dtype, len(shape), extents(shape), None, data,
                len(data), None)


def bytes_made(f, dtype, shape):
    """What a call makes of small arrays of that shape; None where it refuses them."""
    operands = {k: matrix(k, shape) for k in (BOOL, I32, I64, F64)}
    case = Case(f, f"small arrays of {shape}", dtype)
    if getattr(c, f["name"])(*case.arguments(operands)) != 0:
        return None
    results = []
    for array in (c_void_p(out) for outs in case.outs for out in outs if out):
        size = c.gpuarr_array_size(array) * c.gpuarr_dtype_size(c.gpuarr_array_dtype(array))
        buffer = ctypes.create_string_buffer(max(size, 1))
        assert c.gpuarr_array_read(buffer, size, None, array, None) == 0
        results.append(buffer.raw[:size])
    return results


def try_axes(f, dtype):
    """Axes of one change nothing: behind what an axis is named of, before matrices."""
    names_axes = any("ax" in p["name"] for p in f["parameters"])
    many = [2, 2] + [1] * 30 if names_axes else [1] * 30 + [2, 2]
    few, same = bytes_made(f, dtype, [2, 2]), bytes_made(f, dtype, many)
    if few is None or same is None:
        return 0
    if few != same:
        complain(Case(f, f"axes {many}", dtype), f"made {same} where two axes make {few}")
    return 1


make_handles({"gpuarr_array", "gpuarr_function", "gpuarr_stream", "gpuarr_generator",
              "gpuarr_elementwise", "gpuarr_reduction", "gpuarr_scan",
              "gpuarr_gufunc", "gpuarr_blocked", "gpuarr_team"})
smalls = {dtype: zeros(dtype, [1]) for dtype in (BOOL, I8, I64, C128)}
shapes = [shape for size in SIZES for shape in shapes_of(size)] + [[1] * 32, [1, 2] * 16]
large = {(dtype, tuple(shape)): broadcast(dtype, shape) for shape in shapes for dtype in smalls}
large = {key: handle for key, handle in large.items() if handle}
tried = ended = compared = 0
for f in api["functions"]:
    makes = any(p["c"].replace(" ", "") == "gpuarr_array**" for p in f.get("parameters", []))
    if not makes or f["name"] in PASSED or sys.argv[2:] and f["name"] not in sys.argv[2:]:
        continue
    tried += 1
    ended += try_function(f)
    if MORE and any(map(takes_arrays, f["parameters"])) and "random" not in f["name"]:
        compared += try_axes(f, F64) or try_axes(f, I32)
print(f"{tried} functions: {shared['made']} calls made arrays, {shared['refused']} were refused,"
      f" {shared['compiled']} came to the compiler,"
      f" {ended} were ended, {compared} functions compared with 32 axes;"
      f" {shared['complaints']} wrong")
sys.exit(1 if shared["complaints"] else 0)
