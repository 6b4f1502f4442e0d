"""gpuarr reduce: what it computes and prints, and what it refuses."""

import os
import re
import unittest

from support import CommandTest, read_npy, write_npy

try:
    import numpy
except ImportError:
    numpy = None

SUM = ("T x", "T y", "x", "a + b", "y = a")
TIMING = (r"^[\w:]+: median [\d.]+ (us|ms|s), best [\d.]+ (us|ms|s) of \d+ runs; "
          r"[\d.]+ (B|[KMG]iB) moved, [\d.]+ GB/s\n$")


class Reduce(CommandTest):
    def load(self, name):
        return read_npy(self.path(name))

    def reduce(self, *words):
        self.assertEqual(self.succeed("reduce", *words, "-o", "y.npy"), "")
        return self.load("y.npy")

    def setUp(self):
        super().setUp()
        write_npy(self.path("x.npy"), "<i8", (2, 3, 4), range(24))

    def test_axes(self):
        rows = [0 + 12 + 1 + 13 + 2 + 14 + 3 + 15, 4 + 16 + 5 + 17 + 6 + 18 + 7 + 19,
                8 + 20 + 9 + 21 + 10 + 22 + 11 + 23]
        for words, shape, values in (
                ((), (), [276]), (("--axis", "all"), (), [276]), (("--axis=0,2",), (3,), rows),
                (("--axis", "2,0"), (3,), rows), (("--axis", "-1,-3"), (3,), rows),
                (("--axis", "0"), (3, 4), [12 + 2 * k for k in range(12)]),
                (("--axis", "-1"), (2, 3), [6, 22, 38, 54, 70, 86]),
                (("--axis", "none"), (2, 3, 4), list(range(24))),
                (("--axis", ""), (2, 3, 4), list(range(24))),
                (("--keepdims",), (1, 1, 1), [276]),
                (("--axis", "0,2", "--keepdims"), (1, 3, 1), rows)):
            self.assertEqual(self.reduce(*SUM, "x.npy", *words), ("<i8", shape, False, values),
                             words)

    def test_mean_squared_error_with_broadcasting(self):
        write_npy(self.path("a.npy"), "<f4", (2, 3), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
        write_npy(self.path("b.npy"), "<f4", (3,), [1.0, 2.0, 3.0])
        words = ("T x, T y", "float64 z", "(x - y) * (x - y)", "a + b", "z = a / n", "a.npy",
                 "b.npy")
        self.assertEqual(self.reduce(*words), ("<f8", (), False, [4.5]))

    def test_the_identity_enters_once(self):
        write_npy(self.path("ones.npy"), "<i4", (1000,), [1] * 1000)
        self.assertEqual(self.reduce(*SUM, "ones.npy", "--identity", "1")[3], [1001])
        self.assertEqual(self.reduce(*SUM, "ones.npy", "--identity=-1")[3], [999])

    def test_no_elements(self):
        write_npy(self.path("none.npy"), "<f4", (3, 0), [])
        self.assertEqual(self.reduce(*SUM, "none.npy", "--identity", "2.5", "--axis", "1"),
                         ("<f4", (3,), False, [2.5] * 3))
        self.assertEqual(self.reduce(*SUM, "none.npy", "--axis", "0"), ("<f4", (0,), False, []))

    def test_reduce_type(self):
        write_npy(self.path("bytes.npy"), "|i1", (3,), [100, 100, 100])
        words = ("int8 x", "int8 y", "x", "a + b", "y = a / 3", "bytes.npy")
        self.assertEqual(self.reduce(*words, "--reduce-type", "int32")[3], [100])

    def test_a_struct_several_outputs_and_a_scalar(self):
        write_npy(self.path("v.npy"), "<f8", (5,), [3.0, -7.0, 9.0, 9.0, 1.0])
        self.succeed("reduce", "T x, T scale", "T top, int64 at", "Best{scale * x, _J}",
                     "a.value > b.value || (a.value == b.value && a.at < b.at) ? a : b",
                     "top = a.value; at = a.at", "v.npy", "2", "--reduce-type", "Best",
                     "--preamble", "struct Best { double value; long long at; };", "-o", "top.npy",
                     "at.npy")
        self.assertEqual(self.load("top.npy"), ("<f8", (), False, [18.0]))
        self.assertEqual(self.load("at.npy"), ("<i8", (), False, [2]))

    def test_ordered(self):
        count = 5000
        scale, shift = 1, 0
        slopes = [(7 * k) % 5 - 2 or 3 for k in range(count)]
        for k, slope in enumerate(slopes):  # modulo 2^32
            scale, shift = scale * slope % 2**32, (shift * slope + k) % 2**32
        write_npy(self.path("slopes.npy"), "<u4", (count,), [s % 2**32 for s in slopes])
        self.succeed("reduce", "uint32 s", "uint32 scale, uint32 shift",
                     "Affine{s, (unsigned)_J}", "Affine{a.s * b.s, a.t * b.s + b.t}",
                     "scale = a.s; shift = a.t", "slopes.npy", "--ordered", "--reduce-type",
                     "Affine", "--preamble", "struct Affine { unsigned s, t; };", "-o", "s.npy",
                     "t.npy")
        self.assertEqual(self.load("s.npy")[3] + self.load("t.npy")[3], [scale, shift])

    def test_raw_and_macros(self):
        write_npy(self.path("table.npy"), "<i8", (4,), [10, 20, 30, 40])
        self.assertEqual(self.reduce("int64 x, raw int64 table", "int64 y", "table[x % 4] + SHIFT",
                                     "a + b", "y = a", "x.npy", "table.npy", "-DSHIFT=1")[3],
                         [6 * 100 + 24])

    def test_fortran_order_stays(self):
        write_npy(self.path("f.npy"), "<i4", (2, 3, 2), range(12), fortran=True)
        self.assertEqual(self.reduce(*SUM, "f.npy", "--axis", "1"),
                         ("<i4", (2, 2), True, [0 + 2 + 4, 1 + 3 + 5, 6 + 8 + 10, 7 + 9 + 11]))

    def test_text_that_begins_with_a_minus(self):
        self.succeed("reduce", "-o", "y.npy", "--axis", "-1", "--", "T x", "T y", "-x", "a + b",
                     "y = a", "x.npy")
        self.assertEqual(self.load("y.npy")[3], [-6, -22, -38, -54, -70, -86])

    def test_show_source(self):
        words = ("reduce", "T x", "T y", "x * 4711", "a + b", "y = a", "x.npy")
        source = self.succeed(*words, "--show-source")
        self.assertIn("x * 4711", source)
        self.assertEqual(os.listdir(self.place), ["x.npy"])
        self.assertNotIn('extern "C" __global__',
                         self.succeed(*words, "--show-source", "--device", "host"))

    def test_time(self):
        write_npy(self.path("x.npy"), "<f8", (1000,), [2.0] * 1000)
        text = self.succeed("reduce", *SUM, "x.npy", "--time", "-o", "y.npy")
        self.assertRegex(text, TIMING)
        self.assertIn("7.8 KiB moved", text)
        self.assertEqual(self.load("y.npy")[3], [2000.0])
        self.assertRegex(self.succeed("reduce", *SUM, "x.npy", "--time", "--axis", "0"), TIMING)
        self.assertEqual(sorted(os.listdir(self.place)), ["x.npy", "y.npy"])

    @unittest.skipIf(numpy is None, "NumPy is not installed")
    def test_as_numpy(self):
        x = numpy.random.default_rng(1).standard_normal((5, 6, 7))
        numpy.save(self.path("x.npy"), x)
        for axes in ((0,), (1, 2), (0, 2)):
            self.succeed("reduce", "T x", "T y", "x * x", "a + b", "y = sqrt(a)", "x.npy",
                         "--axis", ",".join(map(str, axes)), "-o", "y.npy")
            numpy.testing.assert_allclose(numpy.load(self.path("y.npy")),
                                          numpy.sqrt((x * x).sum(axis=axes)), rtol=1e-14)


class Refused(CommandTest):
    """Bad input: a message worth reading, and no file left."""

    def setUp(self):
        super().setUp()
        write_npy(self.path("x.npy"), "<f4", (2, 3), [1.0] * 6)
        write_npy(self.path("y.npy"), "<f4", (4,), [1.0] * 4)
        write_npy(self.path("none.npy"), "<f4", (3, 0), [])

    def fails(self, pattern, *words):
        return self.fail_with(1, pattern, "reduce", *words, "-o", "out.npy")

    def test_command_line(self):
        self.refuse("reduce needs IN_PARAMS, OUT_PARAMS, MAP, REDUCE and POST", "reduce", *SUM[:4])
        self.refuse(r"IN_PARAMS has 1 \(x\), but the arguments after POST are 0\n", "reduce", *SUM,
                    "-o", "out.npy")
        self.refuse(r"IN_PARAMS has 1 \(x\), but .* are 2 \(x.npy, 2\)", "reduce", *SUM, "x.npy",
                    "2", "-o", "out.npy")
        self.refuse(r"OUT_PARAMS has 1 \(y\), but the files after -o are 0\n", "reduce", *SUM,
                    "x.npy")
        self.refuse("there is no option --size", "reduce", *SUM, "x.npy", "--size", "6")
        self.refuse("--keepdims=1: this option takes no value", "reduce", *SUM, "x.npy",
                    "--keepdims=1")
        self.refuse("--axis is given twice", "reduce", *SUM, "x.npy", "--axis", "0", "--axis", "1")
        self.refuse("--identity needs a value", "reduce", *SUM, "x.npy", "--identity")
        self.refuse("nothing to reduce: no argument is an array", "reduce", *SUM, "2.5", "-o",
                    "out.npy")

    def test_lists_that_are_no_axes(self):
        for axes in ("0,", ",0", "x", "1.5", "0 1", "0, 1", "0,,1", ",", "all,0", "99999999999",
                     "+1"):
            self.refuse(f'--axis is "{re.escape(axes)}"; it is "all", "none", or axes', "reduce",
                        *SUM, "x.npy", "--axis", axes, "-o", "out.npy")

    def test_axes_that_are_not_there(self):
        self.fails("is 2, but the array has 2 axes", *SUM, "x.npy", "--axis", "2")
        self.fails("is -3, but the array has 2 axes", *SUM, "x.npy", "--axis", "0,-3")
        self.fails("twice", *SUM, "x.npy", "--axis", "0,-2")

    def test_parameters(self):
        self.fails('"z"', "T x", "raw T z", "x", "a + b", "z[0] = a", "x.npy")
        self.fails('"x"', "T x", "T x", "x", "a + b", "x = a", "x.npy")
        self.fails("in_params has an empty item", "T x,", "T y", "x", "a + b", "y = a", "x.npy")

    def test_arrays(self):
        self.fails(r'"y".* shape \(4,\), which does not broadcast with \(2, 3\)', "T x, T y",
                   "T z", "x * y", "a + b", "z = a", "x.npy", "y.npy")
        self.fails("identity", *SUM, "none.npy", "--axis", "1")
        self.fails(r"gone\.npy.*No such file", *SUM, "gone.npy")

    def test_texts_that_do_not_compile(self):
        for texts, where, line in (
                (("x +\n  * unknown", "a + b", "y = a"), "map, line 2, column ", "  * unknown"),
                (("x", "a +\n b + unknown", "y = a"), "reduce, line 2, column ", " b + unknown"),
                (("x", "a + b", "y = a;\ny = unknown;"), "post, line 2, column ", "y = unknown;")):
            message = self.fails(where, "T x", "T y", *texts, "x.npy")
            self.assertIn(line, message)
        message = self.fails("identity, line 1", *SUM, "x.npy", "--identity", "0 + unknown")
        self.assertIn("0 + unknown", message)

    def test_reduce_types(self):
        self.fails(r"reduce_type, line 1, column .*Best", *SUM, "x.npy", "--reduce-type", "Best")
        self.fails("64 bytes", "T x", "T y", "Wide{{x}}", "a", "y = a.v[0]", "x.npy",
                   "--reduce-type", "Wide", "--preamble", "struct Wide { double v[9]; };")


if __name__ == "__main__":
    unittest.main()
