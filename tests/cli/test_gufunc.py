"""gpuarr gufunc: what it computes, and what it refuses."""

import unittest

from support import CommandTest, read_npy, write_npy


class Gufunc(CommandTest):
    def load(self, name):
        return read_npy(self.path(name))

    def setUp(self):
        super().setUp()
        write_npy(self.path("x.npy"), "<f4", (2, 3), [float(k) for k in range(6)])

    def test_rows(self):
        for group in ([], ["--group", "thread"], ["--group", "warp"], ["--group", "block"],
                      ["--group", "64"]):
            self.succeed("gufunc", "(n),()->(),(n)", "T x, T a", "T y, T z",
                         "T s = 0;\n"
                         "for (int j = group.rank(); j < n; j += group.size()) {\n"
                         "  s += x(j); z(j) = a * x(j);\n"
                         "}\n"
                         "y = group.sum(s);", "x.npy", "2", *group, "-o", "y.npy", "z.npy")
            self.assertEqual(self.load("y.npy"), ("<f4", (2,), False, [3.0, 12.0]))
            self.assertEqual(self.load("z.npy")[3], [0.0, 2.0, 4.0, 6.0, 8.0, 10.0])

    def test_show_source(self):
        shown = self.succeed("gufunc", "(n)->()", "T x", "T y", "y = x(0);", "x.npy",
                             "--show-source")
        self.assertIn("y = x(0);", shown)
        self.assertIn("const long long n = 3;", shown)

    def test_time(self):
        self.assertIn("GB/s", self.succeed("gufunc", "(n)->()", "T x", "T y", "y = x(0);", "x.npy",
                                           "--time"))

    def test_refused(self):
        lists = ["(n)->()", "T x", "T y"]
        self.refuse("gufunc needs SIGNATURE, IN_PARAMS, OUT_PARAMS and BODY", "gufunc", *lists)
        self.refuse('--group is "seven"; give auto, thread, warp, block', "gufunc", *lists, "",
                    "x.npy", "-o", "y.npy", "--group", "seven")
        self.refuse(r"IN_PARAMS has 1 \(x\)", "gufunc", *lists, "", "-o", "y.npy")
        self.fail_with(1, "its end at character 7", "gufunc", "(n)->(", "T x", "T y", "", "x.npy",
                       "-o", "y.npy")
        self.fail_with(1, r'input 0 \("x"\) has shape \(2, 3\), with 3 where its core \(4\) says 4',
                       "gufunc", "(4)->()", "T x", "T y", "", "x.npy", "-o", "y.npy")


if __name__ == "__main__":
    unittest.main()
