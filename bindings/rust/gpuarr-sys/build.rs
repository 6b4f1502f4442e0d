//! Finds libgpuarr: in `$GPUARR_DIR`, else by pkg-config. The archive is linked where there is one,
//! so that programs run without the library, unless `$GPUARR_DYNAMIC` asks for the shared one.
use std::env;
use std::path::{Path, PathBuf};

/// What a binding of this version can call: names may change between minor versions.
const FIRST_VERSION: &str = "0.1";
const NEXT_VERSION: &str = "0.2";

const ADVICE: &str = "\
Install libgpuarr (`cmake --install BUILD --prefix DIR` in its source tree), and then either
  set GPUARR_DIR=DIR, the folder that it was installed in, or that it was built in; or
  let pkg-config find gpuarr.pc: PKG_CONFIG_PATH=DIR/lib/pkgconfig.
Documentation needs no library: give the feature `doc-only`, or set DOCS_RS=1.";

fn main() {
    for variable in ["GPUARR_DIR", "GPUARR_NO_PKG_CONFIG", "GPUARR_DYNAMIC", "DOCS_RS"] {
        println!("cargo:rerun-if-env-changed={}", variable);
    }
    if env::var_os("DOCS_RS").is_some() || env::var_os("CARGO_FEATURE_DOC_ONLY").is_some() {
        return;
    }
    let found = match env::var_os("GPUARR_DIR") {
        Some(folder) => link_from(Path::new(&folder)),
        None => link_by_pkg_config(),
    };
    if let Err(why) = found {
        eprintln!("gpuarr-sys: {}\n{}", why, ADVICE);
        std::process::exit(1);
    }
}

/// Tells cargo to link what lies in an installed prefix or in a build folder.
fn link_from(folder: &Path) -> Result<(), String> {
    let (library, kind) = find_library(folder)
        .ok_or_else(|| format!("GPUARR_DIR is {}, and no libgpuarr is there", folder.display()))?;
    println!("cargo:rustc-link-search=native={}", library.parent().unwrap_or(folder).display());
    println!("cargo:rustc-link-lib={}=gpuarr", kind);
    println!("cargo:rerun-if-changed={}", library.display());
    println!("cargo:include={}", folder.join("include").display());
    // What gpuarr.pc lists as well. A shared library brings it along.
    if kind == "static" {
        for name in ["stdc++", "dl", "pthread", "m"] {
            println!("cargo:rustc-link-lib={}", name);
        }
    }
    Ok(())
}

fn wants_archive() -> bool {
    env::var_os("GPUARR_DYNAMIC").is_none()
}

/// The archive or the shared library, with cargo's word for what it is.
fn find_library(folder: &Path) -> Option<(PathBuf, &'static str)> {
    let mut places: Vec<PathBuf> =
        ["", "lib", "lib64", "src"].iter().map(|place| folder.join(place)).collect();
    // Debian's way: lib/x86_64-linux-gnu.
    if let Ok(entries) = folder.join("lib").read_dir() {
        places.extend(entries.flatten().map(|entry| entry.path()));
    }
    let mut kinds = [("libgpuarr.a", "static"), ("libgpuarr.so", "dylib")];
    if !wants_archive() {
        kinds.reverse();
    }
    for (name, kind) in kinds {
        for place in &places {
            let library = place.join(name);
            if library.is_file() {
                return Some((library, kind));
            }
        }
    }
    None
}

/// Lets the crate pkg-config tell cargo what gpuarr.pc says.
fn link_by_pkg_config() -> Result<(), String> {
    let library = pkg_config::Config::new()
        .range_version(FIRST_VERSION..NEXT_VERSION)
        .statik(wants_archive())
        .probe("gpuarr")
        .map_err(|error| format!("pkg-config does not know it: {}", error))?;
    if let Some(folder) = library.include_paths.first() {
        println!("cargo:include={}", folder.display());
    }
    Ok(())
}
