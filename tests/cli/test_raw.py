"""gpuarr raw: what it launches and prints, and what it refuses."""

import os
import re
import shutil
import signal
import subprocess
import time
import unittest

from support import COMMAND, DEVICE, CommandTest, read_npy, write_npy

try:
    import numpy
except ImportError:
    numpy = None

ON_HOST = DEVICE == "host"

KERNELS = r"""
#include <stdio.h>
#include <gpuarr.cuh>

__global__ void saxpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void where(int* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  out[(z * gridDim.y * blockDim.y + y) * gridDim.x * blockDim.x + x] = 100 * z + 10 * y + x;
}

__global__ void scalars(double* out, bool b, signed char i8, short i16, int i32, long long i64,
                        unsigned char u8, unsigned short u16, unsigned u32,
                        unsigned long long u64, float16 f16, bfloat16 bf16, float f32, double f64,
                        complex64 c, complex128 z) {
  double all[] = {(double)b, (double)i8, (double)i16, (double)i32, (double)i64, (double)u8,
                  (double)u16, (double)u32, (double)u64, (double)(float)f16, (double)(float)bf16,
                  f32, f64, c.real(), c.imag(), z.real(), z.imag()};
  for (int k = 0; k < 17; ++k) out[k] = all[k];
}

__global__ void transpose(gpuarr_view<const int, 2> x, gpuarr_view<int, 2> y) {
  for (int i = 0; i < x.shape()[0]; ++i)
    for (int j = 0; j < x.shape()[1]; ++j) y(j, i) = x(i, j);
}

__global__ void or_nothing(const int* x, int* y) { *y = x ? *x : -1; }

__global__ void hello(int n) { printf("hello %d of %d\n", (int)threadIdx.x, n); }

namespace deep {
template <class T, int N>
__global__ void fill(T* y, T value) {
  for (int k = 0; k < N; ++k) y[k] = value;
}
}  // namespace deep
"""

SUMS = """
__global__ void sums(const double* x, double* sums) {
  extern __shared__ double partial[];
  int t = threadIdx.x;
  partial[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) partial[t] += partial[t + half];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = partial[0];
}
"""

TIMING = (r"^[\w:]+: median [\d.]+ (us|ms|s), best [\d.]+ (us|ms|s) of \d+ runs; "
          r"arrays of [\d.]+ (B|[KMG]iB), [\d.]+ GB/s if each is gone over once\n$")

ONE = ("--grid", "1", "--block", "1")


class RawTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("k.cu", KERNELS)
        write_npy(self.path("x.npy"), "<f4", (5,), [0.0, 1.0, 2.0, 3.0, 4.0])
        write_npy(self.path("y.npy"), "<f4", (5,), [10.0] * 5)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def load(self, name):
        return read_npy(self.path(name))

    def fails(self, pattern, *words, **settings):
        return self.fail_with(1, pattern, "raw", *words, **settings)

    def launch(self, *words, **settings):
        self.assertEqual(self.succeed("raw", "k.cu", *words, **settings), "")


class Raw(RawTest):
    def test_saxpy(self):
        words = ("saxpy", "f32:2", "x.npy", "inout:y.npy:z.npy", "i32:5")
        for shape in (("--elements", "5"), ("--grid", "2", "--block", "4"),
                      ("--grid=1,1,1", "--block=5,1", "--shared", "0")):
            self.launch(*words, *shape)
            self.assertEqual(self.load("z.npy"),
                             ("<f4", (5,), False, [10.0, 12.0, 14.0, 16.0, 18.0]))
            os.remove(self.path("z.npy"))
        self.assertEqual(self.load("y.npy")[3], [10.0] * 5)
        self.launch("saxpy", "f32:2", "x.npy", "inout:y.npy:y.npy", "i32:5", "--elements", "5")
        self.assertEqual(self.load("y.npy")[3], [10.0, 12.0, 14.0, 16.0, 18.0])

    def test_changed_inputs_are_told_of(self):
        words = ("raw", "k.cu", "saxpy", "--elements", "5", "f32:2", "x.npy")
        done = self.run_command(*words, "y.npy", "i32:5")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr, 'gpuarr: warning: the kernel changed "y.npy", which is an '
                         "input, so that the change is lost; give inout:y.npy:FILE to save it\n")
        self.assertEqual(self.load("y.npy")[3], [10.0] * 5)
        self.succeed(*words, "y.npy", "i32:0")  # has changed nothing

    def test_grid_and_block_of_three_axes(self):
        self.launch("where", "--grid", "2,1,2", "--block", "2,3,1", "out:i32:2,3,4:w.npy")
        self.assertEqual(self.load("w.npy"), ("<i4", (2, 3, 4), False, [
            100 * z + 10 * y + x for z in range(2) for y in range(3) for x in range(4)]))

    def test_shared_memory(self):
        write_npy(self.path("x.npy"), "<f8", (256,), [float(k) for k in range(256)])
        self.write("sums.cu", SUMS)
        self.succeed("raw", "sums.cu", "sums", "--grid", "4", "--block", "64", "--shared", "512",
                     "x.npy", "out:f64:4:s.npy")
        self.assertEqual(self.load("s.npy")[3], [sum(range(64 * b, 64 * b + 64)) for b in range(4)])

    def test_scalars(self):
        self.launch("scalars", *ONE, "out:f64:17:s.npy", "true", "i8:-3", "i16:-300", "i32:70000",
                    "-5000000000", "u8:200", "u16:60000", "u32:4000000000", "u64:9007199254740992",
                    "f16:-0.5", "bf16:1.0078125", "f32:2.5", "1e-3", "c64:1+2i", "3-4i")
        self.assertEqual(self.load("s.npy")[3], [
            1, -3, -300, 70000, -5000000000, 200, 60000, 4000000000, 9007199254740992, -0.5,
            1.0078125, 2.5, 1e-3, 1, 2, 3, -4])

    def test_null(self):
        write_npy(self.path("seven.npy"), "<i4", (), [7])
        for word, value in (("null", -1), ("seven.npy", 7)):
            self.launch("or_nothing", *ONE, word, "out:int32::y.npy")
            self.assertEqual(self.load("y.npy"), ("<i4", (), False, [value]))

    def test_views(self):
        write_npy(self.path("m.npy"), "<i4", (2, 3), [1, 4, 2, 5, 3, 6], fortran=True)
        self.launch("transpose", *ONE, "view:m.npy", "view:out:i32:3,2:t.npy")
        self.assertEqual(self.load("t.npy"), ("<i4", (3, 2), False, [1, 4, 2, 5, 3, 6]))
        self.launch("transpose", *ONE, "view:t.npy", "view:inout:m.npy:u.npy")
        self.assertEqual(self.load("u.npy"), ("<i4", (2, 3), True, [1, 4, 2, 5, 3, 6]))

    def test_templates(self):
        self.launch("deep::fill<double, 2>", *ONE, "out:f64:3:y.npy", "2.5")
        self.assertEqual(self.load("y.npy")[3], [2.5, 2.5, 0.0])

    def test_files_with_names_that_look_like_something_else(self):
        os.rename(self.path("x.npy"), self.path("null"))
        self.launch("saxpy", "--elements", "5", "f32:1", "./null", "inout:y.npy:a:b.npy", "i32:5")
        self.assertEqual(self.load("a:b.npy")[3], [10.0, 11.0, 12.0, 13.0, 14.0])

    def test_options_of_the_compiler(self):
        os.mkdir(self.path("place"))
        self.write("place/value.h", "constexpr int value = 40;\n")
        self.write("beside.h", "constexpr int beside = 300;\n")
        self.write("o.cu", '#include "beside.h"\n#include <value.h>\n'
                   "__global__ void all(int* y) {\n"
                   "  *y = ONE + TWO + value + beside + (__cplusplus > 201703L ? 5000 : 0);\n}\n")
        words = ("raw", "o.cu", "all", *ONE, "out:i32::y.npy", "-DONE=1", "-D", "TWO=2", "-Iplace")
        self.succeed(*words)
        self.assertEqual(self.load("y.npy")[3], [343])
        self.succeed(*words, "--option=-std=c++20")
        self.assertEqual(self.load("y.npy")[3], [5343])
        self.succeed(*words, "--option", "-std=c++20")
        self.assertEqual(self.load("y.npy")[3], [5343])

    def test_options_that_the_compiler_does_not_know(self):
        self.fails(r"unrecognized (command-line )?option.*no-such", "k.cu", "hello", *ONE,
                   "--option=--no-such", "i32:1")

    def test_no_blocks_and_no_elements(self):
        for shape in (("--grid", "0", "--block", "4"), ("--elements", "0")):
            self.launch("saxpy", "f32:2", "x.npy", "inout:y.npy:z.npy", "i32:5", *shape)
            self.assertEqual(self.load("z.npy")[3], [10.0] * 5)

    def test_a_kernel_that_prints(self):
        text = self.succeed("raw", "k.cu", "hello", "--grid", "1", "--block", "3", "i32:3")
        self.assertEqual(sorted(text.splitlines()), [f"hello {k} of 3" for k in range(3)])

    def test_time(self):
        write_npy(self.path("x.npy"), "<f4", (1000,), [2.0] * 1000)
        text = self.succeed("raw", "k.cu", "saxpy", "--elements", "1000", "--time", "f32:3",
                            "x.npy", "inout:x.npy:z.npy", "i32:1000")
        self.assertRegex(text, TIMING)
        self.assertIn("arrays of 11.7 KiB", text)
        self.assertEqual(self.load("z.npy")[3], [8.0] * 1000)

    def test_time_starts_each_run_from_the_same_values(self):
        # Any later run on what the first one left would not end.
        self.write("once.cu", "__global__ void once(volatile int* x) { while (*x) {} *x = 1; }\n")
        self.assertRegex(self.succeed("raw", "once.cu", "once", *ONE, "--time", "out:i32::x.npy"),
                         TIMING)
        self.assertEqual(self.load("x.npy")[3], [1])

    def test_list(self):
        names = ["saxpy", "where", "scalars", "transpose", "or_nothing", "hello"]
        self.assertEqual(sorted(self.succeed("raw", "k.cu", "--list").splitlines()), sorted(names))
        listed = self.succeed("raw", "k.cu", "deep::fill<float, 2>", "--list").splitlines()
        self.assertEqual(sorted(listed), sorted([*names, "deep::fill<float, 2>"]))

    def test_signature(self):
        self.assertEqual(self.succeed("raw", "k.cu", "saxpy", "--signature"),
                         "saxpy(float a, const float* x, float* y, int n)\n")
        self.assertRegex(self.succeed("raw", "k.cu", "deep::fill<float, 2>", "--signature", *ONE,
                                      "out:f32:2:y.npy", "2"),
                         r"^deep::fill<float, 2>\(float\*.*, float.*\)\n$")
        self.assertEqual(sorted(os.listdir(self.place)), ["k.cu", "x.npy", "y.npy"])

    @unittest.skipUnless(ON_HOST, "for the CPU")
    def test_listing(self):
        self.fail_with(1, "the CPU device has no PTX; ask for --listing assembly", "raw", "k.cu",
                       "--listing", "ptx")
        if shutil.which("objdump"):
            self.assertIn("saxpy", self.succeed("raw", "k.cu", "--listing", "assembly"))

    @unittest.skipIf(numpy is None, "NumPy is not installed")
    def test_numpy_reads_what_it_wrote_and_the_other_way(self):
        x = numpy.arange(24, dtype=">i4").reshape(4, 6)
        numpy.save(self.path("x.npy"), x)
        self.launch("transpose", *ONE, "view:x.npy", "view:out:i32:6,4:y.npy")
        y = numpy.load(self.path("y.npy"))
        self.assertEqual(y.dtype, numpy.int32)
        self.assertTrue((y == x.T).all())


class Refused(RawTest):
    """Bad input: a message worth reading, and no file left."""

    def refuses(self, pattern, *words):
        self.refuse(pattern, "raw", "k.cu", *words)

    def test_command_line(self):
        self.refuse("raw needs FILE and KERNEL\n", "raw")
        self.refuse("raw needs FILE\n", "raw", "--list")
        self.refuses("raw needs FILE and KERNEL\n", "--signature")
        self.refuses("raw needs --grid and --block, or --elements", "hello", "i32:1")
        self.refuses("raw needs --grid and --block, or --elements", "hello", "--grid", "1")
        self.refuses("--elements takes no --grid", "hello", "--elements", "1", *ONE)
        self.refuses("--elements takes no .*--shared", "hello", "--elements", "1", "--shared", "1")
        self.refuses("there is no option --grit", "hello", "--grit", "1")
        self.refuses("--list, --signature and --listing run nothing", "hello", "--list", "--time")
        self.refuses("give one of --list, --signature", "hello", "--list", "--signature")
        self.refuses('--listing is "sass"; it is ptx or assembly', "hello", "--listing", "sass")
        self.refuses("--option needs a value", "hello", "--option")

    def test_numbers(self):
        for dims in ("", "x", "1,", "1,2,3,4", "1x2", "1.5", "99999999999999999999"):
            self.refuses(f'--grid is "{re.escape(dims)}"; it is up to three numbers', "hello",
                         "--grid", dims, "--block", "1")
            self.refuses(f'--block is "{re.escape(dims)}"; it is', "hello", "--grid", "1",
                         "--block", dims)
        for number in ("-1", "1,2", "many", "1.5"):
            self.refuses(f'--elements is "{number}"; it is a number of elements', "hello",
                         "--elements", number)
            self.refuses(f'--shared is "{number}"; it is a number of bytes', "hello", *ONE,
                         "--shared", number)
        for checks in ("", "memory,", "all", "memory,races"):
            self.refuses("--check has .*; it is a list of memory, race and sync", "hello", *ONE,
                         "--check", checks)

    def test_arguments(self):
        for word, pattern in (
                ("out:f32:2", "an output is out:DTYPE:SHAPE:FILE"),
                ("out:f32:2:", "an output is out:DTYPE:SHAPE:FILE"),
                ("out:f31:2:z.npy", 'there is no type "f31"'),
                ("out:f32:2x3:z.npy", '"2x3" is no shape; it is extents with commas'),
                ("out:f32:2,-1:z.npy", '"2,-1" is no shape'),
                ("inout:x.npy", "an array to change is inout:FILE:FILE"),
                ("inout::z.npy", "an array to change is inout:FILE:FILE"),
                ("view:3", 'what follows "view:" is an array; a file is ./view:3'),
                ("view:null", 'what follows "view:" is an array'),
                ("view:view:x.npy", 'what follows "view:" is an array'),
                ("view:", 'an argument is "", which names no file'),
                ("", 'an argument is "", which names no file'),
                ("i8:300", "int8 cannot hold 300"), ("f31:1", 'there is no type "f31"')):
            self.refuses(re.escape(pattern), "hello", *ONE, word)
        self.refuses('"z.npy" is named for two outputs', "hello", *ONE, "out:f32:2:z.npy",
                     "inout:x.npy:z.npy")

    def test_files(self):
        self.fails(r"none\.cu.*No such file", "none.cu", "f", *ONE)
        self.fails(r"none\.npy.*No such file", "k.cu", "hello", *ONE, "none.npy")
        self.fails(r'save to "none/z\.npy": No such file', "k.cu", "hello", *ONE,
                   "out:f32:2:none/z.npy")
        with open(self.path("bad.cu"), "wb") as file:
            file.write(bytes(range(256)))
        self.fails(r'bad\.cu: it is neither CUDA C\+\+ nor PTX', "bad.cu", "f", *ONE)
        with open(self.path("short.cubin"), "wb") as file:
            file.write(b"\x7fELF\x02\x01\x01" + bytes(20))
        self.fails(r'short\.cubin: ', "short.cubin", "f", *ONE)

    def test_kernels(self):
        self.write("two.cu", "__global__ void one() {}\n__global__ void two(int n) {}\n")
        self.fails('there is no kernel "three" in the text; its kernels are "one", "two"', "two.cu",
                   "three", *ONE)
        self.fails("deep::fill", "k.cu", "deep::fill<quux, 2>", *ONE)

    def test_text_that_does_not_compile(self):
        self.write("broken.cu", "__global__ void f(int* y) {\n  *y = 1;\n  *y = unknown + 1;\n}\n")
        message = self.fails(r'"broken\.cu" does not compile', "broken.cu", "f", *ONE,
                             "out:i32::z.npy")
        self.assertIn("broken.cu, line 3", message)
        self.assertIn("    3 |   *y = unknown + 1;", message)

    def test_arguments_that_do_not_fit(self):
        fit = ("f32:2", "x.npy", "inout:y.npy:z.npy", "i32:5")
        self.fails("the number of arguments is 3, but saxpy.* has 4 parameters", "k.cu", "saxpy",
                   *ONE, *fit[:3])
        for k, word, pattern in ((0, "2.5", "argument 1 is a float64 .*is float .*; give f32:1"),
                                 (3, "5", "argument 4 is an int64 .*is int .*; give i32:1"),
                                 (1, "x8.npy", "argument 2 is an array of float64.*float"),
                                 (1, "view:x.npy", "argument 2 is a view of float32 with 1 axes")):
            write_npy(self.path("x8.npy"), "<f8", (5,), [1.0] * 5)
            words = list(fit)
            words[k] = word
            self.fails(pattern, "k.cu", "saxpy", *ONE, *words)

    def test_launches(self):
        self.fails(r"--grid is \(-1, 1, 1\)", "k.cu", "hello", "--grid", "-1", "--block", "1",
                   "i32:1")
        self.fails(r"--block is \(0, 1, 1\)", "k.cu", "hello", "--grid", "1", "--block", "0",
                   "i32:1")
        self.fails(r"block is \(2048, 1, 1\)", "k.cu", "hello", "--grid", "1", "--block", "2048",
                   "i32:1")
        self.fails("--shared is 1000000000", "k.cu", "hello", *ONE, "--shared", "1000000000",
                   "i32:1")

    def test_devices(self):
        self.fails('"gpu".*"host", "cuda" or "cuda:N"', "k.cu", "hello", *ONE, "--device", "gpu",
                   "i32:1")

    @unittest.skipUnless(ON_HOST and shutil.which("clang++"), "for the CPU, with clang++")
    def test_checks_need_gcc(self):
        self.fails("is another compiler; set .GPUARR_CXX to g..", "k.cu", "hello", *ONE, "--check",
                   "memory", "i32:1", GPUARR_CXX="clang++")

    @unittest.skipUnless(ON_HOST, "for the CPU")
    def test_ptx_runs_on_gpus_only(self):
        self.write("k.ptx", ".version 8.0\n.target sm_80\n.address_size 64\n"
                   ".visible .entry f() { ret; }\n")
        self.fails("PTX", "k.ptx", "f", *ONE)


class Interrupted(RawTest):
    def test_a_kernel_that_never_ends(self):
        with open(shutil.which(COMMAND), "rb") as file:
            if b"__tsan_init" in file.read():
                self.skipTest("ThreadSanitizer holds signals back until the next call of a library")
        self.write("on.cu", "__global__ void on(volatile int* x) { while (!*x) {} }\n")
        processes = []
        for blocks in ("1", "8"):  # on the caller's thread, and on others
            process = subprocess.Popen([COMMAND, "raw", "on.cu", "on", "--grid", blocks, "--block",
                                        "1", "out:i32:1:z.npy"], cwd=self.place,
                                       env=self.environment({}), stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE)
            self.addCleanup(process.communicate)
            self.addCleanup(process.kill)
            processes.append(process)
        time.sleep(1.5)
        for process in processes:
            self.assertIsNone(process.poll())
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertFalse(os.path.exists(self.path("z.npy")))


if __name__ == "__main__":
    unittest.main()
