#!/usr/bin/env python3
"""Exchanges .npy files with NumPy itself: it writes, the library loads and saves, it compares.

    npy_numpy.py NPY_ECHO

NPY_ECHO is the program of support/npy_echo.c. Ends with 77 (skipped) where there is no NumPy.
"""
import itertools
import os
import subprocess
import sys
import tempfile
import warnings

try:
    import numpy as np
except ImportError:
    print("skipped: no NumPy")
    sys.exit(77)

DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
SHAPES = [(), (0,), (1,), (7,), (3, 4), (2, 0, 3), (2, 3, 5), (1,) * 32, (1000, 700)]
VERSIONS = [(1, 0), (2, 0), (3, 0)]


def values(dtype, shape, order, random):
    """An array of every kind of bits, NaN payloads included."""
    size = int(np.prod(shape, dtype=np.int64))
    if dtype == "?":
        flat = random.integers(0, 2, size).astype("?")
    else:
        flat = random.integers(0, 256, size * np.dtype(dtype).itemsize, dtype="u1").view(dtype)
    return np.array(flat.reshape(shape), order=order)


def bits(array):
    """The elements as bytes, in C order and this machine's byte order."""
    return np.ascontiguousarray(array.astype(array.dtype.newbyteorder("="))).tobytes()


def write(path, array, version):
    with open(path, "wb") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "Stored array in format 2.0"
        np.lib.format.write_array(file, array, version=version)


def check(array, out, name):
    found = np.load(out)
    order = "F" if array.flags.f_contiguous and not array.flags.c_contiguous else "C"
    assert found.shape == array.shape, f"{name}: shape {found.shape}, expected {array.shape}"
    assert found.dtype == array.dtype.newbyteorder("="), f"{name}: {found.dtype}"
    assert bits(found) == bits(array), f"{name}: other values"
    assert found.flags[f"{order}_CONTIGUOUS"], f"{name}: not in {order} order"
    with open(out, "rb") as file:
        np.lib.format.read_magic(file)
        np.lib.format.read_array_header_1_0(file)
        assert file.tell() % 64 == 0, f"{name}: the data begin at byte {file.tell()}"


def main():
    random = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        cases = []
        for dtype, endian, shape, order, version in itertools.product(
                DTYPES, "<>", SHAPES, "CF", VERSIONS):
            if len(shape) == 2 and shape[0] == 1000 and version != (1, 0):
                continue
            array = values(dtype, shape, order, random)
            if dtype != "?":
                array = array.astype(np.dtype(dtype).newbyteorder(endian), order="K")
            into = os.path.join(folder, f"{len(cases)}.npy")
            write(into, array, version)
            cases.append((array, into, into + ".out", f"{endian}{dtype} {shape} {order} {version}"))
        for i in range(0, len(cases), 500):
            paths = [path for case in cases[i:i + 500] for path in case[1:3]]
            subprocess.run([sys.argv[1], *paths], check=True, stdout=subprocess.DEVNULL)
        for array, _, out, name in cases:
            check(array, out, name)
        print(len(cases), "files exchanged")


main()
