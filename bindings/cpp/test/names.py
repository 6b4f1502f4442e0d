#!/usr/bin/env python3
"""Checks the headers of operations for C++ against those for C.

usage: names.py SOURCE_DIR

Every function in the C headers of operations is called by the C++ ones, elementwise functions by
their names; and a C++ function in one line calls the C function of its name, with its parameters in
their order.
"""
import glob
import re
import sys

NOUNS = ("arithmetic logic math special apply expr function join rearrange index scan select sort "
         "order random linalg decompose solve team blocked map_blocks blocked_reduce blocked_files "
         "blocked_linalg blocked_order blocked_random").split()
# Those that tell what there is, or how it is done, are as good in C.
LEFT_TO_C = {"gpuarr_apply_count", "gpuarr_apply_describe", "gpuarr_scan_source",
             "gpuarr_function_input_count", "gpuarr_function_output_count"}
CONSTANTS = ("codes", "nullptr", "0")
OTHER_NAMES = {"unique_all": "gpuarr_unique"}
# What passes its parameters as they are, and may ask for codes.
ONE_LINE = re.compile(r"inline (?:Array|[A-Z]\w+) (\w+)\(([^{]*)\) \{\s*return "
                      r"(?:made|made_as<\w+>)\((\w+), ((?:\w+|codes\(\w+\)|,\s*)*)\);\s*\}")
BY_NAME = re.compile(r'inline (?:Expr|[A-Z]\w+) (\w+)\(([^{]*)\) \{\s*return '
                     r'(?:applied|applied_as<\w+>)\("(\w+)", \{([^}]*)\}\);\s*\}')
# A node of the function's name.
NODE = re.compile(r'inline Expr (\w+)\(([^{]*)\) \{\s*return '
                  r'get<Expr>\(gpuarr_expr_\w+, "(\w+)", ([^;]*)\);\s*\}')


def read(path):
    with open(path, encoding="utf-8") as file:
        return re.sub(r"/\*.*?\*/|//[^\n]*", "", file.read(), flags=re.S)


def parameters(text):
    """Names in a list of parameters: "const Array& x, int axis = -1" has x and axis."""
    return re.findall(r"(\w+)(?:\s*=[^,]*)?(?:,|$)", text)


def complaint(name, ours, function, theirs):
    if function not in (f"gpuarr_{name}", f"gpuarr_array_{name}", OTHER_NAMES.get(name)):
        return f"{name} calls {function}"
    passed = [word for word in re.findall(r"\w+", theirs) if word not in CONSTANTS]
    return None if passed == parameters(ours) else f"{name}({ours}) passes {theirs}"


def main(source):
    declared = set()
    for noun in NOUNS:
        declared |= set(re.findall(r"^GPUARR_API[^(]*\b(gpuarr_\w+)\(",
                                   read(f"{source}/include/gpuarr/{noun}.h"), re.M))
    code = "".join(map(read, sorted(glob.glob(f"{source}/bindings/cpp/*.hpp"))))
    by_name = [(name, ours, f"gpuarr_{called}", theirs)
               for name, ours, called, theirs in BY_NAME.findall(code)]
    called = set(re.findall(r"\bgpuarr_\w+", code)) | {function for _, _, function, _ in by_name}
    missing = declared - called - LEFT_TO_C
    wrong = [f"{name} is not there in C++" for name in sorted(missing)]
    by_name += [(name, ours, f"gpuarr_{called}", theirs)
                for name, ours, called, theirs in NODE.findall(code)]
    found = ONE_LINE.findall(code) + by_name
    wrong += filter(None, (complaint(*each) for each in found))
    if len(found) < 140:
        wrong.append(f"only {len(found)} functions were recognised")
    print("\n".join(wrong) or f"{len(declared)} functions, {len(found)} of them in a line")
    sys.exit(1 if wrong else 0)


main(*sys.argv[1:])
