"""What the caller of a privileged program says by his environment must not count: privileged.py
PROGRAM. Files with raised rights are made as root, so anybody else skips this (77)."""

import os
import shutil
import struct
import subprocess
import sys
import tempfile

CALLER = 65534  # nobody, who owns what his environment names
SKIPPED = 77
# All of them name something in his directory.
FILES = {"GPUARR_LOG": "all:{}/log", "GPUARR_PROFILE": "{}/profile", "GPUARR_SOURCE_DIR": "{}/text",
         "GPUARR_OBJECTS": "track:{}/objects", "GPUARR_CACHE_DIR": "{}/cache", "TMPDIR": "{}",
         "HOME": "{}", "XDG_CACHE_HOME": "{}"}
LIBRARIES = {name: "{}/none.so" for name in
             ("GPUARR_BLAS", "GPUARR_LAPACK", "GPUARR_LIBCUDA", "GPUARR_NVRTC")}


def environment(place, wanted):
    return {name: value.format(place) for name, value in wanted.items()}


def make_programs(place):
    """Compilers, and what compilers start, that leave a mark and do nothing else."""
    os.mkdir(place + "/bin")
    for name in ("g++", "clang++", "c++", "as", "ld", "collect2", "cc1plus", "objdump"):
        with open(f"{place}/bin/{name}", "w") as file:
            file.write(f"#!/bin/sh\n: > {place}/mark-$$\nexit 1\n")
        os.chmod(file.name, 0o755)
    # The compiler itself, so that it is the helper's name that is looked for.
    os.mkdir(place + "/helpers")
    shutil.copy(place + "/bin/as", place + "/helpers/as")


def as_caller(program, variables):
    """What the program prints, and the names of what came to be in the caller's directory."""
    with tempfile.TemporaryDirectory(prefix="gpuarr-caller-") as place:
        make_programs(place)
        shutil.chown(place, CALLER, CALLER)
        before = set(os.listdir(place))
        ran = subprocess.run([program], cwd="/", env=environment(place, variables), user=CALLER,
                             group=CALLER, extra_groups=[], text=True, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, check=False)
        return ran.stdout.replace(place, "CALLER"), set(os.listdir(place)) - before


def set_user_id(path):
    os.chmod(path, 0o4755)


def set_group_id(path):
    os.chmod(path, 0o2755)


def with_capability(path):
    version_2_and_effective, net_raw = 0x02000001, 1 << 13
    os.setxattr(path, "security.capability",
                struct.pack("<5I", version_2_and_effective, net_raw, 0, 0, 0))


def privileged_copies(program, folder):
    for raise_rights in (set_user_id, set_group_id, with_capability):
        path = f"{folder}/{raise_rights.__name__}"
        shutil.copy(program, path)
        try:
            raise_rights(path)
        except OSError as error:
            print(f"{raise_rights.__name__}: not tried: {error}")
            continue
        said, _ = as_caller(path, {"PATH": "/usr/bin:/bin"})
        if "secure 1" in said:
            yield path
        else:
            print(f"{raise_rights.__name__}: not tried: it gives no rights here")


def main(program):
    if os.geteuid() != 0:
        print("skipped: files with raised rights are root's to make")
        return SKIPPED
    everything = {"PATH": "{}/bin:/usr/bin:/bin", "GPUARR_CXX": "{}/bin/g++", **FILES, **LIBRARIES}
    helpers = {"PATH": "{}/helpers:/usr/bin:/bin"}
    tried = 0
    with tempfile.TemporaryDirectory(prefix="gpuarr-privileged-") as folder:
        os.chmod(folder, 0o755)
        plain = shutil.copy(program, folder)
        said, made = as_caller(plain, helpers)
        if "secure 0" not in said:
            print(f"skipped: nobody cannot run {program}: {said}")
            return SKIPPED
        assert made, f"without rights the caller has his say: {said}{made}"
        for path in privileged_copies(program, folder):
            for variables in (helpers, everything):
                said, made = as_caller(path, variables)
                print(f"{os.path.basename(path)}:\n{said}")
                assert "value 42" in said and not made and "CALLER" not in said, (said, made)
            tried += 1
    return 0 if tried else SKIPPED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
