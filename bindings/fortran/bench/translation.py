#!/usr/bin/env python3
"""What `gpuarr fortran` takes for 500 lines: the shallow water example, as often as it fits.

usage: translation.py; PYTHONPATH where fparser is, if Python does not find it
"""
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "..", "..", "..", "examples", "fortran", "shallow_water.f90")
TRANSLATOR = os.path.join(HERE, "..", "translate", "translate.py")
LINES, RUNS = 500, 5


def main():
    with open(SOURCE, encoding="utf-8") as file:
        text = file.read()
    copies = -(-LINES // text.count("\n"))
    text = "".join(re.sub(r"\b(basin_types|shallow_water)\b", rf"\1_{k}", text)
                   for k in range(copies))
    text = "\n".join(line for line in text.split("\n"))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "long.f90")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        times = []
        for _ in range(RUNS):
            before = time.perf_counter()
            subprocess.run([sys.executable, TRANSLATOR, path, "-o", path + ".out"], check=True)
            times.append(time.perf_counter() - before)
    print(f"gpuarr fortran of {text.count(chr(10))} lines: {min(times):.2f} s")


main()
