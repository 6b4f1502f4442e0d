"""gpuarr embed and gpuarr check: kernel files in programs and editors."""

import os
import re
import shutil
import subprocess
import unittest

from support import CommandTest

HEAT = r"""/* no include:
#include "util.cuh"
*/
#include "util.cuh"
#include "util.cuh"
#include <stdint.h>
extern "C" __global__ void heat(float* u, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) u[i] = twice(u[i]);  // "what??=" \ and a 	tab
}
"""
UTIL = """#pragma once
#include "deep.cuh"
__device__ inline float twice(float x) { return deep * x; }
"""
MAIN = r"""
#include <stdio.h>
#include "kernels.h"
int main(void) { fputs(heat_cu, stdout); return 0; }
"""


class FilesTest(CommandTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("folder"))
        self.write("heat.cu", HEAT)
        self.write("util.cuh", UTIL)
        self.write("folder/deep.cuh", "constexpr float deep = 2;")

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()


class EmbedTest(FilesTest):
    def embedded(self):
        """What the string of the header says in a program of C."""
        compiler = shutil.which("cc")
        if compiler is None:
            self.skipTest("no C compiler")
        self.write("main.c", MAIN)
        subprocess.run([compiler, "-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror", "main.c",
                        "-o", "main"], cwd=self.place, check=True)
        return subprocess.run(["./main"], cwd=self.place, capture_output=True, check=True,
                              text=True).stdout

    def test_a_file_and_what_it_includes(self):
        self.succeed("embed", "heat.cu", "-o", "kernels.h", "-I", "folder", "--depfile", "k.d")
        lines = HEAT.split("\n")
        util = UTIL.split("\n")
        self.assertEqual(self.embedded().split("\n"), [
            '#line 1 "heat.cu"', *lines[:3], '#line 1 "util.cuh"', "", '#line 1 "deep.cuh"',
            "constexpr float deep = 2;", '#line 3 "util.cuh"', util[2], '#line 5 "heat.cu"', "",
            *lines[5:]])
        self.assertEqual(self.read("k.d"),
                         "kernels.h: \\\n  heat.cu \\\n  util.cuh \\\n  folder/deep.cuh\n")

    def test_what_is_not_found_is_left_to_the_compiler(self):
        self.succeed("embed", "heat.cu", "-o", "kernels.h")
        self.assertIn('#include "deep.cuh"\n', self.embedded())

    def test_several_files(self):
        self.write("2 x.cu", "// b\r\n// c")
        self.succeed("embed", "heat.cu", "2 x.cu", "-o", "kernels.h")
        self.assertIn('_2_x_cu[] =\n    "#line 1 \\"2 x.cu\\"\\n"\n    "// b\\n"\n    "// c\\n"\n',
                      self.read("kernels.h"))

    def test_refused(self):
        self.write("a-b.cu", "")
        self.write("a_b.cu", "")
        self.write("loop.cu", '#include "loop.cu"\n')
        with open(self.path("zero.cu"), "wb") as file:
            file.write(b"a\0b")
        for words, status, says in (
                ((), 2, "embed needs kernel files"),
                (("heat.cu",), 2, "embed needs -o HEADER.h"),
                (("a-b.cu", "a_b.cu", "-o", "k.h"), 2, "two files would be a_b_cu"),
                (("none.cu", "-o", "k.h"), 1, 'cannot read "none.cu": No such file'),
                (("loop.cu", "-o", "k.h"), 1, "is included by itself"),
                (("zero.cu", "-o", "k.h"), 1, "has a byte of zero"),
                (("heat.cu", "-o", "no/k.h"), 1, 'cannot write "no/k.h"'),
                (("--editor", "no"), 1, 'cannot find the folder "no"'),
                (("--editor", "-o", "k.h"), 2, "--editor takes a folder")):
            with self.subTest(words=words):
                self.fail_with(status, re.escape(says), "embed", *words)

    def test_editor(self):
        self.succeed("embed", "--editor")
        self.succeed("embed", "--editor", ".")  # once more
        self.assertIn("PathMatch: .*\\.cuh?", self.read(".clangd"))
        clang = shutil.which("clang++") or shutil.which("clang++-14")
        if clang is not None:
            flags = ["-xc++", "-std=c++20", "-Wno-unknown-attributes", "-include",
                     ".gpuarr/editor.h", "-I.gpuarr", "-Ifolder", "-fsyntax-only", "-Wall"]
            subprocess.run([clang, *flags, "heat.cu"], cwd=self.place, check=True)
            self.write("heat.cu", "__global__ void k(float* x) { x[threadIdx.x] = quite; }")
            told = subprocess.run([clang, *flags, "heat.cu"], cwd=self.place, capture_output=True,
                                  text=True, check=False).stderr
            self.assertIn("undeclared identifier 'quite'", told)
            self.assertEqual(told.count("error:"), 1)
        self.write(".clangd", "CompileFlags: {}\n")
        self.fail_with(1, "of your own; add this to it", "embed", "--editor")


class CheckTest(FilesTest):
    def test_good_files(self):
        done = self.run_command("check", "heat.cu", "-Ifolder", "--target", "host,sm_80,sm_90")
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_errors_are_as_a_compilers(self):
        self.write("folder/bad.cu", "extern \"C\" __global__ void k(float* x) {\n  *x = q;\n}\n")
        done = self.run_command("check", "heat.cu", "folder/bad.cu", "-Ifolder", "--target", "host")
        if "not checked for host" not in done.stderr:
            self.assertEqual(done.returncode, 1)
            self.assertIn("folder/bad.cu:2:8: error: ", done.stderr)
            self.assertIn(" [host]\n    2 |   *x = q;\n      |        ^\n", done.stderr)
            self.assertIn("gpuarr: 1 file of 2 does not compile\n", done.stderr)

    def test_instances(self):
        self.write("t.cu", "template <class T> __global__ void k(T* x) { x[0].go(); }")
        self.succeed("check", "t.cu", "--target", "host")
        told = self.run_command("check", "t.cu", "--kernel", "k<float>", "--target", "host")
        if "not checked for host" not in told.stderr:
            self.assertEqual(told.returncode, 1, told.stderr)
            self.assertIn("t.cu:1", told.stderr)

    def test_missing_compilers_are_no_error(self):
        told = self.run_command("check", "heat.cu", PATH="/nowhere",
                                GPUARR_NVRTC="/nowhere/libnvrtc.so")
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertIn("heat.cu: not checked for host: ", told.stderr)

    def test_refused_checks(self):
        for words, status, says in (
                ((), 2, "check needs kernel files"),
                (("none.cu",), 1, "none.cu"),
                (("heat.cu", "--target", "gpu"), 1, 'target is "gpu"'),
                (("heat.cu", "--target", "host,"), 2, "--target is")):
            with self.subTest(words=words):
                self.fail_with(status, re.escape(says), "check", *words)


if __name__ == "__main__":
    unittest.main()
