#!/usr/bin/env python3
"""NumPy on the work of bench_host, which runs this: one time in us and what it is of on each line.

usage: peers_host.py f32|f64
"""
import sys
import time

try:
    import numpy as np
except ImportError as error:
    sys.exit(f"peers_host.py: {error}: no figures of NumPy")

N = 10**7
REPEATS = 5
DTYPES = {"f32": np.float32, "f64": np.float64}


def report(what, function):
    function()
    for _ in range(REPEATS):
        begin = time.perf_counter()
        function()
        print(f"{(time.perf_counter() - begin) * 1e6:.3f} {what}", flush=True)


def multiply_add(x, y, z):
    np.multiply(x, y, out=z)
    np.add(z, x, out=z)


def exp_sin(x, y, z, temporary):
    """np.exp(-x * x) * np.sin(y), without making arrays on the way."""
    np.negative(x, out=z)
    np.multiply(z, x, out=z)
    np.exp(z, out=z)
    np.sin(y, out=temporary)
    np.multiply(z, temporary, out=z)


def main(dtype):
    random = np.random.default_rng()
    x = (random.random(N) * 8 - 4).astype(dtype)
    y = (random.random(N) * 8 - 4).astype(dtype)
    z, temporary = x.copy(), y.copy()
    report("x*y+x", lambda: multiply_add(x, y, z))
    report("exp(-x*x)*sin(y)", lambda: exp_sin(x, y, z, temporary))
    report("exp(-x*x)*sin(y), arrays made", lambda: np.exp(-x * x) * np.sin(y))


if len(sys.argv) != 2 or sys.argv[1] not in DTYPES:
    sys.exit(__doc__)
main(DTYPES[sys.argv[1]])
