#!/usr/bin/env python3
"""Calls every function of the API with pointers and handles that it must refuse.

usage: arguments.py LIBRARY

Made of bindings/gen/api.json. Each pointer that must not be NULL is NULL once; each handle, also in
a list and in a gpuarr_arg, is an object of another type once and a released one once, which
GPUARR_OBJECTS=track finds. All that must come of it is GPUARR_ERR_ARGUMENT (or 0 or NULL where
there is no status) and a message that names the function and the parameter. Before each case its
name is written to stdout, so that the last one is what crashed.
"""
import ctypes
import json
import os
import pathlib
import re
import sys
from ctypes import byref, c_char_p, c_double, c_float, c_int32, c_int64, c_void_p

os.environ["GPUARR_OBJECTS"] = "track"
TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tests/support"))
from gpuarr_ctypes import F32, Arg  # noqa: E402

ERR_ARGUMENT = 101
INTEGERS = {f"{sign}int{bits}_t": getattr(ctypes, f"c_{sign}int{bits}")
            for sign in ("", "u") for bits in (8, 16, 32, 64)}
NUMBERS = {**INTEGERS, "double": c_double, "float": c_float}
# Arguments that let a call come to what it is tried for, where the ordinary ones do not.
VALUES = {
    ("gpuarr_nonzero", "count"): 2,
    ("gpuarr_apply", "name"): b"add",
    ("gpuarr_apply", "input_count"): 2,
    ("gpuarr_pad", "mode"): 0,
    **{(function, name): Arg(dtype=F32) for function, names in (
        ("gpuarr_array_arange", ("start", "stop", "step")),
        ("gpuarr_random_integers", ("low", "high")), ("gpuarr_pad", ("value",))) for name in names},
}
# What a message calls a parameter otherwise: the functions that gpuarr_apply runs name theirs.
CALLED = {("gpuarr_apply", "inputs"): "x"}
# Makers of arguments look at nothing: the call that gets the argument does.
PASSED = {"gpuarr_arg_array", "gpuarr_arg_view", "gpuarr_arg_bytes"}

api = json.loads((TOP / "bindings/gen/api.json").read_text())
NUMBERS.update({n["name"]: INTEGERS[n["type"]] for n in api["numbers"]})
HANDLES = {h["name"] for h in api["handles"]}
CALLBACKS = {c["name"] for c in api["callbacks"]}
c = ctypes.CDLL(sys.argv[1])
counts = dict.fromkeys(("NULL", "wrong type", "released"), 0)
complaints = []


def plain(kind):
    """gpuarr_array of const gpuarr_array* const*, and how many stars there were."""
    return re.sub(r"\bconst\b|\*|\s", "", kind), kind.count("*")


def made(function, *arguments):
    out = c_void_p()
    status = getattr(c, function)(byref(out), *arguments)
    assert status == 0, (function, c.gpuarr_last_error())
    return out


for f in api["functions"]:
    base, stars = plain(f["result"])
    declared = getattr(c, f["name"])
    declared.restype = (None if f["result"] == "void" else Arg if base == "gpuarr_arg" else
                        c_char_p if f["result"] == "const char*" else
                        c_void_p if stars else NUMBERS[base])
    declared.argtypes = [Arg if p["c"] == "gpuarr_arg" else NUMBERS.get(p["c"], c_void_p)
                         for p in f.get("parameters", [])]

device = made("gpuarr_device_open", b"host")
SHAPE = (c_int64 * 32)(*[2, 2], *[1] * 30)


def array():
    return made("gpuarr_array_zeros", device, F32, 2, SHAPE, 0, None)


def raw_kernel():
    return made("gpuarr_raw_create", b'extern "C" __global__ void k(float* x) {}', b"k",
                b"float* x", None)


def captured():
    stream = made("gpuarr_stream_create", device, 0, 0)
    assert c.gpuarr_stream_begin_capture(stream) == 0
    graph = made("gpuarr_stream_end_capture", stream)
    c.gpuarr_stream_release(stream)
    return graph


def prepared():
    kernel = elementwise()
    x = array()
    arg = Arg(array=x.value)
    call = made("gpuarr_elementwise_prepare", kernel, byref(x), 1, byref(arg), 1, -1)
    c.gpuarr_array_release(x)
    c.gpuarr_elementwise_release(kernel)
    return call


def elementwise():
    return made("gpuarr_elementwise_create", b"T x", b"T y", b"y = x", None)


def executable():
    graph = captured()
    made_of = made("gpuarr_graph_instantiate", graph)
    c.gpuarr_graph_release(graph)
    return made_of


nothing = ctypes.CFUNCTYPE(c_int32, c_void_p)(lambda _: 0)
MAKERS = {
    "gpuarr_array": array,
    "gpuarr_stream": lambda: made("gpuarr_stream_create", device, 0, 0),
    "gpuarr_event": lambda: made("gpuarr_event_create", device, 0),
    "gpuarr_allocator": lambda: made("gpuarr_allocator_create", device, 1),
    "gpuarr_graph": captured,
    "gpuarr_graph_exec": executable,
    "gpuarr_kernel_options": lambda: made("gpuarr_kernel_options_create"),
    "gpuarr_elementwise": elementwise,
    "gpuarr_reduction": lambda: made("gpuarr_reduction_create", b"T x", b"T y", b"x", b"a + b",
                                     b"y = a", b"0", None),
    "gpuarr_scan": lambda: made("gpuarr_scan_create", b"T x", b"T y", b"x", b"a + b", b"y = a",
                                b"0", None),
    "gpuarr_raw": raw_kernel,
    "gpuarr_module": lambda: made("gpuarr_module_create",
                                  b'extern "C" __global__ void k(float* x) {}', None),
    "gpuarr_call": prepared,
    "gpuarr_generator": lambda: made("gpuarr_generator_create", device, 1, 0),
    "gpuarr_benchmark": lambda: made("gpuarr_benchmark_run", b"nothing",
                                     ctypes.cast(nothing, c_void_p), None, 0, 1, 0.1,
                                     device, None),
}
live, released = {"gpuarr_device": device}, {}


def make_handles():
    for name in sorted(HANDLES - {"gpuarr_device"}):
        try:
            live[name] = MAKERS[name]()
            released[name] = MAKERS[name]()
        except (KeyError, AssertionError, AttributeError) as error:
            complaints.append(f"no {name} could be made: {error!r}")
            continue
        getattr(c, name + "_release")(released[name])


def value_of(function, p):
    """Something ordinary: live handles, outputs of NULL, lists of ones."""
    base, stars = plain(p["c"])
    if (function, p["name"]) in VALUES:
        return VALUES[function, p["name"]]
    if p["c"] == "gpuarr_arg":
        return Arg(array=live["gpuarr_array"].value)
    if stars == 0 and base in NUMBERS:
        return F32 if base == "gpuarr_dtype" else 1
    if base in CALLBACKS:
        return ctypes.cast(c.gpuarr_version, c_void_p)
    if base in HANDLES:
        if stars == 1:
            return live[base]
        if "const*" in p["c"].replace(" ", ""):
            return listed(live[base])
        return byref((c_void_p * 4)())
    if base == "gpuarr_arg":
        return (Arg * 4)(*[Arg(array=live["gpuarr_array"].value)] * 4)
    if p["c"] == "const char*":
        return b"x"
    return (c_int64 * 64)(*[1] * 64) if stars else None


def listed(handle):
    return (c_void_p * 4)(*[handle.value] * 4)


def with_handle(p, handle):
    """The parameter with that handle in it; None if it takes none."""
    base, stars = plain(p["c"])
    if p["c"] == "gpuarr_arg":
        return Arg(array=handle.value)
    if base == "gpuarr_arg":
        return (Arg * 4)(*[Arg(array=handle.value)] * 4)
    if base not in HANDLES:
        return None
    if stars == 1:
        return handle
    return listed(handle) if "const*" in p["c"].replace(" ", "") else None


def try_case(kind, f, p, value):
    name = f["name"]
    print(f"{name}: {p['name']} {kind}", flush=True)
    arguments = [value if q is p else value_of(name, q) for q in f["parameters"]]
    c.gpuarr_array_squeeze(None, None, 0, None)  # so that an older message is none of this call's
    result = getattr(c, name)(*arguments)
    counts[kind] += 1
    message = c.gpuarr_last_error().decode(errors="replace")
    words = (p["name"], CALLED.get((name, p["name"]), p["name"]))
    called = message.startswith(name + ":") and re.search(rf"\b({'|'.join(words)})\b", message)
    if f["result"] == "gpuarr_status":
        if result != ERR_ARGUMENT or not called:
            complaints.append(f"{name}: {p['name']} {kind}: {result}, {message!r}")
    elif kind == "NULL":
        if result:
            complaints.append(f"{name}: {p['name']} NULL: returned {result!r}")
    elif result or not message.startswith(name + ":"):
        complaints.append(f"{name}: {p['name']} {kind}: returned {result!r}, {message!r}")


def other(base):
    return live["gpuarr_event" if base != "gpuarr_event" else "gpuarr_array"]


def cases(f):
    for p in f.get("parameters", []):
        base, stars = plain(p["c"])
        is_pointer = stars > 0 or base in CALLBACKS
        if is_pointer and not p["nullable"] and not f["name"].endswith(("_retain", "_release")):
            yield "NULL", p, None
        if base == "gpuarr_arg":
            base = "gpuarr_array"
        if base in HANDLES and with_handle(p, device) is not None:
            yield "wrong type", p, with_handle(p, other(base))
            if base != "gpuarr_device":
                yield "released", p, with_handle(p, released[base])


make_handles()
null = os.open(os.devnull, os.O_WRONLY)
os.dup2(null, 2)  # what has no status says its errors there
for f in api["functions"]:
    if complaints and complaints[0].startswith("no "):
        break
    if f["name"] in PASSED:
        continue
    for kind, p, value in list(cases(f)):
        try_case(kind, f, p, value)
print("\n".join(complaints))
print(", ".join(f"{n} cases of {kind}" for kind, n in counts.items()),
      f"in {len(api['functions'])} functions; {len(complaints)} wrong")
sys.exit(1 if complaints else 0)
