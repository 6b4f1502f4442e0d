//! What generic kernels ask of their types.
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, Sub, SubAssign};

use crate::element::Element;

/// Integers and floats: arithmetic and comparison, in kernels over any of them. `min` and `max`
/// come with [`Float`] and with [`Ord`].
///
/// ```
/// use gpuarr::Number;
///
/// #[gpuarr::kernel]
/// fn scale<T: Number>(by: T, x: &mut [T]) {
///     let i = gpuarr::thread::index();
///     if i < x.len() {
///         x[i] = by * x[i] + T::of(20.0);
///     }
/// }
///
/// let mut x = [20u8, 30];
/// scale::on_host(2, 4, &mut x);
/// assert_eq!(x, [100, 140]);
/// ```
pub trait Number:
    Element
    + PartialOrd
    + Default
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
{
    /// A number as this type, converted as by `as`.
    fn of(value: f64) -> Self;
}

macro_rules! numbers {
    ($($type:ident)*) => {$(
        impl Number for $type {
            fn of(value: f64) -> $type {
                value as $type
            }
        }
    )*};
}

numbers! { i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 }

macro_rules! functions {
    ($($name:ident($($other:ident: $type:ty),*), $meaning:literal;)*) => {
        /// `f32` and `f64`, with their functions, in kernels over both.
        pub trait Float: Number + Neg<Output = Self> {
            $(#[doc = $meaning] fn $name(self $(, $other: $type)*) -> Self;)*
        }

        impl Float for f32 {
            $(fn $name(self $(, $other: $type)*) -> Self { f32::$name(self $(, $other)*) })*
        }

        impl Float for f64 {
            $(fn $name(self $(, $other: $type)*) -> Self { f64::$name(self $(, $other)*) })*
        }
    };
}

functions! {
    abs(), "The absolute value.";
    acos(), "The arccosine.";
    asin(), "The arcsine.";
    atan(), "The arctangent.";
    atan2(other: Self), "The angle of a point whose other coordinate is given.";
    cbrt(), "The cube root.";
    ceil(), "The next integer above.";
    cos(), "The cosine.";
    cosh(), "The hyperbolic cosine.";
    exp(), "e to this power.";
    exp_m1(), "e to this power, less 1.";
    floor(), "The next integer below.";
    hypot(other: Self), "The root of the sum of both squares.";
    ln(), "The natural logarithm.";
    ln_1p(), "The natural logarithm of this and 1.";
    log10(), "The logarithm to base 10.";
    log2(), "The logarithm to base 2.";
    max(other: Self), "The greater one, or the one that is no NaN.";
    min(other: Self), "The lesser one, or the one that is no NaN.";
    mul_add(by: Self, plus: Self), "A product and a sum, rounded once.";
    powf(power: Self), "This to a power.";
    powi(power: i32), "This to a whole power.";
    recip(), "1 divided by this.";
    round(), "The nearest integer, half away from 0.";
    sin(), "The sine.";
    sinh(), "The hyperbolic sine.";
    sqrt(), "The square root.";
    tan(), "The tangent.";
    tanh(), "The hyperbolic tangent.";
    trunc(), "Without what is behind the point.";
}
