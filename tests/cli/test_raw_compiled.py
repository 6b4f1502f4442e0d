"""gpuarr raw on what nvcc made of a kernel."""

import os
import re
import shutil
import subprocess
import unittest

from test_raw import KERNELS, ON_HOST, RawTest

NVCC = shutil.which("nvcc", path=os.environ.get("PATH", "") + ":/usr/local/cuda/bin")


@unittest.skipIf(ON_HOST or NVCC is None, "for a GPU, with nvcc")
class Compiled(RawTest):
    """What nvcc made of a kernel, whole and damaged."""

    WORDS = ("saxpy", "f32:2", "x.npy", "inout:y.npy:z.npy", "i32:5", "--elements", "5")

    def setUp(self):
        super().setUp()
        self.write("s.cu", KERNELS[KERNELS.index("__global__"):KERNELS.index("__global__ void w")])

    def make(self, name, *words):
        subprocess.run([NVCC, "-o", name, "s.cu", *words], cwd=self.place, check=True)
        with open(self.path(name), "rb") as file:
            return file.read()

    def test_cubin_ptx_and_fatbin(self):
        capability = re.search(r"capability +(\d+)\.(\d)", self.succeed("info")).expand(r"\1\2")
        arch = f"-arch=sm_{capability}"
        for name, words in (("s.cubin", ("-cubin", arch)), ("s.ptx", ("-ptx", arch)),
                            ("s.fatbin", ("-fatbin", arch)),
                            ("both.fatbin", ("-fatbin", "-gencode", "arch=compute_75,code=sm_75",
                                             "-gencode", "arch=compute_75,code=compute_75"))):
            self.make(name, *words)
            self.assertEqual(self.succeed("raw", name, *self.WORDS), "", name)
            self.assertEqual(self.load("z.npy")[3], [10.0, 12.0, 14.0, 16.0, 18.0])
            os.remove(self.path("z.npy"))
        self.make("old.cubin", "-cubin", "-arch=sm_75")
        self.fail_with(1, "cannot load", "raw", "old.cubin", *self.WORDS)

    def test_damaged_cubins(self):
        capability = re.search(r"capability +(\d+)\.(\d)", self.succeed("info")).expand(r"\1\2")
        whole = self.make("s.cubin", "-cubin", f"-arch=sm_{capability}")
        for k in range(24):  # whatever it says, it says it; a process that died has no message
            at = k * len(whole) // 24
            with open(self.path("bad.cubin"), "wb") as file:
                damaged = bytes(b ^ 0x55 for b in whole[at:at + 40])
                file.write(whole[:at] + damaged + whole[at + 40:])
            done = self.run_command("raw", "bad.cubin", *self.WORDS)
            print(at, done.returncode, done.stderr.strip()[:100])
            self.assertGreaterEqual(done.returncode, 0, (at, done.stderr))
            with open(self.path("short.cubin"), "wb") as file:
                file.write(whole[:at])
            self.fail_with(1, "short.cubin", "raw", "short.cubin", *self.WORDS)


if __name__ == "__main__":
    unittest.main()
