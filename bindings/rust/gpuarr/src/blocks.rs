//! How blocked arrays are divided, where their blocks lie, and what surrounds them.
use std::ptr::{self, NonNull};

use gpuarr_sys as sys;

use crate::arg::Arg;
use crate::array::Array;
use crate::blocked::{AnyBlocked, Blocked};
use crate::create::check_count;
use crate::dtype::DType;
use crate::element::Element;
use crate::error::{check, object, Error, Result, Status};
use crate::shape::{Order, Shape};
use crate::team::Team;

/// What the ghost cells beyond the ends of an axis are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Boundary {
    /// There are none.
    None,
    /// Elements of the other end.
    Periodic,
    /// A value: 0, unless [`Halo::fill`] says another.
    Constant,
    /// The last element: a a | a b c | c c.
    Nearest,
    /// Backwards from the last element: b a | a b c | c b, which NumPy's `pad` calls symmetric.
    Reflect,
}

impl Boundary {
    fn code(self) -> i32 {
        match self {
            Boundary::None => sys::GPUARR_BOUNDARY_NONE,
            Boundary::Periodic => sys::GPUARR_BOUNDARY_PERIODIC,
            Boundary::Constant => sys::GPUARR_BOUNDARY_CONSTANT,
            Boundary::Nearest => sys::GPUARR_BOUNDARY_NEAREST,
            Boundary::Reflect => sys::GPUARR_BOUNDARY_REFLECT,
        }
    }
}

/// Ghost cells around each block, which [`Blocked::exchange_halo`] brings up to date.
#[derive(Clone, Debug)]
pub struct Halo {
    low: Shape,
    high: Shape,
    boundaries: Vec<Boundary>,
    fill: Option<Arg<'static>>,
}

impl Halo {
    /// So many cells along each axis, on either side, and none beyond the ends.
    pub fn new(cells: impl Into<Shape>) -> Halo {
        let cells = cells.into();
        Halo { low: cells, high: cells, boundaries: Vec::new(), fill: None }
    }

    /// So many cells before and behind a block along each axis.
    pub fn sides(low: impl Into<Shape>, high: impl Into<Shape>) -> Halo {
        Halo { low: low.into(), high: high.into(), boundaries: Vec::new(), fill: None }
    }

    /// The same with cells beyond the ends of all axes.
    pub fn boundary(self, boundary: Boundary) -> Halo {
        let ndim = self.low.extents().map_or(0, <[i64]>::len);
        Halo { boundaries: vec![boundary; ndim], ..self }
    }

    /// The same with cells beyond the ends of each axis.
    pub fn boundaries(self, boundaries: &[Boundary]) -> Halo {
        Halo { boundaries: boundaries.to_vec(), ..self }
    }

    /// The same with the value of cells beyond a [`Boundary::Constant`].
    pub fn fill<T: Element>(self, value: T) -> Halo {
        Halo { fill: Some(Arg::scalar(value)), ..self }
    }

    fn set(&self, options: &BuiltBlocks) -> Result<()> {
        let (low, high) = (self.low.extents()?, self.high.extents()?);
        let axes = low.len();
        for (what, count) in [("high", high.len()), ("boundaries", self.boundaries.len())] {
            if count != axes && (count != 0 || what == "high") {
                let message = format!("a halo of {} axes, and {} is of {}", axes, what, count);
                return Err(Error::new(Status::ARGUMENT, message));
            }
        }
        let codes: Vec<i32> = self.boundaries.iter().map(|boundary| boundary.code()).collect();
        let codes = if codes.is_empty() { ptr::null() } else { codes.as_ptr() };
        let (raw, low, high) = (options.as_ptr(), low.as_ptr(), high.as_ptr());
        check(unsafe { sys::gpuarr_blocked_options_set_halo(raw, axes as i32, low, high, codes) })?;
        match self.fill {
            Some(value) => check(unsafe { sys::gpuarr_blocked_options_set_fill(raw, value.raw()) }),
            None => Ok(()),
        }
    }
}

#[derive(Clone, Debug)]
enum Placement {
    Rule(i32),
    Owners(Vec<i32>),
}

/// How an array is divided into a grid of blocks, and which place has each. Blocks are numbered in
/// C order of their location in the grid.
///
/// ```
/// use gpuarr::{Blocks, Boundary, Halo, Shape};
/// let plain = Blocks::new([1000, 300]); // the first axis by the number of places
/// let grid = Blocks::new([1000, 300]).chunk([400, 100]); // 3 x 3, the last with 200 rows
/// let everywhere = Blocks::new(300).chunk(100).replicated();
/// let framed = grid.clone().halo(Halo::new([1, 1]).boundary(Boundary::Periodic));
/// let fortran = Blocks::new(Shape::column_major([1000, 300])).chunk([400, 100]).cyclic();
/// ```
#[derive(Clone, Debug)]
pub struct Blocks {
    shape: Option<Shape>,
    chunk: Option<Shape>,
    placement: Option<Placement>,
    halo: Option<Halo>,
}

impl Blocks {
    /// An array of a shape; its first axis is divided by the number of places. Elements of a block
    /// lie in the shape's order.
    pub fn new(shape: impl Into<Shape>) -> Blocks {
        Blocks { shape: Some(shape.into()), chunk: None, placement: None, halo: None }
    }

    /// An array of a file's shape, for [`Team::load`]: blocks are the chunks of a Zarr array, and
    /// of others the first axis is divided. Elements of a block lie in the file's order, or in C
    /// order where placement or ghost cells are said.
    pub fn of_file() -> Blocks {
        Blocks { shape: None, chunk: None, placement: None, halo: None }
    }

    /// The same in blocks of a shape, of which the last ones of an axis may be smaller.
    pub fn chunk(self, shape: impl Into<Shape>) -> Blocks {
        Blocks { chunk: Some(shape.into()), ..self }
    }

    /// The same with block k on place k modulo the number of places; unless said, places have
    /// equally long runs of blocks.
    pub fn cyclic(self) -> Blocks {
        self.placed(Placement::Rule(sys::GPUARR_PLACEMENT_CYCLIC))
    }

    /// The same with all blocks on every place, which keep them equal.
    pub fn replicated(self) -> Blocks {
        self.placed(Placement::Rule(sys::GPUARR_PLACEMENT_REPLICATED))
    }

    /// The same with a place for each block.
    pub fn owners(self, places: &[i32]) -> Blocks {
        self.placed(Placement::Owners(places.to_vec()))
    }

    /// The same with ghost cells.
    pub fn halo(self, halo: Halo) -> Blocks {
        Blocks { halo: Some(halo), ..self }
    }

    fn placed(self, placement: Placement) -> Blocks {
        Blocks { placement: Some(placement), ..self }
    }

    /// Extents of the whole, if they are given.
    pub(crate) fn extents(&self) -> Result<Option<&[i64]>> {
        self.shape.as_ref().map(Shape::extents).transpose()
    }

    fn shape(&self) -> Result<&Shape> {
        self.shape.as_ref().ok_or_else(|| {
            let message = "these blocks have the shape of a file; give one, by Blocks::new";
            Error::new(Status::ARGUMENT, message)
        })
    }

    /// Extents of a block, if they are given.
    pub(crate) fn chunk_extents(&self) -> Result<Option<&[i64]>> {
        self.chunk.as_ref().map(Shape::extents).transpose()
    }

    /// Extents of the whole, and C's of a block; null for none.
    pub(crate) fn parts(&self) -> Result<(&[i64], *const i64)> {
        let (extents, chunk) = (self.shape()?.extents()?, self.chunk_extents()?);
        if let Some(chunk) = chunk.filter(|chunk| chunk.len() != extents.len()) {
            let message = format!("the shape is {:?} and the chunk {:?}", extents, chunk);
            return Err(Error::new(Status::SHAPE, message + "; give as many extents"));
        }
        Ok((extents, chunk.map_or(ptr::null(), <[i64]>::as_ptr)))
    }

    /// As `build`, of what is loaded; none where all is as in the file.
    pub(crate) fn build_for_file(&self) -> Result<Option<BuiltBlocks>> {
        match (&self.shape, &self.placement, &self.halo) {
            (None, None, None) => Ok(None),
            _ => self.build().map(Some),
        }
    }

    /// C's options, for as long as they are needed.
    fn build(&self) -> Result<BuiltBlocks> {
        let built = BuiltBlocks::new()?;
        if let Some(halo) = &self.halo {
            halo.set(&built)?;
        }
        let raw = built.as_ptr();
        check(match &self.placement {
            None => sys::GPUARR_OK,
            Some(Placement::Rule(rule)) => unsafe {
                sys::gpuarr_blocked_options_set_placement(raw, *rule)
            },
            Some(Placement::Owners(places)) => unsafe {
                sys::gpuarr_blocked_options_set_owners(raw, places.as_ptr(), places.len() as i64)
            },
        })?;
        let order = self.shape.as_ref().map_or(Order::C, Shape::order);
        let order = if order == Order::F { Order::F } else { Order::C };
        check(unsafe { sys::gpuarr_blocked_options_set_order(raw, order.code()) })?;
        Ok(built)
    }
}

/// C's options; they end with this.
pub(crate) struct BuiltBlocks {
    raw: NonNull<sys::gpuarr_blocked_options>,
}

impl BuiltBlocks {
    fn new() -> Result<BuiltBlocks> {
        object(|out| unsafe { sys::gpuarr_blocked_options_create(out) })
            .map(|raw| BuiltBlocks { raw })
    }

    pub(crate) fn as_ptr(&self) -> *mut sys::gpuarr_blocked_options {
        self.raw.as_ptr()
    }
}

impl Drop for BuiltBlocks {
    fn drop(&mut self) {
        unsafe { sys::gpuarr_blocked_options_release(self.as_ptr()) }
    }
}

/// Blocked arrays. All of these are collective, and fail with `SHAPE`, `ARGUMENT`,
/// `OUT_OF_MEMORY`, `PEER`, `TIMEOUT` or `MISMATCH`.
impl Team {
    /// An array whose elements are whatever was in memory.
    ///
    /// # Errors
    /// As all of these.
    pub fn empty<T: Element>(&self, blocks: &Blocks) -> Result<Blocked<T>> {
        Ok(self.empty_of(T::DTYPE, blocks)?.typed())
    }

    /// As [`Team::empty`], of a type that is known when the program runs.
    ///
    /// # Errors
    /// As all of these, and `DTYPE`.
    pub fn empty_of(&self, dtype: DType, blocks: &Blocks) -> Result<AnyBlocked> {
        let (extents, chunk) = blocks.parts()?;
        let options = blocks.build()?;
        let (team, ndim) = (self.as_ptr(), extents.len() as i32);
        object(|out| unsafe {
            let (shape, options) = (extents.as_ptr(), options.as_ptr());
            sys::gpuarr_blocked_empty(out, team, dtype.code(), ndim, shape, chunk, options)
        })
        .map(Blocked::own)
    }

    /// An array whose elements all have one value.
    ///
    /// # Errors
    /// As all of these, and `DTYPE` for a value that the type cannot hold.
    pub fn full<T: Element>(&self, blocks: &Blocks, value: T) -> Result<Blocked<T>> {
        let mut blocked = self.empty(blocks)?;
        blocked.fill(value)?;
        Ok(blocked)
    }

    /// An array with start + step * k as its element k, in C order of the whole.
    ///
    /// # Errors
    /// As all of these, and `DTYPE` for complex numbers and bools.
    pub fn arange<T: Element>(
        &self,
        blocks: &Blocks,
        start: impl Into<Arg<'static>>,
        step: impl Into<Arg<'static>>,
    ) -> Result<Blocked<T>> {
        let mut blocked = self.empty(blocks)?;
        blocked.arange(start, step)?;
        Ok(blocked)
    }

    /// An array of elements that all processes have alike: as many as the shape says, in its order.
    ///
    /// # Errors
    /// As all of these, and `SHAPE` for another number of elements.
    pub fn array<T: Element>(&self, data: &[T], blocks: &Blocks) -> Result<Blocked<T>> {
        let shape = blocks.shape()?;
        check_count("data", data.len(), shape.extents()?)?;
        let blocked = self.empty(blocks)?;
        let strides = shape.strides();
        let strides = strides.as_ref().map_or(ptr::null(), |strides| strides.as_ptr());
        let (first, bytes) = (data.as_ptr().cast(), std::mem::size_of_val(data) as i64);
        let (raw, all) = (blocked.as_ptr(), ptr::null());
        check(unsafe { sys::gpuarr_blocked_write(raw, all, all, -1, first, bytes, strides) })?;
        Ok(blocked)
    }

    /// An array of what the places have already, without a copy: an array for each place of this
    /// process, its halo included. `grid` is the number of blocks along each axis, as many as there
    /// are places, and block k is on place k.
    ///
    /// # Errors
    /// As all of these, `SHAPE` for extents that make no grid, `DEVICE`.
    pub fn adopt<T: Element>(
        &self,
        arrays: &[Array<T>],
        grid: impl Into<Shape>,
        halo: Option<&Halo>,
    ) -> Result<Blocked<T>> {
        let grid = grid.into();
        let grid = grid.extents()?;
        if let Some(array) = arrays.iter().find(|array| array.ndim() != grid.len()) {
            let message = format!("the grid is {:?}, and an array {:?}", grid, array.shape());
            return Err(Error::new(Status::SHAPE, message + "; give as many axes"));
        }
        let options = BuiltBlocks::new()?;
        if let Some(halo) = halo {
            halo.set(&options)?;
        }
        let list: Vec<_> = arrays.iter().map(Array::as_ptr).collect();
        let (team, count) = (self.as_ptr(), list.len() as i32);
        object(|out| unsafe {
            let (list, grid, options) = (list.as_ptr(), grid.as_ptr(), options.as_ptr());
            sys::gpuarr_blocked_from_local(out, team, list, count, grid, options)
        })
        .map(Blocked::own)
    }
}
