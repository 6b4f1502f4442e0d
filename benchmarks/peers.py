#!/usr/bin/env python3
"""CuPy and PyTorch on the work of bench_elementwise and bench_launch, where they are installed."""
from peer_libraries import DTYPES, EDGE, call_us, gpu_us, measure_all, new_us

SIZES = (10**8, 10**6)
MORE_SIZES = (5 * 10**8, 10**7, 10**4)  # of these types, without compiling for each
MORE_DTYPES = ("f16", "f32", "f64")


def make_sets(peer, dtype, n):
    count = min(max(2**28 // (3 * n * DTYPES[dtype]), 2), 64)
    return [tuple(peer.random(dtype, n) for _ in range(3)) for _ in range(count)]


def contiguous_forms(peer, dtype, n):
    for form, function in peer.forms.items():
        if form != ", compiled" or (n in SIZES and dtype != "c64"):  # c64 falls back to eager
            yield form, function


def contiguous(peer, table):
    for dtype, bytes_each in DTYPES.items():
        if not peer.has(dtype):
            continue
        for n in SIZES + (MORE_SIZES if dtype in MORE_DTYPES else ()):
            sets = make_sets(peer, dtype, n)
            for form, function in contiguous_forms(peer, dtype, n):
                us = gpu_us(peer, function, sets)
                table.add("contiguous" + form, dtype, n, us, 3 * n * bytes_each)
            del sets
            peer.free()


def layouts(peer, table):
    n = EDGE * EDGE
    sets = [tuple(a.reshape(EDGE, EDGE) for a in s) for s in make_sets(peer, "f32", n)]
    views = {
        "row broadcast": (2, lambda x, y, z: (x, y[0], z)),
        "column broadcast": (2, lambda x, y, z: (x, y[:, :1], z)),
        "[:, :-1] into [:, :-1]": (3, lambda x, y, z: (x[:, :-1], y[:, :-1], z[:, :-1])),
        "one transposed operand": (3, lambda x, y, z: (x, y.T, z)),
        "two transposed operands": (3, lambda x, y, z: (x.T, y.T, z)),
        "[::2, ::2]": (0.75, lambda x, y, z: (x[::2, ::2], y[::2, ::2], z[::2, ::2])),
    }
    for what, (arrays, view) in views.items():
        viewed = [view(*s) for s in sets]
        for form, function in peer.forms.items():
            us = gpu_us(peer, function, viewed)
            table.add(what + form, "f32", n, us, arrays * n * 4)


def copies(peer, table):
    n = 2**29
    x, z = peer.random("f32", n), peer.random("f32", n)
    us = gpu_us(peer, peer.assign, [(z, x)])
    table.add("array assigned" + peer.plain, "f32", n, us, 2 * n * 4)


def calls(peer, table):
    arrays = [peer.random("f32", 1024) for _ in range(3)]
    for form, function in peer.forms.items():
        function(*arrays)
        table.add("repeated call" + form, "f32", 1024, call_us(peer, function, arrays))
    for what, function in peer.small_calls(*arrays).items():
        function()
        table.add(what + peer.plain, "f32", 1024, call_us(peer, function, ()))
    us = new_us(peer, peer.new_kernel, arrays)
    table.add("new kernel" + list(peer.forms)[-1], "f32", 1024, us)


def prime_factors(peer, table):
    if hasattr(peer, "prime_factors"):
        table.add("prime factor sums", "i64", 999999, gpu_us(peer, peer.prime_factors(), [()]))


if __name__ == "__main__":
    measure_all((contiguous, layouts, copies, calls, prime_factors))
