#!/usr/bin/env python3
"""PyTorch, eager and compiled, on the work of bench_expr, on a GPU or else on the CPU."""
import statistics
import sys
import time

import torch

DEVICE = "cuda" if torch.cuda.is_available() and "cpu" not in sys.argv else "cpu"
N = 10**8 if DEVICE == "cuda" else 10**7
ROWS = (
    ((65536, 1024, "float32"), (65536, 4096, "float32"), (65536, 4096, "float16"),
     (4096, 16384, "float32"), (2000, 50000, "float32"))
    if DEVICE == "cuda"
    else ((8192, 1024, "float32"), (20000, 300, "float32"))
)  # fmt: skip


def timed(function):
    """The median time of a call in us."""
    times = []
    for _ in range(25):
        if DEVICE == "cuda":
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            function()
            end.record()
            end.synchronize()
            times.append(begin.elapsed_time(end) * 1e3)
        else:
            begin = time.perf_counter()
            function()
            times.append((time.perf_counter() - begin) * 1e6)
    return statistics.median(times)


def show(what, function, *arguments):
    """Prints the times of both forms; a compiler that fails leaves the rest as it is."""
    print(f"{what:<52} {timed(lambda: function(*arguments)):12.1f} us", end=" ", flush=True)
    try:
        torch.compiler.reset()  # after 8 shapes of a function it would compile no more
        compiled = torch.compile(function, dynamic=False)
        for _ in range(3):
            compiled(*arguments)
        print(f"{timed(lambda: compiled(*arguments)):12.1f} us", flush=True)
    except Exception as error:
        print(f"{type(error).__name__}: {error}", flush=True)


def layer_norm(x, w, b):
    d = x - x.mean(1, keepdim=True)
    return d / torch.sqrt((d * d).mean(1, keepdim=True) + 1e-5) * w + b


def z_score(x):
    d = x - x.mean(1, keepdim=True)
    return d / torch.sqrt((d * d).mean(1, keepdim=True))


def adam(g, m, v, p):
    m1, v1 = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g * g
    return p - 0.001 * m1 / (torch.sqrt(v1 * v1) + 1e-8), m1, v1


def main():
    print(f"PyTorch {torch.__version__} on {DEVICE}\n{'what':<52} {'eager':>15} {'compiled':>15}")
    arrays = [torch.rand(N, device=DEVICE) * 8 - 4 for _ in range(4)]
    x, y = arrays[:2]
    show("mean((x-y)**2), f32", lambda a, b: ((a - b) ** 2).mean(), x, y)
    show("a*x + b*y - c*w", lambda a, b, c: 2.5 * a + 0.5 * b - 1.5 * c, *arrays[:3])
    show("mean, var, min, max",
         lambda a: (a.mean(), a.var(correction=0), a.min(), a.max()), x)  # fmt: skip
    show("Adam", adam, *arrays)
    show("exp(-x*x)*sin(y)", lambda a, b: torch.exp(-a * a) * torch.sin(b), x, y)
    del arrays, x, y
    for rows, length, dtype in ROWS:
        x = (torch.rand(rows, length, device=DEVICE) * 8 - 4).to(getattr(torch, dtype))
        w, b = x[0].clone(), x[1].clone()
        what = f"of {rows} rows of {length} {dtype}"
        show("softmax " + what, lambda a: torch.softmax(a, 1), x)
        show("layer norm " + what, layer_norm, x, w, b)
        show("z-score " + what, z_score, x)
        del x


if __name__ == "__main__":
    main()
