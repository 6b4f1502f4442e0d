#!/usr/bin/env python3
"""Makes the raw layers of the bindings, and a description of the API, from the public headers.

usage: generate.py [--check]: with --check nothing is written, and what is out of date is an error.
"""
import pathlib
import sys

import description
import fortran
import header
import julia
import rust

TOP = pathlib.Path(__file__).resolve().parents[2]
FILES = {
    "bindings/gen/api.json": description.write,
    "bindings/fortran/src/gpuarr_c.f90": fortran.write,
    "bindings/rust/gpuarr-sys/src/bindings.rs": rust.write,
    "bindings/julia/GPUArr/src/lib.jl": julia.write,
}


def main():
    try:
        api = header.read(TOP / "include")
    except header.OutsideTheSubset as problem:
        sys.exit(str(problem))
    stale = []
    for name, write in FILES.items():
        path, text = TOP / name, write(api)
        if path.exists() and path.read_text() == text:
            continue
        stale.append(name)
        if "--check" not in sys.argv:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    print(f"{len(api.of('function'))} functions, {len(api.constants)} constants")
    if "--check" in sys.argv and stale:
        sys.exit(f"{', '.join(stale)}: not what bindings/gen/generate.py makes of the headers")


main()
