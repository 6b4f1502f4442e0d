//! Random numbers, the same on every device.
use std::ptr;

use gpuarr_sys as sys;

use crate::arg::Arg;
use crate::array::Array;
use crate::blocked::Blocked;
use crate::device::Device;
use crate::element::{Content, Element};
use crate::error::{check, number, object, Result};
use crate::handle::{handle, shared_handle};
use crate::node::name;
use crate::outputs::Results;
use crate::shape::Shape;

handle!(
    /// A source of random numbers: a seed, a stream and a position in it. They are those of Philox
    /// 4x32-10: element `k` of a draw, in C order, depends on these and on `k` alone, and has the
    /// same bits on a GPU and on the CPU.
    ///
    /// A draw moves the position on by the steps of 128 bits that it takes. Clones are the same
    /// generator. Several threads may draw from one: no step is used twice, and which thread gets
    /// which is not reproducible; give each a stream of its own to repeat them.
    Generator,
    gpuarr_generator,
    gpuarr_generator_release
);
shared_handle!(Generator, gpuarr_generator_retain);

// random.h: "Several threads may draw from one generator", and every function is "@threadsafe".
unsafe impl Send for Generator {}
unsafe impl Sync for Generator {}

/// An unpredictable seed from the system.
///
/// # Errors
/// `IO`.
pub fn seed() -> Result<u64> {
    number(|out| unsafe { sys::gpuarr_random_seed(out) })
}

impl Generator {
    /// A generator of arrays on a device, at the beginning of a seed's stream 0.
    ///
    /// # Errors
    /// None that is known.
    pub fn new(device: Device, seed: u64) -> Result<Generator> {
        Self::with_stream(device, seed, 0)
    }

    /// A generator at the beginning of one of a seed's streams, which have no number in common but
    /// by chance.
    ///
    /// # Errors
    /// `ARGUMENT` for a stream of 2^48 or more.
    pub fn with_stream(device: Device, seed: u64, stream: u64) -> Result<Generator> {
        object(|out| unsafe { sys::gpuarr_generator_create(out, device.as_ptr(), seed, stream) })
            .map(Generator::own)
    }

    /// The seed that it was made with.
    pub fn seed(&self) -> u64 {
        unsafe { sys::gpuarr_generator_seed(self.as_ptr()) }
    }

    /// The stream that it was made with.
    pub fn stream(&self) -> u64 {
        unsafe { sys::gpuarr_generator_stream(self.as_ptr()) }
    }

    /// Where the next draw begins, in steps of 128 bits.
    pub fn position(&self) -> u64 {
        unsafe { sys::gpuarr_generator_position(self.as_ptr()) }
    }

    /// Lets the next draw begin elsewhere.
    ///
    /// # Errors
    /// None that is known.
    pub fn set_position(&self, position: u64) -> Result<()> {
        check(unsafe { sys::gpuarr_generator_set_position(self.as_ptr(), position) })
    }

    /// Skips steps.
    ///
    /// # Errors
    /// `ARGUMENT` where the position would pass 2^64.
    pub fn advance(&self, steps: u64) -> Result<()> {
        check(unsafe { sys::gpuarr_generator_advance(self.as_ptr(), steps) })
    }
}

/// What C wants to know of an array that a draw makes; of one that is given, nothing.
type Wanted = (i32, *const i64);
const GIVEN: Wanted = (0, ptr::null());

/// A draw that makes its array.
fn made<T: Content>(
    shape: impl Into<Shape>,
    draw: impl FnOnce(*mut *mut sys::gpuarr_array, Wanted) -> i32,
) -> Result<Array<T>> {
    let shape = shape.into();
    let extents = shape.extents()?;
    Results::make(|out, _| draw(out, (extents.len() as i32, extents.as_ptr())))
}

/// The dtype that a draw makes.
fn dtype<T: Content>() -> i32 {
    T::WANTED.map_or(0, |dtype| dtype.code())
}

mod private {
    pub trait Sealed {}
}

/// What draws fill with numbers of a type: an [`Array`], or a [`Blocked`] array, which gets those
/// of an undivided one, at any number of places and in any grid. The latter is a collective call,
/// in which nothing is sent; parameters are scalars then, and every process has a generator of its
/// own, of the same seed and position.
///
/// ```
/// use gpuarr::{random::Generator, Array, Blocks, Device, Team};
/// # fn main() -> gpuarr::Result<()> {
/// let seeded = || Generator::new(Device::default()?, 42);
/// let mut x = Team::world(None)?.empty::<f32>(&Blocks::new([100, 3]).chunk([30, 3]))?;
/// seeded()?.fill_normal(&mut x, 0, 1)?;
/// let whole: Array<f32> = seeded()?.normal(0, 1, [100, 3])?;
/// assert_eq!(x.to_vec()?, whole.to_vec()?);
/// # Ok(())
/// # }
/// ```
pub trait Filled<T>: private::Sealed {
    /// Draws by C's function for arrays, or by its name.
    #[doc(hidden)]
    fn draw(
        &mut self,
        from: &Generator,
        name: &'static str,
        parameters: &[Arg<'_>],
        function: impl FnOnce(*mut *mut sys::gpuarr_array) -> i32,
    ) -> Result<()>;
}

impl<T> private::Sealed for Array<T> {}
impl<T> Filled<T> for Array<T> {
    fn draw(
        &mut self,
        _: &Generator,
        _: &'static str,
        _: &[Arg<'_>],
        function: impl FnOnce(*mut *mut sys::gpuarr_array) -> i32,
    ) -> Result<()> {
        check(function(&mut self.as_ptr()))
    }
}

impl<T> private::Sealed for Blocked<T> {}
impl<T> Filled<T> for Blocked<T> {
    fn draw(
        &mut self,
        from: &Generator,
        name: &'static str,
        parameters: &[Arg<'_>],
        _: impl FnOnce(*mut *mut sys::gpuarr_array) -> i32,
    ) -> Result<()> {
        let ((list, count), name) = (Arg::list(parameters), name.as_ptr().cast());
        check(unsafe {
            sys::gpuarr_blocked_random(self.as_ptr(), from.as_ptr(), name, list, count)
        })
    }
}

macro_rules! draws {
    ($($name:ident $fill:ident<$($type:ident)?> = $function:ident($($of:ident),* $(; $dtype:expr)?)
       -> $result:ty, $meaning:literal;)*) => {
        /// Draws of numbers into new arrays of a shape, or into given ones. Parameters are scalars,
        /// or arrays that broadcast to the shape. They work in the thread's current stream, and
        /// fail with `ARGUMENT` (a scalar out of range), `DTYPE`, `SHAPE`, `BROADCAST`, `DEVICE`,
        /// `OUT_OF_MEMORY`, `DRIVER`, and compile errors.
        impl Generator {
            $(#[doc = $meaning]
            ///
            /// # Errors
            /// As all of these.
            pub fn $name<'a, $($type: Element)?>(
                &self,
                $($of: impl Into<Arg<'a>>,)*
                shape: impl Into<Shape>,
            ) -> Result<Array<$result>> {
                $(let $of = $of.into().raw();)*
                let (generator, stream) = (self.as_ptr(), ptr::null_mut());
                made(shape, |out, (ndim, shape)| unsafe {
                    sys::$function(out, generator, $($of,)* $($dtype,)? ndim, shape, stream)
                })
            }

            #[doc = concat!("As [`Generator::", stringify!($name), "`], into a given array, or a \
                blocked one: see [`Filled`].")]
            ///
            /// # Errors
            /// As all of these.
            pub fn $fill<'a, $($type: Content)?>(
                &self,
                out: &mut impl Filled<$result>,
                $($of: impl Into<Arg<'a>>),*
            ) -> Result<()> {
                $(let $of = $of.into();)*
                let (generator, stream, (ndim, shape)) = (self.as_ptr(), ptr::null_mut(), GIVEN);
                out.draw(self, name!($name), &[$($of),*], |out| unsafe {
                    $(let $of = $of.raw();)*
                    sys::$function(out, generator, $($of,)* $($dtype,)? ndim, shape, stream)
                })
            })*
        }
    };
}

draws! {
    uniform fill_uniform<T> = gpuarr_random_uniform(low, high; dtype::<T>()) -> T,
        "Real numbers from `low` to below `high`, each part as often as any other of its length.";
    normal fill_normal<T> = gpuarr_random_normal(mean, std; dtype::<T>()) -> T,
        "Normal numbers with a mean and a standard deviation.";
    lognormal fill_lognormal<T> = gpuarr_random_lognormal(mean, std; dtype::<T>()) -> T,
        "Numbers whose logarithm is normal, with this mean and standard deviation.";
    exponential fill_exponential<T> = gpuarr_random_exponential(scale; dtype::<T>()) -> T,
        "Exponential numbers, with their mean.";
    gamma fill_gamma<T> = gpuarr_random_gamma(k, scale; dtype::<T>()) -> T,
        "Gamma-distributed numbers, with their shape and what they are multiplied with.";
    integers fill_integers<T> = gpuarr_random_integers(low, high; dtype::<T>()) -> T,
        "Whole numbers from `low` to below `high`, each as often as any other.";
    poisson fill_poisson<> = gpuarr_random_poisson(mean) -> i64,
        "Poisson-distributed numbers, with their mean.";
    binomial fill_binomial<> = gpuarr_random_binomial(trials, p) -> i64,
        "How many of so many trials succeed, each as likely as `p`.";
    bernoulli fill_bernoulli<> = gpuarr_random_bernoulli(p) -> bool,
        "Bools, each true as likely as `p`.";
}

/// Random orders, and choices. They fail as the draws above do.
impl Generator {
    /// The numbers from 0 to `n - 1` in a random order.
    ///
    /// # Errors
    /// As all of these.
    pub fn permutation(&self, n: i64) -> Result<Array<i64>> {
        Results::make(|out, _| unsafe {
            sys::gpuarr_random_permutation(out, self.as_ptr(), n, ptr::null_mut())
        })
    }

    /// What an array has along an axis, such as its rows, in a random order.
    ///
    /// # Errors
    /// As all of these, and `AXIS`.
    pub fn shuffle<T: Content>(&self, x: &Array<T>, axis: i32) -> Result<Array<T>> {
        Results::make(|out, _| unsafe {
            sys::gpuarr_random_shuffle(out, self.as_ptr(), x.as_ptr(), axis, ptr::null_mut())
        })
    }

    /// As [`Generator::shuffle`], in the array itself.
    ///
    /// # Errors
    /// As [`Generator::shuffle`].
    pub fn shuffle_in_place<T>(&self, x: &mut Array<T>, axis: i32) -> Result<()> {
        let (generator, array) = (self.as_ptr(), x.as_ptr());
        check(unsafe {
            let out = &mut x.as_ptr();
            sys::gpuarr_random_shuffle(out, generator, array, axis, ptr::null_mut())
        })
    }

    fn chosen(
        &self,
        n: i64,
        weights: *mut sys::gpuarr_array,
        again: bool,
        shape: impl Into<Shape>,
    ) -> Result<Array<i64>> {
        let (generator, again, stream) = (self.as_ptr(), again as i32, ptr::null_mut());
        made(shape, |out, (ndim, shape)| unsafe {
            sys::gpuarr_random_choice(out, generator, n, weights, again, ndim, shape, stream)
        })
    }

    /// Numbers from 0 to `n - 1`, which may be chosen `again` or must all be different: indices of
    /// things to be taken.
    ///
    /// # Errors
    /// As all of these; `EMPTY` of nothing, `ARGUMENT` for more different ones than there are.
    pub fn choice(&self, n: i64, again: bool, shape: impl Into<Shape>) -> Result<Array<i64>> {
        self.chosen(n, ptr::null_mut(), again, shape)
    }

    /// Indices of weights, each as likely as its weight, which need not add up to 1. It waits for
    /// their sum.
    ///
    /// # Errors
    /// As [`Generator::choice`]; `UNSUPPORTED` in a stream that is captured.
    pub fn weighted_choice<T>(
        &self,
        weights: &Array<T>,
        again: bool,
        shape: impl Into<Shape>,
    ) -> Result<Array<i64>> {
        self.chosen(weights.len() as i64, weights.as_ptr(), again, shape)
    }
}
