#!/usr/bin/env python3
"""Takes what a page of docs/ says to build and run out of it: page.py PAGE FOLDER.

A comment on the line before a fenced block says what the block is:

    <!-- test: file NAME -->   the file NAME; the first one is the page's hello program
    <!-- test: run -->         commands to be run in the folder of the files
    <!-- test: prints -->      the last lines that each block of commands prints

FOLDER gets the files, run-1.sh, run-2.sh ... and prints.txt.
"""
import os
import re
import sys

BLOCK = re.compile(r"^<!-- test:([^\n]*)-->\n```\w*\n(.*?)^```$", re.M | re.S)


def blocks(page):
    """(what a block is, its text) for each marked block; a mark without a block is a mistake."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    found = [(mark.split(), body) for mark, body in BLOCK.findall(text)]
    if len(found) != text.count("<!-- test:"):
        sys.exit(f"{page}: a line of <!-- test: ... --> has no fenced block below it")
    return found


def main(page, folder):
    scripts, prints = [], []
    for mark, body in blocks(page):
        name = None
        if mark == ["run"]:
            scripts.append(body)
            name = f"run-{len(scripts)}.sh"
        elif mark == ["prints"]:
            prints.append(body)
            name = "prints.txt"
        elif len(mark) == 2 and mark[0] == "file":
            name = mark[1]
        else:
            sys.exit(f"{page}: {' '.join(mark)!r} is none of: file NAME, run, prints")
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(body)
    if not scripts or len(prints) != 1:
        sys.exit(f"{page}: {len(scripts)} blocks to run and {len(prints)} of what they print; "
                 "some are needed to run, and one of what they print")


main(*sys.argv[1:])
