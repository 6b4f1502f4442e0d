"""gpuarr bench: the table, the JSON, the charts."""

import json
import os
import unittest
import xml.etree.ElementTree as xml

from support import CommandTest

NAMES = ["copy", "saxpy", "squared difference", "sum", "raw saxpy", "allocation"]
SVG = "{http://www.w3.org/2000/svg}"


class Bench(CommandTest):
    def test_table_json_and_charts_agree(self):
        text = self.succeed("bench", "--quick", "--sizes", "5000,1024", "--repeat", "4",
                            "--json", "b.json", "--svg", "b.svg")
        with open(self.path("b.json"), encoding="utf-8") as file:
            found = json.load(file)
        results = found["results"]
        by_size = [r for r in results if not r["by_block"]]
        by_block = [r for r in results if r["by_block"]]
        self.assertEqual([(r["benchmark"], r["elements"]) for r in by_size],
                         [(name, n) for n in (1024, 5000) for name in NAMES])
        self.assertGreater(len({tuple(r["block"]) for r in by_block}), 8)
        self.assertEqual({r["benchmark"] for r in by_block}, {"raw saxpy"})
        for r in results:
            self.assertEqual(r["shape"], [] if r["benchmark"] == "sum" else [r["elements"]], r)
            self.assertTrue(1 <= r["repeats"] <= 4, r)
            for clock in ("cpu_us", "device_us"):
                t = r[clock]
                self.assertTrue(0 <= t["min"] <= t["median"] <= t["max"], r)
                self.assertTrue(t["min"] <= t["mean"] <= t["max"] * 1.000001, r)
            if r["benchmark"] == "allocation":
                self.assertEqual((r["bytes"], r["gigabytes_per_second"]), (None, None))
            else:
                self.assertGreater(r["bytes"], 4 * r["elements"] - 1)
                if r["device_us"]["median"] > 0:
                    self.assertAlmostEqual(r["gigabytes_per_second"],
                                           r["bytes"] / r["device_us"]["median"] / 1e3, 3)
        self.assertEqual(by_size[0]["bytes"], 8 * 1024)
        lines = text.splitlines()
        self.assertTrue(lines[0].startswith(found["device"] + ": "))
        self.assertEqual(len(lines), 3 + len(results))
        self.assertRegex(lines[3], r"^copy +1 Ki +\S+ [mun]?s +\S+ [mun]?s +\S+ GB/s$")

    def test_charts_are_well_formed(self):
        self.succeed("bench", "--quick", "--max", "9000", "--repeat", "1", "--svg", "b.svg")
        page = xml.parse(self.path("b.svg")).getroot()
        self.assertEqual(page.tag, SVG + "svg")
        words = [t.text for t in page.iter(SVG + "text")]
        for name in NAMES:
            self.assertIn(name, words)
        self.assertIn("1 Ki", words)
        self.assertIn("32 x 8", words)
        lines = list(page.iter(SVG + "polyline"))
        self.assertEqual(len(lines), len(NAMES) + len(NAMES) - 1)  # memory has no bandwidth
        width, height = float(page.get("width")), float(page.get("height"))
        for line in lines:
            for point in line.get("points").split():
                x, y = (float(number) for number in point.split(","))
                self.assertTrue(0 < x < width and 0 < y < height, point)

    def test_one_size_makes_charts_too(self):
        self.succeed("bench", "--quick", "--sizes", "1", "--repeat", "1", "--svg", "b.svg")
        xml.parse(self.path("b.svg"))

    def test_bad_options(self):
        self.refuse(r"bench takes no arguments: \"now\"", "bench", "now")
        self.refuse(r"there is no option --fast", "bench", "--fast")
        self.refuse(r"--repeat is \"0\"; give a number from 1 to 1000000", "bench", "--repeat", "0")
        self.refuse(r"--max is \"x\"; give a number", "bench", "--max", "x")
        for sizes in ("0", "1,,2", "many", "4294967296", "-5"):
            self.refuse(r"--sizes is .*; give numbers of elements", "bench", "--sizes=" + sizes)
        self.refuse(r"--max and --sizes do not go together", "bench", "--sizes", "1", "--max", "2")
        self.fail_with(1, r"nodevice", "bench", "--device", "nodevice")
        self.fail_with(1, r"cannot write /nowhere/b.json: No such file", "bench", "--json",
                       "/nowhere/b.json")
        self.fail_with(1, r"cannot write /nowhere/b.svg: No such file", "bench", "--svg",
                       "/nowhere/b.svg")

    def test_a_full_disk_is_told(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("there is no /dev/full")
        done = self.run_command("bench", "--quick", "--sizes", "64", "--repeat", "1", "--json",
                                "/dev/full")
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write /dev/full", done.stderr)

    def test_help(self):
        self.assertTrue(self.succeed("bench", "--help").startswith("usage: gpuarr bench "))


if __name__ == "__main__":
    unittest.main()
