"""Help, versions, and everything that is wrong with a command line."""

import os
import re
import unittest

from support import CommandTest, read_npy, write_npy

XY = ("T x, T y", "T z", "z = x + y")


class Help(CommandTest):
    def test_version_is_the_library_s(self):
        self.assertRegex(self.succeed("--version"), r"^gpuarr \d+\.\d+\.\d+\n$")

    def test_every_command_explains_itself(self):
        for words in (["--help"], ["-h"], ["info", "--help"], ["cache", "--help"],
                      ["cache", "clear", "--help"], ["elementwise", "--help"],
                      ["elementwise", "a", "b", "-h"], ["reduce", "--help"],
                      ["raw", "a.cu", "--help"]):
            self.assertIn("usage: gpuarr", self.succeed(*words))

    def test_lines_fit_a_wide_terminal(self):
        for words in (["--help"], ["info", "--help"], ["cache", "--help"],
                      ["elementwise", "--help"], ["reduce", "--help"], ["raw", "--help"]):
            self.assertLessEqual(max(map(len, self.succeed(*words).splitlines())), 100)

    def test_help_after_two_dashes_is_an_argument(self):
        self.refuse("elementwise needs IN_PARAMS", "elementwise", "--", "--help")

    def test_output_that_cannot_be_written_is_a_failure(self):
        with open("/dev/full", "w") as full:
            done = self.run_command("--help", stdout=full)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write to standard output", done.stderr)


class Refused(CommandTest):
    def test_commands(self):
        self.refuse("^gpuarr: no command\n")
        self.refuse('there is no command "elementwize"', "elementwize")
        self.refuse('there is no command "bogus"', "bogus", "--help")

    def test_info_and_cache(self):
        self.refuse('info takes no arguments: "now"', "info", "now")
        self.refuse("there is no option --yaml", "info", "--yaml")
        self.refuse("--json is given twice", "info", "--json", "--json")
        self.refuse("--json=1: this option takes no value", "info", "--json=1")
        self.refuse("cache needs one of: info, list, warm, clear", "cache")
        self.refuse("cache needs one of: info, list, warm, clear", "cache", "info",
                    "list")
        self.refuse('cache has no command "empty"', "cache", "empty")
        self.refuse("cache clear takes no --json", "cache", "clear", "--json")
        self.refuse("cache warm takes no --json", "cache", "warm", "--json")
        self.refuse("cache list takes no --device", "cache", "list", "--device", "host")

    def test_elementwise_options(self):
        self.refuse("needs IN_PARAMS, OUT_PARAMS and BODY", "elementwise", "T x", "T y")
        self.refuse("there is no option --sise", "elementwise", *XY, "1", "2", "--sise", "3")
        self.refuse("there is no option -x", "elementwise", *XY, "-x", "2")
        self.refuse("--size needs a value", "elementwise", *XY, "1", "2", "--size")
        self.refuse("-o needs a value", "elementwise", *XY, "1", "2", "-o", "--time")
        self.refuse("-D needs a value", "elementwise", *XY, "1", "2", "-D")
        self.refuse("there is no option --DN", "elementwise", *XY, "1", "2", "--DN=2")
        self.refuse("--device is given twice", "elementwise", *XY, "1", "2", "--device", "host",
                    "--device=host")
        self.refuse("--show-source runs nothing", "elementwise", *XY, "1", "2", "--time",
                    "--show-source")
        for size in ("-1", "many", "1.5", "", "99999999999999999999"):
            self.refuse(f'--size is "{re.escape(size)}"; it is a number', "elementwise", *XY, "1",
                        "2", "--size", size, "-o", "z.npy")

    def test_counts(self):
        self.refuse(r"IN_PARAMS has 2 \(x, y\), but the arguments after BODY are 1 \(1\)",
                    "elementwise", *XY, "1", "-o", "z.npy")
        self.refuse(r"IN_PARAMS has 2 \(x, y\), but .* are 3 \(1, 2, 3\)", "elementwise", *XY, "1",
                    "2", "3", "-o", "z.npy")
        self.refuse(r"OUT_PARAMS has 1 \(z\), but the files after -o are 0\n", "elementwise", *XY,
                    "1", "2")
        self.refuse(r"OUT_PARAMS has 1 \(z\), but .* are 2 \(z.npy, 2\)", "elementwise", *XY, "1",
                    "2", "-o", "z.npy", "2")
        self.refuse('-o names a file ""', "elementwise", *XY, "1", "2", "-o", "")
        self.refuse('-o names "z.npy" for two outputs', "elementwise", "T x", "T y, T z", "y = x",
                    "1", "-o", "z.npy", "z.npy")

    def test_size(self):
        self.refuse("--size is needed, since no argument is an array", "elementwise", "", "int32 y",
                    "y = i", "-o", "y.npy")
        self.refuse("--size is needed", "elementwise", "raw T x, T a", "T y", "y = a", "x.npy", "1",
                    "--show-source")
        self.refuse("--size is 6, but the arrays give the size", "elementwise", "T x", "T y",
                    "y = x", "x.npy", "--size", "6", "-o", "y.npy")

    def test_scalars(self):
        for word, pattern in (
                ("i8:300", "int8 cannot hold 300"), ("u8:-1", "uint8 cannot hold -1"),
                ("i32:2.5", "int32 cannot hold 2.5"), ("i64:1+2i", r"int64 cannot hold 1\+2i"),
                ("f64:1i", "float64 cannot hold 1i"), ("f16:65520", "float16 cannot hold 65520"),
                ("bf16:3.4e38", "bfloat16 cannot hold 3.4e38"), ("1e999", "float64 cannot hold"),
                ("f32:1e39", "float32 cannot hold 1e39"), ("bool:2", "bool cannot hold 2"),
                ("9223372036854775808", "int64 cannot hold 9223372036854775808"),
                ("f32:abc", 'f32:abc: "abc" is not a number; a file is ./f32:abc'),
                ("f32:", 'f32:: "" is not a number'), ("i8:true", "int8 cannot hold true"),
                ("f31:2.5", 'there is no type "f31"; a file is ./f31:2.5')):
            self.refuse(pattern, "elementwise", "T x", "T y", "y = x", word, "--size", "1", "-o",
                        "y.npy")


class Words(CommandTest):
    """Which words are options, numbers and files."""

    def setUp(self):
        super().setUp()
        write_npy(self.path("x.npy"), "<f8", (2,), [1.0, 2.0])

    def values(self, name):
        return read_npy(self.path(name))[3]

    def test_negative_numbers_are_no_options(self):
        self.succeed("elementwise", "T x, T a, T b", "T y", "y = x * a + b", "x.npy", "-2.5",
                     "-1e1", "-o", "y.npy")
        self.assertEqual(self.values("y.npy"), [-12.5, -15.0])

    def test_options_anywhere_and_two_dashes(self):
        self.succeed("elementwise", "-o", "y.npy", "--device=" + "host", "--", "T x", "T y",
                     "y = -x", "x.npy")
        self.assertEqual(self.values("y.npy"), [-1.0, -2.0])

    def test_files_that_look_like_numbers(self):
        os.rename(self.path("x.npy"), self.path("3"))
        self.succeed("elementwise", "T x", "T y", "y = x + 1", "./3", "-o", "-3")
        self.assertEqual(self.values("-3"), [2.0, 3.0])

    def test_outputs_in_two_lists(self):
        self.succeed("elementwise", "T x", "T y, T z", "y = x; z = -x", "-o", "y.npy", "--device",
                     "host", "x.npy", "-o", "z.npy", GPUARR_DEVICE="host")
        self.assertEqual(self.values("z.npy"), [-1.0, -2.0])


if __name__ == "__main__":
    unittest.main()
