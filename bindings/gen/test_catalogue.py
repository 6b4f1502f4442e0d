#!/usr/bin/env python3
"""Tests what catalogue.py takes of a row, and what it refuses, by what it says."""
import sys

import catalogue

GOOD = {"about": "the logarithm", "promotes": "floating", "float": "log(x)", "ulp": 4}

# A key and its value in place of the good row's, and a part of what is said.
BAD = [
    ("abuot", "a sentence", "'abuot' is no key"),
    ("about", None, "about is missing"),
    ("about", 1, "about is no text"),
    ("promotes", "float", "promotes is float; give one of same"),
    ("gives", "bool", "gives is bool; give one of same"),
    ("gives", ["same", "same"], "for each output"),
    ("float", None, "no expression; give one of bool"),
    ("float", ["log(x)", "x"], "float has 2 expressions"),
    ("outputs", "low, high", "float has 1 expressions"),
    ("inputs", "const x", "the input 'const x'"),
    ("inputs", "x,y", "the input 'x,y'"),
    ("inputs", "x, own n, y", "stand together"),
    ("inputs", "own n", "no input is promoted"),
    ("preamble", "nothing", "preamble is nothing"),
    ("ulp", None, "ulp is missing"),
    ("ulp", "4", "ulp is 4"),
]


def made(**changes):
    row = {key: value for key, value in {**GOOD, **changes}.items() if value is not None}
    return catalogue.Function("ln", "math", row)


def expect(got, wanted):
    if got != wanted:
        sys.exit(f"got {got!r}; wanted {wanted!r}")


def good():
    one = made()
    expect((one.sentence, one.dtypes, one.result, one.called, one.is_plain),
           ("Compute the logarithm.", "any dtype but complex", "float", "log", True))
    expect([i.c for i in one.inputs], ["const gpuarr_array* x"])
    two = made(inputs="x, own n, double far = 0.5", complex="log(x)", gives="truth",
               about="whether it is")
    expect([(i.c, i.is_promoted, i.default) for i in two.inputs],
           [("gpuarr_arg x", True, ""), ("gpuarr_arg n", False, ""), ("double far", False, "0.5")])
    expect((two.sentence, two.dtypes, two.result, two.called, two.is_plain),
           ("Tell whether it is.", "any dtype", "bool", "", False))
    both = made(outputs="low, high", float=["x", "y"], preamble="lgamma")
    expect(both.expressions, [{"float": "x"}, {"float": "y"}])
    expect(made(float="log_gamma(x)", preamble="lgamma").called, "")
    expect(made(float=None, promotes="number", integer="x").dtypes, "bools or integers")


def bad():
    for key, value, complaint in BAD:
        try:
            made(**{key: value})
        except catalogue.Mistake as mistake:
            if complaint not in str(mistake) or "catalogue/math.toml: ln: " not in str(mistake):
                sys.exit(f"{key} = {value!r} was refused with '{mistake}'; wanted '{complaint}'")
        else:
            sys.exit(f"{key} = {value!r} was taken")


good()
bad()
print(f"{len(BAD)} rows were refused; {len(catalogue.read())} stand in the catalogue")
