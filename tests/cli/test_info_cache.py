"""gpuarr info and gpuarr cache."""

import json
import os
import re
import unittest

from support import NO_GPU, CommandTest


class Info(CommandTest):
    def test_text(self):
        text = self.succeed("info", GPUARR_DEVICE="host", GPUARR_CACHE_DIR=self.path("cache"))
        lines = text.splitlines()
        self.assertRegex(lines[0], r"^gpuarr \d+\.\d+\.\d+$")
        self.assertEqual(lines[1], "default device: host")
        for heading in ("host", "kernel cache"):
            self.assertIn(heading, lines)
        self.assertRegex(text, r"\n  memory +\S+ [KMGT]iB free of \S+ [KMGT]iB\n")
        self.assertRegex(text, r"\n \* GPUARR_DEVICE +host\n")
        self.assertRegex(text, r"\n   GPUARR_NUM_THREADS +the CPUs that the process may use\n"
                         if "GPUARR_NUM_THREADS" not in os.environ else "GPUARR_NUM_THREADS")
        self.assertIn(self.path("cache"), text)

    def test_json(self):
        info = json.loads(self.succeed("info", "--json", GPUARR_CACHE_DIR=self.path("cache"),
                                       GPUARR_DEVICE="host"))
        self.assertEqual(info["version"] + "\n", self.succeed("--version")[len("gpuarr "):])
        self.assertEqual((info["default_device"], info["default_device_problem"]), ("host", None))
        host = info["devices"][0]
        self.assertEqual((host["name"], host["kind"], host["problem"]), ("host", "host", None))
        self.assertGreater(host["processors"], 0)
        self.assertGreater(host["memory_total"], host["memory_free"])
        self.assertIsNone(host["driver"])
        setting = info["settings"]["GPUARR_DEVICE"]
        self.assertEqual((setting["value"], setting["origin"]), ("host", "environment"))
        self.assertIsNone(setting["problem"])
        self.assertEqual(info["cache"]["directory"], self.path("cache"))
        self.assertIsNone(info["cache"]["problem"])

    def test_a_missing_compiler_is_told_not_failed(self):
        info = json.loads(self.succeed("info", "--json", GPUARR_CXX="/nonexistent/c++", PATH=""))
        self.assertIsNone(info["devices"][0]["compiler"])
        self.assertIn("/nonexistent/c++", info["devices"][0]["compiler_problem"])
        self.assertRegex(self.succeed("info", GPUARR_CXX="/nonexistent/c++", PATH=""),
                         r"\n  compiler +none: .*/nonexistent/c\+\+")

    def test_libraries_of_matrices(self):
        host = json.loads(self.succeed("info", "--json"))["devices"][0]
        for name in ("blas", "solver"):
            found, problem = host[name], host[f"{name}_problem"]
            self.assertRegex(found or problem, r"\.so")
            self.assertNotEqual(found is None, problem is None)
        missing = {"GPUARR_BLAS": "/nonexistent/blas.so", "GPUARR_LAPACK": "/nonexistent/lapack.so"}
        text = self.succeed("info", **missing)
        self.assertRegex(text, r"\n  BLAS +none: .*/nonexistent/blas\.so")
        self.assertRegex(text, r"\n  solver +none: .*/nonexistent/lapack\.so")

    def test_no_gpu_is_told_not_failed(self):
        info = json.loads(self.succeed("info", "--json", **NO_GPU, GPUARR_DEVICE="cuda:0"))
        if len(info["devices"]) > 1:
            self.skipTest("there is a GPU all the same")
        self.assertIsNone(info["default_device"])
        self.assertGreater(len(info["default_device_problem"]), 20)
        self.assertGreater(len(info["cuda_problem"]), 20)
        self.assertIn("\ncuda\n  none: ", self.succeed("info", **NO_GPU))

    def test_settings(self):
        text = self.succeed("info", GPUARR_DEVICE=None, GPUARR_CACHE_DIR=self.path("cache"),
                            GPUARR_CASHE="off", GPUARR_CXX="")
        self.assertIn("GPUARR_CASHE=off   (no setting of this version)", text)
        self.assertRegex(text, r"\n   GPUARR_CXX +g\+\+, else")

    def test_settings_that_are_refused(self):
        text = self.succeed("info", GPUARR_NUM_THREADS="many", GPUARR_CACHE_SIZE="lots")
        for refused in ('GPUARR_NUM_THREADS is "many"; give', 'GPUARR_CACHE_SIZE is "lots"; say'):
            self.assertIn(f"\n   refused: ${refused}", text)
        self.assertRegex(text, r"\n  problem +\$GPUARR_NUM_THREADS is")

    def test_the_table_of_the_page(self):
        """docs/settings.md has a row for each."""
        top = os.path.join(os.path.dirname(__file__), "..", "..")
        with open(os.path.join(top, "docs", "settings.md"), encoding="utf-8") as file:
            table = file.read()
        written = re.findall(r"`(GPUARR_\w+)`", table)
        self.assertEqual(sorted(written),
                         sorted(json.loads(self.succeed("info", "--json"))["settings"]))

    def test_text_that_is_no_utf8(self):
        place = os.fsdecode(self.path("caf").encode() + b"\xe9")
        json.loads(self.succeed("info", "--json", GPUARR_CACHE_DIR=place))


class Cache(CommandTest):
    def setUp(self):
        super().setUp()
        self.cache = {"GPUARR_CACHE_DIR": self.path("cache"), "GPUARR_DEVICE": "host"}

    def fill(self, count):
        for k in range(count):
            self.succeed("elementwise", "", "int64 z", f"z = i + {k}", "--size", "3", "-o",
                         "z.npy", **self.cache)

    def test_info_list_clear(self):
        self.fill(2)
        info = json.loads(self.succeed("cache", "info", "--json", **self.cache))
        self.assertEqual((info["directory"], info["entries"]), (self.path("cache"), 2))
        self.assertGreater(info["bytes"], 1000)
        self.assertIn("entries    2\n", self.succeed("cache", "info", **self.cache))
        entries = json.loads(self.succeed("cache", "list", "--json", **self.cache))
        self.assertEqual(len(entries), 2)
        self.assertEqual(sum(entry["bytes"] for entry in entries), info["bytes"])
        self.assertGreaterEqual(entries[0]["used"], entries[1]["used"])
        lines = self.succeed("cache", "list", **self.cache).splitlines()
        self.assertEqual([line.split()[0] for line in lines], [e["key"] for e in entries])
        self.assertRegex(lines[0], r"^[0-9a-f]{32}  \d{4}-\d\d-\d\d \d\d:\d\d +[\d.]+ (B|KiB)  ")
        self.assertRegex(self.succeed("cache", "clear", **self.cache),
                         r"^removed 2 kernels, [\d.]+ (KiB|MiB)\n$")
        self.assertEqual(json.loads(self.succeed("cache", "list", "--json", **self.cache)), [])
        self.assertEqual(self.succeed("cache", "list", **self.cache), "")

    def test_warm(self):
        # That all is compiled is looked at, not how well, which would take twice as long.
        compiler = self.path("c++")
        with open(compiler, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\nexec c++ "$@" -O0\n')
        os.chmod(compiler, 0o755)
        self.cache["GPUARR_CXX"] = compiler
        text = self.succeed("cache", "warm", "--device", "host", **self.cache)
        self.assertRegex(text, r"^compiled \d+ kernels for host; \d+ kernels, [\d.]+ [KM]iB in all")
        kernels = {entry["kernel"] for entry in
                   json.loads(self.succeed("cache", "list", "--json", **self.cache))}
        self.assertLessEqual({"cumsum", "cummax", "select", "sort", "rank", "quantile",
                              "quantile_of_pair", "take_in_rows"}, kernels)
        self.assertIn("compiled 0 kernels for host",
                      self.succeed("cache", "warm", "--device", "host", **self.cache))
        self.fail_with(1, "there is no cache on disk to fill", "cache", "warm", "--device", "host",
                       GPUARR_CACHE="off")

    def test_none(self):
        text = self.succeed("cache", "info", GPUARR_CACHE="off")
        self.assertIn("directory  none\n", text)
        self.assertEqual(self.succeed("cache", "list", GPUARR_CACHE="off"), "")
        self.succeed("cache", "clear", GPUARR_CACHE="off")


if __name__ == "__main__":
    unittest.main()
