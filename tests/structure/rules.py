"""The house rules that a machine can check; CONTRIBUTING.md gives the reasons.

Each rule takes a path, relative to the top, and the file's text, and yields (line, complaint).
"""
import re

# Every exception stands here, with why.
MAY_BE_LONG = set()
MAY_BE_WIDE = set()
MAY_CATCH_ALL = {
    "src/c/base.cpp": "turns exceptions into status codes",
    "src/c/guard.hpp": "turns exceptions into status codes",
}
MAY_THROW = {
    "src/core/error.hpp": "fail() is how the library throws",
}
MAY_NAME_A_BACKEND = {"src/backends.cpp": "the one table of backends"}

WANTED_LINES, MOST_LINES, MOST_COLUMNS = 400, 600, 100

CODE = re.compile(r"\.(c|h|cpp|hpp|cuh|cu|S)$")
SOURCE = re.compile(r"\.(c|h|cpp|hpp|cuh|cu|S|py|sh)$")

# Who stands on whom: a folder may include itself and what is listed.
FLOORS = {
    "core": {"core"},
    "device": {"device", "core"},
    "array": {"array", "device", "core"},
    "codegen": {"codegen", "core"},
    "kernel": {"kernel", "codegen", "array", "device", "core"},
    "ops": {"ops", "kernel", "codegen", "array", "device", "core"},
    "linalg": {"linalg", "ops", "kernel", "codegen", "array", "device", "core"},
    "host": {"host", "device", "core"},
    "cuda": {"cuda", "device", "core"},
    "cli": {"cli"},
    "c": {"c", "backends", "linalg", "ops", "kernel", "codegen", "array", "device", "core"},
    "backends": {"backends", "host", "cuda", "device", "core"},
}


def lines(text):
    return enumerate(text.split("\n"), 1)


def is_generated(text):
    return any("generated" in line.lower() for line in text.split("\n")[:3])


def floor_of(path):
    """src/core/error.hpp is core, src/backends.cpp is backends."""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 else parts[1].split(".")[0]


def file_size(path, text):
    count = text.count("\n")
    if SOURCE.search(path) and path not in MAY_BE_LONG and count > MOST_LINES:
        yield count, f"{count} lines; {WANTED_LINES} are wanted at most, {MOST_LINES} never passed"


def line_width(path, text):
    if not SOURCE.search(path) or path in MAY_BE_WIDE:
        return
    for number, line in lines(text):
        if len(line) > MOST_COLUMNS:
            yield number, f"{len(line)} columns; {MOST_COLUMNS} at most"


def include_direction(path, text):
    if not path.startswith("src/") or not CODE.search(path) or "/prelude/" in path:
        return
    floor = floor_of(path)
    if floor not in FLOORS:
        yield 1, f"src/{floor} is no floor of the house; see FLOORS"
        return
    for number, line in lines(text):
        found = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
        if not found or found[1] == "gpuarr.h" or found[1].startswith("gpuarr/"):
            continue
        target = found[1]
        below = floor_of("src/" + target) if "/" in target or target == "backends.hpp" else floor
        if below not in FLOORS[floor] and below in FLOORS:
            yield number, f"{floor} may not include {target}"


def public_includes(path, text):
    """Public headers stand alone; tests, examples and the command see nothing else of ours."""
    if path.startswith("include/"):
        allowed = re.compile(r'"gpuarr/\w+\.h"|<stdint\.h>|<stddef\.h>')
    elif re.match(r"(tests/test_\w+\.c|examples/)", path) and CODE.search(path):
        allowed = re.compile(r'"(gpuarr\.h|support\.h|gpuarr/\w+\.h)"|<.*>')
    else:
        return
    for number, line in lines(text):
        found = re.match(r"\s*#\s*include\s+(\S+)", line)
        if found and not allowed.fullmatch(found[1]):
            yield number, f"may not include {found[1]}"


def cuda_headers(path, text):
    if not path.startswith(("src/", "include/")) or path.startswith("src/cuda/"):
        return
    for number, line in lines(text):
        if re.match(r'\s*#\s*include\s+[<"](cu|nv|nccl)\w*\.h(pp)?[>"]', line):
            yield number, "CUDA headers belong to src/cuda"


def backend_conditionals(path, text):
    if not path.startswith("src/") or not CODE.search(path) or path in MAY_NAME_A_BACKEND:
        return
    for number, line in lines(text):
        if "GPUARR_HAS_CUDA" in line:
            yield number, "no backend #ifdef: CMake chooses the folder"


def block_after(text, start):
    """The text from the first brace at or after start to the brace that closes it."""
    depth, begin = 0, text.index("{", start)
    for position in range(begin, len(text)):
        depth += {"{": 1, "}": -1}.get(text[position], 0)
        if depth == 0:
            return text[begin : position + 1]
    return text[begin:]


def catch_all(path, text):
    """A catch-all must pass the exception on, unless it stands where none may leave."""
    if not path.startswith("src/") or path in MAY_CATCH_ALL:
        return
    for found in re.finditer(r"catch \(\.\.\.\)", text):
        block = block_after(text, found.end())
        before = "\n".join(text[: found.start()].split("\n")[-40:])
        if re.search(r"\bthrow;|current_exception\(", block):
            continue
        if not re.search(r"~\w+\(\)|noexcept|extern \"C\"", before):
            yield text.count("\n", 0, found.start()) + 1, "catch (...) loses an exception"


def throwing(path, text):
    if not path.startswith("src/") or path.startswith("src/cli/") or path in MAY_THROW:
        return
    for number, line in lines(text):
        code = line.split("//")[0]
        if re.search(r"\bthrow\s+(?!CompileError)\w", code):
            yield number, "throw with fail() of core/error.hpp"


def unfinished(path, text):
    # In pieces, so that this file does not hold them.
    words = r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b|not imple" r"mented|unimple" r"mented"
    for number, line in lines(text):
        if SOURCE.search(path) and re.search(words, line):
            yield number, "unfinished: finish it, or file it as an issue"


def machine_paths(path, text):
    for number, line in lines(text):
        if re.search(r"(^|[^A-Za-z0-9_./}])/(work|root|home)/", line):
            yield number, "a path of one machine"


def header_opening(path, text):
    if re.search(r"\.(h|hpp|cuh)$", path) and not text.startswith(("//", "/*")):
        yield 1, "open with one sentence that says what this is"
    if path.startswith("src/") and path.endswith(".hpp") and "#pragma once" not in text:
        yield 1, "#pragma once is missing"


def cli_is_a_user(path, text):
    if not path.startswith("src/cli/"):
        return
    for number, line in lines(text):
        if re.match(r'\s*#\s*include\s+"(?!gpuarr)\w+/', line):
            yield number, "the command sees the public headers only"


FILE_RULES = [file_size, line_width, include_direction, public_includes, cuda_headers,
              backend_conditionals, catch_all, throwing, unfinished, machine_paths, header_opening,
              cli_is_a_user]
