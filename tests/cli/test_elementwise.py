"""gpuarr elementwise: what it computes and prints."""

import math
import os
import pty
import re
import subprocess
import unittest

from support import COMMAND, CommandTest, read_npy, write_npy

try:
    import numpy
except ImportError:
    numpy = None

TIMING = (r"^[\w:]+: median [\d.]+ (us|ms|s), best [\d.]+ (us|ms|s) of \d+ runs; "
          r"[\d.]+ (B|[KMG]iB) moved, [\d.]+ GB/s\n$")


class Elementwise(CommandTest):
    def load(self, name):
        return read_npy(self.path(name))

    def test_broadcasting(self):
        write_npy(self.path("x.npy"), "<f4", (2, 5), [float(k) for k in range(10)])
        write_npy(self.path("y.npy"), "<f4", (5,), [float(k) for k in range(5)])
        self.assertEqual(self.succeed("elementwise", "T x, T y", "T z", "z = (x - y) * (x - y)",
                                      "x.npy", "y.npy", "-o", "z.npy"), "")
        self.assertEqual(self.load("z.npy"), ("<f4", (2, 5), False, [0.0] * 5 + [25.0] * 5))

    def test_scalars(self):
        for word, descr, value in (
                ("3", "<i8", 3), ("-3", "<i8", -3), ("+4", "<i8", 4), ("2.5", "<f8", 2.5),
                ("-2.5", "<f8", -2.5), ("1e-3", "<f8", 1e-3), (".5", "<f8", 0.5),
                ("inf", "<f8", math.inf), ("-inf", "<f8", -math.inf), ("true", "|b1", True),
                ("false", "|b1", False), ("f32:2.5", "<f4", 2.5), ("f64:3", "<f8", 3.0),
                ("float32:2.5", "<f4", 2.5), ("f16:-0.5", "<f2", -0.5), ("i8:-3", "|i1", -3),
                ("i16:-300", "<i2", -300), ("i32:+7", "<i4", 7), ("u8:255", "|u1", 255),
                ("u16:65535", "<u2", 65535), ("u32:4294967295", "<u4", 4294967295),
                ("u64:18446744073709551615", "<u8", 18446744073709551615), ("bool:1", "|b1", True),
                ("bool:false", "|b1", False), ("i64:-9223372036854775808", "<i8", -2**63),
                ("c64:1+2i", "<c8", 1 + 2j), ("c64:3", "<c8", 3 + 0j), ("1+2i", "<c16", 1 + 2j),
                ("1-2.5e-1j", "<c16", 1 - 0.25j), ("2i", "<c16", 2j), ("-1-i", "<c16", -1 - 1j)):
            self.succeed("elementwise", "T x", "T y", "y = x", word, "--size", "2", "-o", "y.npy")
            self.assertEqual(self.load("y.npy"), (descr, (2,), False, [value] * 2), word)

    def test_nan(self):
        self.succeed("elementwise", "T x", "bool y", "y = x != x", "nan", "--size", "1", "-o",
                     "y.npy")
        self.assertEqual(self.load("y.npy")[3], [True])

    def test_bfloat16(self):
        self.succeed("elementwise", "bfloat16 x", "float32 y", "y = x", "bf16:1.0078125", "--size",
                     "1", "-o", "y.npy")
        self.assertEqual(self.load("y.npy")[3], [1.0078125])

    def test_in_place(self):
        write_npy(self.path("x.npy"), "<f8", (3,), [1.0, 2.0, 3.0])
        self.succeed("elementwise", "T x, T a", "T x", "x *= a", "x.npy", "2", "-o", "y.npy")
        self.assertEqual(self.load("x.npy")[3], [1.0, 2.0, 3.0])
        self.assertEqual(self.load("y.npy")[3], [2.0, 4.0, 6.0])
        self.succeed("elementwise", "T x, T a", "T x", "x *= a", "x.npy", "3", "-o", "x.npy")
        self.assertEqual(self.load("x.npy")[3], [3.0, 6.0, 9.0])

    def test_a_scalar_in_both_lists(self):
        self.succeed("elementwise", "T x", "T x", "x += i", "5", "--size", "3", "-o", "x.npy")
        self.assertEqual(self.load("x.npy"), ("<i8", (3,), False, [5, 6, 7]))

    def test_several_outputs_and_a_preamble(self):
        write_npy(self.path("x.npy"), "<f8", (4,), [0.0, 0.5, 1.0, 1.5])
        self.succeed("elementwise", "T x", "T s, T c", "s = twice(sin(x)); c = cos(x)", "x.npy",
                     "--preamble", "__device__ double twice(double v) { return 2 * v; }", "-o",
                     "s.npy", "c.npy")
        for k, x in enumerate([0.0, 0.5, 1.0, 1.5]):
            self.assertAlmostEqual(self.load("s.npy")[3][k], 2 * math.sin(x), 14)
            self.assertAlmostEqual(self.load("c.npy")[3][k], math.cos(x), 14)

    def test_macros(self):
        write_npy(self.path("x.npy"), "<f8", (2,), [1.0, 2.0])
        self.succeed("elementwise", "-DSCALE=3", "T x", "T y", "y = SCALE * x + SHIFT + odd()",
                     "-D", "SHIFT=10", "x.npy", "--preamble",
                     "__device__ int odd() { return ODD; }", "-DODD", "-o", "y.npy")
        self.assertEqual(self.load("y.npy")[3], [14.0, 17.0])

    def test_size_and_raw(self):
        self.succeed("elementwise", "", "int64 z", "z = i * i", "--size=5", "-o", "z.npy")
        self.assertEqual(self.load("z.npy")[3], [0, 1, 4, 9, 16])
        self.succeed("elementwise", "raw T x", "T y", "y = x[n - 1 - i]", "z.npy", "--size", "5",
                     "-o", "y.npy")
        self.assertEqual(self.load("y.npy")[3], [16, 9, 4, 1, 0])
        self.succeed("elementwise", "", "int64 z", "z = i", "--size", "0", "-o", "z.npy")
        self.assertEqual(self.load("z.npy"), ("<i8", (0,), False, []))

    def test_fortran_order_stays(self):
        write_npy(self.path("x.npy"), "<i4", (2, 3), [1, 4, 2, 5, 3, 6], fortran=True)
        self.succeed("elementwise", "T x", "T y", "y = 10 * x", "x.npy", "-o", "y.npy")
        self.assertEqual(self.load("y.npy"), ("<i4", (2, 3), True, [10, 40, 20, 50, 30, 60]))

    def test_zero_axes(self):
        write_npy(self.path("x.npy"), "<f8", (), [2.5])
        self.succeed("elementwise", "T x", "T y", "y = -x", "x.npy", "-o", "y.npy")
        self.assertEqual(self.load("y.npy"), ("<f8", (), False, [-2.5]))

    def test_show_source(self):
        write_npy(self.path("x.npy"), "<f4", (3,), [1.0, 2.0, 3.0])
        words = ("elementwise", "T x, T a", "T y", "y = x * a + 4711", "x.npy", "2")
        source = self.succeed(*words, "--show-source")
        self.assertIn("y = x * a + 4711", source)
        self.assertEqual(self.succeed(*words, "--show-source", "-o", "y.npy"), source)
        self.assertEqual(os.listdir(self.place), ["x.npy"])
        on_host = self.succeed("elementwise", "", "int64 z", "z = i", "--size", "2",
                               "--show-source", "--device", "host")
        self.assertNotIn('extern "C" __global__', on_host)

    def test_time(self):
        write_npy(self.path("x.npy"), "<f8", (1000,), [2.0] * 1000)
        words = ("elementwise", "T x, T a", "T x", "x = x * a", "x.npy", "3", "--time")
        text = self.succeed(*words, "-o", "y.npy")
        self.assertRegex(text, TIMING)
        self.assertIn("15.6 KiB moved", text)
        self.assertEqual(self.load("y.npy")[3], [6.0] * 1000)
        self.assertRegex(self.succeed(*words), TIMING)
        self.assertEqual(sorted(os.listdir(self.place)), ["x.npy", "y.npy"])

    def test_time_where_no_array_gives_the_size(self):
        for lists in (("", "int64 z"), ("", "raw int64 z"), ("raw T x", "T z")):
            body = "z[i] = i" if "raw" in lists[1] else "z = i"
            arguments = ["x.npy"] if lists[0] else []
            self.assertRegex(self.succeed("elementwise", *lists, body, *arguments, "--size", "5",
                                          "--time", "-o", "x.npy"), TIMING)
            self.assertEqual(self.load("x.npy")[3], [0, 1, 2, 3, 4])

    def test_time_starts_each_run_in_place_from_the_same_values(self):
        write_npy(self.path("x.npy"), "<i8", (1,), [1])
        # Any later run on what the first one left would not end.
        self.succeed("elementwise", "T x", "T x", "volatile T v = x; while (v != 1) {} x = 2",
                     "x.npy", "--time", "-o", "y.npy")
        self.assertEqual(self.load("y.npy")[3], [2])

    def read_all(self, terminal):
        shown = b""
        try:
            while True:
                shown += os.read(terminal, 65536)
        except OSError:  # nobody has its other end any more
            os.close(terminal)
        return shown.decode()

    def test_progress_on_a_terminal_only(self):
        write_npy(self.path("x.npy"), "<f8", (1,), [2.0])
        master, slave = pty.openpty()
        done = subprocess.run([COMMAND, "elementwise", "T x", "T y", "y = x", "x.npy", "-o",
                               "y.npy"], cwd=self.place, env=self.environment({}), stderr=slave,
                              stdout=subprocess.PIPE, timeout=120)
        os.close(slave)
        shown = self.read_all(master)
        self.assertEqual((done.returncode, done.stdout), (0, b""))
        for phase in ("loading x.npy", "compiling", "saving y.npy"):
            self.assertIn(phase, shown)
        self.assertTrue(shown.endswith("\r\x1b[K"), repr(shown))
        self.assertIsNone(re.search(r"\n", shown))

    @unittest.skipIf(numpy is None, "NumPy is not installed")
    def test_numpy_reads_what_it_wrote_and_the_other_way(self):
        x = numpy.arange(24, dtype=">f4").reshape(2, 3, 4).transpose(2, 0, 1)
        numpy.save(self.path("x.npy"), x)
        self.succeed("elementwise", "T x, T a", "T y", "y = x / a", "x.npy", "4", "-o", "y.npy")
        y = numpy.load(self.path("y.npy"))
        self.assertEqual(y.dtype, numpy.float32)
        self.assertTrue((y == x / 4).all())


if __name__ == "__main__":
    unittest.main()
