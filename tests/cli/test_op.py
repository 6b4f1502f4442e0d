"""gpuarr op: every operation that it lists, what they make, and what is refused."""

import re
import unittest

from support import CommandTest, read_npy, write_npy


class Op(CommandTest):
    def load(self, name):
        return read_npy(self.path(name))

    def op(self, *words):
        self.assertEqual(self.succeed("op", *words, "-o", "y.npy"), "")
        return self.load("y.npy")

    def setUp(self):
        super().setUp()
        write_npy(self.path("x.npy"), "<f4", (2, 3), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
        write_npy(self.path("k.npy"), "<i8", (3,), [2, 0, -1])

    def test_the_list_has_a_line_for_each(self):
        lines = self.succeed("op", "--list").splitlines()
        names = [line.split()[0] for line in lines]
        self.assertEqual(len(set(names)), len(names))
        for name in ("add", "where", "frexp", "sum", "cumsum", "sort", "take", "random_normal"):
            self.assertIn(name, names)
        for line in lines:
            self.assertRegex(line, r"^[a-z_0-9]+ .*  \S.*$")
            self.assertLessEqual(len(line), 100)

    def test_functions(self):
        self.assertEqual(self.op("multiply", "x.npy", "2.5"),
                         ("<f4", (2, 3), False, [0.0, 2.5, 5.0, 7.5, 10.0, 12.5]))
        self.assertEqual(self.op("add", "x.npy", "k.npy"),
                         ("<f8", (2, 3), False, [2.0, 1.0, 1.0, 5.0, 4.0, 4.0]))
        self.succeed("op", "divmod", "k.npy", "2", "-o", "q.npy", "r.npy")
        self.assertEqual([self.load("q.npy")[3], self.load("r.npy")[3]], [[1, 0, -1], [0, 0, 1]])

    def test_reductions(self):
        self.assertEqual(self.op("sum", "x.npy"), ("<f4", (), False, [15.0]))
        self.assertEqual(self.op("max", "x.npy", "--axis", "0", "--keepdims"),
                         ("<f4", (1, 3), False, [3.0, 4.0, 5.0]))
        self.assertEqual(self.op("var", "x.npy", "1", "--axis=-1")[3], [1.0, 1.0])

    def test_along_an_axis(self):
        self.assertEqual(self.op("cumsum", "x.npy", "--axis", "0")[3], [0, 1, 2, 3, 5, 7])
        self.assertEqual(self.op("sort", "k.npy")[3], [-1, 0, 2])
        self.assertEqual(self.op("argsort", "k.npy", "1")[3], [0, 1, 2])
        self.assertEqual(self.op("take", "x.npy", "k.npy", "--axis", "1")[3],
                         [2.0, 0.0, 2.0, 5.0, 3.0, 5.0])
        self.succeed("op", "topk", "x.npy", "1", "-o", "values.npy", "places.npy")
        self.assertEqual(self.load("places.npy"), ("<i8", (2, 1), False, [2, 2]))

    def test_moving(self):
        self.assertEqual(self.op("concatenate", "k.npy", "k.npy")[3], [2, 0, -1, 2, 0, -1])
        self.assertEqual(self.op("stack", "k.npy", "k.npy")[1], (2, 3))
        self.assertEqual(self.op("roll", "k.npy", "1")[3], [-1, 2, 0])
        self.assertEqual(self.op("flip", "x.npy", "--axis", "0")[3], [3, 4, 5, 0, 1, 2])
        self.assertEqual(self.op("pad", "k.npy", "1", "9")[3], [9, 2, 0, -1, 9])
        self.assertEqual(self.op("tile", "k.npy", "2", "1")[1], (2, 3))

    def test_what_is_in_an_array(self):
        self.succeed("op", "unique", "k.npy", "-o", "values.npy", "places.npy")
        self.assertEqual(self.load("values.npy")[3], [-1, 0, 2])
        self.assertEqual(self.load("places.npy")[3], [2, 1, 0])
        self.assertEqual(self.op("quantile", "x.npy", "0", "0.5", "--axis", "0")[3],
                         [0, 1, 2, 1.5, 2.5, 3.5])
        self.assertEqual(self.op("einsum", "ij->j", "x.npy")[3], [3, 5, 7])
        self.assertEqual(self.op("outer", "k.npy", "k.npy")[3], [4, 0, -2, 0, 0, 0, -2, 0, 1])

    def test_equations(self):
        write_npy(self.path("a.npy"), "<f8", (2, 2), [4.0, 2.0, 2.0, 5.0])
        write_npy(self.path("b.npy"), "<f8", (2,), [8.0, 8.0])
        done = self.run_command("op", "cholesky", "a.npy", "-o", "y.npy")
        if "(apt install " in done.stderr:
            self.skipTest(done.stderr)
        self.assertEqual(self.load("y.npy")[3], [2.0, 0.0, 1.0, 2.0])
        self.assertEqual([round(x, 9) for x in self.op("solve", "a.npy", "b.npy")[3]], [1.5, 1.0])
        self.assertEqual([round(x, 9) for x in self.op("matmul", "a.npy", "b.npy")[3]], [48, 56])
        self.succeed("op", "eigh", "a.npy", "-o", "w.npy", "v.npy")
        self.assertAlmostEqual(sum(self.load("w.npy")[3]), 9.0)
        write_npy(self.path("zero.npy"), "<f8", (2, 2), [1.0, 1.0, 1.0, 1.0])
        self.fail_with(1, "singular", "op", "inv", "zero.npy", "-o", "y2.npy")

    def test_random_numbers(self):
        words = ("random_integers", "0", "10", "--shape", "2,4", "--dtype", "u8")
        first = self.op(*words, "--seed", "7")
        self.assertEqual(first[:2], ("|u1", (2, 4)))
        self.assertTrue(all(0 <= k < 10 for k in first[3]))
        self.assertEqual(self.op(*words, "--seed", "7"), first)
        self.assertNotEqual(self.op(*words, "--seed", "8"), first)
        self.assertEqual(self.op("random_normal", "2", "0", "--shape", "2")[3], [2.0, 2.0])
        self.assertEqual(sorted(self.op("random_choice", "3", "0", "--shape", "3")[3]), [0, 1, 2])
        write_npy(self.path("w.npy"), "<f8", (3,), [0.0, 2.0, 0.0])
        self.assertEqual(self.op("random_choice", "3", "1", "w.npy", "--shape", "2")[3], [1, 1])
        self.refused(1, "4 of 3 numbers cannot be different", "random_choice", "3", "0",
                     "--shape", "4", "-o", "y.npy")

    def refused(self, status, message, *words):
        self.fail_with(status, re.escape(message), "op", *words)

    def test_a_setting_is_not_the_files_fault(self):
        pattern = r'^gpuarr: (\$GPUARR_DEVICE is "[^"]*", but )?\$GPUARR_MEMORY_LIMIT is "lots"'
        self.fail_with(1, pattern, "op", "exp", "x.npy", "-o", "y.npy", GPUARR_MEMORY_LIMIT="lots")

    def test_time(self):
        printed = self.succeed("op", "exp", "x.npy", "--time")
        self.assertRegex(printed, r"median .* of \d+ runs; 48 B, .* GB/s if each array is")
        self.assertRegex(self.succeed("op", "sum", "x.npy", "--time", "-o", "y.npy"), "median")
        self.assertEqual(self.load("y.npy")[3], [15.0])
        self.succeed("op", "random_normal", "0", "1", "--shape", "10", "--time")

    def test_the_list_has_whole_sentences(self):
        for line in self.succeed("op", "--list").splitlines():
            about = re.split("  +", line, maxsplit=1)[1]
            self.assertNotRegex(about, r"(,| or| and| not| the)$|^its |the same")

    def test_refused(self):
        out = ("-o", "y.npy")
        self.refused(2, "op needs NAME", *out)
        self.refused(2, 'there is no operation "nopenope"; gpuarr op --list', "nopenope", "x.npy",
                     *out)
        for word, right in (("sinn", "sin"), ("cumsim", "cumsum"), ("reciprcoal", "reciprocal")):
            self.refused(2, f'there is no operation "{word}"; did you mean {right}? ', word,
                         "x.npy", *out)
        self.refused(2, "there is no option --aixs; did you mean --axis?", "sum", "x.npy", "--aixs",
                     "0", *out)
        self.refused(2, "random_normal needs --shape, such as 1000,3", "random_normal", "0", "1",
                     *out)
        self.fail_with(2, 'there is no command "reduse"; did you mean reduce?', "reduse")
        self.refused(2, "exp takes X, but 2 arguments were given", "exp", "x.npy", "3", *out)
        self.refused(2, "exp has 1 output, but after -o there are 0 files", "exp", "x.npy")
        self.refused(2, "divmod has 2 outputs, but after -o there are 3 files", "divmod", "x.npy",
                     "2", "-o", "a.npy", "b.npy", "c.npy")
        self.refused(2, '-o names "y.npy" for two outputs', "divmod", "x.npy", "2", *out, "y.npy")
        self.refused(2, 'argument 1, "3", is a scalar; give a .npy file', "sum", "3", *out)
        self.refused(2, 'argument 2, "0.5", is not a whole number', "topk", "x.npy", "0.5", *out)
        self.refused(2, 'argument 2, "x.npy", is not a real number', "var", "x.npy", "x.npy", *out)
        self.refused(2, "--axis must name one axis here", "sort", "x.npy", "--axis", "0,1", *out)
        self.refused(2, "are for random numbers, which exp are not", "exp", "x.npy",
                     "--seed", "3", *out)
        self.refused(2, '--shape is "a"; give one such as 3,4', "random_normal", "0", "1",
                     "--shape", "a", *out)
        self.refused(2, '--seed is "x"; give a whole number', "random_normal", "0", "1",
                     "--shape", "1", "--seed", "x", *out)
        self.refused(1, "axes[0] is 5", "sum", "x.npy", "--axis", "5", *out)
        self.refused(1, "none.npy", "exp", "none.npy", *out)


if __name__ == "__main__":
    unittest.main()
