# shellcheck shell=bash
# Sourced by the scripts: goes to the top of the tree and installs Debian packages that are missing.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

step() { printf '\n== %s\n' "$*"; }

# install_packages NAME...: asks the network only for what is not there.
install_packages() {
  local missing=() name as_root=()
  if ! command -v apt-get >/dev/null; then
    echo "no apt-get here: going on with what is installed (wanted: $*)"
    return
  fi
  for name in "$@"; do
    dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null ||
      { echo "missing, and no sudo to install: ${missing[*]}"; return 1; }
    as_root=(sudo)
  fi
  step "installing ${missing[*]}"
  "${as_root[@]}" apt-get update -qq
  # Not before sudo, which takes variables away: packages would ask for a time zone.
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
    --no-install-recommends "${missing[@]}"
}

# What every build needs.
# shellcheck disable=SC2034  # the scripts that source this use it
build_packages=(g++ cmake ninja-build libfmt-dev libxxhash-dev nlohmann-json3-dev)

# What test.sh wants, in the order of its use: libraries, and the compilers of the other languages.
install_for_tests() {
  install_packages "${build_packages[@]}" pkg-config libcmocka-dev python3 python3-numpy \
    python3-zarr python3-dask lld libopenblas0 openmpi-bin libopenmpi-dev mpich libmpich-dev
  if ! cargo --version >/dev/null 2>&1; then
    install_packages cargo
    PATH=/usr/bin:$PATH  # one that does not run may come before
  fi
  command -v gfortran >/dev/null || install_packages gfortran
  install_packages librust-half-dev librust-num-complex-dev librust-pkg-config-dev librust-syn-dev \
    librust-quote-dev librust-proc-macro2-dev
  export GPUARR_TEST_CRATES=$PWD/build/crates
  bindings/rust/ndarray.sh "$GPUARR_TEST_CRATES"
  bindings/fortran/fparser.sh build/fparser
}

# carried_packages DIR: unpacks .carry/*.deb there and prints what CMake is to be told, if any are.
carried_packages() {
  local package
  mkdir -p "$(dirname "$1")"
  for package in .carry/*.deb; do
    if [ -e "$package" ]; then dpkg -x "$package" "$1" || return 1; fi
  done
  [ ! -d "$1" ] || echo "-DGPUARR_DEPS_DIR=$PWD/$1"
}

# configure BUILD_DIR OPTION...: through ccache where that is installed, also with headers that are
# precompiled.
configure() {
  export CCACHE_SLOPPINESS=pch_defines,time_macros
  local launcher=()
  if command -v ccache >/dev/null; then
    launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  cmake "$@" "${launcher[@]}" >/dev/null
}
