#!/usr/bin/env python3
"""Every ready-made function with any dtypes: it works, or says what the caller did wrong.

No kernel of the library's own may fail to compile: that is a fault of the library, whatever it was
given. The functions are all of the API that compute from arrays and scalars.
"""
import ctypes

from support import BF16, MORE, NUMPY, Failure, lib, np, rng, some

NUMBERS = {"ndim": 1, "k": 1, "count": 1, "axis_count": 1, "bins": 3, "q_count": 1, "order": 1}
LISTS = {"const int32_t*": [0, 1], "const int64_t*": [3, 3], "const double*": [0.5, 0.6]}
ARRAY, SCALAR = "const gpuarr_array*", "gpuarr_arg"
KNOWN = {ARRAY, SCALAR, "gpuarr_generator*", "gpuarr_device*", "gpuarr_dtype", "gpuarr_array**",
         "gpuarr_array*", "int32_t", "int64_t", "double", *LISTS}


def is_taken(name):
    kinds = [p["c"] for p in lib.parameters[name]]
    return (getattr(lib.c, name).restype == ctypes.c_int32 and kinds[-1:] == ["gpuarr_stream*"]
            and (ARRAY in kinds or SCALAR in kinds) and KNOWN.issuperset(kinds[:-1]))


def ones(dtype, ndim):
    return lib.upload(np.ones((3,) * ndim).astype(NUMPY[dtype]), dtype)


def value_of(kind, name, generator):
    dtype = list(NUMPY)[rng.integers(len(NUMPY))]
    if kind in (ARRAY, "gpuarr_array*"):
        return ones(dtype, int(rng.integers(1, 3)))
    if kind == SCALAR:
        return NUMPY[dtype].type(1) if dtype != BF16 and rng.random() < 0.6 else ones(dtype, 1)
    if kind in LISTS:
        return LISTS[kind]
    known = {"gpuarr_array**": None, "gpuarr_generator*": generator, "gpuarr_device*": lib.device,
             "gpuarr_dtype": dtype}
    return known.get(kind, NUMBERS.get(name, 0))


def draw(name, generator):
    wanted = lib.parameters[name][:-1]
    makes = wanted[0]["c"] == "gpuarr_array**"
    while wanted[0]["c"] == "gpuarr_array**":
        wanted = wanted[1:]
    values = [value_of(p["c"], p["name"], generator) for p in wanted]
    try:
        (lib.make if makes else lib.call)(name[len("gpuarr_"):], *values)
    except Failure as failure:
        what = name, [getattr(v, "dtype", v) for v in values], str(failure)
        assert failure.status // 100 in (1, 5, 7), what


generator = lib.handle("generator_create", lib.device, 1, 0)
functions = [name for name in lib.parameters if is_taken(name)]
assert len(functions) > 150, len(functions)
for _ in range(50 if MORE else 1):
    for function in functions if MORE else some(functions, 30):
        draw(function, generator)
lib.c.gpuarr_generator_release(generator)
print(f"{len(functions)} functions: ok")
