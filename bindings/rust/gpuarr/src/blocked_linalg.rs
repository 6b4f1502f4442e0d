//! Products of blocked matrices and vectors.
use gpuarr_sys as sys;

use crate::blocked::Blocked;
use crate::element::Content;
use crate::error::{check, object, Result};
use crate::promote::Join;

/// Products of matrices and vectors, of any grids and places, with the types of
/// [`Array::matmul`](crate::Array::matmul). Bits depend on the grids and on BLAS, and not on the
/// number of places. Collective; they fail with `SHAPE` (also: other than one or two axes),
/// `ARGUMENT` (another team), `NO_LIBRARY` (BLAS), `OUT_OF_MEMORY`, `PEER`, `TIMEOUT`, `MISMATCH`,
/// `DRIVER`.
impl<T: Content> Blocked<T> {
    /// The product, in the rows of this array's blocks and the columns of the other's. It is
    /// replicated if both are; else blocks lie where the least has to be sent.
    ///
    /// ```
    /// use gpuarr::{Blocks, Team};
    /// # fn main() -> gpuarr::Result<()> {
    /// let team = Team::world(None)?;
    /// let x = team.arange::<f32>(&Blocks::new([4, 3]).chunk([2, 3]), 0, 1)?;
    /// let w = team.full(&Blocks::new([3, 2]).replicated(), 2.0f32)?;
    /// assert_eq!(x.matmul(&w)?.read((.., ..1))?, [6.0, 24.0, 42.0, 60.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As all of these.
    pub fn matmul<U: Content>(&self, y: &Blocked<U>) -> Result<Blocked<T::Output>>
    where
        T: Join<U>,
    {
        let made = object(|out| unsafe {
            sys::gpuarr_blocked_matmul(out, self.as_ptr(), y.as_ptr()) // the caller's
        })?;
        unsafe { Blocked::from_raw(made) }
    }

    /// The product, in an array of its shape and type, which may share memory with the others.
    ///
    /// # Errors
    /// As all of these; `DTYPE` for another type.
    pub fn matmul_into<U: Content>(
        &self,
        y: &Blocked<U>,
        out: &mut Blocked<T::Output>,
    ) -> Result<()>
    where
        T: Join<U>,
    {
        let (x, y) = (self.as_ptr(), y.as_ptr());
        check(unsafe { sys::gpuarr_blocked_matmul(&mut out.as_ptr(), x, y) })
    }
}
