#!/usr/bin/env python3
"""Exchanges Zarr arrays with Python's zarr: each reads what the other writes.

    zarr_python.py ZARR_ECHO

ZARR_ECHO is the program of support/zarr_echo.cpp. Ends with 77 (skipped) where there is no zarr 2.
That has version 3 of the format as a draft only: here it is read and written by a few lines, after
https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html.
"""
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import zarr
except ImportError as error:
    print("skipped:", error)
    sys.exit(77)
if not zarr.__version__.startswith("2."):
    print("skipped: this is for zarr 2, here is", zarr.__version__)
    sys.exit(77)

SEED = int(os.environ.get("GPUARR_TEST_SEED", "1"))
DTYPES = ["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
NAMES_V3 = {"b1": "bool", "c8": "complex64", "c16": "complex128"}
SHAPES = [((), ()), ((1,), (1,)), ((10,), (3,)), ((6, 4), (2, 4)), ((7, 5), (3, 2)),
          ((2, 3), (5, 9)), ((5, 1, 6), (2, 1, 5)), ((3, 0, 2), (2, 1, 2)),
          ((400, 300), (170, 300))]


def fill_values(dtype):
    """None, and one that a file can have, with what JSON has no numbers for."""
    kind = np.dtype(dtype).kind
    if kind == "b":
        return [None, True]
    if kind in "iu":
        info = np.iinfo(dtype)
        return [None, 0, info.max, info.min]
    if kind == "f":
        return [None, 0.0, 0.1, -1e-4, np.nan, np.inf, -np.inf]  # zarr makes 0 of -0
    return [None, 1.5 - 2j]  # of a part that is no number zarr makes others


def values(draw, dtype, shape):
    size = int(np.prod(shape, dtype=np.int64))
    if np.dtype(dtype).kind == "b":
        return draw.integers(0, 2, size).astype(dtype).reshape(shape)
    raw = draw.integers(0, 256, size * np.dtype(dtype).itemsize, dtype="u1")
    return raw.view(np.dtype(dtype)).reshape(shape)


def bits(array):
    array = np.asarray(array)
    return np.ascontiguousarray(array.astype(array.dtype.newbyteorder("="))).tobytes()


def part(shape, chunks):
    """Without the last chunk along each axis, which is then not there."""
    return tuple(slice(0, max(n - 1, 1) // c * c if n > c else n) for n, c in zip(shape, chunks))


def write_v2(path, array, case):
    _, chunks, order, separator, fill, whole = case
    out = zarr.open(zarr.DirectoryStore(path), mode="w", shape=array.shape, chunks=chunks or True,
                    dtype=array.dtype, order=order, compressor=None, fill_value=fill,
                    dimension_separator=separator)
    where = ... if whole or not array.shape else part(array.shape, chunks)
    out[where] = array[where]
    return np.array(out[...])


def read_v2(path):
    out = zarr.open(zarr.DirectoryStore(path), mode="r")
    assert out.compressor is None and not out.filters
    return np.array(out[...]), out.chunks, out.order, out.fill_value


def json_fill(fill, dtype):
    """As version 3 has it."""
    if fill is None:
        return json_fill(np.zeros((), dtype)[()], dtype)
    if np.dtype(dtype).kind == "c":
        return [json_fill(x, "f8") for x in (complex(fill).real, complex(fill).imag)]
    if np.dtype(dtype).kind == "f":
        return "NaN" if np.isnan(fill) else float(fill) if np.isfinite(fill) else \
            "Infinity" if fill > 0 else "-Infinity"
    return bool(fill) if np.dtype(dtype).kind == "b" else int(fill)


def parse_fill(fill, dtype):
    if isinstance(fill, list):
        real, imaginary = (parse_fill(x, "f8") for x in fill)
        out = np.zeros((), dtype)
        out.real, out.imag = real, imaginary
        return out[()]
    return np.array(float(fill) if isinstance(fill, str) else fill, dtype)[()]


def chunks_of(shape, chunks):
    return itertools.product(*(range(-(-n // c)) for n, c in zip(shape, chunks)))


def key(meta, index):
    encoding = meta["chunk_key_encoding"]
    prefix = ["c"] if encoding["name"] == "default" else [] if index else ["0"]
    return encoding["configuration"]["separator"].join(prefix + [str(i) for i in index])


def write_v3(path, array, case):
    _, chunks, order, separator, fill, whole = case
    dtype = array.dtype
    big = dtype.byteorder == ">"
    codecs = [{"name": "bytes", "configuration": {"endian": "big" if big else "little"}}]
    if order == "F":
        axes = list(range(array.ndim))[::-1]
        codecs.insert(0, {"name": "transpose", "configuration": {"order": axes}})
    meta = {"zarr_format": 3, "node_type": "array", "shape": array.shape,
            "data_type": NAMES_V3.get(dtype.str[1:], dtype.name),
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunks}},
            "chunk_key_encoding": {"name": random.choice(["default", "v2"]),
                                   "configuration": {"separator": separator}},
            "fill_value": json_fill(fill, dtype), "codecs": codecs,
            "attributes": {"comment": "\u00e9", "nested": [{"a": None}]},
            "dimension_names": [None] * array.ndim}
    os.makedirs(path)
    with open(os.path.join(path, "zarr.json"), "w") as file:
        json.dump(meta, file, indent=2)
    value = parse_fill(meta["fill_value"], dtype)
    whole_array = np.full(array.shape, value, dtype)
    for index in chunks_of(array.shape, chunks):
        if not whole and any(index) and random.random() < 0.5:
            continue
        where = tuple(slice(i * c, (i + 1) * c) for i, c in zip(index, chunks))
        chunk = np.full(chunks, value, dtype)
        chunk[tuple(slice(0, n) for n in array[where].shape)] = array[where]
        whole_array[where] = array[where]
        name = os.path.join(path, key(meta, index))
        os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "wb") as file:
            file.write(chunk.tobytes(order))
    return whole_array


def read_v3(path):
    with open(os.path.join(path, "zarr.json")) as file:
        meta = json.load(file)
    shape, chunks = meta["shape"], meta["chunk_grid"]["configuration"]["chunk_shape"]
    names = [codec["name"] for codec in meta["codecs"]]
    order = "F" if "transpose" in names else "C"
    assert names == ["transpose", "bytes"][order == "C":], names
    endian = "<>"[meta["codecs"][-1]["configuration"]["endian"] == "big"]
    dtype = np.dtype(meta["data_type"]).newbyteorder(endian)
    fill = parse_fill(meta["fill_value"], dtype)
    out = np.full(shape, fill, dtype)
    for index in chunks_of(shape, chunks):
        name = os.path.join(path, key(meta, index))
        if os.path.exists(name):
            chunk = np.fromfile(name, dtype).reshape(chunks, order=order)
            where = tuple(slice(i * c, (i + 1) * c) for i, c in zip(index, chunks))
            out[where] = chunk[tuple(slice(0, n) for n in out[where].shape)]
    return out, tuple(chunks), order, fill


def check(path, version, expected, case):
    name, chunks, order, _, fill, _ = case
    found, found_chunks, found_order, found_fill = (read_v2 if version == 2 else read_v3)(path)
    assert found.shape == expected.shape and found.dtype == expected.dtype.newbyteorder("="), name
    assert bits(found) == bits(expected), f"{name}: other values"
    assert found_chunks == chunks, f"{name}: chunks {found_chunks}"
    assert len(chunks) < 2 or found_order == order, f"{name}: order {found_order}"
    if fill is not None:
        fills = [np.array(x).astype(found.dtype) for x in (found_fill, fill)]
        assert bits(fills[0]) == bits(fills[1]), f"{name}: {found_fill}"


def main():
    print(f"GPUARR_TEST_SEED={SEED}, zarr {zarr.__version__}")
    draw = np.random.default_rng(SEED)
    random.seed(SEED)
    with tempfile.TemporaryDirectory() as folder:
        cases = []
        for dtype, endian, (shape, chunks) in itertools.product(DTYPES, "<>", SHAPES):
            if np.dtype(dtype).itemsize == 1 and endian == ">":
                continue
            for fill in random.sample(fill_values(dtype), 2):
                version, to = random.choice([2, 3]), random.choice([2, 3])
                case = (f"{endian}{dtype} {shape} {chunks} {fill} from {version} to {to}", chunks,
                        random.choice("CF"), random.choice("./"), fill, random.random() < 0.5)
                into = os.path.join(folder, str(len(cases)))
                array = values(draw, endian + dtype, shape)
                written = (write_v2 if version == 2 else write_v3)(into, array, case)
                cases.append((into, into + ".out", to, written, case))
        for i in range(0, len(cases), 200):
            arguments = [x for c in cases[i:i + 200] for x in (str(c[2]), c[0], c[1])]
            subprocess.run([sys.argv[1], *arguments], check=True)
        for _, out, to, written, case in cases:
            # Without a fill value it is the reader's choice what lies in chunks that are not there.
            if case[4] is not None or case[5]:
                check(out, to, written, case)
        print(len(cases), "arrays exchanged")


main()
