#!/usr/bin/env python3
"""NumPy, and Numba, on the work of bench_host and its like, which run this.

Prints one time in us and what it is of on each line.

usage: peers_host.py elementwise f32|f64
       peers_host.py functions
       peers_host.py random
       peers_host.py reduction
       peers_host.py moving
       peers_host.py scan
       peers_host.py matmul f32|f64
       peers_host.py solver
       peers_host.py sort|ranks u32|f32|i64|f64 N
"""
import sys
import time

try:
    import numpy as np
except ImportError as error:
    sys.exit(f"peers_host.py: {error}: no figures of NumPy")
try:
    import numba
except ImportError:
    numba = None

N = 10**7
SHAPE = (4000, 2500)
REPEATS = 5
DTYPES = {"f32": np.float32, "f64": np.float64}


def report(what, function):
    function()
    for _ in range(REPEATS):
        begin = time.perf_counter()
        function()
        print(f"{(time.perf_counter() - begin) * 1e6:.3f} {what}", flush=True)


def random(dtype):
    return (np.random.default_rng().random(N) * 8 - 4).astype(DTYPES[dtype])


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


def elementwise(dtype):
    x, y = random(dtype), random(dtype)
    z, temporary = x.copy(), y.copy()
    report("x*y+x", lambda: multiply_add(x, y, z))
    report("exp(-x*x)*sin(y)", lambda: exp_sin(x, y, z, temporary))
    report("exp(-x*x)*sin(y), arrays made", lambda: np.exp(-x * x) * np.sin(y))


def scan():
    x, wide = random("f32"), random("f64")
    z, total, flags = x.copy(), wide.copy(), x > 0
    table, out = x.reshape(SHAPE), z.reshape(SHAPE)
    report("f32 cumsum", lambda: np.cumsum(x, out=z))
    report("f64 cumsum", lambda: np.cumsum(wide, out=total))
    report("f32 cummax", lambda: np.maximum.accumulate(x, out=z))
    report("f32 cumsum, rows", lambda: np.cumsum(table, 1, out=out))
    report("f32 cumsum, columns", lambda: np.cumsum(table, 0, out=out))
    report("f32 x[mask]", lambda: x[flags])
    report("nonzero", lambda: np.flatnonzero(flags))


def functions():
    x, y, wide = random("f32"), random("f32"), random("f64")
    z, total, flags = x.copy(), wide.copy(), y > 0
    report("f32 x+y", lambda: np.add(x, y, out=z))
    report("f32 and f64 x+y", lambda: np.add(x, wide, out=total))
    report("f32 exp(x)", lambda: np.exp(x, out=z))
    report("f64 exp(x)", lambda: np.exp(wide, out=total))
    report("f32 x**2", lambda: np.square(x, out=z))
    report("f32 where", lambda: np.where(flags, x, y))
    report("f32 sin(x)", lambda: np.sin(x, out=z))


def random_numbers():
    g = np.random.Generator(np.random.Philox(1))
    single, double = np.empty(N, np.float32), np.empty(N)
    report("f32 uniform", lambda: g.random(out=single, dtype=np.float32))
    report("f64 uniform", lambda: g.random(out=double))
    report("f32 normal", lambda: g.standard_normal(out=single, dtype=np.float32))
    report("f64 normal", lambda: g.standard_normal(out=double))
    report("f32 exponential", lambda: g.standard_exponential(out=single, dtype=np.float32))
    report("i64 integers below 1000", lambda: g.integers(1000, size=N))
    report("f64 gamma(2.5)", lambda: g.standard_gamma(2.5, out=double))
    report("f64 gamma(0.3)", lambda: g.standard_gamma(0.3, out=double))
    report("poisson(3.5)", lambda: g.poisson(3.5, N))
    report("poisson(100)", lambda: g.poisson(100, N))
    report("binomial(20, 0.1)", lambda: g.binomial(20, 0.1, N))
    report("binomial(1000, 0.3)", lambda: g.binomial(1000, 0.3, N))
    report("permutation", lambda: g.permutation(N))


def with_numba(x, wide):
    """Sums in parallel, and in any order, as ours are."""

    @numba.njit(parallel=True, fastmath=True)
    def sum_of_squares(x):
        total = x.dtype.type(0)
        for i in numba.prange(x.size):
            total += x[i] * x[i]
        return total

    @numba.njit(parallel=True, fastmath=True)
    def mean(x):
        total = x.dtype.type(0)
        for i in numba.prange(x.size):
            total += x[i]
        return total / x.size

    @numba.njit(parallel=True, fastmath=True)
    def sums_of_rows(x, out):
        for row in numba.prange(x.shape[0]):
            total = x.dtype.type(0)
            for column in range(x.shape[1]):
                total += x[row, column] * x[row, column]
            out[row] = total

    matrix, sums = x.reshape(SHAPE), np.empty(SHAPE[0], x.dtype)
    report("Numba f32 sum of squares", lambda: sum_of_squares(x))
    report("Numba f32 sum of squares axis 1", lambda: sums_of_rows(matrix, sums))
    report("Numba f64 mean", lambda: mean(wide))


def reduction():
    x, wide = random("f32"), random("f64")
    matrix = x.reshape(SHAPE)
    report("NumPy f32 sum of squares", lambda: np.dot(x, x))
    report("NumPy f32 sum of squares axis 0", lambda: np.einsum("ij,ij->j", matrix, matrix))
    report("NumPy f32 sum of squares axis 1", lambda: np.einsum("ij,ij->i", matrix, matrix))
    report("NumPy f32 sum", lambda: np.sum(x))
    report("NumPy f64 mean", lambda: np.mean(wide))
    report("NumPy f32 argmax", lambda: np.argmax(x))
    report("NumPy f32 argmax axis 0", lambda: np.argmax(matrix, axis=0))
    report("NumPy f32 argmax axis 1", lambda: np.argmax(matrix, axis=1))
    if numba is not None:
        with_numba(x, wide)


def moving():
    x, random_numbers = random("f32"), np.random.default_rng()
    out, k = x.copy(), random_numbers.integers(0, N, N)
    matrix, rows = x.reshape(-1, 64), random_numbers.integers(0, N // 64, N // 64)
    results = out.reshape(-1, 64)
    # Without a mode the results go into an array of NumPy's own first.
    report("take, random", lambda: np.take(x, k, out=out, mode="wrap"))
    report("take, random", lambda: np.take(x, k))
    report("take rows of 64", lambda: np.take(matrix, rows, axis=0, out=results, mode="wrap"))
    report("concatenate 2", lambda: np.concatenate([x[N // 2:], x[:N // 2]], out=out))
    report("roll", lambda: np.roll(x, 12345))


def matmul(dtype):
    def numbers(*shape):
        return np.random.default_rng().random(shape).astype(DTYPES[dtype])

    for what, left, right in (("2000", (2000, 2000), (2000, 2000)), ("64 of 256", (64, 256, 256),
                              (64, 256, 256)), ("10000 of 16", (10000, 16, 16), (10000, 16, 16)),
                              ("4000 x 4000 by a vector", (4000, 4000), (4000, 1))):
        x, y = numbers(*left), numbers(*right)
        z = np.matmul(x, y)
        report(f"x @ y, {what}", lambda: np.matmul(x, y, out=z))
        if what == "2000":
            report("x.T @ y, 2000", lambda: np.matmul(x.T, y, out=z))
            report("x.T @ x, 2000", lambda: np.matmul(x.T, x, out=z))


def solver():
    a = (np.random.default_rng().random((1000, 1000)) * 8 - 4)
    b = a[0].copy()
    report("NumPy f64 svd", lambda: np.linalg.svd(a, full_matrices=False))
    report("NumPy f64 eigh", lambda: np.linalg.eigh(a))
    report("NumPy f64 qr", lambda: np.linalg.qr(a))
    report("NumPy f64 solve", lambda: np.linalg.solve(a, b))


def sort(dtype, count, functions):
    """Into an array that is there, as ours; the median of many for short ones."""
    generator = np.random.default_rng()
    x = generator.normal(size=count).astype(dtype) if dtype[0] == "f" else \
        generator.integers(0, 2**63, count, np.uint64).astype(dtype)
    calls = max(1, 20000 // count)
    for what, function in functions.items():
        function(x)
        for _ in range(REPEATS):
            begin = time.perf_counter()
            for _ in range(calls):
                function(x)
            print(f"{(time.perf_counter() - begin) * 1e6 / calls:.3f} {what}", flush=True)


# NumPy's nearest to the places of the ten greatest has them in no order.
SORTS = {
    "sort": {"sort": np.sort, "argsort": np.argsort},
    "ranks": {"partition": lambda x: np.partition(x, len(x) // 2), "median": np.median,
              "topk": lambda x: np.argpartition(x, len(x) - 10)},
}


if len(sys.argv) == 4 and sys.argv[1] in SORTS:
    dtype = sys.argv[2].replace("32", "4").replace("64", "8")
    sort(dtype, int(sys.argv[3]), SORTS[sys.argv[1]])
elif len(sys.argv) == 3 and sys.argv[1] == "matmul" and sys.argv[2] in DTYPES:
    matmul(sys.argv[2])
elif len(sys.argv) == 3 and sys.argv[1] == "elementwise" and sys.argv[2] in DTYPES:
    elementwise(sys.argv[2])
elif sys.argv[1:] == ["functions"]:
    functions()
elif sys.argv[1:] == ["random"]:
    random_numbers()
elif sys.argv[1:] == ["reduction"]:
    reduction()
elif sys.argv[1:] == ["moving"]:
    moving()
elif sys.argv[1:] == ["solver"]:
    solver()
elif sys.argv[1:] == ["scan"]:
    scan()
else:
    sys.exit(__doc__)
