//! Structs on devices: their definitions, and arrays of them.
use std::marker::PhantomData;
use std::mem;

use crate::arg::Arg;
use crate::array::Array;
use crate::device::Device;
use crate::error::Result;

use super::plain::{Plain, Sliced};
use super::writer::Writer;

/// Structs one after another on a device, for kernels with a parameter `&[Point]`.
///
/// ```
/// use gpuarr::kernel::Records;
///
/// #[derive(Clone, Copy, gpuarr::Device)]
/// #[repr(C)]
/// struct Point {
///     x: f32,
///     y: f32,
/// }
///
/// #[gpuarr::kernel]
/// fn mirror(points: &mut [Point]) {
///     let i = gpuarr::thread::index();
///     if i < points.len() {
///         points[i].x = -points[i].x;
///     }
/// }
///
/// # fn main() -> gpuarr::Result<()> {
/// let mut points = Records::from_slice(&[Point { x: 1.0, y: 2.0 }])?;
/// unsafe { mirror(&mut points).elements(1).launch() }?; // SAFETY: a thread for each point
/// assert_eq!(points.to_vec()?[0].x, -1.0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Records<T> {
    bytes: Array<u8>,
    records: PhantomData<fn() -> T>,
}

impl<T: Plain> Records<T> {
    /// Copies structs to the default device.
    ///
    /// # Errors
    /// As [`Array::from_slice`].
    pub fn from_slice(records: &[T]) -> Result<Records<T>> {
        Self::on(Device::default()?, records)
    }

    /// Copies structs to a device.
    ///
    /// # Errors
    /// As [`Array::from_slice`].
    pub fn on(device: Device, records: &[T]) -> Result<Records<T>> {
        let size = mem::size_of_val(records);
        let mut bytes = vec![0u8; size];
        // Padding may be anything, and so it is copied as bytes that nobody looks at.
        unsafe { std::ptr::copy_nonoverlapping(records.as_ptr().cast(), bytes.as_mut_ptr(), size) };
        Ok(Records { bytes: device.array(&bytes, size)?, records: PhantomData })
    }

    /// The number of structs.
    pub fn len(&self) -> usize {
        self.bytes.len() / mem::size_of::<T>()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Copies them to the host.
    ///
    /// # Errors
    /// As [`Array::to_vec`].
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let bytes = self.bytes.to_vec()?;
        let mut records = Vec::with_capacity(self.len());
        // As many bytes as there is room for, of values that a kernel or the host made.
        unsafe {
            let first: *mut u8 = records.as_mut_ptr() as *mut u8;
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), first, bytes.len());
            records.set_len(self.len());
        }
        Ok(records)
    }
}

impl<T: Plain> Sliced for Records<T> {
    fn arg(&self) -> Arg<'_> {
        Arg::pointer(self.bytes.data_ptr())
    }

    fn count(&self) -> usize {
        self.len()
    }

    fn is_plain(&self) -> bool {
        true
    }
}

/// A field of a struct, by C's type and name, and where it lies in Rust.
#[derive(Debug)]
pub(super) struct Field {
    pub ty: String,
    pub name: &'static str,
    pub offset: usize,
}

impl Field {
    /// Whether it lies alike in C++, where complex numbers are aligned as a whole, in a struct that
    /// is aligned so in Rust.
    pub fn lies_alike(&self, align: usize) -> bool {
        let wanted = match self.ty.as_str() {
            ty if ty.contains("complex128") => 16,
            ty if ty.contains("complex64") => 8,
            _ => return true,
        };
        self.offset % wanted == 0 && align >= wanted
    }
}

/// The fields of a struct.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct Fields(pub(super) Vec<Field>);

#[doc(hidden)]
impl Fields {
    pub fn add<T: Plain>(&mut self, to: &mut Writer, name: &'static str, offset: usize) {
        self.0.push(Field { ty: T::name(to), name, offset });
    }
}

/// How far from a struct's beginning lies what is found in it.
#[doc(hidden)]
pub fn offset<T>(find: impl Fn(*const T) -> *const u8) -> usize {
    let place = mem::MaybeUninit::<T>::uninit();
    find(place.as_ptr()) as usize - place.as_ptr() as usize
}
