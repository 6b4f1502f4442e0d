//! Blocked arrays in files: `.npy`, and Zarr, which has a file for each chunk.
use std::path::Path;
use std::ptr;

use gpuarr_sys as sys;

use crate::blocked::{AnyBlocked, Blocked};
use crate::blocks::{Blocks, BuiltBlocks};
use crate::dtype::DType;
use crate::element::{Content, Element};
use crate::error::{c_path, check, object, Error, Result, Status};
use crate::shape::Shape;
use crate::team::Team;

/// Formats of files, which Python, Julia and others read. Zarr is not compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileFormat {
    /// NumPy's `.npy`, one file.
    Npy,
    /// A Zarr array of version 2, a directory.
    Zarr,
    /// A Zarr array of version 3, a directory.
    Zarr3,
}

impl FileFormat {
    fn code(self) -> i32 {
        match self {
            FileFormat::Npy => sys::GPUARR_FILE_NPY,
            FileFormat::Zarr => sys::GPUARR_FILE_ZARR,
            FileFormat::Zarr3 => sys::GPUARR_FILE_ZARR3,
        }
    }
}

/// To and from files, which must be on a file system that all processes have. All of these are
/// collective, and fail with `IO`, `FORMAT`, `DTYPE`, `SHAPE`, `OUT_OF_MEMORY`, `PEER`, `TIMEOUT`,
/// `MISMATCH`, `DRIVER`.
impl Team {
    /// An array from a `.npy` file or the directory of a Zarr array. Ghost cells are not filled.
    ///
    /// ```
    /// use gpuarr::{Blocked, Blocks, FileFormat, Team};
    /// # fn main() -> gpuarr::Result<()> {
    /// let team = Team::local_of(2)?;
    /// let path = std::env::temp_dir().join(format!("gpuarr-load-{}.zarr", std::process::id()));
    /// let x = team.arange::<i32>(&Blocks::new([6, 4]).chunk([3, 4]), 0, 1)?;
    /// x.save(&path, FileFormat::Zarr)?;
    /// let x: Blocked<i32> = team.load(&path, &Blocks::of_file())?; // or Blocks::new([6, 4])
    /// assert_eq!((x.shape(), x.grid()), (vec![6, 4], vec![2, 1]));
    /// let x: Blocked<i32> = team.load(&path, &Blocks::of_file().chunk([2, 4]).cyclic())?;
    /// assert_eq!(x.grid(), [3, 1]);
    /// # std::fs::remove_dir_all(&path).unwrap();
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As all of these; `DTYPE` if its elements are no `T`, `SHAPE` if it has not the shape of
    /// `blocks`, `UNSUPPORTED` (compressed chunks).
    pub fn load<T: Content>(&self, path: impl AsRef<Path>, blocks: &Blocks) -> Result<Blocked<T>> {
        let path = c_path(path.as_ref())?;
        let options = blocks.build_for_file()?;
        let options = options.as_ref().map_or(ptr::null_mut(), BuiltBlocks::as_ptr);
        let given = blocks.chunk_extents()?;
        let (ndim, chunk) = given.map_or((0, ptr::null()), |c| (c.len() as i32, c.as_ptr()));
        let loaded: AnyBlocked = object(|out| unsafe {
            sys::gpuarr_blocked_load(out, self.as_ptr(), path.as_ptr(), ndim, chunk, options)
        })
        .map(Blocked::own)?;
        match (blocks.extents()?, &loaded.shape()[..]) {
            (Some(wanted), shape) if wanted != shape => {
                let message = format!("the file has {:?}, and {:?} is wanted", shape, wanted);
                Err(Error::new(Status::SHAPE, message))
            }
            _ => loaded.downcast(),
        }
    }

    /// Creates an array in a file, to be written in parts by [`Blocked::save_part`]: for more data
    /// than there is memory. What is not written is 0. Of `blocks` the shape counts, and for Zarr
    /// the chunk.
    ///
    /// ```
    /// use gpuarr::{Blocks, FileFormat, Team};
    /// # fn main() -> gpuarr::Result<()> {
    /// let team = Team::world(None)?;
    /// let path = std::env::temp_dir().join(format!("gpuarr-create-{}.npy", std::process::id()));
    /// team.create_file::<f64>(&path, FileFormat::Npy, &Blocks::new([4, 3]))?;
    /// let mut x = team.full(&Blocks::new([2, 3]), 1.5f64)?;
    /// x.save_part(&path, [2, 0])?;
    /// x.load_part(&path, [1, 0])?;
    /// assert_eq!(x.to_vec()?, [0.0, 0.0, 0.0, 1.5, 1.5, 1.5]);
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As all of these; `ARGUMENT` for Zarr without a chunk.
    pub fn create_file<T: Element>(
        &self,
        path: impl AsRef<Path>,
        format: FileFormat,
        blocks: &Blocks,
    ) -> Result<()> {
        self.create_file_of(T::DTYPE, path, format, blocks)
    }

    /// As [`Team::create_file`], of a type that is known when the program runs.
    ///
    /// # Errors
    /// As [`Team::create_file`].
    pub fn create_file_of(
        &self,
        dtype: DType,
        path: impl AsRef<Path>,
        format: FileFormat,
        blocks: &Blocks,
    ) -> Result<()> {
        let path = c_path(path.as_ref())?;
        let (extents, chunk) = blocks.parts()?;
        let (dtype, format, ndim) = (dtype.code(), format.code(), extents.len() as i32);
        check(unsafe {
            let (team, path, shape) = (self.as_ptr(), path.as_ptr(), extents.as_ptr());
            sys::gpuarr_file_create(team, path, format, dtype, ndim, shape, chunk)
        })
    }
}

/// To and from files. All of these are collective, and fail as [`Team::load`] does.
impl<T> Blocked<T> {
    /// Saves the array, in its memory order. It is written under another name and renamed, so that
    /// a call that fails leaves what was there before. Of Zarr a block is a chunk: along each axis
    /// all have one extent, but for the last.
    ///
    /// # Errors
    /// As all of these; `LAYOUT` for blocks that cannot be chunks, `DTYPE` (bfloat16).
    pub fn save(&self, path: impl AsRef<Path>, format: FileFormat) -> Result<()> {
        let path = c_path(path.as_ref())?;
        check(unsafe { sys::gpuarr_blocked_save(path.as_ptr(), self.as_ptr(), format.code()) })
    }

    /// Writes the array to a part of one in a file, of which `start` is the first index. In a Zarr
    /// array each block must be whole chunks.
    ///
    /// # Errors
    /// As all of these; `LAYOUT` for other blocks.
    pub fn save_part(&self, path: impl AsRef<Path>, start: impl Into<Shape>) -> Result<()> {
        let (path, start) = (c_path(path.as_ref())?, start.into());
        let start = self.index_of_all_axes(&start)?;
        check(unsafe { sys::gpuarr_blocked_save_part(path.as_ptr(), self.as_ptr(), start) })
    }

    /// Reads the array from a part of one in a file, of which `start` is the first index.
    ///
    /// # Errors
    /// As all of these; `UNSUPPORTED` (compressed chunks).
    pub fn load_part(&mut self, path: impl AsRef<Path>, start: impl Into<Shape>) -> Result<()> {
        let (path, start) = (c_path(path.as_ref())?, start.into());
        let start = self.index_of_all_axes(&start)?;
        check(unsafe { sys::gpuarr_blocked_load_part(self.as_ptr(), path.as_ptr(), start) })
    }

    fn index_of_all_axes(&self, start: &Shape) -> Result<*const i64> {
        let start = start.extents()?;
        if start.len() == self.ndim() {
            return Ok(start.as_ptr());
        }
        let message = format!("start is {:?}, and the array has {:?}", start, self.shape());
        Err(Error::new(Status::SHAPE, message + "; give an index for each axis"))
    }
}
