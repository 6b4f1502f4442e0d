#!/usr/bin/env python3
"""Elementwise functions beside NumPy's.

    functions.py LIBRARY [DEVICE]
"""
from support import (BF16, COMPLEX, FLOATS, INTEGERS, NUMPY, lib, random_array, random_shape,
                     random_values, refused, rng, same, to_bfloat16)


def layouts():
    for dtype in INTEGERS + FLOATS + COMPLEX:
        values, array = random_array(dtype, random_shape())
        same(array.numpy(), values, what="layout")


def cast():
    values = random_values(5, (3, 4, 5))
    for dtype in INTEGERS:
        layout = ("c", "f", "strided")[rng.integers(3)]
        made = lib.make("array_astype", lib.upload(values, layout=layout), dtype)
        same(made.numpy(), values.astype(NUMPY[dtype]), what="astype")
    floats = random_values(12, (1000,))
    same(lib.make("array_astype", lib.upload(floats), BF16).numpy() & 0x7FFF,
         to_bfloat16(floats) & 0x7FFF, what="astype bfloat16")
    refused("GPUARR_ERR_DTYPE", "dtype", "array_astype", lib.upload(values), 99)


for test in (layouts, cast):
    test()
    print(f"{test.__name__}: ok")
