#!/usr/bin/env python3
"""Compares the errors of programs that must not compile with the marks in them.

usage: refused.py CARGO_TREE FILE...: files are compiled as examples of the crate gpuarr

A line ends in `//~ TEXT` where an error with that text is to begin, and in nothing where none is.
"""
import json
import pathlib
import shutil
import subprocess
import sys

MARK = "//~ "


def marks(source):
    """The text that is wanted at each line, counted from 1."""
    lines = source.read_text(encoding="utf-8").split("\n")
    return {number: line.split(MARK)[1] for number, line in enumerate(lines, 1) if MARK in line}


def errors(tree, name):
    """Line and message of each error of an example, as rustc has them."""
    command = ["cargo", "check", "--quiet", "-p", "gpuarr", "--example", name,
               "--message-format=json"]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    for line in done.stdout.splitlines():
        message = json.loads(line).get("message")
        if message and message["level"] == "error":
            for span in message["spans"]:
                if span["is_primary"]:
                    yield span["line_start"], message["message"]


def compare(tree, source):
    name = f"refused_{source.stem}"
    shutil.copy(source, pathlib.Path(tree, "gpuarr", "examples", f"{name}.rs"))
    wanted, found, wrong = marks(source), list(errors(tree, name)), 0
    for line, text in wanted.items():
        if not any(at == line and text in message for at, message in found):
            print(f"{source.name}:{line}: no error with: {text}")
            wrong += 1
    for line, message in found:
        if line not in wanted:
            print(f"{source.name}:{line}: nobody wanted: {message}")
            wrong += 1
    print(f"{source.name}: {len(wanted)} errors wanted, {wrong} wrong")
    return wrong


def main():
    tree, *sources = sys.argv[1:]
    wrong = sum(compare(tree, pathlib.Path(source)) for source in sources)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
