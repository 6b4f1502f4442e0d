#!/usr/bin/env python3
"""JAX, Numba and PyTorch on the work of bench_host_expr, which runs one process of each.

usage: peers_host_expr.py jax|numba|torch

Reads a line for each thing to do, and answers each with lines that end with a "." alone:
  prepare WORK f32|f64 N [N]   makes random arrays and compiles
  time                         answers with "US FORM" for each form of the work, calls of a turn
What fails is told on stderr and answered with no figure.
"""
import ctypes
import functools
import os
import statistics
import sys
import time
import traceback

CORES = len(os.sched_getaffinity(0))
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["JAX_ENABLE_X64"] = "1"
os.environ.setdefault("OMP_NUM_THREADS", str(CORES))
os.environ.setdefault("NUMBA_NUM_THREADS", str(CORES))

DTYPES = {"f32": "float32", "f64": "float64"}
TOLERANCES = {"f32": 5e-3, "f64": 1e-7}  # sums of 1e7 floats one after another are no better
SET_BYTES = 2**29  # arrays take turns: so many bytes of them, if that is more than one set
MOST_SETS = 8
WARM_S, TURN_S, FEWEST_CALLS = 0.005, 0.03, 4  # as bench_host_expr


def keep_memory():
    """Lets malloc reuse what large results of JAX and PyTorch lay in, without new pages."""
    malloc_trim_threshold, malloc_mmap_max = -1, -4
    libc = ctypes.CDLL(None)
    libc.mallopt(malloc_mmap_max, 0)
    libc.mallopt(malloc_trim_threshold, -1)


class Numba:
    """Into arrays that are there."""

    def __init__(self):
        import numba
        import numba_loops

        self.version = numba.__version__
        self.jits = {
            "Numba": numba.njit(parallel=True),
            "Numba fast": numba.njit(parallel=True, fastmath=True),
        }
        self.loops = numba_loops

    def native(self, x):
        return x

    def forms(self, work, sets):
        name = "mean_var_rows" if work.name == "mean_var" and len(work.shape) == 2 else work.name
        outs = [work.outputs() for _ in sets]
        for label, jit in self.jits.items():
            loop = jit(getattr(self.loops, name))
            yield label, [self.call(loop, i, o) for i, o in zip(sets, outs)]

    @staticmethod
    def call(loop, inputs, outs):
        return lambda: loop(*inputs, *outs) or outs


class Jax:
    """Compiled by XLA; results are arrays of its own."""

    def __init__(self):
        import jax
        import jax.nn
        import jax.numpy

        jax.config.update("jax_enable_x64", True)
        self.jax, self.version = jax, f"{jax.__version__} on {jax.devices()}"

    def native(self, x):
        return self.jax.block_until_ready(self.jax.device_put(x))

    def function(self, name, axis):
        np, nn = self.jax.numpy, self.jax.nn

        def layer_norm(x, w, b):
            d = x - x.mean(1, keepdims=True)
            return d * self.jax.lax.rsqrt((d * d).mean(1, keepdims=True) + 1e-5) * w + b

        def z_score(x):
            d = x - x.mean(1, keepdims=True)
            return d * self.jax.lax.rsqrt((d * d).mean(1, keepdims=True))

        return {
            "exp_sin": lambda x, y: np.exp(-x * x) * np.sin(y),
            "mse": lambda x, y: ((x - y) ** 2).mean(),
            "mean_var": lambda x: (x.mean(axis), x.var(axis)),
            "softmax": lambda x: nn.softmax(x, axis=1),
            "layer_norm": layer_norm,
            "z_score": z_score,
        }[name]

    def forms(self, work, sets):
        compiled = self.jax.jit(self.function(work.name, work.axis))
        yield "JAX", [self.call(compiled, inputs) for inputs in sets]

    def call(self, function, inputs):
        return lambda: self.jax.block_until_ready(function(*inputs))


class Torch:
    """Its own functions, and what its compiler makes of them, on a thread for each core."""

    def __init__(self):
        import torch

        torch.set_num_threads(CORES)
        self.torch, self.version = torch, f"{torch.__version__}, {torch.get_num_threads()} threads"

    def native(self, x):
        return self.torch.from_numpy(x)

    def function(self, name, shape):
        torch, f = self.torch, self.torch.nn.functional
        dim = 1 if len(shape) == 2 else None
        return {
            "exp_sin": lambda x, y: torch.exp(-x * x) * torch.sin(y),
            "mse": lambda x, y: f.mse_loss(x, y),
            "mean_var": lambda x: torch.var_mean(x, dim=dim, correction=0)[::-1],
            "softmax": lambda x: torch.softmax(x, 1),
            "layer_norm": lambda x, w, b: f.layer_norm(x, shape[1:], w, b, 1e-5),
            "z_score": lambda x: f.layer_norm(x, shape[1:], eps=0),
        }[name]

    def exp_sin_in_place(self, z, temporary, x, y):
        torch = self.torch
        torch.mul(x, x, out=z)
        torch.sin(y, out=temporary)
        return z.neg_().exp_().mul_(temporary)

    def forms(self, work, sets):
        function = eager = self.function(work.name, work.shape)
        if work.name == "exp_sin":
            outs = [self.native(out) for out in (*work.outputs(), *work.outputs())]
            eager = functools.partial(self.exp_sin_in_place, *outs)
        yield "PyTorch eager", [self.call(eager, inputs) for inputs in sets]
        self.torch.compiler.reset()  # after 8 shapes of a function it would compile no more
        compiled = self.torch.compile(function, dynamic=False)
        yield "PyTorch compiled", [self.call(compiled, inputs) for inputs in sets]

    @staticmethod
    def call(function, inputs):
        return lambda: function(*inputs)


class Work:
    """One line of bench_host_expr: "softmax f32 8192 1024"."""

    def __init__(self, name, dtype, *shape):
        self.name, self.dtype, self.shape = name, DTYPES[dtype], tuple(map(int, shape))
        self.tolerance = TOLERANCES[dtype]
        self.axis = 1 if len(self.shape) == 2 else None

    def inputs(self):
        shapes = {"exp_sin": 2 * [self.shape], "mse": 2 * [self.shape],
                  "layer_norm": [self.shape] + 2 * [self.shape[1:]]}.get(self.name, [self.shape])
        return [self.random(shape) for shape in shapes]

    def random(self, shape):
        x = np.random.default_rng().random(shape, self.dtype)
        x *= 8
        x -= 4
        return x

    def outputs(self):
        if self.name == "mse" or self.name == "mean_var" and self.axis is None:
            return []
        if self.name == "mean_var":
            return [np.zeros(self.shape[0], self.dtype) for _ in range(2)]
        return [np.zeros(self.shape, self.dtype)]

    def sets(self):
        first = self.inputs()
        used = sum(x.nbytes for x in first + self.outputs())
        return [first] + [self.inputs() for _ in range(min(SET_BYTES // used, MOST_SETS) - 1)]

    def by_numpy(self, inputs):
        """Of the first rows; of all of a vector that is reduced."""
        inputs = [x.astype("float64") for x in inputs]
        if self.name == "mse":
            return [np.mean((inputs[0] - inputs[1]) ** 2)]
        if self.name == "mean_var":
            return [np.mean(inputs[0], self.axis), np.var(inputs[0], self.axis)]
        if self.name == "exp_sin":
            return [np.exp(-inputs[0] ** 2) * np.sin(inputs[1])]
        if self.name == "softmax":
            up = np.exp(inputs[0] - inputs[0].max(1, keepdims=True))
            return [up / up.sum(1, keepdims=True)]
        d = inputs[0] - inputs[0].mean(1, keepdims=True)
        variance = np.mean(d * d, 1, keepdims=True)
        if self.name == "z_score":
            return [d / np.sqrt(variance)]
        return [d / np.sqrt(variance + 1e-5) * inputs[1] + inputs[2]]

    def check(self, results, inputs):
        results = results if isinstance(results, (list, tuple)) else [results]
        head = slice(3) if self.axis or self.name == "exp_sin" else slice(None)
        wanted = self.by_numpy([x[head] if x.shape == self.shape else x for x in inputs])
        for result, right in zip(results, wanted, strict=True):
            ours = np.asarray(result)
            ours = ours[head] if ours.ndim else ours
            np.testing.assert_allclose(ours, right, rtol=self.tolerance, atol=self.tolerance)


def prepare(peer, work):
    """{form: a call for each set of arrays}"""
    numbers = work.sets()
    sets = [[peer.native(x) for x in inputs] for inputs in numbers]
    ready = {}
    try:
        for form, calls in peer.forms(work, sets):
            try:
                work.check(calls[0](), numbers[0])
                ready[form] = calls
            except Exception:
                tell(f"{form}, {work.name} {work.dtype} {work.shape}")
    except Exception:
        tell(f"{work.name} {work.dtype} {work.shape}")
    return ready


def turn_us(calls):
    """The median of a turn's calls, with the arrays of one after another."""
    begin, count = time.perf_counter(), 0
    while time.perf_counter() < begin + WARM_S:
        calls[count % len(calls)]()
        count += 1
    times = []
    while len(times) < FEWEST_CALLS or sum(times) < TURN_S:
        call = calls[count % len(calls)]
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
        count += 1
    return statistics.median(times) * 1e6


def tell(what):
    last = traceback.format_exc().strip().splitlines()[-40:]
    print(f"peers_host_expr.py: {what}:", *last, sep="\n  ", file=sys.stderr, flush=True)


def serve(peer, answer):
    ready = {}
    print(".", file=answer, flush=True)
    for line in iter(sys.stdin.readline, ""):
        command, *words = line.split()
        try:
            if command == "prepare":
                ready = {}  # before the next arrays are made
                ready = prepare(peer, Work(*words))
            else:
                for form, calls in ready.items():
                    print(f"{turn_us(calls):.3f} {form}", file=answer)
        except Exception:
            tell(line.strip())
        print(".", file=answer, flush=True)


PEERS = {"jax": Jax, "numba": Numba, "torch": Torch}

if len(sys.argv) != 2 or sys.argv[1] not in PEERS:
    sys.exit(__doc__)
# What compilers print goes elsewhere than the figures.
stdout = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
keep_memory()
try:
    import numpy as np

    chosen = PEERS[sys.argv[1]]()
except Exception as error:
    sys.exit(f"peers_host_expr.py: {sys.argv[1]}: {error}: no figures of it")
print(f"{sys.argv[1]} {chosen.version}", file=sys.stderr, flush=True)
serve(chosen, stdout)
