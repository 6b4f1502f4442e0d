#!/usr/bin/env python3
"""Compares what the numbered examples of a language print with what those in C print.

usage: agree.py SUFFIX SOURCE_DIR BUILD_DIR: cpp, f90, rs or jl

Whatever number has a program in the language is compared; one that C has not must only succeed. The
programs are where the build leaves them; where it made none, for want of a compiler, the test is
skipped.
"""
import glob
import os
import subprocess
import sys
import tempfile

# The language of a suffix, and where a build has the program of an example.
LANGUAGES = {"cpp": "C++", "f90": "Fortran", "rs": "Rust", "jl": "Julia"}
PLACES = {"cpp": "examples/{}_cpp", "f90": "bindings/fortran/**/*{}*",
          "rs": "bindings/rust/examples/{}"}
SKIPPED = 77
MARK = "== "

# All in one process, since Julia takes its time to begin.
# They find no arguments: these are the files.
JULIA = (f'for f in splice!(ARGS, 1:length(ARGS)); println("{MARK}", f); '
         'Base.include(Module(), f); end')


def output(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def program(place, name, build):
    """The program that was built of an example; None if there is none."""
    found = glob.glob(os.path.join(build, place.format(name)), recursive=True)
    programs = [path for path in found if os.path.isfile(path) and os.access(path, os.X_OK)]
    return programs[0] if programs else None


def name_of(source):
    return os.path.splitext(os.path.basename(source))[0]


def julia_outputs(sources, source_dir, build):
    julia = os.path.join(build, "julia/bin/julia")
    library = os.path.join(build, "tests/libgpuarr_python.so")
    if not os.path.exists(julia) or not os.path.exists(library):
        return None
    os.environ["GPUARR_LIBRARY"] = library
    os.environ["JULIA_LOAD_PATH"] = f"@:{source_dir}/bindings/julia:@stdlib"
    os.environ["JULIA_DEPOT_PATH"] = os.path.join(build, "bindings/julia/depot")
    text = output([julia, "--startup-file=no", "-O1", "-e", JULIA, *sources])
    return dict(zip(sources, [part.split("\n", 1)[1] for part in text.split(MARK)[1:]]))


def outputs(suffix, sources, source_dir, build):
    """What each of the sources prints; None if there is no such language here."""
    if suffix == "jl":
        return julia_outputs(sources, source_dir, build)
    programs = {s: program(PLACES[suffix], name_of(s), build) for s in sources}
    if not any(programs.values()):
        return None
    missing = [source for source in sources if programs[source] is None]
    if missing:
        sys.exit(f"not built: {', '.join(missing)}")
    return {source: output([programs[source]]) for source in sources}


def main(suffix, source_dir, build):
    source_dir, build = os.path.abspath(source_dir), os.path.abspath(build)
    with tempfile.TemporaryDirectory() as folder:  # others write files of the same names
        os.chdir(folder)
        compare(suffix, source_dir, build)


def compare(suffix, source_dir, build):
    os.environ["GPUARR_DEVICE"] = os.environ.get("GPUARR_TEST_DEVICE", "host")
    language = LANGUAGES[suffix]
    sources = sorted(glob.glob(os.path.join(source_dir, f"examples/[0-9]*.{suffix}")))
    if not sources:
        sys.exit(f"no examples in {language}")
    theirs = outputs(suffix, sources, source_dir, build)
    if theirs is None:
        print(f"skipped: nothing was built of the examples in {language}")
        sys.exit(SKIPPED)
    differ = 0
    for source in sources:
        if not os.path.exists(os.path.splitext(source)[0] + ".c"):
            print(f"{name_of(source)}: {language} has it alone")
            continue
        ours = output([os.path.join(build, "examples", name_of(source))])
        same = theirs[source] == ours
        differ += not same
        print(f"{name_of(source)}: {language} and C " + ("agree" if same else "differ"))
        if not same:
            print(f"  C: {ours!r}\n  {language}: {theirs[source]!r}")
    sys.exit(1 if differ else 0)


main(*sys.argv[1:])
