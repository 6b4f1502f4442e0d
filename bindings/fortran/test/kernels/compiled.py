#!/usr/bin/env python3
"""Compiles the texts of all kernels of some files for a GPU, by `gpuarr check`: as they are for
arrays whose elements are neighbours, those of the first file also for others under checks. The
CPU's compiler sees them as they run.

usage: compiled.py GPUARR FILE.f90...
"""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "translate"))

from gpuarr_fortran.reader import read_files  # noqa: E402
from gpuarr_fortran.translation import module_writer  # noqa: E402


def texts_of(path):
    files = read_files([path])
    for module in files.modules.values():
        writer = module_writer(module, files)
        if writer is not None:
            yield module.name, writer.source() + "\nextern \"C\" __global__ void last() {}\n"


def main(command, paths):
    names = []
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            for name, text in texts_of(path):
                names.append(os.path.join(folder, f"{name}.cu"))
                with open(names[-1], "w", encoding="utf-8") as file:
                    file.write(text)
        for files, options in ((names, ["-DUNIT_STRIDE=true"]),
                               (names[:1], ["-DUNIT_STRIDE=false", "-DGPUARR_CHECK_MEMORY=1"])):
            done = subprocess.run([command, "check", *files, "--target", "sm_90", *options],
                                  check=False)
            if done.returncode != 0:
                sys.exit(f"kernels do not compile with {' '.join(options)}")


main(sys.argv[1], sys.argv[2:])
