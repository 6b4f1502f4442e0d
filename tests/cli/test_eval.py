"""gpuarr eval: results as text and as files, several of them, plans, and what is refused."""

import re
import unittest

from support import CommandTest, read_npy, write_npy


class Eval(CommandTest):
    def setUp(self):
        super().setUp()
        write_npy(self.path("x.npy"), "<f4", (2, 3), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
        write_npy(self.path("k.npy"), "<i8", (3,), [2, 0, -1])

    def load(self, name):
        return read_npy(self.path(name))

    def printed(self, text, *words):
        return self.succeed("eval", text, "x=x.npy", "k=k.npy", *words)

    def test_results_are_printed(self):
        self.assertEqual(self.printed("sum(x)"), "15\n")
        self.assertEqual(self.printed("x*2"), "[[ 0  2  4]\n [ 6  8 10]]\n")
        self.assertEqual(self.printed("k*t, k > 0", "t=2.5"),
                         "[   5    0 -2.5]\n[ True False False]\n")
        self.assertEqual(self.printed("maximum(k @ k[:, None] - k, 0)"), "[3 5 6]\n")
        self.assertEqual(self.printed("k*1j"), "[ 0+2j  0+0j -0-1j]\n")
        self.assertEqual(self.printed("astype(x, float16)[0, 1:]/4"), "[0.25  0.5]\n")
        self.assertEqual(self.printed("x[None, :, :1]"), "[[[0]\n  [3]]]\n")
        self.assertEqual(self.printed("x[:, None, 2:]"), "[[[2]]\n\n [[5]]]\n")
        self.assertEqual(self.printed("x[:0]"), "[]\n")

    def test_of_many_elements_the_ends_are_printed(self):
        write_npy(self.path("long.npy"), "<i4", (500, 4), list(range(2000)))
        lines = self.succeed("eval", "a", "a=long.npy").splitlines()
        self.assertEqual(lines[0], "[[   0    1    2    3]")
        self.assertEqual(lines[3:5], [" ...", " [1988 1989 1990 1991]"])
        self.assertEqual(len(lines), 7)
        self.assertEqual(self.succeed("eval", "reshape(a, -1)", "a=long.npy"),
                         "[   0    1    2 ... 1997 1998 1999]\n")

    def test_results_are_saved(self):
        self.assertEqual(self.printed("sqrt(mean((x - k)**2, axis=1))", "-o", "r.npy"), "")
        self.assertEqual(self.load("r.npy")[:2], ("<f8", (2,)))
        self.assertEqual(self.printed("d = x - 1\nsum(d*d), max(d)", "-o", "s.npy", "m.npy"), "")
        self.assertEqual(self.load("s.npy"), ("<f4", (), False, [31.0]))
        self.assertEqual(self.load("m.npy"), ("<f4", (), False, [4.0]))

    def test_plans_are_explained(self):
        text = self.printed("sqrt(mean((x - 1)**2, axis=1))", "--explain")
        self.assertRegex(text, r"reduction")
        self.assertRegex(text, r"bytes|B\b")
        self.printed("x + 1", "--explain", "-o", "y.npy")
        self.assertEqual(self.load("y.npy")[3], [1, 2, 3, 4, 5, 6])

    def refused(self, status, message, *words):
        self.fail_with(status, re.escape(message), "eval", *words)

    def test_refused(self):
        self.refused(2, "eval needs TEXT, such as 'sum(x*x)'")
        self.refused(2, '"x.npy" is no argument; give NAME=FILE.npy or NAME=NUMBER', "x", "x.npy")
        self.refused(2, '"x=" is no argument', "x", "x=")
        self.refused(2, '"x, x" has 2 results, but after -o there is 1 file', "x, x", "x=x.npy",
                     "-o", "y.npy")
        self.refused(2, '-o names "y.npy" for two results', "x, x", "x=x.npy", "-o", "y.npy",
                     "y.npy")
        self.refused(2, "there is no option -x", "-x", "x=x.npy")
        self.refused(1, "text, column 4: a value is missing before the end\n  x +\n     ^\n", "x +")
        self.refused(1, "text, column 1: z has no value", "z + 1", "x=x.npy")
        self.refused(1, 'names[0] is "2x"; a name has letters', "x", "2x=x.npy")
        self.refused(1, "the result is 3; give an array", "1 + 2")
        self.refused(1, "none.npy", "x", "x=none.npy")

    def test_an_expression_may_begin_with_a_sign(self):
        self.assertEqual(self.succeed("eval", "--", "-k", "k=k.npy"), "[-2  0  1]\n")


if __name__ == "__main__":
    unittest.main()
