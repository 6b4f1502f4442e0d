"""gpuarr elementwise with bad input: a message worth reading, status 1, and no file left."""

import os
import shutil
import signal
import subprocess
import time
import unittest

from support import COMMAND, NO_GPU, CommandTest, npy_header, read_npy, write_npy

COPY = ("elementwise", "T x", "T y", "y = x")


class Failures(CommandTest):
    def setUp(self):
        super().setUp()
        write_npy(self.path("x.npy"), "<f4", (2, 3), [1.0] * 6)
        write_npy(self.path("y.npy"), "<f8", (2, 3), [1.0] * 6)
        write_npy(self.path("z.npy"), "<f4", (4,), [1.0] * 4)

    def fails(self, pattern, *words, **settings):
        return self.fail_with(1, pattern, *words, "-o", "out.npy", **settings)

    def test_files(self):
        self.fails(r"none\.npy.*No such file", *COPY, "none.npy")
        self.fails(r"\.: ", *COPY, ".")
        bad = {"text.npy": b"hello\n", "empty.npy": b"",
               "short.npy": npy_header("<f4", (100,)) + bytes(17),
               "object.npy": npy_header("|O", (3,)) + bytes(24),
               "huge.npy": npy_header("<f4", (2**40, 2**40)),
               "header.npy": b"\x93NUMPY\x02\x00\xff\xff\xff\xff{'descr"}
        for name, content in bad.items():
            with open(self.path(name), "wb") as file:
                file.write(content)
            self.fails(name.replace(".", r"\."), *COPY, name)

    def test_parameters(self):
        for lists, pattern in ((("T x,", "T y"), "in_params has an empty item"),
                               (("float x", "T y"), '"float"'), (("T i", "T y"), '"i"'),
                               (("T x, U x", "T y"), '"x"'), (("T", "T y"), '"T"')):
            self.fails(pattern, "elementwise", *lists, "y = x", "x.npy")

    def test_arrays(self):
        two = ("elementwise", "T x, T y", "T z", "z = x + y")
        self.fails("\"y\".*float64.*float32", *two, "x.npy", "y.npy")
        self.fails(r'"y".* shape \(4,\), which does not broadcast with \(2, 3\)', *two, "x.npy",
                   "z.npy")
        self.fails(r'"y".* shape \(2, 3\), which does not broadcast with \(4,\)', *two, "z.npy",
                   "x.npy")
        write_npy(self.path("row.npy"), "<f4", (3,), [1.0] * 3)
        self.fails(r'"x".*\(3,\).*\(2, 3\)', "elementwise", "T x, T y", "T x", "x = y", "row.npy",
                   "x.npy")
        self.fails("U", "elementwise", "T x", "U y", "y = x", "x.npy")
        self.fails(r"2\.5", "elementwise", "T x, int32 a", "T y", "y = x * a", "x.npy", "2.5")

    def test_a_body_that_does_not_compile(self):
        message = self.fails("body", "elementwise", "T x", "T y", "y = x;\ny = x +* unknown;",
                             "x.npy")
        self.assertIn("y = x +* unknown;", message)
        self.assertIn("body, line 2, column ", message)

    def test_compiler(self):
        self.fails("/nonexistent/c[+][+]", *COPY, "x.npy", GPUARR_CXX="/nonexistent/c++", PATH="",
                   GPUARR_DEVICE="host", GPUARR_CACHE="off")

    def test_devices(self):
        self.fails('"gpu".*"host", "cuda" or "cuda:N"', *COPY, "x.npy", "--device", "gpu")
        self.fails(r"\$GPUARR_DEVICE is \"gpu\"", *COPY, "x.npy", GPUARR_DEVICE="gpu")
        self.fails("cuda:99", *COPY, "x.npy", GPUARR_DEVICE="cuda:99", **NO_GPU)
        self.fails("cuda:99", *COPY, "x.npy", "--device", "cuda:99")

    def test_places(self):
        os.mkdir(self.path("place"))
        for where, pattern in (("place", 'save to "place": it is no file but a directory'),
                               ("/dev/null", "it is no file but a device, pipe or socket"),
                               ("none/out.npy", 'save to "none/out.npy": No such file')):
            self.fail_with(1, pattern, *COPY, "x.npy", "-o", where)
        if os.getuid() != 0:
            os.chmod(self.path("place"), 0o500)
            self.fail_with(1, "Permission denied", *COPY, "x.npy", "-o", "place/out.npy")

    def test_bfloat16_has_no_file_format(self):
        self.fails("bfloat16", "elementwise", "", "bfloat16 y", "y = 1", "--size", "2")


class Interrupted(CommandTest):
    """Ctrl-C: an output file is complete or not there."""

    def start(self, *words):
        process = subprocess.Popen([COMMAND, "elementwise", *words, "-o", "out.npy"],
                                   cwd=self.place, env=self.environment({"GPUARR_DEVICE": "host"}),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def interrupt(self, process):
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGINT)

    def test_while_it_runs(self):
        with open(shutil.which(COMMAND), "rb") as file:
            if b"__tsan_init" in file.read():
                self.skipTest("ThreadSanitizer holds signals back until the next call of a library")
        process = self.start("T a", "T y", "volatile T v = a; while (v != 0) {} y = v", "1",
                             "--size", "1")
        time.sleep(1.5)
        self.interrupt(process)
        self.assertEqual(os.listdir(self.place), [])

    def test_while_it_compiles(self):
        os.mkdir(self.path("temporary"))
        settings = {"TMPDIR": self.path("temporary"), "GPUARR_CACHE_DIR": self.path("cache"),
                    "GPUARR_DEVICE": "host"}
        for k in range(10):
            process = subprocess.Popen([COMMAND, "elementwise", "", "int64 z", f"z = i + {k}",
                                        "--size", "5", "--time"], cwd=self.place,
                                       env=self.environment(settings), start_new_session=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            time.sleep(0.01 * k)
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does
            errors = process.communicate(timeout=60)[1]
            self.assertIn(process.returncode, (0, -signal.SIGINT), errors)
        # ThreadSanitizer makes a file there when a program starts, and then may be stopped as well.
        left = os.listdir(self.path("temporary"))
        self.assertEqual([name for name in left if not name.startswith("tsan.")], [])
        left = os.listdir(self.path("cache")) if os.path.exists(self.path("cache")) else []
        self.assertEqual([name for name in left if name.startswith(".tmp")], [])

    def test_while_it_saves(self):
        count = 20_000_000
        process = self.start("", "float64 y", "y = i", "--size", str(count))
        while process.poll() is None and not os.listdir(self.place):
            time.sleep(0.0005)
        if process.poll() is not None:
            self.skipTest("it was done before it could be interrupted")
        self.interrupt(process)
        self.assertEqual(os.listdir(self.place), ["out.npy"])
        self.assertEqual(os.path.getsize(self.path("out.npy")), 128 + 8 * count)
        self.assertEqual(read_npy(self.path("out.npy"))[3][-1], count - 1)


if __name__ == "__main__":
    unittest.main()
