//! Arrays of the crate `ndarray`, in and out.
use ndarray::{ArrayBase, ArrayD, Data, Dimension, IxDyn};

use crate::array::Array;
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, Result, Status};
use crate::shape::Shape;

impl Device {
    /// A copy on this device of an array or view of the crate `ndarray`, in its memory order,
    /// whatever its strides.
    ///
    /// # Errors
    /// As [`Device::array`].
    pub fn array_from<T, S, D>(&self, array: &ArrayBase<S, D>) -> Result<Array<T>>
    where
        T: Element,
        S: Data<Elem = T>,
        D: Dimension,
    {
        let strides: Vec<i64> = array.strides().iter().map(|stride| *stride as i64).collect();
        // The view owns or borrows all of its elements.
        let shape = Shape::from(array.shape());
        unsafe { self.upload(array.as_ptr(), span(array), shape, Some(&strides)) }
    }
}

impl<T: Element> Array<T> {
    /// A copy on the default device of an array or view of the crate `ndarray`.
    ///
    /// # Errors
    /// As [`Device::array`] and [`Device::default`].
    pub fn from_ndarray<S, D>(array: &ArrayBase<S, D>) -> Result<Array<T>>
    where
        S: Data<Elem = T>,
        D: Dimension,
    {
        Device::default()?.array_from(array)
    }

    /// The elements as an array of the crate `ndarray`, in C order.
    ///
    /// # Errors
    /// As [`Array::to_vec`].
    pub fn to_ndarray(&self) -> Result<ArrayD<T>> {
        let shape: Vec<usize> = self.shape().iter().map(|extent| *extent as usize).collect();
        ArrayD::from_shape_vec(IxDyn(&shape), self.to_vec()?)
            .map_err(|error| Error::new(Status::SHAPE, format!("ndarray: {}", error)))
    }
}

/// Bytes from the lowest to the highest element.
fn span<T, S: Data<Elem = T>, D: Dimension>(array: &ArrayBase<S, D>) -> usize {
    if array.is_empty() {
        return 0;
    }
    let steps = array.shape().iter().zip(array.strides());
    let far: usize = steps.map(|(extent, stride)| (extent - 1) * stride.unsigned_abs()).sum();
    (far + 1) * std::mem::size_of::<T>()
}
