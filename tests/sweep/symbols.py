#!/usr/bin/env python3
"""Every function of the public headers stands in tests/sweep, or among the exceptions here."""
import pathlib
import re
import sys

EXCEPTIONS = {
    "gpuarr_cache_clear": "would take away the kernels that the processes share",
    "gpuarr_compile_cancel": "asks no driver; tests/test_compile_limits.c",
    "gpuarr_kernel_options_set_timeout": "asks no driver; tests/test_compile_limits.c",
    "gpuarr_settings_list": "reads the environment and asks no driver; tests/test_settings.c",
    "gpuarr_cache_list": "reads files and asks no driver; tests/test_cache.c",
    "gpuarr_last_error_copy": "asks no driver; tests/test_base.c",
    "gpuarr_last_native_error": "asks no driver; tests/test_base.c",
    "gpuarr_set_last_error": "asks no driver; tests/test_base.c",
}

top = pathlib.Path(sys.argv[1])
functions = set((top / "tests/abi/gpuarr.symbols").read_text().split())
called = set()
for source in sorted((top / "tests/sweep").glob("*.c")):
    called |= set(re.findall(r"\bgpuarr_\w+", source.read_text()))
complaints = [f"{name} is not swept: add it to tests/sweep/exercise_*.c"
              for name in sorted(functions - called - EXCEPTIONS.keys())]
complaints += [f"{name} is an exception of tests/sweep/symbols.py, but is called or does not exist"
               for name in sorted(EXCEPTIONS.keys() & called | EXCEPTIONS.keys() - functions)]
print("\n".join(complaints + [f"{len(functions)} functions, {len(complaints)} complaints"]))
sys.exit(1 if complaints else 0)
