#!/usr/bin/env python3
"""Calls every function of the API with pointers and handles that it must refuse.

usage: arguments.py LIBRARY

Made of bindings/gen/api.json. Each pointer that must not be NULL is NULL once; each handle, also in
a list and in a gpuarr_arg, is an object of another type once and a released one once, which
GPUARR_OBJECTS=track finds. All that must come of it is GPUARR_ERR_ARGUMENT (or 0 or NULL where
there is no status) and a message that names the function and the parameter. Before each case its
name is written to stdout, so that the last one is what crashed.
"""
import os
import re
import sys

os.environ["GPUARR_OBJECTS"] = "track"
from calls import (CALLBACKS, HANDLES, api, c, device, live, make_handles, plain,  # noqa: E402
                   released, value_of, with_handle)

ERR_ARGUMENT = 101
# What a message calls a parameter otherwise: the functions that gpuarr_apply runs name theirs.
CALLED = {("gpuarr_apply", "inputs"): "x"}
# Makers of arguments look at nothing: the call that gets the argument does.
PASSED = {"gpuarr_arg_array", "gpuarr_arg_view", "gpuarr_arg_bytes", "gpuarr_arg_blocked"}

counts = dict.fromkeys(("NULL", "wrong type", "released"), 0)
complaints = []


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
        return
    nothing = -1 if f.get("returns", "").startswith("-1 ") else 0  # places and blocks count from 0
    if kind == "NULL":
        if (result or 0) != nothing:
            complaints.append(f"{name}: {p['name']} NULL: returned {result!r}")
    elif (result or 0) != nothing or not message.startswith(name + ":"):
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
    if f["name"] in PASSED:
        continue
    for kind, p, value in list(cases(f)):
        try_case(kind, f, p, value)
print("\n".join(complaints))
print(", ".join(f"{n} cases of {kind}" for kind, n in counts.items()),
      f"in {len(api['functions'])} functions; {len(complaints)} wrong")
sys.exit(1 if complaints else 0)
