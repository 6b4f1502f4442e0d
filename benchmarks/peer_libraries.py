"""CuPy and PyTorch as peers.py and peers_reduction.py drive them: adapters, timing, the table.

Figures are added to peers.jsonl in the working directory; each line has what, dtype and n as our
figures have. Times on the GPU are medians between events, with the queue kept full and buffers
that take turns, so that the L2 cache holds none of the next call's.
"""
import json
import os
import sys
import tempfile
import time

EDGE = 16384
DTYPES = {"i8": 1, "f16": 2, "bf16": 2, "f32": 4, "f64": 8, "c64": 8}


def median(values):
    return sorted(values)[len(values) // 2]


class Table:
    """Prints figures and writes them as JSON lines."""

    def __init__(self, peer, version):
        self.peer, self.version = peer, version
        print(f"{peer} {version}\n{'what':<40} {'dtype':<5} {'n':>10} {'us':>11} {'GB/s':>7}")

    def add(self, what, dtype, n, us, moved=0):
        gbs = moved / us / 1e3
        print(f"{what:<40} {dtype:<5} {n:>10} {us:>11.2f} {gbs:>7.0f}", flush=True)
        line = {"peer": self.peer, "version": self.version, "what": what, "dtype": dtype, "n": n}
        line |= {"us": round(us, 3)} | ({"gbs": round(gbs, 1)} if moved else {})
        with open("peers.jsonl", "a", encoding="ascii") as file:
            file.write(json.dumps(line) + "\n")


PRIME_FACTORS = r"""
extern "C" __global__ void prime_factors(long long* sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  long long rest = i + 2, sum = 0;
  for (; rest % 2 == 0; rest /= 2) sum += 2;
  for (long long divisor = 3; divisor * divisor <= rest; divisor += 2)
    for (; rest % divisor == 0; rest /= divisor) sum += divisor;
  sums[i] = rest > 1 ? sum + rest : sum;
}
"""


class CuPy:
    """CuPy; elementwise, a kernel with a given output."""

    def __init__(self):
        import cupy

        self.cp, self.name, self.version = cupy, "CuPy", cupy.__version__
        self.kernel = cupy.ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "sqdiff")
        self.forms = {"": self.kernel}
        self.plain = ""  # what its own functions are called in the table
        self.spin = cupy.RawKernel(
            'extern "C" __global__ void spin(long long n)'
            "{ long long t = clock64(); while (clock64() - t < n) {} }",
            "spin",
        )

    def has(self, dtype):
        return dtype != "bf16"

    def random(self, dtype, n):
        cp = self.cp
        if dtype == "i8":
            return cp.random.randint(-100, 100, n, dtype=cp.int8)
        if dtype == "c64":
            return cp.random.random(2 * n, dtype=cp.float32).view(cp.complex64)
        wide = cp.random.random(n, dtype=cp.float64 if dtype == "f64" else cp.float32)
        return wide.astype({"f16": cp.float16}.get(dtype, wide.dtype), copy=False)

    def hold(self, cycles):
        self.spin((1,), (1,), (cycles,))

    def event(self):
        event = self.cp.cuda.Event()
        event.record()
        return event

    def elapsed_us(self, begin, end):
        end.synchronize()
        return self.cp.cuda.get_elapsed_time(begin, end) * 1e3

    def synchronize(self):
        self.cp.cuda.Device().synchronize()

    def free(self):
        self.cp.get_default_memory_pool().free_all_blocks()

    def new_kernel(self, number):
        body = f"z = (x - y) * (x - y) + (T){number}"
        return self.cp.ElementwiseKernel("T x, T y", "T z", body, "sqdiff_new")

    def assign(self, z, x):
        self.cp.copyto(z, x)

    def small_calls(self, x, y, z):
        cp = self.cp
        add = cp.RawKernel(
            'extern "C" __global__ void add(const float* x, const float* y, float* z, int n)'
            "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) z[i] = x[i] + y[i]; }",
            "add",
        )
        arguments, pool = (x, y, z, cp.int32(1024)), cp.get_default_memory_pool()
        return {
            "repeated call, array made": lambda: self.kernel(x, y),
            "x + y": lambda: x + y,
            "repeated call of a raw kernel": lambda: add((4,), (256,), arguments),
            "an array of 4 KiB": lambda: cp.empty(1024, cp.float32),
            "an array of 4 KiB, its memory alone": lambda: pool.malloc(4096),
            "DLPack, there and back": lambda: cp.from_dlpack(x),
        }

    def prime_factors(self):
        cp = self.cp
        kernel = cp.RawKernel(PRIME_FACTORS, "prime_factors")
        sums = cp.empty(999999, cp.int64)
        return lambda: kernel((3907,), (256,), (sums, cp.int32(999999)))


class PyTorch:
    """PyTorch; elementwise, eager (two kernels) and compiled (one)."""

    def __init__(self):
        import torch

        if not torch.cuda.is_available():
            raise ImportError("PyTorch sees no GPU")
        self.torch, self.name, self.version = torch, "PyTorch", torch.__version__
        self.forms = {", eager": self.eager, ", compiled": self.compiled()}
        self.plain = ", eager"

    def eager(self, x, y, z):
        self.torch.sub(x, y, out=z)
        self.torch.mul(z, z, out=z)

    def compiled(self):
        return self.torch.compile(lambda x, y, z: z.copy_((x - y) * (x - y)), dynamic=False)

    def has(self, dtype):
        return True

    def random(self, dtype, n):
        torch = self.torch
        if dtype == "i8":
            return torch.randint(-100, 100, (n,), device="cuda", dtype=torch.int8)
        names = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64"}
        return torch.rand(n, device="cuda", dtype=getattr(torch, names.get(dtype, "complex64")))

    def hold(self, cycles):
        self.torch.cuda._sleep(cycles)

    def event(self):
        event = self.torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def elapsed_us(self, begin, end):
        end.synchronize()
        return begin.elapsed_time(end) * 1e3

    def synchronize(self):
        self.torch.cuda.synchronize()

    def free(self):
        self.torch.compiler.reset()  # else it gives up compiling after a few types
        self.torch.cuda.empty_cache()

    def new_kernel(self, number):
        def body(x, y, z):
            z.copy_((x - y) * (x - y) + number)

        return self.torch.compile(body, dynamic=False)

    def assign(self, z, x):
        z.copy_(x)

    def small_calls(self, x, y, z):
        torch = self.torch
        return {
            "x + y": lambda: x + y,
            "x + y into an array": lambda: torch.add(x, y, out=z),
            "an array of 4 KiB": lambda: torch.empty(1024, device="cuda"),
            "DLPack, there and back": lambda: torch.from_dlpack(x),
        }


def gpu_us(peer, function, sets):
    """Median time of function(*arrays), each call on the next set."""
    done = 0

    def run(count):
        nonlocal done
        peer.hold(100_000 + 200_000 * count)  # 100 us a call, in which the queue fills
        begin = peer.event()
        for _ in range(count):
            function(*sets[done % len(sets)])
            done += 1
        return peer.elapsed_us(begin, peer.event()) / count

    run(1)
    if run(1) > 20_000:  # a slow one is as slow again
        return median([run(1) for _ in range(3)])
    count = int(min(max(1000 / run(5), 4), 100))
    return median([run(count) for _ in range(11)])


def call_us(peer, function, arrays):
    """Median time of a call on the CPU, while the queue has room."""
    times = []
    for _ in range(21):
        peer.synchronize()
        begin = time.perf_counter()
        for _ in range(300):
            function(*arrays)
        times.append((time.perf_counter() - begin) * 1e6 / 300)
    peer.synchronize()
    return median(times)


def new_us(peer, make, arrays, count=5):
    """Median time of the first call of each of some kernels that are new: make(number)."""
    times = []
    for k in range(count):
        kernel = make(k + 0.25)
        begin = time.perf_counter()
        kernel(*arrays)
        times.append((time.perf_counter() - begin) * 1e6)
        peer.synchronize()
    return median(times)


def measure(make, parts):
    try:
        peer = make()
    except Exception as error:  # not there, or not usable here: its figures are left out
        print(f"{make.__name__}: left out: {error}", file=sys.stderr)
        return
    table = Table(peer.name, peer.version)
    for part in parts:
        try:
            part(peer, table)
        except Exception as error:
            print(f"{peer.name}, {part.__name__}: {error}", file=sys.stderr)
        peer.free()


def measure_all(parts):
    with tempfile.TemporaryDirectory(prefix="gpuarr-peers-") as cache:  # so that kernels are new
        os.environ["CUPY_CACHE_DIR"] = os.path.join(cache, "cupy")
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = os.path.join(cache, "inductor")
        os.environ["TRITON_CACHE_DIR"] = os.path.join(cache, "triton")
        for make in (CuPy, PyTorch):
            measure(make, parts)
