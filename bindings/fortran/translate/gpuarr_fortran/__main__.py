"""The command `gpuarr fortran`: reads Fortran, writes the module of its kernels."""
import argparse
import importlib.util
import os
import sys


def options_of(words):
    parser = argparse.ArgumentParser(prog="gpuarr fortran", add_help=True, description=(
        "Translates loops and elemental procedures of Fortran modules to kernels, and writes the "
        "module that launches them."))
    parser.add_argument("sources", nargs="*", metavar="FILE.f90")
    parser.add_argument("-o", "--output", metavar="FILE.f90",
                        help="where the modules go; standard output without it")
    parser.add_argument("--uses", action="append", default=[], metavar="FILE.f90",
                        help="a file whose modules the others use, and that is not translated")
    parser.add_argument("--show-source", action="store_true",
                        help="print the kernels' CUDA C++ instead")
    parser.add_argument("--test", action="store_true",
                        help="write a program instead that compares kernels and procedures")
    parser.add_argument("--check", action="store_true",
                        help="only see whether what reads Fortran is there")
    parser.add_argument("--size", type=int, default=24, metavar="N",
                        help="with --test: extents of arrays, and what integers are")
    return parser.parse_args(words)


def main():
    given = options_of(sys.argv[1:])
    check_reader()
    if given.check:
        return
    if not given.sources:
        sys.exit("gpuarr: fortran needs a file")
    from .reader import FileRefused
    from .refusal import Refused
    from .translation import translate
    try:
        text = translate(given.sources, given)
    except FileRefused as refusal:
        sys.exit(f"{refusal.text}")
    except Refused as refusal:
        sys.exit(f"{given.sources[0]}: {refusal.message}")
    except OSError as error:
        sys.exit(f"gpuarr: {error.filename}: {error.strerror}")
    write(text, given.output)


def check_reader():
    """fparser 0.1.4 is the first that reads do concurrent; it has Fortran 2008 as a folder."""
    try:
        found = importlib.util.find_spec("fparser.two.Fortran2008")
    except ImportError:
        found = None
    way_out = "install Debian's python3-fparser (13 or newer), or pip install 'fparser>=0.1.4'"
    if found is None:
        sys.exit(f"gpuarr: fparser is not there, which reads Fortran: {way_out}")
    if not found.submodule_search_locations:
        sys.exit(f"gpuarr: {found.origin} is of a version of fparser that is too old: {way_out}")


def write(text, path):
    """Write the result whole: where it cannot be, what was there stays."""
    if path is None:
        sys.stdout.write(text)
        return
    part = f"{path}.part"
    with open(part, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(part, path)


if __name__ == "__main__":
    main()
