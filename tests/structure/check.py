#!/usr/bin/env python3
"""Checks the tree against the house rules: check.py TOP, or check.py --self-test."""
import os
import re
import subprocess
import sys

import rules

TOP_LEVEL = {
    "include", "src", "bindings", "tests", "examples", "pkgconfig", "CMakeLists.txt", "LICENSE",
    "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs", "benchmarks",
    "CMakePresets.json", "demo.sh", "test.sh",
}


def tracked(top):
    """The files of the tree: git's, or all below the known folders in an unpacked archive."""
    if os.path.exists(os.path.join(top, ".git")):
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        out = subprocess.run(command, cwd=top, capture_output=True, check=True, text=True).stdout
        return sorted(p for p in out.split("\0") if p and os.path.isfile(os.path.join(top, p)))
    found = []
    for name in sorted(TOP_LEVEL):
        path = os.path.join(top, name)
        if os.path.isfile(path):
            found.append(name)
        for folder, _, files in os.walk(path):
            found += [os.path.relpath(os.path.join(folder, f), top) for f in files]
    return sorted(found)


def top_level(paths):
    for name in sorted({path.split("/")[0] for path in paths}):
        if name not in TOP_LEVEL and not name.startswith("."):
            yield name, 0, "does not belong at the top; see CONTRIBUTING.md"


def same_stems(paths):
    """include/gpuarr/X.h, src/c/X.cpp and tests/test_X.c come together."""
    there = set(paths)
    for path in paths:
        found = re.fullmatch(r"include/gpuarr/(\w+)\.h", path)
        for partner in ("src/c/{}.cpp", "tests/test_{}.c") if found else ():
            if partner.format(found[1]) not in there | set(rules.MAY_HAVE_NO_SOURCE):
                yield path, 0, f"{partner.format(found[1])} is missing"


def one_version(read):
    numbers = dict(re.findall(r"#define GPUARR_VERSION_(\w+) (\d+)", read("include/gpuarr/base.h")))
    header = "{MAJOR}.{MINOR}.{PATCH}".format(**numbers)
    project = re.search(r"project\(gpuarr VERSION ([\d.]+)", read("CMakeLists.txt"))[1]
    if project != header:
        yield "CMakeLists.txt", 0, f"version {project}, but base.h says {header}"
    if f"## {header}" not in read("CHANGELOG.md"):
        yield "CHANGELOG.md", 0, f"nothing about version {header}"


# Lines of kernel text in string literals, where nothing that reads code sees it: to become fewer.
MOST_KERNEL_TEXT = 592


def literal_lines(text):
    """Those of raw literals, and of others that end as a statement, a block or a directive does."""
    raw = re.compile(r'R"(\w*)\((.*?)\)\1"', re.S)
    count = sum(found[2].count("\n") for found in raw.finditer(text))
    for literal in re.findall(r'"((?:[^"\\\n]|\\.)*)"', raw.sub("", text)):
        lines = literal.split(r"\n")[:-1]
        count += sum(bool(re.search(r"[;{}]\s*$|^\s*#", line)) for line in lines)
    return count


def kernel_text(paths, read):
    count = sum(literal_lines(read(path)) for path in paths
                if re.match(r"src/(?!cli/).*\.[ch]pp$", path))
    if count > MOST_KERNEL_TEXT:
        yield "src", 0, f"{count} lines of kernel text in string literals; put them in .cuh files"
    elif count < MOST_KERNEL_TEXT:
        yield "tests/structure/check.py", 0, f"MOST_KERNEL_TEXT can be {count} by now"


# Languages of the README's programs, as a fence names them, and their pages.
PAGES = {"cpp": "cpp", "fortran": "fortran", "julia": "julia", "rust": "rust"}


def same_programs(read):
    """The README's programs in other languages are the hello programs of their pages, which run."""
    readme = read("README.md")
    for language, page in PAGES.items():
        fence = re.compile(rf"^```{language}\n(.*?)^```$", re.M | re.S)
        first = fence.search(read(f"docs/{page}.md"))
        shown = fence.search(readme)
        if not first or not shown or first[1] != shown[1]:
            yield "README.md", 0, f"its program in {language} is not the first of docs/{page}.md"


def variables(path, text):
    """Names of environment variables that a source reads."""
    names = re.findall(r'\b(?:env|setting|getenv)\((?:\w+, )?"([A-Z]\w+)"', text)
    for listed in re.findall(r"for \(const char\* \w+ : \{([^}]*)\}\)", text):
        names += re.findall(r'"([A-Z][A-Z0-9_]+)"', listed)
    if path == "src/core/settings.cpp":
        names += re.findall(r'\{"(GPUARR_\w+)"', text)
    return set(names)


def settings_page(paths, read):
    """docs/settings.md has every environment variable that the library reads, and no other."""
    page = "docs/settings.md"
    there = set(re.findall(r"`([A-Z][A-Z0-9_]+)`", read(page)))
    known = set()
    for path in paths:
        if path.startswith("src/") and path.endswith(".cpp"):
            known |= variables(path, read(path))
    for name in sorted(known - there):
        yield page, 0, f"{name} is missing, which src reads"
    for name in sorted(there - known):
        yield page, 0, f"{name} is on it, which src does not read"


def check(top):
    def read(path):
        with open(os.path.join(top, path), encoding="utf-8") as file:
            return file.read()

    paths = tracked(top)
    complaints = [*top_level(paths), *same_stems(paths), *one_version(read), *same_programs(read),
                  *kernel_text(paths, read), *settings_page(paths, read)]
    for path in paths:
        try:
            text = read(path)
        except UnicodeDecodeError:
            continue  # a picture or the like
        if rules.is_generated(text):
            continue
        complaints += [(path, n, what) for rule in rules.FILE_RULES for n, what in rule(path, text)]
    for path, number, what in complaints:
        print(f"{path}:{number}: {what}" if number else f"{path}: {what}")
    print(f"{len(paths)} files, {len(complaints)} complaints")
    return not complaints


# Lines of a header's comment that are set badly, and the same set well.
COMMENTS = [
    (" *  A line that goes on\n * to the left.", " *  A line that goes on to the left."),
    (" *  A short\n *  line.", " *  A paragraph.\n *  Parameters and errors as b.\n *\n"
                                " *      x  = y"),
    (" *  @return GPUARR_OK,\n *  " + 8 * " " + "b", " *  @return " + 70 * "x" + "\n *" + 10 * " "
     + 20 * "y" + "\n *  It waits."),
    (" *  @return " + 70 * "x" + "\n *   " + 20 * "y", " *  @return " + 90 * "x"),
    (" *  @param a  b\n *  @param ab  c", " *  @param a   b\n *  @param ab  c"),
    (" *  @param[out] a  b\n *  @param b  c", " *  @param[out] a  b\n *  @param      b  c"),
    (" *  @param a b", " *  @param a  b\n *  map   the map\n *  post  the post"),
    (" *  There are two  blanks.", " *  There is one."),
    (" */\n  A =\n      1, /**< a", " */\n  A = 1, /**< a"),
    (" */\n  A = 1, /**< a\n            b", " */\n  A = 1, /**< a\n              b"),
]

# A rule, a file that breaks it, and one that does not.
CASES = [
    ("decisions_index", ("docs/decisions.md", "## 2026-11-24 It's a_b"),
     ("docs/decisions.md", "[It's](#2026-11-24-its-a_b)\n## 2026-11-24 It's a_b")),
    ("decisions_index", ("docs/decisions.md", "[A](#2026-11-24-a)\n## 2026-11-24 A\n[B](#b)"),
     ("docs/decisions.md", "[A](#2026-11-24-a)\n## 2026-11-24 A\n[B](memory.md#b)")),
    ("file_size", ("src/core/a.cpp", "\n" * 601), ("src/core/a.cpp", "\n" * 600)),
    ("file_size", ("bindings/cpp/gpuarr.hpp", "\n" * 401),
     ("bindings/cpp/gpuarr.hpp", "\n" * 400)),
    ("line_width", ("tests/a.c", "x" * 101), ("tests/a.c", "x" * 100)),
    ("include_direction", ("src/core/a.cpp", '#include "array/array.hpp"'),
     ("src/array/a.cpp", '#include "core/error.hpp"')),
    ("include_direction", ("src/ops/a.cpp", '#include "host/device.hpp"'),
     ("src/backends.cpp", '#include "host/backend.hpp"')),
    ("include_direction", ("src/host/read/a.cpp", '#include "host/run/job.hpp"'),
     ("src/host/run/a.cpp", '#include "host/glue/glue.hpp"')),
    ("include_direction", ("src/host/run/a.cpp", '#include "host/device.hpp"'),
     ("src/host/device.cpp", '#include "host/run/job.hpp"')),
    ("include_direction", ("src/host/odd/a.cpp", ""), ("src/codegen/sort/a.cpp", "")),
    ("include_direction", ("src/odd/a.cpp", ""), ("src/host/a.cpp", '#include "gpuarr/base.h"')),
    ("include_direction", ("tests/backend/a.cpp", '#include "host/read/outline.hpp"'),
     ("tests/backend/a.cpp", '#include "device/device.hpp"')),
    ("public_includes", ("include/gpuarr/a.h", "#include <stdio.h>"),
     ("include/gpuarr/a.h", "#include <stdint.h>")),
    ("public_includes", ("tests/test_a.c", '#include "core/error.hpp"'),
     ("tests/test_a.c", '#include "support.h"')),
    ("public_includes", ("bindings/cpp/gpuarr.hpp", '#include "core/error.hpp"'),
     ("examples/a.cpp", '#include "example.hpp"')),
    ("cuda_headers", ("src/core/a.cpp", "#include <cuda.h>"),
     ("src/cuda/a.cpp", "#include <nvrtc.h>")),
    ("backend_conditionals", ("src/c/a.cpp", "#ifdef GPUARR_HAS_CUDA"),
     ("src/backends.cpp", "#ifdef GPUARR_HAS_CUDA")),
    ("backend_questions", ("src/ops/a.cpp", "if (device.is_host()) return;"),
     ("src/ops/a.cpp", "if (device.has_host_memory()) return;")),
    ("backend_questions", ("src/ops/a.cpp", 'if (device.facts().name.starts_with("cuda")) f();'),
     ("src/cuda/a.cpp", 'if (name == "cuda") f();')),
    ("backend_questions", ("src/c/a.cpp", "kind == GPUARR_DEVICE_CUDA"),
     ("src/backends.cpp", "kind == GPUARR_DEVICE_CUDA")),
    ("catch_all", ("src/ops/a.cpp", "void f() {\n  try {\n  } catch (...) {\n  }\n}"),
     ("src/ops/a.cpp", "void f() {\n  try {\n  } catch (...) {\n    undo();\n    throw;\n  }\n}")),
    ("catch_all", ("src/ops/a.cpp", "void f() {\n  try {\n  } catch (...) { log(); }\n}"),
     ("src/ops/a.cpp", "A::~A() {\n  try {\n  } catch (...) {\n  }\n}")),
    ("throwing", ("src/ops/a.cpp", "throw std::bad_alloc();"),
     ("src/ops/a.cpp", "  throw;  // throw it")),
    ("unfinished", ("src/ops/a.cpp", "// TO" + "DO: all"), ("src/ops/a.cpp", '"XX' + 'XXXX"')),
    ("machine_paths", ("tests/a.sh", "cd /ro" + "ot/x"), ("tests/a.sh", "cd src/work/x")),
    ("header_opening", ("src/core/a.hpp", "#pragma once\n"),
     ("src/core/a.hpp", "// A.\n#pragma once\n")),
    ("header_opening", ("src/core/a.hpp", "// A.\n"), ("include/gpuarr/a.h", "/** A */\n")),
    ("cli_is_a_user", ("src/cli/a.cpp", '#include "core/error.hpp"'),
     ("src/cli/a.cpp", '#include "gpuarr/array.h"')),
    ("threads_own_values", ("src/c/a.cpp", "  thread_local std::string kept;"),
     ("src/c/a.cpp", "thread_local Worker* worker = nullptr;")),
    ("handles_are_checked", ("src/c/a.cpp", "return array->impl.ndim();"),
     ("src/c/a.cpp", "return is_live(array) ? array->impl.ndim() : 0;")),
    *[("comment_layout", ("include/gpuarr/a.h", f"/** A.\n{bad} */"),
       ("include/gpuarr/a.h", f"/** A.\n{good} */")) for bad, good in COMMENTS],
    ("environment", ("src/host/a.cpp", 'getenv("PATH")'), ("src/core/env.cpp", "secure_getenv(x)")),
]


# A tree with a page of settings, and what may not be missing in it or be in it besides.
SETTINGS = {
    "src/core/settings.cpp": '{"GPUARR_A", "a", ',
    "src/a.cpp": 'env("HOME"); for (const char* name : {"CUDA_PATH", "CUDA_HOME"}) env(name);',
    "docs/settings.md": "`GPUARR_A` `HOME` `CUDA_PATH` `CUDA_HOME`",
}


def self_test():
    failed = 0
    names = SETTINGS["docs/settings.md"].split()
    for gone in ["", *names, "`OTHER`"]:
        page = " ".join({*names} ^ {gone})
        found = list(settings_page(SETTINGS, (SETTINGS | {"docs/settings.md": page}).get))
        if bool(found) != bool(gone):
            failed += 1
            print(f"settings_page without {gone}: {found}")
    for name, bad, good in CASES:
        rule = getattr(rules, name)
        for (path, text), wanted in ((bad, True), (good, False)):
            if bool(list(rule(path, text))) != wanted:
                failed += 1
                print(f"{name} on {path} {text[:40]!r}: {'no' if wanted else 'a'} complaint")
    untested = {rule.__name__ for rule in rules.FILE_RULES} - {case[0] for case in CASES}
    for name in sorted(untested):
        failed += 1
        print(f"{name} has no case")
    print(f"{len(CASES)} cases, {failed} failed")
    return failed == 0


if __name__ == "__main__":
    ok = self_test() if sys.argv[1] == "--self-test" else check(sys.argv[1])
    sys.exit(0 if ok else 1)
