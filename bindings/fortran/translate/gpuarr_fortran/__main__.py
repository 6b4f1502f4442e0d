"""The command `gpuarr fortran`: reads Fortran, writes the module of its kernels."""
import argparse
import os
import sys


def arguments():
    parser = argparse.ArgumentParser(prog="gpuarr fortran", add_help=True, description=(
        "Translates loops and elemental procedures of Fortran modules to kernels, and writes the "
        "module that launches them."))
    parser.add_argument("sources", nargs="+", metavar="FILE.f90")
    parser.add_argument("-o", "--output", metavar="FILE.f90",
                        help="where the modules go; standard output without it")
    parser.add_argument("--show-source", action="store_true",
                        help="print the kernels' CUDA C++ instead")
    parser.add_argument("--test", action="store_true",
                        help="write a program instead that compares the kernels with the procedures")
    parser.add_argument("--size", type=int, default=24, metavar="N",
                        help="with --test: extents of arrays, and what integers are")
    return parser.parse_args()


def main():
    given = arguments()
    try:
        import fparser.two.Fortran2003  # noqa: F401
    except ImportError:
        sys.exit("gpuarr: fparser is not there, which reads Fortran: install Debian's "
                 "python3-fparser (13 or newer), or pip install 'fparser>=0.1.4'")
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
