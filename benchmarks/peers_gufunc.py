#!/usr/bin/env python3
"""NumPy, Numba, CuPy and PyTorch on the work of bench_gufunc, where they are installed.

usage: peers_gufunc.py [PLACES]: 2**20 on the CPU and 2**24 on a GPU unless given

Prints a table of times, with the time that a copy of as many bytes takes beside each.
"""
import sys
import time

WINDOW = 8


def median_us(call, wait):
    call()
    wait()
    times = []
    for _ in range(9):
        begin = time.perf_counter()
        call()
        wait()
        times.append((time.perf_counter() - begin) * 1e6)
    return sorted(times)[len(times) // 2]


def shapes(n):
    """For each kind of work the shapes of its inputs and of its output."""
    few = n // 2048
    return {
        "cross product": ((n, 3), (n, 3), (n, 3)),
        "eigenvalues": ((n, 3, 3), (n, 3)),
        "running mean": ((n // 256, 1024), (n // 256, 1024)),
        "small systems": ((n // 4, 4, 4), (n // 4, 4, 1), (n // 4, 4, 1)),
        "matrix times vector 8": ((n // 64, 8, 8), (n // 64, 8, 1), (n // 64, 8, 1)),
        "matrix times vector 64": ((few, 32, 64), (few, 64, 1), (few, 32, 1)),
        "matrix times vector 512": ((few // 64, 256, 512), (few // 64, 512, 1),
                                    (few // 64, 256, 1)),
    }


class ArrayModule:
    """NumPy, or CuPy, which has its functions; `wait` is for the device."""

    def __init__(self, module, name, wait):
        self.module, self.name, self.wait = module, f"{name} {module.__version__}", wait

    def random(self, shape):
        values = self.module.random.random(shape).astype("f4")
        if shape[-2:] == (3, 3):
            values = values + values.swapaxes(-1, -2)
        return values

    def copy(self, bytes_each):
        source = self.module.zeros(bytes_each // 4, "f4")
        target = self.module.empty_like(source)
        return lambda: self.module.copyto(target, source)

    def running_mean(self, x):
        total = self.module.cumsum(x, axis=1)
        total[:, WINDOW:] -= total[:, :-WINDOW].copy()
        return total / WINDOW

    def work(self):
        m = self.module
        product = m.matmul
        return {"cross product": m.cross, "eigenvalues": m.linalg.eigvalsh,
                "running mean": self.running_mean, "small systems": m.linalg.solve,
                "matrix times vector": product}


class Torch:
    """PyTorch, eager, on a device."""

    def __init__(self, torch, device):
        self.torch, self.device = torch, device
        self.name = f"PyTorch {torch.__version__} on {device}"

    def wait(self):
        if self.device != "cpu":
            self.torch.cuda.synchronize()

    def random(self, shape):
        values = self.torch.rand(shape, device=self.device)
        return values + values.mT if shape[-2:] == (3, 3) else values

    def copy(self, bytes_each):
        source = self.torch.zeros(bytes_each // 4, device=self.device)
        target = self.torch.empty_like(source)
        return lambda: target.copy_(source)

    def work(self):
        t = self.torch

        def running_mean(x):
            padded = t.nn.functional.pad(x, (WINDOW - 1, 0))
            return padded.unfold(1, WINDOW, 1).mean(-1)

        return {"cross product": lambda a, b: t.linalg.cross(a, b),
                "eigenvalues": t.linalg.eigvalsh, "running mean": running_mean,
                "small systems": t.linalg.solve, "matrix times vector": t.matmul}


def numba_work(numba, target):
    """guvectorize of what is plain in it: on a GPU, too, Numba has one thread for a place."""
    vectors = "void(f4[:], f4[:], f4[:])"

    @numba.guvectorize([vectors], "(n),(n)->(n)", target=target)
    def cross(a, b, c):
        for j in range(3):
            c[j] = a[(j + 1) % 3] * b[(j + 2) % 3] - a[(j + 2) % 3] * b[(j + 1) % 3]

    @numba.guvectorize(["void(f4[:], f4[:])"], "(n)->(n)", target=target)
    def running_mean(x, y):
        total = numba.float32(0)
        for j in range(x.shape[0]):
            total += x[j]
            y[j] = total / WINDOW
            if j >= WINDOW - 1:
                total -= x[j - WINDOW + 1]

    @numba.guvectorize(["void(f4[:,:], f4[:,:], f4[:,:])"], "(m,k),(k,n)->(m,n)", target=target)
    def product(a, b, c):
        for i in range(a.shape[0]):
            total = numba.float32(0)
            for j in range(a.shape[1]):
                total += a[i, j] * b[j, 0]
            c[i, 0] = total

    return {"cross product": cross, "running mean": running_mean, "matrix times vector": product}


def measure(peer, work, n):
    print(f"{peer.name}\n{'work':<26} {'shape':<18} {'us':>11} {'copy us':>11} {'ratio':>6}")
    for what, (*inputs, output) in shapes(n).items():
        function = work.get(what.rstrip("0123456789 "))
        if function is None:
            continue
        arrays = [peer.random(shape) for shape in inputs]
        moved = 0
        for shape in (*inputs, output):
            size = 4
            for extent in shape:
                size *= extent
            moved += size
        try:
            us = median_us(lambda: function(*arrays), peer.wait)
        except (MemoryError, RuntimeError) as error:  # PyTorch's eigenvalues want 4 TB for 2**24
            print(f"{what:<26} {str(inputs[0]):<18} {str(error).splitlines()[0][:60]}", flush=True)
            continue
        copy = median_us(peer.copy(moved // 2), peer.wait)
        print(f"{what:<26} {str(inputs[0]):<18} {us:>11.1f} {copy:>11.1f} {copy / us:>6.2f}",
              flush=True)


def imported(name):
    try:
        return __import__(name)
    except ImportError:
        print(f"{name} is not installed")
        return None


def main():
    given = int(sys.argv[1]) if len(sys.argv) > 1 else None
    on_cpu, on_gpu = given or 2**20, given or 2**24
    numpy, numba, cupy, torch = map(imported, ("numpy", "numba", "cupy", "torch"))
    if numpy:
        host = ArrayModule(numpy, "NumPy", lambda: None)
        measure(host, host.work(), on_cpu)
        if numba:
            host.name = f"Numba {numba.__version__}, all cores"
            measure(host, numba_work(numba, "parallel"), on_cpu)
    if torch:
        peer = Torch(torch, "cpu")
        measure(peer, peer.work(), on_cpu)
        if torch.cuda.is_available():
            peer = Torch(torch, "cuda")
            measure(peer, peer.work(), on_gpu)
    if cupy:
        device = ArrayModule(cupy, "CuPy", cupy.cuda.Device().synchronize)
        measure(device, device.work(), on_gpu)
        if numba:
            device.name = f"Numba {numba.__version__} on CUDA"
            try:
                measure(device, numba_work(numba, "cuda"), on_gpu)
            except AttributeError as error:  # numba-cuda wants a NumPy before 2.5
                print(f"{device.name}: {error}")


if __name__ == "__main__":
    main()
