#!/usr/bin/env python3
"""CuPy and PyTorch on the work of bench_reduction, and on linear algebra, where installed."""
from peer_libraries import EDGE, call_us, gpu_us, measure_all, new_us

CUBE = (1024, 256, 1024)
SHAPES = {  # name: shape, axes
    "(2^25,8)": ((2**25, 8), 1),
    "(8,2^25)": ((8, 2**25), 0),
    "(2^20,100)": ((2**20, 100), 1),
    "(3,2^27)": ((3, 2**27), 1),
    "(2^20,256)": ((2**20, 256), 1),
}


class CuPyWork:
    """CuPy's reduction kernels, and its own functions."""

    def __init__(self, peer):
        self.cp = cp = peer.cp
        kernel = cp.ReductionKernel
        self.l2 = kernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2_norm")
        texts = ("T p, T t", "T o", "(p - t) * (p - t)", "a + b")
        self.error = kernel(*texts, "o = a / _in_ind.size()", "0", "squared_error")
        self.undivided = kernel(*texts, "o = a", "0", "squared_error_sum")

    def l2_norm(self, x, axes):
        return self.l2(x, axis=axes)

    def errors(self):
        fused = self.cp.fuse(lambda p, t: self.cp.sum((p - t) ** 2))
        return {
            "": self.error,
            ", undivided": self.undivided,
            ", as an expression": lambda p, t: self.cp.mean((p - t) ** 2),
            ", fused by cupy.fuse": fused,
        }

    def new_kernel(self, number):
        return self.cp.ReductionKernel("T x", "T y", f"{number}f + x", "a + b", "y = a", "0", "new")

    def linear_algebra(self):
        return self.cp.linalg.svd, self.cp.matmul


class PyTorchWork:
    """PyTorch's own reductions."""

    def __init__(self, peer):
        self.torch = peer.torch
        self.compiled = self.torch.compile(self.error, dynamic=False)

    def l2_norm(self, x, axes):
        return self.torch.linalg.vector_norm(x, dim=axes)

    def error(self, p, t):
        return self.torch.mean((p - t) ** 2)

    def errors(self):
        return {", eager": self.error, ", compiled": self.compiled}

    def linear_algebra(self):
        return self.torch.linalg.svd, self.torch.matmul


def work_of(peer):
    return {"CuPy": CuPyWork, "PyTorch": PyTorchWork}[peer.name](peer)


def along(axes):
    """As in our rows: "" for all axes, " axis 0", " axes (0, 1)"."""
    if axes is None:
        return ""
    return f" axis {axes}" if isinstance(axes, int) else f" axes {axes}"


def row(peer, table, what, function, x):
    n = x.size if peer.name == "CuPy" else x.numel()
    table.add(what + peer.plain, "f32", n, gpu_us(peer, function, [(x,)]), 4 * n)


def squares(peer, table):
    work = work_of(peer)
    flat = peer.random("f32", EDGE * EDGE)
    x, cube = flat.reshape(EDGE, EDGE), flat.reshape(CUBE)
    for axes in (None, 0, 1):
        of = along(axes)
        row(peer, table, "l2 norm" + of, lambda x, a=axes: work.l2_norm(x, a), x)
        row(peer, table, "sum" + of, lambda x, a=axes: x.sum() if a is None else x.sum(a), x)
        row(peer, table, "argmax" + of, lambda x, a=axes: x.argmax(a), x)
    for axis in (0, 1):
        what = f"l2 norm of x.T axis {axis}"
        row(peer, table, what, lambda x, a=axis: work.l2_norm(x.T, a), x)
    row(peer, table, "var", lambda x: x.var(), x)
    for axes in (0, 1, 2, (0, 2), (0, 1), (1, 2), (0, 1, 2)):
        what = f"l2 norm ({','.join(map(str, CUBE))}){along(axes)}"
        row(peer, table, what, lambda x, a=axes: work.l2_norm(x, a), cube)


def shapes(peer, table):
    work = work_of(peer)
    flat = peer.random("f32", 3 * 2**27)
    for name, (shape, axis) in SHAPES.items():
        x = flat[: shape[0] * shape[1]].reshape(shape)
        row(peer, table, f"l2 norm {name}{along(axis)}", lambda x, a=axis: work.l2_norm(x, a), x)


def errors(peer, table):
    work = work_of(peer)
    for dtype, bytes_each in (("f64", 8), ("f32", 4)):
        for n in (10**8, 10**7):
            sets = [(peer.random(dtype, n), peer.random(dtype, n)) for _ in range(10**8 // n)]
            for form, function in work.errors().items():
                us = gpu_us(peer, function, sets)
                table.add("mean squared error" + form, dtype, n, us, 2 * n * bytes_each)
            del sets
            peer.free()


def calls(peer, table):
    work = work_of(peer)
    x = peer.random("f32", 1024)
    work.l2_norm(x, None)
    us = call_us(peer, lambda: work.l2_norm(x, None), ())
    table.add("repeated reduction, array made" + peer.plain, "f32", 1024, us)
    if hasattr(work, "new_kernel"):
        us = new_us(peer, work.new_kernel, (x,), 3)
        table.add("new reduction", "f32", 1024, us)


def linear_algebra(peer, table):
    svd, product = work_of(peer).linear_algebra()
    m = peer.random("f64", 10**6).reshape(1000, 1000)
    table.add("svd 1000 x 1000" + peer.plain, "f64", 10**6, gpu_us(peer, svd, [(m,)]))
    table.add("product 1000 x 1000" + peer.plain, "f64", 10**6, gpu_us(peer, product, [(m, m)]))
    m = peer.random("f32", 2**26).reshape(8192, 8192)
    table.add("product 8192 x 8192" + peer.plain, "f32", 2**26, gpu_us(peer, product, [(m, m)]))


if __name__ == "__main__":
    measure_all((squares, shapes, errors, calls, linear_algebra))
