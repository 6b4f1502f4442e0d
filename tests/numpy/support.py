"""What the scripts of this folder share: NAME.py LIBRARY [DEVICE].

    from support import lib, np, rng, refused, same    # opens the library and the device
    x = lib.upload(values, layout="strided")           # an Array from NumPy's, in any layout
    lib.make("add", x, 2.5)                            # gpuarr_add(&out, x, 2.5, NULL) -> Array
    lib.make("add", x, 2.5, out=y)                     # into y, which it returns
    lib.call("array_fill", x, 3)                       # what makes no array
    same(lib.make("add", x, 2.5).numpy(), values + 2.5, ulp=1)
    refused("GPUARR_ERR_DTYPE", "no order", "minimum", x, y)

CATALOGUE has what src/ops/functions/catalogue says of each elementwise function, by name.

Signatures come from bindings/gen/api.json. For a gpuarr_arg stands an Array or a number of Python's
or NumPy's, for a pointer to numbers a list, for what may be NULL None; a stream not given is NULL.
bfloat16 is uint16 in NumPy: give dtype=BF16, and see to_bfloat16 and from_bfloat16.

The device is $GPUARR_TEST_DEVICE unless given. $GPUARR_TEST_SEED repeats a run, or is "clock".
Ends with 77 (skipped) where there is no NumPy.
"""
import ctypes
import json
import os
import re
import sys
import time
from ctypes import byref, c_char_p, c_double, c_float, c_int64, c_void_p

try:
    import numpy as np
except ImportError:
    print("skipped: no NumPy")
    sys.exit(77)

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TESTS, "support"))
from gpuarr_ctypes import (BF16, BOOL, C64, C128, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32,
                           U64, Arg)  # noqa: E402

MORE = os.environ.get("GPUARR_TEST_MORE") == "1"
NAMES = {BOOL: "?", I8: "i1", I16: "i2", I32: "i4", I64: "i8", U8: "u1", U16: "u2", U32: "u4",
         U64: "u8", F16: "f2", F32: "f4", F64: "f8", C64: "c8", C128: "c16"}
NUMPY = {**{dtype: np.dtype(name) for dtype, name in NAMES.items()}, BF16: np.dtype("u2")}
OURS = {np.dtype(name): dtype for dtype, name in NAMES.items()}
INTEGERS = (I8, I16, I32, I64, U8, U16, U32, U64)
FLOATS = (F16, F32, F64)  # that NumPy has
COMPLEX = (C64, C128)
C_TYPES = {"double": c_double, "float": c_float, "gpuarr_status": ctypes.c_int32,
           "gpuarr_dtype": ctypes.c_int32, "gpuarr_attribute": ctypes.c_int32, "gpuarr_arg": Arg,
           "void": None, "const char*": c_char_p,
           **{f"{sign}int{bits}_t": getattr(ctypes, f"c_{sign}int{bits}")
              for sign in ("", "u") for bits in (8, 16, 32, 64)}}

np.seterr(all="ignore")
if np.__version__.startswith("1."):
    np._set_promotion_state("weak")  # as NumPy 2 promotes


def drawn_seed():
    wanted = os.environ.get("GPUARR_TEST_SEED", "")
    seed = int(time.time()) if wanted == "clock" else int(wanted or 1)
    print(f"GPUARR_TEST_SEED={seed}", flush=True)
    return seed


rng = np.random.default_rng(drawn_seed())


def some(choices, count):
    """So many of the choices at random, or all with GPUARR_TEST_MORE=1."""
    choices = list(choices)
    if MORE or count >= len(choices):
        return choices
    return [choices[k] for k in sorted(rng.permutation(len(choices))[:count])]


class Failure(Exception):
    """What a function refused: its status and its message."""

    def __init__(self, status, message):
        super().__init__(f"{status}: {message}")
        self.status, self.message = status, message


def described(name):
    """What a file of bindings/gen says of the library."""
    with open(os.path.join(TESTS, "..", "bindings", "gen", name)) as file:
        return json.load(file)


CATALOGUE = {row["name"]: row for row in described("functions.json")["functions"]}


class Library:
    def __init__(self, path, device):
        api = described("api.json")
        self.c = ctypes.CDLL(path)
        self.parameters = {}
        self.constants = {c["name"]: c["value"] for c in api["constants"]}
        for function in api["functions"]:
            if hasattr(self.c, function["name"]):
                self.declare(function)
        self.on_gpu = device.startswith("cuda")
        self.device = self.handle("device_open", device.encode())

    def declare(self, function):
        parameters = self.parameters[function["name"]] = function.get("parameters", [])
        declared = getattr(self.c, function["name"])
        declared.restype = C_TYPES.get(function["result"], c_void_p)
        declared.argtypes = [C_TYPES.get(p["c"], c_void_p) for p in parameters]

    def call(self, name, *arguments):
        """gpuarr_NAME; raises Failure if it returns a status that is not GPUARR_OK."""
        name = "gpuarr_" + name
        parameters = self.parameters[name]
        if len(arguments) + 1 == len(parameters) and parameters[-1]["name"] == "stream":
            arguments += (None,)
        if len(arguments) != len(parameters):
            raise TypeError(f"{name} takes {[p['name'] for p in parameters]}")
        status = getattr(self.c, name)(*map(converted, parameters, arguments))
        if getattr(self.c, name).restype == C_TYPES["gpuarr_status"] and status != 0:
            raise Failure(status, self.c.gpuarr_last_error().decode())
        return status

    def handle(self, name, *arguments):
        """What a function puts into its first argument."""
        out = c_void_p()
        self.call(name, byref(out), *arguments)
        return out

    def make(self, name, *arguments, out=None):
        """The array that a function makes, or those, if its first parameters are several. `out` has
        an Array for each that is given, None for each to be made, False for each not wanted."""
        parameters = self.parameters["gpuarr_" + name]
        count = 0
        while parameters[count]["c"] == "gpuarr_array**":
            count += 1
        given = out if isinstance(out, tuple) else (out,) * count
        cells = [c_void_p(g.handle.value) if g else c_void_p() for g in given]
        self.call(name, *(None if g is False else byref(c) for g, c in zip(given, cells)),
                  *arguments)
        made = tuple(g or (Array(c) if c.value else None) for g, c in zip(given, cells))
        return made[0] if count == 1 else made

    def arange(self, count, dtype=I64):
        return self.make("array_arange", self.device, dtype, 0, count, 1)

    def empty(self, dtype, shape, order=0):
        return self.make("array_empty", self.device, dtype, len(shape), list(shape), order)

    def upload(self, values, dtype=None, layout="c"):
        """An array of these elements. Layouts: "c" and "f"; "strided", with axes in any order of
        memory, forwards or backwards, with gaps; "any" is one of these, by chance."""
        values = np.asarray(values)
        dtype = dtype or OURS[values.dtype]
        values = values.astype(NUMPY[dtype], copy=False)
        if layout == "any":
            layout = ("c", "f", "strided")[rng.integers(3)]
        if layout != "strided":
            return self.from_host(np.array(values, order=layout.upper()), dtype)
        order = rng.permutation(values.ndim)
        steps = [int(step) for step in rng.choice((1, 2, -1, -2), values.ndim)]
        base = np.full([extent * abs(step) for extent, step in zip(values.shape, steps)], 1,
                       values.dtype)
        window = tuple(slice(None, None, step) for step in steps)
        base[window] = values
        array = self.from_host(np.array(base.transpose(order), order="C"), dtype)
        array = self.make("array_transpose", array, values.ndim, np.argsort(order).tolist())
        for axis, step in enumerate(steps):
            none = self.constants["GPUARR_NONE"]
            array = self.make("array_slice", array, axis, none, none, step)
        return array

    def from_host(self, values, dtype):
        strides = [stride // values.itemsize for stride in values.strides]
        return self.make("array_from_host", self.device, dtype, values.ndim, list(values.shape),
                         strides, values.ctypes.data, values.nbytes)

    def broadcast(self, array, shape):
        return self.make("array_broadcast", array, len(shape), list(shape))


class Array:
    """Releases its handle when it dies."""

    def __init__(self, handle):
        self.handle = handle

    def __del__(self):
        lib.c.gpuarr_array_release(self.handle)

    @property
    def shape(self):
        ndim = lib.c.gpuarr_array_ndim(self.handle)
        return tuple((c_int64 * ndim).from_address(lib.c.gpuarr_array_shape(self.handle) or 1))

    @property
    def strides(self):
        ndim = lib.c.gpuarr_array_ndim(self.handle)
        return tuple((c_int64 * ndim).from_address(lib.c.gpuarr_array_strides(self.handle) or 1))

    @property
    def dtype(self):
        return lib.c.gpuarr_array_dtype(self.handle)

    def numpy(self):
        values = np.empty(self.shape, NUMPY[self.dtype])
        lib.call("array_read", values.ctypes.data, values.nbytes, None, self)
        return values


def converted(parameter, value):
    """What ctypes takes for a parameter."""
    kind = parameter["c"]
    if kind == "gpuarr_arg":
        return as_arg(value)
    if kind == "const gpuarr_arg*" and isinstance(value, (list, tuple)):
        return (Arg * len(value))(*map(as_arg, value))
    if isinstance(value, Array):
        return value.handle
    if isinstance(value, (list, tuple)):
        value = [v.handle.value if isinstance(v, Array) else v for v in value]
        return (C_TYPES.get(re.sub(r"const |\*", "", kind), c_void_p) * len(value))(*value)
    return value


def as_arg(value):
    """An Array, a number of Python's, or one of NumPy's, which keeps its dtype."""
    if isinstance(value, (Arg, Array)):
        return value if isinstance(value, Arg) else Arg(array=value.handle.value)
    if isinstance(value, int) and not isinstance(value, bool) and value > 2**63 - 1:
        value = np.uint64(value)
    element = np.asarray(value)  # of a Python number: bool, int64, float64, complex128
    arg = Arg(dtype=OURS[element.dtype])
    ctypes.memmove(arg.value, element.tobytes(), element.itemsize)
    return arg


def refused(status, pattern, name, *arguments, **options):
    """The call must fail with a status, by name, and a message in which the pattern is found."""
    try:
        lib.make(name, *arguments, **options)
    except Failure as failure:
        assert failure.status == lib.constants[status], (name, status, str(failure))
        assert re.search(pattern, failure.message), (pattern, failure.message)
    else:
        raise AssertionError(f"gpuarr_{name} did not fail with {status}")


def to_bfloat16(values):
    """uint16 of float32, rounded to nearest, ties to even."""
    bits = np.array(values, np.float32).view(np.uint32)
    rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
    return np.where(np.isnan(values), bits >> 16 | 0x40, rounded).astype(np.uint16)


def from_bfloat16(bits):
    return (np.asarray(bits, np.uint32) << 16).view(np.float32)


def specials(dtype):
    """What goes wrong first: of 0, infinities, NaN, subnormals, the largest, the smallest."""
    kind = NUMPY[dtype]
    if dtype == BOOL:
        return np.array([False, True])
    if dtype in INTEGERS:
        info = np.iinfo(kind)
        values = {0, 1, 2, 3, 7, info.min, info.min + 1, info.max, info.max - 1, kind.itemsize * 8}
        return np.array(sorted(values | ({-1, -2, -3, -7} if info.min else set())), kind)
    if dtype == BF16:
        return to_bfloat16(specials(F32))
    if dtype in COMPLEX:
        parts = specials(F32 if dtype == C64 else F64)
        pairs = np.array(np.meshgrid(parts, parts)).reshape(2, -1)
        values = np.empty(pairs.shape[1], kind)
        values.real, values.imag = pairs
        return values
    info = np.finfo(kind)
    one = [0.0, 1, 0.5, 2, 3, 1.5, 2.5, np.pi, 10, np.inf, info.max, info.tiny, info.eps,
           1 - info.eps, np.nextafter(kind.type(0), kind.type(1))]
    one = np.array(one, kind)
    return np.concatenate([one, -one, np.array([np.nan], kind)])


def random_values(dtype, shape):
    """Of all sizes, with the special ones among them."""
    kind, size = NUMPY[dtype], int(np.prod(shape, dtype=np.int64))
    if dtype == BF16:
        return to_bfloat16(random_values(F32, shape))
    if dtype in COMPLEX:
        part = F32 if dtype == C64 else F64
        values = np.empty(shape, kind)
        values.real, values.imag = random_values(part, shape), random_values(part, shape)
        return values
    if dtype == BOOL:
        return rng.integers(2, size=shape).astype(bool)
    if dtype in INTEGERS:
        info = np.iinfo(kind)
        wide = rng.integers(info.min, info.max, size, kind, endpoint=True)
        values = np.where(rng.random(size) < 0.5, wide, wide % kind.type(20))
    else:
        values = rng.standard_normal(size) * 10.0 ** rng.integers(-3, 4, size)
    some_special = rng.choice(specials(dtype), size) if size else values
    values = np.where(rng.random(size) < 0.1, some_special, values.astype(kind))
    return values.astype(kind).reshape(shape)


def random_shape(most_axes=4, most=7):
    return tuple(int(n) for n in rng.integers(0 if rng.random() < 0.1 else 1, most + 1,
                                              rng.integers(0, most_axes + 1)))


def random_array(dtype, shape, layout="any"):
    """NumPy's and ours, of the same random elements."""
    values = random_values(dtype, shape)
    return values, lib.upload(values, dtype, layout)


def ordered(values):
    """Of floats the numbers of steps from 0, so that neighbours differ by 1."""
    bits = values.view(f"i{values.itemsize}")
    return np.where(bits < 0, np.iinfo(bits.dtype).min - bits, bits).astype(np.longdouble)


def ulps(got, expected):
    """By element, how many floats apart; infinite where only one is a NaN, or both differ in the
    sign of zero."""
    if got.dtype.kind == "c":
        return np.maximum(ulps(got.real.copy(), expected.real.copy()),
                          ulps(got.imag.copy(), expected.imag.copy()))
    if got.dtype.kind != "f":
        return np.where(got == expected, 0.0, np.inf)
    apart = np.abs(ordered(got) - ordered(expected))
    nan = np.isnan(got) | np.isnan(expected)
    wrong = np.where(np.isnan(got) & np.isnan(expected), 0.0, np.inf)
    zeros = (got == 0) & (expected == 0) & (np.signbit(got) != np.signbit(expected))
    return np.where(nan, wrong, np.where(zeros, np.inf, apart))


def same(got, expected, ulp=0, what="", signed_zeros=True):
    """Same shape, dtype and values, which may be `ulp` floats apart."""
    got, expected = np.asarray(got), np.asarray(expected)
    assert got.shape == expected.shape, (what, got.shape, expected.shape)
    assert got.dtype == expected.dtype, (what, got.dtype, expected.dtype)
    got, expected = np.array(got, order="C"), np.array(expected, order="C")
    if got.size == 0:
        return
    error = ulps(got, expected)
    if not signed_zeros and got.dtype.kind in "fc":
        error = np.where(got == expected, 0, error)
    if error.max() > ulp:
        worst = np.unravel_index(error.argmax(), error.shape)
        raise AssertionError(f"{what}: {error[worst]} ulp at {worst}: {got[worst]!r}, not "
                             f"{expected[worst]!r}; {(error > ulp).sum()} of {error.size} differ")


lib = Library(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else
              os.environ.get("GPUARR_TEST_DEVICE") or "host")
