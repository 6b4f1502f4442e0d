//! Modules: CUDA C++ with kernels and variables, or its compiled form.
use std::path::Path;

use gpuarr_sys as sys;

use crate::array::{AnyArray, Array};
use crate::device::Device;
use crate::element::Content;
use crate::error::{c_path, c_text, check, number, object, string, Result};
use crate::handle::{handle, shared_handle};
use crate::options::Options;
use crate::raw::RawKernel;

handle!(
    /// CUDA C++ text with kernels, device functions and variables, or its compiled form. Text is
    /// compiled for a device when a kernel or variable is first used there; each module has
    /// variables of its own on each device.
    Module,
    gpuarr_module,
    gpuarr_module_release
);
shared_handle!(Module, gpuarr_module_retain);

// Every function of module.h is "@threadsafe".
unsafe impl Send for Module {}
unsafe impl Sync for Module {}

/// What [`Module::listing`] shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listing {
    /// PTX; NVIDIA GPUs only.
    Ptx,
    /// The processor's own code: SASS, or the CPU's.
    Assembly,
}

impl Module {
    /// Creates a module from CUDA C++, as NVRTC accepts it: `#include <gpuarr.cuh>` defines the
    /// dtypes' names, `gpuarr_view` and `GPUARR_LOOP`.
    ///
    /// # Errors
    /// `ARGUMENT`. The text is first compiled when it is used.
    pub fn new(source: &str) -> Result<Module> {
        Self::with_options(source, &Options::new())
    }

    /// Creates a module from CUDA C++ with options of the compiler, checks, instances of templates.
    ///
    /// # Errors
    /// `ARGUMENT`, also for options of other kernels, such as `loop_prep`.
    pub fn with_options(source: &str, options: &Options) -> Result<Module> {
        let (source, options) = (c_text("source", source)?, options.build()?);
        object(|out| unsafe { sys::gpuarr_module_create(out, source.as_ptr(), options.as_ptr()) })
            .map(Module::own)
    }

    /// Creates a module from a file: CUDA C++, PTX, a cubin or a fatbin, distinguished by its
    /// contents. Text may include files beside it.
    ///
    /// # Errors
    /// As [`Module::with_options`], `IO`, `FORMAT`.
    pub fn open(path: impl AsRef<Path>, options: &Options) -> Result<Module> {
        let (path, options) = (c_path(path.as_ref())?, options.build()?);
        object(|out| unsafe { sys::gpuarr_module_open(out, path.as_ptr(), options.as_ptr()) })
            .map(Module::own)
    }

    /// Creates a module from PTX, a cubin or a fatbin in memory, which runs on GPUs only.
    ///
    /// # Errors
    /// `ARGUMENT`, `FORMAT`. Whether it fits a GPU shows when it is used: `LOAD`.
    pub fn load(image: &[u8]) -> Result<Module> {
        object(|out| unsafe {
            sys::gpuarr_module_load(out, image.as_ptr().cast(), image.len() as i64)
        })
        .map(Module::own)
    }

    /// Compiles and loads it for a device now, if that was not done yet.
    ///
    /// # Errors
    /// `COMPILE` (the message shows your lines and the whole log), `NO_COMPILER`, `NO_LIBRARY`,
    /// `LOAD`, `UNSUPPORTED`, `IO`, `OUT_OF_MEMORY`, `DRIVER`, `FAULT`, `FORKED`.
    pub fn build(&self, device: Device) -> Result<()> {
        check(unsafe { sys::gpuarr_module_build(self.as_ptr(), device.as_ptr()) })
    }

    /// A kernel by its name, or an instance of a template as it is written in C++,
    /// `"scale<float, 4>"`, which has to be asked for before the module is compiled.
    ///
    /// # Errors
    /// `ARGUMENT`; `NOT_FOUND` if the module is known to have no such kernel.
    pub fn kernel(&self, name: &str) -> Result<RawKernel> {
        let name = c_text("name", name)?;
        object(|out| unsafe {
            sys::gpuarr_module_kernel(out, self.as_ptr(), name.as_ptr(), std::ptr::null())
        })
        .map(RawKernel::own)
    }

    /// A kernel whose launches are held against parameters that you declare: `"const float* x,
    /// float* y, int n"`.
    ///
    /// # Errors
    /// As [`Module::kernel`], and `SYNTAX`.
    pub fn kernel_with_params(&self, name: &str, params: &str) -> Result<RawKernel> {
        let (name, params) = (c_text("name", name)?, c_text("params", params)?);
        object(|out| unsafe {
            sys::gpuarr_module_kernel(out, self.as_ptr(), name.as_ptr(), params.as_ptr())
        })
        .map(RawKernel::own)
    }

    /// Names of the kernels that it has on a device, which compiles it if need be.
    ///
    /// # Errors
    /// As [`Module::build`].
    pub fn kernel_names(&self, device: Device) -> Result<Vec<String>> {
        let (module, device) = (self.as_ptr(), device.as_ptr());
        let count = number(|out| unsafe { sys::gpuarr_module_kernel_count(out, module, device) })?;
        let name = |index| {
            string(|out| unsafe { sys::gpuarr_module_kernel_name(out, module, index, device) })
        };
        (0..count).map(name).collect()
    }

    /// A `__device__` or `__constant__` variable on a device as an array of one axis, which keeps
    /// the module alive. For an [`AnyArray`] the declaration tells the dtype.
    ///
    /// # Errors
    /// As [`Module::build`], `NOT_FOUND`, `DTYPE`.
    pub fn global<T: Content>(&self, name: &str, device: Device) -> Result<Array<T>> {
        let name = c_text("name", name)?;
        let dtype = T::WANTED.map_or(0, |dtype| dtype.code());
        let array = object(|out| unsafe {
            let (module, device) = (self.as_ptr(), device.as_ptr());
            sys::gpuarr_module_global(out, module, name.as_ptr(), dtype, device)
        })?;
        AnyArray::own(array).downcast()
    }

    /// What it was compiled to on a device.
    ///
    /// # Errors
    /// As [`Module::build`], `UNSUPPORTED` for PTX of the CPU; `NO_LIBRARY` where the program that
    /// writes it is missing.
    pub fn listing(&self, listing: Listing, device: Device) -> Result<String> {
        let listing = match listing {
            Listing::Ptx => sys::GPUARR_LISTING_PTX,
            Listing::Assembly => sys::GPUARR_LISTING_ASSEMBLY,
        };
        string(|out| unsafe {
            sys::gpuarr_module_listing(out, self.as_ptr(), listing, device.as_ptr())
        })
    }
}
