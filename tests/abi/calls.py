"""Calls of every function of the API, made of bindings/gen/api.json, of the library in argv[1]."""
import ctypes
import json
import pathlib
import re
import sys
from ctypes import byref, c_char_p, c_double, c_float, c_int32, c_int64, c_void_p

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tests/support"))
from gpuarr_ctypes import F32, Arg  # noqa: E402

INTEGERS = {f"{sign}int{bits}_t": getattr(ctypes, f"c_{sign}int{bits}")
            for sign in ("", "u") for bits in (8, 16, 32, 64)}
NUMBERS = {**INTEGERS, "double": c_double, "float": c_float}
# Arguments that let a call come to what it is tried for, where the ordinary ones do not.
VALUES = {
    ("gpuarr_nonzero", "count"): 2,
    ("gpuarr_apply", "name"): b"add",
    ("gpuarr_apply", "input_count"): 2,
    ("gpuarr_expr_apply", "name"): b"exp",
    ("gpuarr_expr_scan", "name"): b"cumsum",
    ("gpuarr_pad", "mode"): 0,
    ("gpuarr_transport_create", "size"): 2,
    ("gpuarr_blocked_scan", "name"): b"cumsum",
    ("gpuarr_blocked_scan", "axis"): 0,
    ("gpuarr_blocked_sort", "descending"): 0,
    ("gpuarr_blocked_random", "distribution"): b"normal",
    ("gpuarr_blocked_random", "parameters"): (Arg * 2)(*[Arg(dtype=F32)] * 2),
    ("gpuarr_blocked_random", "count"): 2,
    **{(function, "names"): (c_char_p * 4)(b"x", b"y", b"z", b"w")
       for function in ("gpuarr_eval", "gpuarr_eval_all", "gpuarr_expr_parse")},
    **{(function, name): Arg(dtype=F32) for function, names in (
        ("gpuarr_array_arange", ("start", "stop", "step")),
        ("gpuarr_blocked_arange", ("start", "step")),
        ("gpuarr_random_integers", ("low", "high")), ("gpuarr_pad", ("value",))) for name in names},
}

api = json.loads((TOP / "bindings/gen/api.json").read_text())
NUMBERS.update({n["name"]: INTEGERS[n["type"]] for n in api["numbers"]})
# A block lives as long as the call of the user's function that gets it: none can be made.
HANDLES = {h["name"] for h in api["handles"]} - {"gpuarr_block"}
CALLBACKS = {c["name"] for c in api["callbacks"]}
c = ctypes.CDLL(sys.argv[1])


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


def expression():
    x = array()
    expr = made("gpuarr_expr_array", x)
    c.gpuarr_array_release(x)
    return expr


def function():
    expr = made("gpuarr_expr_input", 0)
    exprs = (c_void_p * 1)(expr)
    out = made("gpuarr_function_create", exprs, 1)
    c.gpuarr_expr_release(expr)
    return out


def blocked():
    team = made("gpuarr_team_local", None, 2)
    out = made("gpuarr_blocked_empty", team, F32, 1, (c_int64 * 1)(4), None, None)
    c.gpuarr_team_release(team)
    return out


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
    "gpuarr_gufunc": lambda: made("gpuarr_gufunc_create", b"(n)->()", b"T x", b"T y",
                                  b"y = 0; for (long long k = 0; k < n; ++k) y += x(k);", 0, 0,
                                  None),
    "gpuarr_raw": raw_kernel,
    "gpuarr_module": lambda: made("gpuarr_module_create",
                                  b'extern "C" __global__ void k(float* x) {}', None),
    "gpuarr_call": prepared,
    "gpuarr_expr": expression,
    "gpuarr_function": function,
    "gpuarr_generator": lambda: made("gpuarr_generator_create", device, 1, 0),
    "gpuarr_transport": lambda: made("gpuarr_transport_create", 0, 1,
                                     *[ctypes.cast(nothing, c_void_p)] * 3, None),
    "gpuarr_team": lambda: made("gpuarr_team_local", None, 2),
    "gpuarr_blocked": blocked,
    "gpuarr_blocked_options": lambda: made("gpuarr_blocked_options_create"),
    "gpuarr_benchmark": lambda: made("gpuarr_benchmark_run", b"nothing",
                                     ctypes.cast(nothing, c_void_p), None, 0, 1, 0.1,
                                     device, None),
}
live, released = {"gpuarr_device": device}, {}


def make_handles(names=HANDLES):
    for name in sorted(names - {"gpuarr_device"}):
        try:
            live[name] = MAKERS[name]()
            released[name] = MAKERS[name]()
        except (KeyError, AssertionError, AttributeError) as error:
            sys.exit(f"no {name} could be made: {error!r}")
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
    if base == "gpuarr_block":
        return None
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
