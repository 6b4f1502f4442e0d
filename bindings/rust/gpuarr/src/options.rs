//! How kernels are built.
use std::ffi::CString;
use std::ptr::NonNull;

use gpuarr_sys as sys;

use crate::error::{c_text, check, object, Result};

/// What is checked while a raw kernel runs; add them up.
pub mod checks {
    use gpuarr_sys as sys;

    /// Accesses outside of arrays, or to arrays that were released.
    pub const MEMORY: i32 = sys::GPUARR_CHECK_MEMORY;
    /// Accesses of several threads without order, one of them a write.
    pub const RACE: i32 = sys::GPUARR_CHECK_RACE;
    /// Barriers that not all threads of a block reach.
    pub const SYNC: i32 = sys::GPUARR_CHECK_SYNC;
}

#[derive(Clone, Debug)]
enum Setting {
    Name(String),
    Preamble(String),
    LoopPrep(String),
    AfterLoop(String),
    ReduceType(String),
    Commutative(bool),
    Add(String),
    AddKernel(String),
    Check(i32),
}

/// Build options of a kernel: its name, what stands before it, options of the compiler. It is plain
/// data; what is wrong with it is the error of the kernel that is made from it.
///
/// ```
/// use gpuarr::{args, Array, Elementwise, Options};
/// # fn main() -> gpuarr::Result<()> {
/// let options = Options::new()
///     .name("scaled")
///     .option("-DBY=3")
///     .preamble("__device__ int by() { return BY; }");
/// let kernel = Elementwise::with_options("T x", "T y", "y = by() * x;", &options)?;
/// let y: Array<i32> = kernel.call(args![&Array::from_slice(&[1, 2], 2)?])?;
/// assert_eq!(y.to_vec()?, [3, 6]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "a kernel is made with them"]
pub struct Options {
    settings: Vec<Setting>,
}

impl Options {
    /// Options that hold nothing.
    pub fn new() -> Options {
        Options::default()
    }

    fn with(mut self, setting: Setting) -> Options {
        self.settings.push(setting);
        self
    }

    /// Names the kernel, for messages, profilers and the cache's list: a C identifier.
    pub fn name(self, name: &str) -> Options {
        self.with(Setting::Name(name.into()))
    }

    /// Sets text that stands before the kernel: functions, types, constants, includes.
    pub fn preamble(self, text: &str) -> Options {
        self.with(Setting::Preamble(text.into()))
    }

    /// Sets statements that run before a thread's first element; what they declare, the body sees.
    pub fn loop_prep(self, statements: &str) -> Options {
        self.with(Setting::LoopPrep(statements.into()))
    }

    /// Sets statements that run after a thread's last element.
    pub fn after_loop(self, statements: &str) -> Options {
        self.with(Setting::AfterLoop(statements.into()))
    }

    /// Sets the type of a reduction's partial results: a dtype's name, a placeholder of the
    /// parameter lists, or a type from the preamble of at most 64 bytes.
    pub fn reduce_type(self, name: &str) -> Options {
        self.with(Setting::ReduceType(name.into()))
    }

    /// Says whether a reduction's operator is commutative, as it is unless said; one that is not
    /// is applied in C order, which is slower.
    pub fn commutative(self, commutative: bool) -> Options {
        self.with(Setting::Commutative(commutative))
    }

    /// Adds an option of the compiler: `-D`, `-U`, `-I` and `-std=` mean the same on each device.
    pub fn option(self, option: &str) -> Options {
        self.with(Setting::Add(option.into()))
    }

    /// Names a template's instance that a module is to be compiled with: `"scale<float, 4>"`.
    pub fn kernel(self, expression: &str) -> Options {
        self.with(Setting::AddKernel(expression.into()))
    }

    /// Chooses what is checked while a module's kernels run: [`checks`] added up.
    pub fn check(self, checks: i32) -> Options {
        self.with(Setting::Check(checks))
    }

    /// C's options, for as long as they are needed.
    pub(crate) fn build(&self) -> Result<BuiltOptions> {
        let raw = object(|out| unsafe { sys::gpuarr_kernel_options_create(out) })?;
        let built = BuiltOptions { raw };
        for setting in &self.settings {
            built.set(setting)?;
        }
        Ok(built)
    }
}

/// C's options; they end with this.
pub(crate) struct BuiltOptions {
    raw: NonNull<sys::gpuarr_kernel_options>,
}

impl Drop for BuiltOptions {
    fn drop(&mut self) {
        unsafe { sys::gpuarr_kernel_options_release(self.as_ptr()) }
    }
}

type TextSetter = unsafe extern "C" fn(
    *mut sys::gpuarr_kernel_options,
    *const std::os::raw::c_char,
) -> sys::gpuarr_status;

impl BuiltOptions {
    pub(crate) fn as_ptr(&self) -> *mut sys::gpuarr_kernel_options {
        self.raw.as_ptr()
    }

    fn set(&self, setting: &Setting) -> Result<()> {
        let (setter, what, text): (TextSetter, _, _) = match setting {
            Setting::Name(text) => (sys::gpuarr_kernel_options_set_name, "name", text),
            Setting::Preamble(text) => (sys::gpuarr_kernel_options_set_preamble, "preamble", text),
            Setting::LoopPrep(text) => {
                (sys::gpuarr_kernel_options_set_loop_prep, "loop_prep", text)
            }
            Setting::AfterLoop(text) => {
                (sys::gpuarr_kernel_options_set_after_loop, "after_loop", text)
            }
            Setting::ReduceType(text) => {
                (sys::gpuarr_kernel_options_set_reduce_type, "reduce_type", text)
            }
            Setting::Add(text) => (sys::gpuarr_kernel_options_add, "option", text),
            Setting::AddKernel(text) => (sys::gpuarr_kernel_options_add_kernel, "kernel", text),
            Setting::Commutative(is) => {
                let is = *is as i32;
                return check(unsafe {
                    sys::gpuarr_kernel_options_set_commutative(self.as_ptr(), is)
                });
            }
            Setting::Check(checks) => {
                return check(unsafe {
                    sys::gpuarr_kernel_options_set_check(self.as_ptr(), *checks)
                });
            }
        };
        let text: CString = c_text(what, text)?;
        check(unsafe { setter(self.as_ptr(), text.as_ptr()) })
    }
}
