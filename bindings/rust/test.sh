#!/usr/bin/env bash
# Builds the crates against a build of the library and passes their tests, examples of the
# documentation among them, and the linters where these are installed.
# usage: test.sh BUILD_DIR WORK_DIR
#
# WORK_DIR gets `it`, the program of the tests, mpi_program.MPI for each MPI there is, and
# examples/NAME, which run on machines without cargo. Cargo writes beside a manifest, so it works on
# a copy.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
work=$(cd "$2" && pwd)
command -v cargo >/dev/null || { echo "skipped: no cargo"; exit 77; }

GPUARR_DIR=$(cd "$1" && pwd)
export GPUARR_DIR CARGO_HOME=$work/home CARGO_TARGET_DIR=$work/target RUST_BACKTRACE=0
# Most of the time goes into linking a hundred programs: each example of the documentation is one.
export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0
if command -v ld.lld >/dev/null; then
  export RUSTFLAGS="-C link-arg=-fuse-ld=lld" RUSTDOCFLAGS="-C link-arg=-fuse-ld=lld"
fi
export GPUARR_CACHE_DIR=${GPUARR_CACHE_DIR:-$work/cache}
"$here/crates.sh" "$CARGO_HOME"

rm -rf "$work/tree"
mkdir -p "$work/tree/bindings/rust" "$work/examples"
cd "$work/tree/bindings/rust"
cp -a "$here"/{Cargo.toml,gpuarr,gpuarr-macros,gpuarr-sys} .
ln -s "$here/../../examples" "$work/tree/examples"

# page NAME: all pieces of a page but its first program are one more, each in a scope of its own.
mkdir -p gpuarr/examples
page() {
  echo "#![allow(unused_variables)]"
  echo "use gpuarr::*;"
  echo "#[rustfmt::skip]"
  echo "fn main() -> Result<()> {"
  awk '/^```$/ { if (inside > 1) print "}"; inside = 0 }
    inside > 1
    /^```rust$/ { inside = ++pieces; if (inside > 1) print "{" }' "$here/../../docs/$1.md"
  echo "Ok(()) }"
}
page rust >gpuarr/examples/page.rs
page kernels-in-rust >gpuarr/examples/kernels_page.rs
awk '/^```$/ { if (inside) exit } inside; /^```rust$/ { inside = 1 }' \
  "$here/../../docs/kernels-in-rust.md" >gpuarr/examples/kernels_hello.rs
step() { printf -- '-- %s\n' "$*"; }

step "$(rustc --version), $(cargo --version)"
cargo fetch --quiet 2>"$work/fetch.log" || {
  cat "$work/fetch.log"
  echo "skipped: no crates; let cargo fetch them, or install" \
    "librust-{half,num-complex,pkg-config,syn,quote,proc-macro2}-dev"
  exit 77
}

# Where ndarray does not compile (it wants a newer compiler than we do), its tests are left out.
features=()
if [ -e "$CARGO_HOME/no-ndarray" ]; then
  step "without ndarray, which is not here"
elif cargo check --quiet -p gpuarr --features gpuarr/ndarray 2>"$work/ndarray.log"; then
  features=(--features gpuarr/ndarray)
elif grep -q 'could not compile `gpuarr' "$work/ndarray.log"; then
  cat "$work/ndarray.log"
  exit 1
else
  step "without ndarray: $(head -n 1 "$work/ndarray.log")"
fi

step "cargo test"
cargo build --quiet --examples "${features[@]}"
cargo test --no-run --test it "${features[@]}" >"$work/it.log" 2>&1 ||
  { cat "$work/it.log"; exit 1; }
cp "$(sed -n 's/.*Executable.*(\(.*\))/\1/p' "$work/it.log")" "$work/it"
for example in "$here"/../../examples/*.rs; do
  cp "$CARGO_TARGET_DIR/debug/examples/$(basename "$example" .rs)" "$work/examples"
done
"$CARGO_TARGET_DIR/debug/examples/page"
"$CARGO_TARGET_DIR/debug/examples/kernels_page"
said=$("$CARGO_TARGET_DIR/debug/examples/kernels_hello")
grep -qF "It prints \`$said\`." "$here/../../docs/kernels-in-rust.md" || { echo "$said"; exit 1; }

# A program that links an MPI, with what its compiler says that it links with.
cp gpuarr/tests/mpi/program.rs gpuarr/examples/mpi_program.rs
for mpi in openmpi mpich; do
  rm -f "$work/mpi_program.$mpi"
  command -v "mpicc.$mpi" >/dev/null || continue
  step "a program that links $mpi"
  mapfile -t link < <("mpicc.$mpi" -show | tr ' ' '\n' | grep '^-[Ll]')
  cargo rustc --quiet -p gpuarr --example mpi_program -- --cfg "$mpi" "${link[@]}"
  cp "$CARGO_TARGET_DIR/debug/examples/mpi_program" "$work/mpi_program.$mpi"
done
rm gpuarr/examples/mpi_program.rs

rm -rf "$work/texts"
mkdir "$work/texts"
GPUARR_TEST_TEXTS=$work/texts "$work/it"
step "the same with work behind the caller's back"
GPUARR_HOST_ASYNC=1 "$work/it" | tail -n 1

if [ -x "$GPUARR_DIR/gpuarr" ]; then
  step "kernels written in Rust, compiled for a GPU"
  "$GPUARR_DIR/gpuarr" check --target sm_90 "$work/texts"/*.cu
fi
if command -v python3 >/dev/null; then
  step "what kernels cannot have"
  python3 "$here/refused.py" . gpuarr/tests/refused/*.rs
  rm gpuarr/examples/refused_*.rs
fi

step "cargo test --doc"
cargo test --quiet --doc "${features[@]}"

# Another compiler's clippy could not read what this one wrote.
if [ "$(clippy-driver --rustc --version 2>/dev/null)" = "$(rustc --version)" ]; then
  step "cargo clippy"
  cargo clippy --quiet --all-targets "${features[@]}" -- -D warnings
fi
if cargo fmt --version >/dev/null 2>&1; then
  step "cargo fmt"
  cargo fmt --check -- --config-path "$here/../../.rustfmt.toml"
fi
step "without features, and the documentation without the library"
cargo check --quiet --no-default-features -p gpuarr
GPUARR_DIR=/nowhere RUSTDOCFLAGS="-D warnings" cargo doc --quiet --no-deps \
  --features gpuarr/doc-only --target-dir "$CARGO_TARGET_DIR/doc-only"
