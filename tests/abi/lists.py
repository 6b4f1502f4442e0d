#!/usr/bin/env python3
"""Calls every function that takes a list and its length with lengths that the list does not have.

usage: lists.py LIBRARY

Made of bindings/gen/api.json. Each list has one entry, behind which is a page that nobody may read;
each length is 2^31 - 1 once, and -1. All that may come of it is an error of the arguments.
"""
import ctypes
import mmap
import os
import sys
from ctypes import addressof, c_double, c_int32, c_int64, c_void_p

os.environ["GPUARR_CXX"] = "/nowhere"  # what comes so far took the length for a good one
from calls import HANDLES, Arg, api, c, live, make_handles, plain, value_of  # noqa: E402

PAGE = mmap.PAGESIZE
ENTRIES = {"int32_t": c_int32, "int64_t": c_int64, "double": c_double, "gpuarr_arg": Arg,
           **dict.fromkeys(HANDLES, c_void_p)}
LENGTHS = {"count", "ndim", "sections", "axis_count", "q_count", "arg_count", "input_count",
           "output_count"}
LONG = {"grid": 3, "block": 3}  # which have no length beside them
# Nothing but the length says how long these lists are: as many entries are read, or set to NULL.
ANY_LENGTH = {"gpuarr_result_type", "gpuarr_concatenate", "gpuarr_stack", "gpuarr_split",
              "gpuarr_split_at", "gpuarr_broadcast_arrays", "gpuarr_quantile", "gpuarr_nanquantile"}

libc = ctypes.CDLL(None)
libc.mmap.restype = c_void_p
libc.mmap.argtypes = [c_void_p, ctypes.c_size_t, c_int32, c_int32, c_int32, c_int64]
libc.mprotect.argtypes = [c_void_p, ctypes.c_size_t, c_int32]


def guarded(kind, count, value):
    """A list that ends where the page does; c_void_p, for an argument."""
    start = libc.mmap(None, 2 * PAGE, mmap.PROT_READ | mmap.PROT_WRITE,
                      mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
    assert libc.mprotect(start + PAGE, PAGE, 0) == 0
    entries = (kind * count)(*[value] * count)
    at = start + PAGE - ctypes.sizeof(entries)
    ctypes.memmove(at, addressof(entries), ctypes.sizeof(entries))
    return c_void_p(at)


def list_of(p):
    """The parameter as a list with a page behind it; None if it is none."""
    base, stars = plain(p["c"])
    if base not in ENTRIES or stars != (2 if base in HANDLES else 1):
        return None
    values = {"gpuarr_arg": Arg(array=live["gpuarr_array"].value), "double": 0.5}
    if base in HANDLES:
        value = live[base].value if "const*" in p["c"].replace(" ", "") else None
    else:
        value = values.get(base, 0 if p["name"].endswith("axes") else 1)
    return guarded(ENTRIES[base], LONG.get(p["name"], 1), value)


def result_of(f, length, number):
    """The status and message of a call in a child; its wait status where it did not end well."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        arguments = [number if p is length else list_of(p) or value_of(f["name"], p)
                     for p in f["parameters"]]
        result = getattr(c, f["name"])(*arguments)
        os.write(writing, b"%d %s" % (result or 0, c.gpuarr_last_error()))
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as pipe:
        said = pipe.read().decode(errors="replace")
    status = os.waitpid(child, 0)[1]
    return (int(said.split()[0]), said) if status == 0 else (None, f"wait status {status}")


make_handles(HANDLES - {"gpuarr_call", "gpuarr_benchmark"})
tried = 0
complaints = []
for f in api["functions"]:
    for p in f.get("parameters", []):
        if p["c"] != "int32_t" or p["name"] not in LENGTHS:
            continue
        none = -2 if p["name"] == "axis_count" else -1  # -1 axes are all
        for number in (none,) if f["name"] in ANY_LENGTH else (none, 2**31 - 1):
            tried += 1
            status, said = result_of(f, p, number)
            if status is None or status // 100 != 1 or f["name"] + ":" not in said:
                complaints.append(f"{f['name']}: {p['name']} {number}: {said}")
print("\n".join(complaints))
print(f"{tried} lengths that are none; {len(complaints)} wrong")
sys.exit(1 if complaints else 0)
