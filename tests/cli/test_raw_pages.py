"""What README.md and docs/raw-kernels.md show of raw kernels, besides their C."""

import os
import re
import shlex
import unittest

from support import write_npy
from test_raw import KERNELS, ON_HOST, RawTest


class Page(RawTest):
    def blocks(self, page, language):
        path = os.path.join(os.path.dirname(__file__), "../..", page)
        with open(path, encoding="utf-8") as file:
            found = re.findall(r"```(\w*)\n(.*?)```", file.read(), re.S)
        return [text for name, text in found if name == language]

    def run_lines(self, page):
        for line in "".join(self.blocks(page, "sh")).splitlines():
            words = shlex.split(line)
            if words[:2] == ["gpuarr", "raw"]:
                self.succeed(*words[1:])

    def test_kernels_compile(self):
        for text in self.blocks("docs/raw-kernels.md", "cuda"):
            self.write("page.cu", text)
            self.assertNotEqual(self.succeed("raw", "page.cu", "--list"), "")

    def test_commands_run(self):
        self.write("saxpy.cu", KERNELS)
        self.run_lines("docs/raw-kernels.md")
        self.assertEqual(self.load("z.npy")[3], [10.0, 12.0, 14.0, 16.0, 10.0])

    def test_readme(self):
        text, = self.blocks("README.md", "cuda")
        self.write("saxpy.cu", text)
        for name, value in (("x.npy", 1.0), ("y.npy", 10.0)):
            write_npy(self.path(name), "<f4", (1000000,), [value] * 1000000)
        self.run_lines("README.md")
        self.assertEqual(self.load("z.npy")[3][998:1002], [12.0, 12.0, 10.0, 10.0])

    @unittest.skipUnless(ON_HOST, "for the CPU")
    def test_fault_in_readme(self):
        text, = self.blocks("README.md", "cuda")
        self.write("saxpy.cu", text.replace("if (i < n) ", ""))
        for name in ("x.npy", "y.npy"):
            write_npy(self.path(name), "<f4", (1000,), [1.0] * 1000)
        message, = [b for b in self.blocks("README.md", "") if b.startswith('kernel "saxpy"')]
        message = message.replace("args[1]", "argument 2")  # as the command counts
        self.fails(re.escape(" ".join(message.split())), "saxpy.cu", "saxpy", "--grid", "4",
                   "--block", "256", "--check", "memory", "f32:2", "x.npy", "inout:y.npy:z.npy",
                   "i32:1000")


if __name__ == "__main__":
    unittest.main()
