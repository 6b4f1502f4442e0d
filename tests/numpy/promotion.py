#!/usr/bin/env python3
"""The dtypes that functions compute in and give beside NumPy's, all of them: on arrays without
elements, which takes no kernel. And what goes into a given output.

    promotion.py LIBRARY [DEVICE]
"""
from ctypes import byref, c_int32

from support import (BF16, BOOL, C64, C128, CATALOGUE, COMPLEX, F16, F32, F64, FLOATS, I64,
                     INTEGERS, NUMPY, OURS, U8, Failure, lib, np, refused)

ALL = (BOOL,) + INTEGERS + FLOATS + COMPLEX
SCALARS = (True, 3, 2.5, 1j)
EMPTY = {dtype: lib.empty(dtype, (0,)) for dtype in ALL + (BF16,)}
NUMPYS = {dtype: np.zeros(0, NUMPY[dtype]) for dtype in ALL}

# NumPy 1 makes floats of the integers that these leave as they are.
OTHERWISE = ("floor", "ceil", "trunc")


def names(inputs):
    """Functions of the catalogue that are NumPy's own."""
    return [name for name, row in CATALOGUE.items() if row["plain"] and name not in OTHERWISE
            and isinstance(getattr(np, name, None), np.ufunc) and len(row["inputs"]) == inputs]


UNARY, BINARY = names(1), names(2)


def result_type(*arguments):
    out = c_int32()
    lib.call("result_type", byref(out), list(arguments), len(arguments))
    return out.value


def made_dtype(name, *arguments):
    """None where the function refuses."""
    try:
        return lib.make(name, *arguments).dtype
    except Failure as failure:
        assert failure.status == lib.constants["GPUARR_ERR_DTYPE"], (name, str(failure))
        return None


def numpys_dtype(name, *arguments):
    try:
        return OURS[getattr(np, name)(*arguments).dtype]
    except (TypeError, OverflowError):
        return None


def joins():
    for a in ALL:
        for b in ALL:
            wanted = OURS[np.result_type(NUMPY[a], NUMPY[b])]
            assert result_type(EMPTY[a], EMPTY[b]) == wanted, (a, b)
        for scalar in SCALARS:
            wanted = OURS[np.result_type(NUMPY[a], scalar)]
            assert result_type(EMPTY[a], scalar) == wanted, (a, scalar)
            assert result_type(scalar, EMPTY[a], True) == wanted, (a, scalar)
    assert [result_type(s) for s in SCALARS] == [BOOL, I64, F64, C128]


def bfloat16_joins():
    """With integers and bools as float16, with that as float32, with all else as it does."""
    for other in ALL:
        wanted = OURS[np.result_type(np.float16, NUMPY[other])]
        wanted = {F16: BF16}.get(wanted, wanted) if other != F16 else F32
        assert result_type(EMPTY[BF16], EMPTY[other]) == wanted, other
    assert result_type(EMPTY[BF16], 2.5) == result_type(EMPTY[BF16], 3) == BF16
    assert result_type(EMPTY[BF16], 1j) == C64
    assert made_dtype("exp", EMPTY[BF16]) == made_dtype("add", EMPTY[BF16], EMPTY[U8]) == BF16


def functions_of_one():
    for name in UNARY:
        for dtype in ALL:
            wanted = numpys_dtype(name, NUMPYS[dtype])
            assert made_dtype(name, EMPTY[dtype]) == wanted, (name, dtype, wanted)
    for name in ("floor", "ceil", "trunc"):  # which leave integers alone since NumPy 2.1
        for dtype in (BOOL,) + INTEGERS + FLOATS:
            assert made_dtype(name, EMPTY[dtype]) == dtype, (name, dtype)


def functions_of_two():
    for name in BINARY:
        for a in ALL:
            for b in ALL:
                wanted = numpys_dtype(name, NUMPYS[a], NUMPYS[b])
                made = made_dtype(name, EMPTY[a], EMPTY[b])
                assert made == wanted, (name, a, b, made, wanted)


def functions_with_scalars():
    for name in BINARY:
        for a in ALL:
            for scalar in SCALARS:
                wanted = numpys_dtype(name, NUMPYS[a], scalar)
                made = made_dtype(name, EMPTY[a], scalar)
                assert made == wanted, (name, a, scalar, made, wanted)


def given_outputs():
    """As NumPy's casting="same_kind"."""
    for result in ALL:
        for given in ALL:
            fits = np.can_cast(NUMPY[result], NUMPY[given], "same_kind")
            out = lib.empty(given, (0,))
            if fits:
                assert lib.make("where", EMPTY[BOOL], EMPTY[result], EMPTY[result], out=out) is out
            else:
                refused("GPUARR_ERR_DTYPE", "is not converted", "where", EMPTY[BOOL], EMPTY[result],
                        EMPTY[result], out=out)


def scalars_out_of_range():
    for dtype in INTEGERS:
        info = np.iinfo(NUMPY[dtype])
        for value in (info.min - 1, info.max + 1):
            if -2**63 <= value < 2**64:
                refused("GPUARR_ERR_DTYPE", "cannot hold: it is out of range", "add", EMPTY[dtype],
                        value)
                assert made_dtype("less", EMPTY[dtype], value) == BOOL
    refused("GPUARR_ERR_DTYPE", "out of range", "add", EMPTY[F16], 1e6)


for test in (joins, bfloat16_joins, functions_of_one, functions_of_two, functions_with_scalars,
             given_outputs, scalars_out_of_range):
    test()
    print(f"{test.__name__}: ok", flush=True)
