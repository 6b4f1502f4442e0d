//! Closures that are called for each block of blocked arrays.
use std::ffi::c_void;
use std::fmt;
use std::ptr::NonNull;

use gpuarr_sys as sys;

use crate::array::{AnyArray, Array};
use crate::blocked::{AnyBlocked, Blocked};
use crate::callback::Kept;
use crate::error::{check, Result};
use crate::stream::Stream;

mod private {
    pub trait Sealed {}
}

use private::Sealed;

/// C's list of blocked arrays, and its length.
type List = (*mut *mut sys::gpuarr_blocked, i32);

/// Blocked arrays of a call.
pub trait BlockedList: Sealed {
    /// What a block of each is: an [`Array`], a tuple of arrays, or a vector.
    type Blocks;
    /// Calls C with the arrays.
    #[doc(hidden)]
    fn give<R>(self, call: impl FnOnce(List) -> R) -> R;
    /// Handles of so many blocks.
    #[doc(hidden)]
    unsafe fn blocks(from: *const *mut sys::gpuarr_array, count: usize) -> Self::Blocks;
}

/// Blocked arrays that are written: `&mut z`, a tuple as `(&mut s, &mut c)`, or a slice of
/// [`AnyBlocked`].
pub trait BlockedOutputs: BlockedList {}

/// Blocked arrays that are read: `&x`, a tuple as `(&x, &y)`, a slice of [`AnyBlocked`], or `()`
/// for none.
pub trait BlockedInputs: BlockedList {}

/// Another reference to a block that C lends.
unsafe fn lent<T>(from: *const *mut sys::gpuarr_array, place: usize) -> Array<T> {
    let raw = *from.add(place);
    sys::gpuarr_array_retain(raw);
    Array::own(NonNull::new_unchecked(raw)) // C gives no NULL
}

macro_rules! one {
    ($($kind:ident: $type:ty;)*) => {$(
        impl<T> $kind for $type {}
        impl<T> Sealed for $type {}
        impl<T> BlockedList for $type {
            type Blocks = Array<T>;
            fn give<R>(self, call: impl FnOnce(List) -> R) -> R {
                call((&mut self.as_ptr(), 1))
            }
            unsafe fn blocks(from: *const *mut sys::gpuarr_array, _: usize) -> Array<T> {
                lent(from, 0)
            }
        }
    )*};
}

one! { BlockedOutputs: &mut Blocked<T>; BlockedInputs: &Blocked<T>; }

macro_rules! slice {
    ($($kind:ident: $type:ty;)*) => {$(
        impl $kind for $type {}
        impl Sealed for $type {}
        impl BlockedList for $type {
            type Blocks = Vec<AnyArray>;
            fn give<R>(self, call: impl FnOnce(List) -> R) -> R {
                // A Blocked is a pointer (repr(transparent)); C writes to entries that are NULL.
                let first = self.as_ptr() as *mut *mut sys::gpuarr_blocked;
                call((first, i32::try_from(self.len()).unwrap_or(i32::MAX)))
            }
            unsafe fn blocks(from: *const *mut sys::gpuarr_array, count: usize) -> Vec<AnyArray> {
                (0..count).map(|place| lent(from, place)).collect()
            }
        }
    )*};
}

slice! { BlockedOutputs: &mut [AnyBlocked]; BlockedInputs: &[AnyBlocked]; }

macro_rules! tuple {
    ($count:literal: $($type:ident $place:tt)*) => {
        tuple! { BlockedOutputs, ($(&mut Blocked<$type>,)*), $count: $($type $place)* }
        tuple! { BlockedInputs, ($(&Blocked<$type>,)*), $count: $($type $place)* }
    };
    ($kind:ident, $list:ty, $count:literal: $($type:ident $place:tt)*) => {
        impl<$($type),*> $kind for $list {}
        impl<$($type),*> Sealed for $list {}
        impl<$($type),*> BlockedList for $list {
            type Blocks = ($(Array<$type>,)*);
            fn give<R>(self, call: impl FnOnce(List) -> R) -> R {
                let mut list: [*mut sys::gpuarr_blocked; $count] = [$(self.$place.as_ptr()),*];
                call((list.as_mut_ptr(), $count))
            }
            unsafe fn blocks(from: *const *mut sys::gpuarr_array, _: usize) -> Self::Blocks {
                ($(lent::<$type>(from, $place),)*)
            }
        }
    };
}

tuple! { 1: A 0 }
tuple! { 2: A 0 B 1 }
tuple! { 3: A 0 B 1 C 2 }
tuple! { 4: A 0 B 1 C 2 D 3 }
tuple! { 5: A 0 B 1 C 2 D 3 E 4 }
tuple! { 6: A 0 B 1 C 2 D 3 E 4 F 5 }

impl BlockedInputs for () {}
impl Sealed for () {}
impl BlockedList for () {
    type Blocks = ();
    fn give<R>(self, call: impl FnOnce(List) -> R) -> R {
        call((std::ptr::null_mut(), 0))
    }
    unsafe fn blocks(_: *const *mut sys::gpuarr_array, _: usize) {}
}

/// The block that a closure is called for: which one, and where.
#[derive(Clone, Copy)]
pub struct Block<'a> {
    raw: &'a sys::gpuarr_block,
}

impl Block<'_> {
    /// Its number in the grid of the first output.
    pub fn number(&self) -> usize {
        unsafe { sys::gpuarr_block_number(self.raw) as usize }
    }

    /// The place that works on it.
    pub fn place(&self) -> usize {
        unsafe { sys::gpuarr_block_place(self.raw) as usize }
    }

    /// Its location along an axis of the grid, negative from the last; -1 for an axis that there is
    /// not.
    pub fn location(&self, axis: i32) -> i64 {
        unsafe { sys::gpuarr_block_location(self.raw, axis) }
    }

    /// Its first index along an axis of the first output; -1 for an axis that there is not.
    pub fn start(&self, axis: i32) -> i64 {
        unsafe { sys::gpuarr_block_start(self.raw, axis) }
    }

    /// The index behind its last one; -1 for an axis that there is not.
    pub fn stop(&self, axis: i32) -> i64 {
        unsafe { sys::gpuarr_block_stop(self.raw, axis) }
    }

    /// The stream to work in, which is the current one during the call.
    pub fn stream(&self) -> Stream {
        let raw = unsafe { sys::gpuarr_stream_retain(sys::gpuarr_block_stream(self.raw)) };
        // NULL is for a NULL block only.
        Stream::own(NonNull::new(raw).unwrap_or_else(|| unreachable!("a block has a stream")))
    }
}

impl fmt::Debug for Block<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Block({} on place {})", self.number(), self.place())
    }
}

/// What C calls for a block.
type Function<'a> = dyn FnMut(&Block<'_>, Arrays, Arrays) -> Result<()> + 'a;
type Arrays = *const *mut sys::gpuarr_array;

/// A closure, and what it left behind.
struct Run<'a> {
    function: &'a mut Function<'a>,
    kept: Kept,
}

unsafe extern "C" fn run_once(
    block: *const sys::gpuarr_block,
    outputs: Arrays,
    inputs: Arrays,
    user: *mut c_void,
) -> i32 {
    let run = &mut *user.cast::<Run<'_>>();
    let function = &mut run.function;
    let block = Block { raw: &*block };
    run.kept.call(|| function(&block, outputs, inputs))
}

/// A call of a closure for each block, with what is not as in [`map_blocks`].
///
/// ```
/// use gpuarr::{Blocks, MapBlocks, Team};
/// # fn main() -> gpuarr::Result<()> {
/// let team = Team::local_of(2)?;
/// let x = team.arange::<i64>(&Blocks::new(10).chunk(4), 0, 1)?;
/// let mut sums = team.empty::<i64>(&Blocks::new(3).chunk(1))?;
/// MapBlocks::new().by_position().call(&mut sums, &x, |_, sum, x| {
///     x.sum(0).expand(0).eval_into(sum) // blocks of 4, 4 and 2 elements to one of each
/// })?;
/// assert_eq!(sums.to_vec()?, [6, 22, 17]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[must_use = "nothing is called yet"]
pub struct MapBlocks {
    flags: i32,
    exchanges: bool,
}

impl MapBlocks {
    /// As in [`map_blocks`].
    pub fn new() -> MapBlocks {
        MapBlocks::default()
    }

    /// The same without comparing extents of blocks: locations in the grids count alone.
    pub fn by_position(self) -> MapBlocks {
        MapBlocks { flags: self.flags | sys::GPUARR_MAP_POSITION, ..self }
    }

    /// The same with inputs' ghost cells, as they are.
    pub fn with_halo(self) -> MapBlocks {
        MapBlocks { flags: self.flags | sys::GPUARR_MAP_HALO, ..self }
    }

    /// Calls a closure.
    ///
    /// # Errors
    /// As [`map_blocks`].
    pub fn call<O: BlockedOutputs, I: BlockedInputs>(
        &self,
        outputs: O,
        inputs: I,
        mut function: impl FnMut(&Block<'_>, &mut O::Blocks, &I::Blocks) -> Result<()>,
    ) -> Result<()> {
        let (flags, exchanges) = (self.flags, self.exchanges);
        outputs.give(|(written, output_count)| {
            inputs.give(|(read, input_count)| {
                let mut for_one = |block: &Block<'_>, outputs: Arrays, inputs: Arrays| {
                    // As many as C was given.
                    let (mut outputs, inputs) = unsafe {
                        let outputs = O::blocks(outputs, output_count as usize);
                        (outputs, I::blocks(inputs, input_count as usize))
                    };
                    function(block, &mut outputs, &inputs)
                };
                let mut run = Run { function: &mut for_one, kept: Kept::default() };
                let user = (&mut run as *mut Run<'_>).cast::<c_void>();
                let (run_once, n) = (Some(run_once as _), output_count);
                let status = unsafe {
                    match exchanges {
                        true => {
                            sys::gpuarr_map_overlap(run_once, user, written, n, read, input_count)
                        }
                        false => sys::gpuarr_map_blocks(
                            run_once,
                            user,
                            written,
                            n,
                            read,
                            input_count,
                            flags,
                        ),
                    }
                };
                let result = check(status);
                run.kept.result(result)
            })
        })
    }
}

/// Calls a closure for each block of the first output, on the process that has it, with the blocks
/// of all outputs and inputs at the same location of their grids. It may give any work to the
/// block's stream, which is the current one meanwhile, and makes no collective calls. Collective.
///
/// Axes are matched from the last one. Along each, an input has as many blocks as the output, or
/// one that goes with all of them; extents of blocks are equal, or 1. To work in place, give an
/// array as an output and its clone as an input.
///
/// ```
/// use gpuarr::{args, map_blocks, Blocks, Elementwise, Team};
/// # fn main() -> gpuarr::Result<()> {
/// let team = Team::world(None)?;
/// let x = team.arange::<f32>(&Blocks::new([4, 6]).chunk([2, 3]), 0, 1)?;
/// let y = team.array(&[1.0f32; 6], &Blocks::new(6).chunk(3).replicated())?;
/// let (mut z, mut w) = (x.empty_like()?, x.empty_like()?);
/// let add = Elementwise::new("T x, T y", "T z", "z = x + y;")?;
/// map_blocks((&mut z, &mut w), (&x, &y), |block, (z, w), (x, y)| {
///     add.call_into(args![x, y], z)?;
///     w.fill(block.number() as f32)
/// })?;
/// assert_eq!(z.read((3..4, 4..))?, [23.0, 24.0]);
/// assert_eq!(w.read((3..4, 4..))?, [3.0, 3.0]);
/// # Ok(())
/// # }
/// ```
///
/// An error of the closure is the call's, and a panic goes on when C's frames are left; other
/// processes get `PEER`, with its message, and the team can then only be dropped.
///
/// # Errors
/// What the closure returns; `SHAPE`, `LAYOUT` (blocks on other places: redistribute), `ARGUMENT`
/// (another team), `PEER`, `TIMEOUT`, `MISMATCH`, `OUT_OF_MEMORY`, `DRIVER`.
pub fn map_blocks<O: BlockedOutputs, I: BlockedInputs>(
    outputs: O,
    inputs: I,
    function: impl FnMut(&Block<'_>, &mut O::Blocks, &I::Blocks) -> Result<()>,
) -> Result<()> {
    MapBlocks::new().call(outputs, inputs, function)
}

/// Brings the ghost cells of the inputs up to date, and calls a closure for each block with them:
/// stencils. Outputs have none there: element 0 of an output's block belongs to the input's element
/// behind its ghost cells. Collective.
///
/// ```
/// use gpuarr::{map_overlap, Blocks, Boundary, Expr, Halo, Team};
/// # fn main() -> gpuarr::Result<()> {
/// let halo = Halo::new(1).boundary(Boundary::Periodic);
/// let x = Team::local_of(2)?.arange::<i64>(&Blocks::new(6).chunk(3).halo(halo), 0, 1)?;
/// let mut sums = x.empty_like()?;
/// map_overlap(&mut sums, &x, |_, sums, x| {
///     (Expr::from(x).slice(0, ..-2) + Expr::from(x).slice(0, 2..)).eval_into(sums)
/// })?;
/// assert_eq!(sums.to_vec()?, [6, 2, 4, 6, 8, 4]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`map_blocks`].
pub fn map_overlap<O: BlockedOutputs, I: BlockedInputs>(
    outputs: O,
    inputs: I,
    function: impl FnMut(&Block<'_>, &mut O::Blocks, &I::Blocks) -> Result<()>,
) -> Result<()> {
    MapBlocks { flags: 0, exchanges: true }.call(outputs, inputs, function)
}
