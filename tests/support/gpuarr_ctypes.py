"""The library through ctypes, and its arrays as the objects that Python's array libraries exchange.

    lib = Library("libgpuarr.so", "cuda:0")
    array = lib.arange(12)            # float64; has __dlpack__ and what array interfaces ask for
    mine = lib.from_dlpack(theirs)    # of anything that has __dlpack__
"""
import ctypes
from ctypes import POINTER, byref, c_char_p, c_double, c_int32, c_int64, c_ubyte, c_void_p

BOOL, I8, I16, I32, I64, U8, U16, U32, U64, F16, BF16, F32, F64, C64, C128 = range(1, 16)
CPU, CUDA = 1, 2  # DLPack's types of devices
READ_ONLY = 1

# Names must outlive their capsules.
NAMES = {True: b"dltensor_versioned", False: b"dltensor"}
USED = {True: b"used_dltensor_versioned", False: b"used_dltensor"}
DELETER_AT = {True: 16, False: 56}  # bytes from the tensor's begin

Deleter = ctypes.CFUNCTYPE(None, c_void_p)


class Arg(ctypes.Structure):
    _fields_ = [("array", c_void_p), ("dtype", c_int32), ("flags", c_int32),
                ("value", c_ubyte * 16)]


def python_function(name, result, *arguments):
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


capsule_new = python_function("PyCapsule_New", ctypes.py_object, c_void_p, c_char_p, c_void_p)
capsule_pointer = python_function("PyCapsule_GetPointer", c_void_p, ctypes.py_object, c_char_p)
capsule_rename = python_function("PyCapsule_SetName", c_int32, ctypes.py_object, c_char_p)
capsule_is = python_function("PyCapsule_IsValid", c_int32, ctypes.py_object, c_char_p)


def delete_tensor(tensor, versioned):
    Deleter(c_void_p.from_address(tensor + DELETER_AT[versioned]).value)(tensor)


class Library:
    def __init__(self, path, device):
        self.c = ctypes.CDLL(path)
        for name in ("gpuarr_last_error", "gpuarr_array_typestr"):
            getattr(self.c, name).restype = c_char_p
        for name in ("gpuarr_array_data", "gpuarr_stream_native"):
            getattr(self.c, name).restype = c_void_p
        self.c.gpuarr_array_shape.restype = POINTER(c_int64)
        self.c.gpuarr_live_objects.restype = c_int64
        for name in ("array", "i64", "f64"):
            getattr(self.c, f"gpuarr_arg_{name}").restype = Arg
        self.on_gpu = device.startswith("cuda")
        self.device = self.made("gpuarr_device_open", device.encode())
        self.capsules = []  # that were given away
        self.consumers = []  # borrowed streams that tensors were given to

    def call(self, name, *arguments):
        if getattr(self.c, name)(*arguments) != 0:
            raise RuntimeError(self.c.gpuarr_last_error().decode())

    def made(self, name, *arguments):
        """What a function puts into its first argument."""
        out = c_void_p()
        self.call(name, byref(out), *arguments)
        return out

    def release(self, kind, handle):
        getattr(self.c, f"gpuarr_{kind}_release")(handle)

    def sweep(self):
        """Deletes the tensors that nobody took, and gives back borrowed streams. A capsule's own
        destructor would be in C: it may run while an exception is on its way, when Python cannot.
        """
        for capsule in self.capsules:
            for versioned, name in NAMES.items():
                if capsule_is(capsule, name):
                    delete_tensor(capsule_pointer(capsule, name), versioned)
        self.capsules.clear()
        for stream in self.consumers:
            self.release("stream", stream)
        self.consumers.clear()

    def memory_used(self):
        out = c_int64()
        self.call("gpuarr_memory_statistic", byref(out), self.device, c_int32(1))
        return out.value

    def stream(self):
        return self.made("gpuarr_stream_create", self.device, c_int32(0), c_int32(0))

    def current_native(self):
        """The handle of the current stream, as __dlpack__ takes it; None on the CPU."""
        if not self.on_gpu:
            return None
        stream = self.made("gpuarr_stream_current", self.device)
        native = self.c.gpuarr_stream_native(stream)
        self.release("stream", stream)
        return native

    def zeros(self, dtype, shape, order=0, stream=None):
        extents = (c_int64 * len(shape))(*shape)
        return Array(self, self.made("gpuarr_array_zeros", self.device, c_int32(dtype),
                                     c_int32(len(shape)), extents, c_int32(order), stream))

    def arange(self, count, dtype=F64):
        make = self.c.gpuarr_arg_i64
        return Array(self, self.made("gpuarr_array_arange", self.device, c_int32(dtype),
                                     make(c_int64(0)), make(c_int64(count)), make(c_int64(1)),
                                     None))

    def from_dlpack(self, source, producer=None, **options):
        """The source makes the current stream wait, unless a `producer` is to be waited for."""
        if self.on_gpu:
            options["stream"] = -1 if producer else self.current_native()
        capsule = source.__dlpack__(**options)
        versioned = bool(capsule_is(capsule, NAMES[True]))
        tensor = capsule_pointer(capsule, NAMES[versioned])
        name = "gpuarr_array_from_dlpack" + ("" if versioned else "_legacy")
        handle = self.made(name, c_void_p(tensor), None, producer)
        capsule_rename(capsule, USED[versioned])
        return Array(self, handle)

    def add_slowly(self, array, stream, seconds=0.05):
        """array += 1 in a stream, in many steps that follow each other."""
        steps = int(seconds * 2.5e8)
        kernel = self.made("gpuarr_elementwise_create", b"T x, int64 steps, T step", b"T y",
                           b"T v = x; for (long long k = 0; k < steps; ++k) v += step; y = v", None)
        inputs = (Arg * 3)(self.c.gpuarr_arg_array(array.handle),
                           self.c.gpuarr_arg_i64(c_int64(steps)),
                           self.c.gpuarr_arg_f64(c_double(1 / steps)))
        outputs = (c_void_p * 1)(array.handle)
        self.call("gpuarr_elementwise_call", kernel, outputs, c_int32(1), inputs, c_int32(3),
                  c_int64(-1), stream)
        self.release("elementwise", kernel)


class Array:
    """Releases its handle when it dies."""

    versions = (True, False)  # which structs it gives, if it is asked for them

    def __init__(self, lib, handle):
        self.lib, self.handle = lib, handle

    def __del__(self):
        self.lib.release("array", self.handle)

    @property
    def data(self):
        return self.lib.c.gpuarr_array_data(self.handle)

    @property
    def shape(self):
        c = self.lib.c
        return tuple(c.gpuarr_array_shape(self.handle)[:c.gpuarr_array_ndim(self.handle)])

    def view(self, name, *arguments):
        return Array(self.lib, self.lib.made(f"gpuarr_array_{name}", self.handle, *arguments))

    def fill(self, value, stream=None):
        self.lib.call("gpuarr_array_fill", self.handle, self.lib.c.gpuarr_arg_f64(c_double(value)),
                      stream)

    def values(self):
        """As a flat list of floats."""
        wide = self.lib.made("gpuarr_array_astype", self.handle, c_int32(F64), None)
        size = 1
        for extent in self.shape:
            size *= extent
        out = (c_double * size)()
        self.lib.call("gpuarr_array_read", out, c_int64(8 * size), None, wide, None)
        self.lib.release("array", wide)
        return list(out)

    def __dlpack_device__(self):
        return (CUDA, 0) if self.lib.on_gpu else (CPU, 0)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        assert dl_device in (None, self.__dlpack_device__()) and not copy
        versioned = max_version is not None and max_version[0] >= 1
        if versioned not in self.versions:
            versioned = not versioned
        consumer = None
        if self.lib.on_gpu and stream != -1:  # None is the legacy stream, which 1 is as well
            consumer = self.lib.made("gpuarr_stream_borrow", self.lib.device, c_void_p(stream or 1))
            self.lib.consumers.append(consumer)  # counts only for as long as it is borrowed
        name = "gpuarr_array_to_dlpack" + ("" if versioned else "_legacy")
        tensor = self.lib.made(name, self.handle, consumer)
        self.lib.capsules.append(capsule_new(tensor, NAMES[versioned], None))
        return self.lib.capsules[-1]

    def interface(self):
        """What __array_interface__ and __cuda_array_interface__ have in common."""
        strides = (c_int64 * len(self.shape))()
        self.lib.call("gpuarr_array_byte_strides", strides, self.handle)
        read_only = bool(self.lib.c.gpuarr_array_is_read_only(self.handle))
        return {"shape": self.shape, "strides": tuple(strides), "version": 3,
                "typestr": self.lib.c.gpuarr_array_typestr(self.handle).decode(),
                "data": (self.data or 0, read_only)}


class HostInterface:
    """An array as __array_interface__ shows it, and in no other way."""

    def __init__(self, array):
        self.array = array
        self.__array_interface__ = shown = array.interface()
        if shown["data"][0] == 0:  # NumPy wants an address even of nothing
            shown["data"] = (id(self), shown["data"][1])


class CudaInterface:
    def __init__(self, array):
        self.array = array
        lib = array.lib
        stream = lib.made("gpuarr_array_stream", array.handle)
        native = lib.c.gpuarr_stream_native(stream)
        lib.release("stream", stream)
        self.__cuda_array_interface__ = {**array.interface(), "stream": native}
