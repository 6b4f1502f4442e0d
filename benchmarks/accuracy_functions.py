#!/usr/bin/env python3
"""Measures the largest errors of the elementwise functions, and writes docs/accuracy.md of them.

    accuracy_functions.py measure LIBRARY DEVICE OUT.json
    accuracy_functions.py page CPU.json [GPU.json] > docs/accuracy.md

LIBRARY is tests/libgpuarr_python.so of a build. 16-bit floats are tried one and all, others at
$GPUARR_SAMPLES (1000000) random places: any bits, and the range where a function changes. What is
right comes from the C library's long double, through a program that is compiled for it.
"""
import ctypes
import json
import os
import platform
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLES = int(os.environ.get("GPUARR_SAMPLES", "1000000"))



def measured(inputs):
    """Ours, C's expression of x and y, and where a function of one argument is most of interest."""
    with open(os.path.join(HERE, "..", "bindings", "gen", "functions.json")) as file:
        rows = [row for row in json.load(file)["functions"] if "around" in row]
    names = {1: "x", 2: "x, y"}[inputs]
    return {row["name"]: (row.get("reference", f"{row['called']}l({names})"), row["around"])
            for row in rows if len(row["inputs"]) == inputs}


UNARY, BINARY = measured(1), measured(2)
COMPLEX = """multiply divide exp log sqrt power sin cos tan sinh cosh tanh arcsin arccos arctan
    arcsinh arccosh arctanh expm1 log1p""".split()
DTYPES = ("float16", "bfloat16", "float32", "float64")

REFERENCE = """#include <math.h>
static const long double pi = 3.14159265358979323846264338L;
static inline long double sine_of_turns(long double x) { /* sin(pi x) */
  const long double whole = rintl(x), sine = sinl(pi * (x - whole));
  return remainderl(whole, 2) == 0 ? sine : -sine;
}"""

PAGE = """# Accuracy of the elementwise functions

The largest errors found, in units in the last place of the result (ulp): 0.5 is the error of
correct rounding. Functions of one argument were tested with every float16 and every bfloat16;
others, and float32 and float64, with {samples} random arguments: of any bits, and from the range
where the function changes. The reference is the C library's long double.
`benchmarks/accuracy_functions.py` measures it again and writes this page.

Sums, differences, products, quotients and square roots of real numbers are rounded once on both
devices. 16-bit floats are computed in float32 and rounded once more.
"""
CPU_TEXT = """
On the CPU functions are those of glibc's libmvec where it has them, for single elements
too, which promises 4 ulp, and of libm otherwise: {versions}.
"""
GPU_TEXT = """
On a GPU they are CUDA's own, without `-use_fast_math`: {versions}.
"""
COMPLEX_TEXT = """
## Complex numbers

The distance from the reference, in epsilons of the parts' type (2^-23, 2^-52) times its absolute
value, for arguments whose parts are between -4 and 4. One part alone may have lost more where it is
much smaller than the other.
"""
NOTES = """
## Where errors are larger

* `lgamma` of CUDA between -11 and -2.2, where it crosses 0 between integers.
* `logaddexp` and `logaddexp2` where the result is near 0: the sum cancels. Here arguments were
  above 0.
* `power` of integers is exact modulo 2^bits; of complex numbers to an integer power up to 64 it is
  a product, else its error grows with abs(y log(x)).
"""


def reference_library():
    """C's functions of long double over arrays of it."""
    lines = [REFERENCE]
    for name, (expression, _) in {**UNARY, **BINARY}.items():
        lines.append(f"void ref_{name}(long double* out, const long double* a,"
                     f" const long double* b, long n) {{ for (long i = 0; i < n; ++i) {{"
                     f" long double x = a[i], y = b[i]; out[i] = {expression}; (void)y; }} }}")
    folder = tempfile.mkdtemp()
    library = os.path.join(folder, "reference.so")
    source = os.path.join(folder, "reference.c")
    with open(source, "w") as file:
        file.write("\n".join(lines))
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", source, "-o", library, "-lm"], check=True)
    return ctypes.CDLL(library)


class Measuring:
    def __init__(self, library, device):
        sys.argv = [sys.argv[0], library, device]
        sys.path.insert(0, os.path.join(HERE, "..", "tests", "numpy"))
        import support
        self.s, self.np, self.lib = support, support.np, support.lib
        self.c = reference_library()

    def reference(self, name, arguments):
        wide = [self.np.ascontiguousarray(a, "g") for a in arguments]
        out = self.np.empty_like(wide[0])
        getattr(self.c, f"ref_{name}")(*(ctypes.c_void_p(a.ctypes.data)
                                         for a in (out, wide[0], wide[-1])), out.size)
        return out

    def samples(self, dtype, most, count):
        """As float64 that the dtype holds."""
        np, s = self.np, self.s
        if dtype in ("float16", "bfloat16") and count == 1:
            bits = np.arange(65536).astype("u2")
            return [bits.view("f2").astype("f8") if dtype == "float16"
                    else s.from_bfloat16(bits).astype("f8")]
        wide = {"float32": "u4", "float64": "u8"}.get(dtype, "u2")
        result = []
        for _ in range(count):
            info = np.iinfo(wide)
            bits = s.rng.integers(0, info.max, SAMPLES // 2, wide, endpoint=True)
            any_bits = bits.view(f"f{bits.itemsize}")
            if dtype == "bfloat16":
                any_bits = s.from_bfloat16(bits)
            near = s.rng.uniform(-most, most, SAMPLES // 4)
            close = 1 + s.rng.standard_normal(SAMPLES // 4) * 10.0 ** s.rng.uniform(-6, 0)
            chosen = np.concatenate([near, s.rng.permutation(close)])
            if dtype == "bfloat16":
                chosen = s.from_bfloat16(s.to_bfloat16(chosen.astype("f4")))
            elif dtype != "float64":
                chosen = chosen.astype(dtype)
            result.append(np.concatenate([any_bits, chosen]).astype("f8"))
        return result

    def compute(self, name, dtype, arguments):
        s = self.s
        if dtype == "bfloat16":
            arrays = [self.lib.upload(s.to_bfloat16(a.astype("f4")), s.BF16) for a in arguments]
            return s.from_bfloat16(self.lib.make(name, *arrays).numpy()).astype("f8")
        arrays = [self.lib.upload(a.astype(dtype)) for a in arguments]
        return self.lib.make(name, *arrays).numpy().astype("f8")

    def error(self, name, dtype, arguments):
        np = self.np
        digits, lowest, largest = {"float16": (10, -14, 65504.0), "bfloat16": (7, -126, 3.3895e38),
                                   "float32": (23, -126, 3.4028234e38),
                                   "float64": (52, -1022, 1.7976931348623157e308)}[dtype]
        right = self.reference(name, arguments)
        got = self.compute(name, dtype, arguments)
        nan = np.isnan(right) != np.isnan(got)
        if nan.any():
            print(f"  {name} {dtype}: NaN of {arguments[0][nan][:3]}, {got[nan][:3]}, not "
                  f"{right[nan][:3]}", file=sys.stderr)
        counts = np.isfinite(right) & (np.abs(right) < largest) & np.isfinite(got)
        right, got = right[counts], got[counts]
        exponent = np.frexp(right)[1] - 1
        unit = np.ldexp(np.longdouble(1), np.maximum(exponent, lowest) - digits)
        apart = np.abs(got - right) / unit
        worst = apart.argmax()
        return round(float(apart[worst]), 3), [float(a[counts][worst]) for a in arguments]

    def complex_error(self, name, dtype):
        np, rng = self.np, self.s.rng
        def draw():
            return (rng.uniform(-4, 4, SAMPLES // 10)
                    + 1j * rng.uniform(-4, 4, SAMPLES // 10)).astype(dtype)
        arguments = [draw() for _ in range(2 if name in ("multiply", "divide", "power") else 1)]
        got = self.lib.make(name, *map(self.lib.upload, arguments)).numpy().astype("G")
        right = getattr(np, name)(*(a.astype("G") for a in arguments))
        apart = np.abs(got - right) / np.abs(right) / np.finfo(dtype).eps
        return round(float(apart[np.isfinite(apart)].max()), 3)

    def all(self):
        errors, where = {}, {}
        for name, (_, most) in {**UNARY, **BINARY}.items():
            count = 1 if name in UNARY else 2
            for dtype in DTYPES:
                arguments = self.samples(dtype, most, count)
                if name.startswith("logadd"):
                    arguments = [self.np.abs(a) for a in arguments]
                error, at = self.error(name, dtype, arguments)
                errors.setdefault(name, {})[dtype] = error
                where.setdefault(name, {})[dtype] = at
            print(name, {d: f"{e:.3f}" for d, e in errors[name].items()}, file=sys.stderr)
        for name in COMPLEX:
            for dtype in ("complex64", "complex128"):
                errors.setdefault(name, {})[dtype] = self.complex_error(name, dtype)
        return errors, where


def measure(library, device, path):
    measuring = Measuring(library, device)
    errors, where = measuring.all()
    versions = measuring.lib.c.gpuarr_device_description(measuring.lib.device).decode()
    if device == "host":
        versions += ", {} {}".format(*platform.libc_ver())
    with open(path, "w") as file:
        json.dump({"device": device, "versions": versions, "samples": SAMPLES, "errors": errors,
                   "worst_at": where}, file, indent=1)


def number(value):
    if value is None:
        return ""
    return f"{value:.2f}" if value < 100 else f"{value:.1e}".replace("e+0", "e").replace("e+", "e")


def table(results, dtypes):
    heads = [f"{d} {r['device'].split(':')[0].replace('host', 'CPU').replace('cuda', 'GPU')}"
             for d in dtypes for r in results]
    lines = ["| | " + " | ".join(heads) + " |", "|---|" + "---|" * len(heads)]
    for name, errors in results[0]["errors"].items():
        if not any(d in errors for d in dtypes):
            continue
        cells = [number(r["errors"][name].get(d)) for d in dtypes for r in results]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def page(paths):
    results = []
    for path in paths:
        with open(path) as file:
            results.append(json.load(file))
    text = PAGE.format(samples=f"{results[0]['samples']:,}".replace(",", " "))
    for result in results:
        prose = CPU_TEXT if result["device"] == "host" else GPU_TEXT
        text += prose.format(versions=result["versions"])
    text += "\n" + table(results, DTYPES) + "\n" + COMPLEX_TEXT
    text += "\n" + table(results, ("complex64", "complex128")) + "\n" + NOTES
    print(text, end="")


if __name__ == "__main__":
    if sys.argv[1] == "measure":
        measure(*sys.argv[2:5])
    else:
        page(sys.argv[2:])
