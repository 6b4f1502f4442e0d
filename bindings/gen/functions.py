#!/usr/bin/env python3
"""Makes the elementwise functions in all languages out of src/ops/functions/catalogue.

usage: functions.py [--check]: with --check nothing is written, and what is out of date is an error.
"""
import re
import sys

import catalogue
import functions_c as c
import functions_languages as languages

# Whole files; and parts of files, from a line with the mark and their name to one with their end.
FILES = {
    "src/ops/functions/op.hpp": c.op_file,
    "src/ops/functions/rows.cpp": c.rows_file,
    "bindings/julia/GPUArr/src/functions.jl": lambda rows: languages.julia(named(rows)),
    "bindings/gen/functions.json": lambda rows: languages.listing(named(rows)),
    "docs/functions.md": lambda rows: languages.page(named(rows)),
}
PARTS = {
    "tests/sweep/exercise_functions.c": {"functions": c.swept},
    "bindings/cpp/gpuarr_elementwise.hpp": {"functions": languages.cpp},
    "bindings/rust/gpuarr/src/functions.rs": {
        "functions of one array": lambda rows: languages.rust(rows, 1),
        "functions of two operands": lambda rows: languages.rust(rows, 2)},
    **{f"include/gpuarr/{name}.h": {name: c.declarations} for name in catalogue.FAMILIES},
    **{f"src/c/{name}.cpp": {name: c.bodies} for name in catalogue.FAMILIES},
}


def named(functions):
    return [f for f in functions if not f.is_step]


def replaced(path, text, parts, functions):
    for name, write in parts.items():
        begin = rf"^[^\n]*{re.escape(c.MARK)}: {name}\b[^\n]*\n"
        found = re.findall(rf"({begin})(.*?)^[^\n]*\bend of {name}\b", text, re.M | re.S)
        if len(found) != 1:
            sys.exit(f"{path} has {len(found)} parts from '{c.MARK}: {name}' to 'end of {name}'; "
                     "give it one")
        own = [f for f in functions if f.family == name]
        text = text.replace("".join(found[0]), found[0][0] + write(own or functions))
    return text


def made(functions):
    """Path and text of each file."""
    for path, write in FILES.items():
        yield path, write(functions)
    for path, parts in PARTS.items():
        text = (catalogue.TOP / path).read_text(encoding="utf-8")
        yield path, replaced(path, text, parts, named(functions))


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    try:
        functions = catalogue.read()
    except catalogue.Mistake as mistake:
        sys.exit(str(mistake))
    stale = []
    for name, text in made(functions):
        path = catalogue.TOP / name
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if not arguments:
            path.write_text(text, encoding="utf-8")
    print(f"{len(named(functions))} functions")
    if arguments and stale:
        sys.exit(f"{', '.join(stale)}: not what bindings/gen/functions.py makes of "
                 f"{catalogue.FOLDER}")


main(sys.argv[1:])
