#!/usr/bin/env python3
"""Compares the functions of the public headers, the checked-in list, and what the library defines.

usage: symbols.py TOP NM LIBRARY...; with --write instead of NM, the list is written anew.
"""
import pathlib
import re
import subprocess
import sys

top = pathlib.Path(sys.argv[1])
listing = top / "tests/abi/gpuarr.symbols"
complaints = []


def declared():
    """The functions of the public headers; their constants are looked up in frozen.h."""
    names = []
    frozen = (top / "tests/abi/frozen.h").read_text()
    for header in sorted((top / "include").rglob("*.h")):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
        here = re.findall(r"^GPUARR_API [^;(]*?\b(gpuarr_\w+)\(", text, flags=re.M)
        if len(here) != len(re.findall(r"^GPUARR_API ", text, flags=re.M)):
            complaints.append(f"{header.name}: a declaration that is not GPUARR_API TYPE gpuarr_X(")
        names += here
        for constant in re.findall(r"^\s*(GPUARR_\w+) = ", text, flags=re.M):
            if f"FROZEN({constant}," not in frozen:
                complaints.append(f"{header.name}: {constant} is not in tests/abi/frozen.h")
    return names


def defined(nm, library, *flags):
    """Strong global symbols: (kind, name)."""
    out = subprocess.run([nm, "-P", "--defined-only", *flags, library],
                         capture_output=True, check=True, text=True).stdout
    pairs = (line.split()[:2] for line in out.splitlines() if len(line.split()) >= 2)
    return [(kind, name) for name, kind in pairs if kind in "TDBRSCi"]


def compare(what, found, wanted):
    for name in sorted(set(found) - set(wanted)):
        complaints.append(f"{what}: {name} is not in tests/abi/gpuarr.symbols")
    for name in sorted(set(wanted) - set(found)):
        complaints.append(f"{what}: {name} is missing")


headers = declared()
if sys.argv[2] == "--write":
    listing.write_text("\n".join(sorted(headers)) + "\n")
    sys.exit(0)

wanted = listing.read_text().split()
if wanted != sorted(wanted):
    complaints.append("tests/abi/gpuarr.symbols is not sorted")
compare("headers", headers, wanted)
for library in sys.argv[3:]:
    if library.endswith(".a"):
        # Mangled names in our namespace are the library's insides.
        symbols = [s for _, s in defined(sys.argv[2], library, "-g")]
        compare(library, [s for s in symbols if not re.match(r"_Z\w*?N[VKRO]*6gpuarr", s)], wanted)
    else:
        compare(library, [s for _, s in defined(sys.argv[2], library, "-D")], wanted)
        data = [s for kind, s in defined(sys.argv[2], library, "-D") if kind != "T"]
        complaints += [f"{library}: {s} is data; the ABI has functions only" for s in data]
print("\n".join(complaints + [f"{len(wanted)} functions, {len(complaints)} complaints"]))
sys.exit(1 if complaints else 0)
