//! Arrays of the crate `ndarray`, in and out.
use ndarray::{ArrayBase, ArrayD, Data, Dimension, IxDyn};

use crate::array::Array;
use crate::blocked::Blocked;
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
        shaped(self.shape(), self.to_vec()?)
    }
}

impl<T: Element> Blocked<T> {
    /// All elements as an array of the crate `ndarray`, in C order, in every process. Collective.
    ///
    /// # Errors
    /// As [`Blocked::to_vec`].
    pub fn to_ndarray(&self) -> Result<ArrayD<T>> {
        shaped(&self.shape(), self.to_vec()?)
    }

    /// Copies all elements from an array or view of the crate `ndarray`, which all processes have
    /// alike, whatever its strides. Collective.
    ///
    /// # Errors
    /// As [`Blocked::write`], and `SHAPE` for another shape.
    pub fn write_ndarray<S, D>(&mut self, array: &ArrayBase<S, D>) -> Result<()>
    where
        S: Data<Elem = T>,
        D: Dimension,
    {
        let shape: Vec<i64> = array.shape().iter().map(|extent| *extent as i64).collect();
        if shape != self.shape() {
            let message = format!("an array of shape {:?} for one of {:?}", shape, self.shape());
            return Err(Error::new(Status::SHAPE, message));
        }
        let elements: Vec<T> = array.iter().copied().collect();
        self.write(.., &elements)
    }
}

fn shaped<T>(shape: &[i64], elements: Vec<T>) -> Result<ArrayD<T>> {
    let shape: Vec<usize> = shape.iter().map(|extent| *extent as usize).collect();
    ArrayD::from_shape_vec(IxDyn(&shape), elements)
        .map_err(|error| Error::new(Status::SHAPE, format!("ndarray: {}", error)))
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
