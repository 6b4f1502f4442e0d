"""What the tests of the command share: run it, and read and write .npy files without NumPy."""

import ast
import os
import re
import signal
import struct
import subprocess
import tempfile
import unittest

COMMAND = os.environ.get("GPUARR_COMMAND", "gpuarr")
DEVICE = os.environ.get("GPUARR_TEST_DEVICE", "host")
NO_GPU = {"CUDA_VISIBLE_DEVICES": ""}

# A shell's background jobs ignore Ctrl-C, and what they start inherits that.
signal.signal(signal.SIGINT, signal.default_int_handler)

FORMATS = {"|b1": "?", "|i1": "b", "<i2": "h", "<i4": "i", "<i8": "q", "|u1": "B", "<u2": "H",
           "<u4": "I", "<u8": "Q", "<f2": "e", "<f4": "f", "<f8": "d", "<c8": "ff", "<c16": "dd"}


def npy_header(descr, shape, fortran=False):
    text = f"{{'descr': {descr!r}, 'fortran_order': {fortran}, 'shape': {shape!r}, }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


def write_npy(path, descr, shape, values, fortran=False):
    code = FORMATS[descr]
    flat = [part for v in values for part in ((v.real, v.imag) if len(code) == 2 else (v,))]
    with open(path, "wb") as file:
        file.write(npy_header(descr, tuple(shape), fortran))
        file.write(struct.pack(f"<{len(flat)}{code[0]}", *flat))


def read_npy(path):
    """(descr, shape, fortran, values in the file's order)"""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x93NUMPY\x01\x00", data[:16]
    (length,) = struct.unpack("<H", data[8:10])
    header = ast.literal_eval(data[10:10 + length].decode())
    code = FORMATS[header["descr"]]
    raw = data[10 + length:]
    flat = struct.unpack(f"<{len(raw) // struct.calcsize(code[0])}{code[0]}", raw)
    if len(code) == 2:
        flat = [complex(*flat[k:k + 2]) for k in range(0, len(flat), 2)]
    return header["descr"], header["shape"], header["fortran_order"], list(flat)


class CommandTest(unittest.TestCase):
    """Each test works in an empty directory; the kernel cache lasts for all of them."""

    maxDiff = None

    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="gpuarr-cli-")
        self.addCleanup(place.cleanup)
        self.place = place.name

    def path(self, name):
        return os.path.join(self.place, name)

    def environment(self, settings):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("GPUARR_")}
        environment["GPUARR_DEVICE"] = DEVICE
        if "GPUARR_CACHE_DIR" in os.environ:
            environment["GPUARR_CACHE_DIR"] = os.environ["GPUARR_CACHE_DIR"]
        environment.update(settings)
        return {k: v for k, v in environment.items() if v is not None}

    def run_command(self, *words, stdout=subprocess.PIPE, **settings):
        return subprocess.run([COMMAND, *words], cwd=self.place, env=self.environment(settings),
                              stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE,
                              text=True, timeout=120)

    def succeed(self, *words, **settings):
        done = self.run_command(*words, **settings)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return done.stdout

    def fail_with(self, status, pattern, *words, **settings):
        """The command fails with a message that matches, prints nothing and leaves no new file."""
        before = sorted(os.listdir(self.place))
        done = self.run_command(*words, **settings)
        self.assertEqual(done.returncode, status, (words, done.stderr))
        self.assertEqual(done.stdout, "", words)
        self.assertTrue(done.stderr.startswith("gpuarr: "), done.stderr)
        self.assertNotRegex(done.stderr, r"^gpuarr: gpuarr_")
        self.assertIsNotNone(re.search(pattern, done.stderr), (pattern, done.stderr))
        self.assertEqual(sorted(os.listdir(self.place)), before, words)
        return done.stderr

    def refuse(self, pattern, *words, **settings):
        """A usage error."""
        message = self.fail_with(2, pattern, *words, **settings)
        self.assertRegex(message.splitlines()[-1], r'^Try "gpuarr( \w+)? --help"\.$')
