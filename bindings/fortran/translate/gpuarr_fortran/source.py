"""Reads source files: directives and clauses that fparser does not know are taken out first."""
import os
import re
import subprocess

from .refusal import Refused

DIRECTIVE = re.compile(r"^\s*!\$gpuarr\b(.*)$", re.I)
CONTINUED = re.compile(r"^\s*!\$gpuarr\s*&?(.*)$", re.I)
CONCURRENT = re.compile(r"^(\s*(?:\w+\s*:)?\s*do\s+concurrent\s*)(\(.*)$", re.I)
CLAUSE = re.compile(r"\s*,?\s*(\w+)\s*(?:\(([^()]*)\))?")
CLAUSES = ("private", "local", "reduce", "collapse", "shared", "local_init", "default")


class Directive:
    """A line `!$gpuarr kernel private(t) reduce(+: s) collapse(2)`, or such clauses of a loop."""

    def __init__(self, line, words=()):
        self.line = line
        self.words = list(words)  # "kernel" or "host"
        self.private = set()
        self.reduce = {}  # name: operator
        self.collapse = 0
        self.types = {}  # of the loop's own variables: (integer(int64) :: i = 1:n)

    def read(self, text):
        """Take the words and clauses of a text over."""
        at = 0
        text = text.split("!")[0].rstrip()
        while at < len(text):
            found = CLAUSE.match(text, at)
            if not found:
                raise Refused(self.line, f"'{text[at:].strip()}' is no clause of !$gpuarr")
            at = found.end()
            self.take(found[1].lower(), found[2])

    def take(self, word, inside):
        if inside is None and word in ("kernel", "host"):
            self.words.append(word)
        elif inside is not None and word in ("private", "local"):
            self.private |= {name.strip().lower() for name in inside.split(",")}
        elif inside is not None and word == "reduce":
            self.take_reduction(inside)
        elif word == "collapse" and inside and inside.strip().isdigit():
            self.collapse = int(inside)
        elif word in ("shared", "default"):
            pass  # what is not private is shared
        elif word == "local_init":
            raise Refused(self.line, "local_init is not supported; assign the variable in the "
                          "loop, and say local or private")
        else:
            raise Refused(self.line, f"'{word}' is no word of !$gpuarr; there are kernel, host, "
                          "private(a, b), reduce(+: s), collapse(2)")

    def take_reduction(self, inside):
        operator, colon, names = inside.partition(":")
        operator = operator.strip().lower()
        if not colon or operator not in REDUCTIONS:
            raise Refused(self.line, f"reduce({inside}): write reduce(+: s), with one of "
                          + ", ".join(REDUCTIONS))
        for name in names.split(","):
            self.reduce[name.strip().lower()] = operator


REDUCTIONS = ("+", "*", "max", "min", "iand", "ior", "ieor", ".and.", ".or.")


class Source:
    """A file's text as fparser is to read it, and what was taken out, by line."""

    def __init__(self, path):
        self.path = path
        self.name = os.path.basename(path)
        self.fixed = path.lower().endswith((".f", ".for", ".f77"))
        self.lines = read_lines(path)
        self.directives = {}  # by the line of the statement that they are for
        self.collect_directives()
        self.cut_clauses()

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"

    def collect_directives(self):
        number = 0
        while number < len(self.lines):
            found = DIRECTIVE.match(self.lines[number])
            number += 1
            if not found:
                continue
            directive, text = Directive(number), found[1].rstrip()
            while text.endswith("&") and number < len(self.lines):
                more = CONTINUED.match(self.lines[number])
                text = text[:-1] + (more[1] if more else "")
                number += 1
            directive.read(text)
            target = self.statement_after(number)
            self.directives[target] = directive

    def statement_after(self, number):
        """The line of the next statement behind so many lines."""
        for k in range(number, len(self.lines)):
            line = self.lines[k].strip()
            comment = self.fixed and self.lines[k][:1] in ("c", "C", "*")
            if line and not line.startswith("!") and not comment:
                return k + 1
        return 0

    def cut_clauses(self):
        """Locality and types in the header of `do concurrent` are Fortran, but not fparser's."""
        for k, line in enumerate(self.lines):
            found = CONCURRENT.match(line)
            if not found:
                continue
            last = k
            whole = found[2].rstrip()
            while whole.split("!")[0].rstrip().endswith("&") and last + 1 < len(self.lines):
                last += 1
                more = self.lines[last].strip().removeprefix("&")
                whole = whole.split("!")[0].rstrip()[:-1] + " " + more.rstrip()
            header, rest = split_parentheses(whole)
            typed = re.match(r"\(\s*(integer[^:]*?)\s*::\s*(.*)$", header, re.I)
            rest = rest.split("!")[0].strip()
            if not rest and not typed:
                continue
            directive = self.directives.setdefault(k + 1, Directive(k + 1))
            directive.read(rest)
            if typed:
                header = "(" + typed[2]
                for name in re.findall(r"(?:^\(|,)\s*(\w+)\s*=", header):
                    directive.types[name.lower()] = typed[1]
            self.lines[k] = found[1] + header
            for other in range(k + 1, last + 1):
                self.lines[other] = ""


def split_parentheses(text):
    """'(a(i), b) rest' as '(a(i), b)' and ' rest'."""
    depth = 0
    for k, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0:
            return text[: k + 1], text[k + 1 :]
    return text, ""


def read_lines(path):
    """The lines of a file, through gfortran's preprocessor where its name says so (.F90)."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    if not path.endswith((".F90", ".F", ".F03", ".F08", ".FOR")):
        return text.split("\n")
    compiler = os.environ.get("FC", "gfortran")
    try:
        done = subprocess.run([compiler, "-E", "-cpp", path], capture_output=True, text=True,
                              check=False)
    except OSError as error:
        raise Refused(1, f"{compiler} is to run the preprocessor over it: {error.strerror}; "
                      "FC names another compiler") from None
    if done.returncode != 0:
        raise Refused(1, f"{compiler} -E -cpp: {done.stderr.strip()}")
    return expanded_lines(done.stdout, path)


def expanded_lines(text, path):
    """What the preprocessor made of a file, each line where it was, without what it included."""
    result, number, inside = [], 0, True
    for line in text.split("\n"):
        marker = re.match(r'# (\d+) "(.*?)"', line)
        if marker:
            number, inside = int(marker[1]) - 1, marker[2] == path
        elif inside:
            result += [""] * (number + 1 - len(result))
            result[number] = line
            number += 1
    return result
