//! Arguments of kernels that run for each block of blocked arrays.
use std::fmt;
use std::marker::PhantomData;

use gpuarr_sys as sys;

use crate::arg::Arg;
use crate::array::Array;
use crate::blocked::Blocked;
use crate::element::Element;

/// An argument of a kernel that runs for each block: a blocked array, of which each call gets a
/// block, or what stays the same in all of them: an array that every process has, or a scalar. Made
/// by `from`, or many at once by [`block_args!`](crate::block_args).
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct BlockArg<'a> {
    raw: sys::gpuarr_arg,
    borrowed: PhantomData<&'a ()>,
}

/// Arguments for a kernel that runs for each block: `block_args![&x, 2.0f32]` is
/// `&[BlockArg::from(&x), BlockArg::from(2.0f32)]`.
#[macro_export]
macro_rules! block_args {
    ($($value:expr),* $(,)?) => {
        &[$($crate::BlockArg::from($value)),*]
    };
}

impl<'a> BlockArg<'a> {
    fn of<T>(blocked: &'a Blocked<T>, kind: i32) -> BlockArg<'a> {
        Self::own(unsafe { sys::gpuarr_arg_blocked(blocked.as_ptr(), kind) })
    }

    fn own(raw: sys::gpuarr_arg) -> BlockArg<'a> {
        BlockArg { raw, borrowed: PhantomData }
    }

    /// A block with its ghost cells, for raw kernels and for `raw` parameters of elementwise ones.
    pub fn halo<T>(blocked: &'a Blocked<T>) -> BlockArg<'a> {
        Self::of(blocked, sys::GPUARR_ARG_BLOCKED_HALO)
    }

    /// A block for a raw kernel's parameter of type `gpuarr_view<T, NDIM>`.
    pub fn view<T>(blocked: &'a Blocked<T>) -> BlockArg<'a> {
        Self::of(blocked, sys::GPUARR_ARG_BLOCKED_VIEW)
    }

    /// The same with its ghost cells.
    pub fn halo_view<T>(blocked: &'a Blocked<T>) -> BlockArg<'a> {
        Self::of(blocked, sys::GPUARR_ARG_BLOCKED_HALO_VIEW)
    }

    /// A block's first index along an axis, as an `i64`.
    pub fn start(axis: i32) -> BlockArg<'a> {
        Self::own(unsafe { sys::gpuarr_arg_block(sys::GPUARR_ARG_BLOCK_START, axis) })
    }

    /// A block's extent along an axis, as an `i64`.
    pub fn extent(axis: i32) -> BlockArg<'a> {
        Self::own(unsafe { sys::gpuarr_arg_block(sys::GPUARR_ARG_BLOCK_EXTENT, axis) })
    }

    /// A block's number of elements, as an `i64`.
    pub fn size() -> BlockArg<'a> {
        Self::own(unsafe { sys::gpuarr_arg_block(sys::GPUARR_ARG_BLOCK_SIZE, 0) })
    }

    /// C's list of arguments; the number of what a slice holds fits.
    pub(crate) fn list(args: &[BlockArg<'_>]) -> (*const sys::gpuarr_arg, i32) {
        (args.as_ptr().cast(), args.len() as i32)
    }
}

impl fmt::Debug for BlockArg<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BlockArg(flags {}, at {:p})", self.raw.flags, self.raw.array)
    }
}

impl<'a, T> From<&'a Blocked<T>> for BlockArg<'a> {
    fn from(blocked: &'a Blocked<T>) -> BlockArg<'a> {
        Self::of(blocked, sys::GPUARR_ARG_BLOCKED)
    }
}

/// For arrays that a raw kernel writes.
impl<'a, T> From<&'a mut Blocked<T>> for BlockArg<'a> {
    fn from(blocked: &'a mut Blocked<T>) -> BlockArg<'a> {
        BlockArg::from(&*blocked)
    }
}

impl<'a, T> From<&'a Array<T>> for BlockArg<'a> {
    fn from(array: &'a Array<T>) -> BlockArg<'a> {
        BlockArg::from(Arg::from(array))
    }
}

impl<'a> From<Arg<'a>> for BlockArg<'a> {
    fn from(arg: Arg<'a>) -> BlockArg<'a> {
        Self::own(arg.raw())
    }
}

impl<T: Element> From<T> for BlockArg<'_> {
    fn from(value: T) -> Self {
        BlockArg::from(Arg::scalar(value))
    }
}
