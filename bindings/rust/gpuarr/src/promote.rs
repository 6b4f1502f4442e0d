//! What stands beside an array in an operation, and the type that the two are computed in.
use crate::array::Array;
use crate::element::{Any, Content, Element};
use crate::evaluate::Formula;
use crate::expr::Expr;
use crate::node::Node;

mod private {
    pub trait Sealed {}
}

/// Types of elements that an operation takes together: `Output` is the smallest that holds both, by
/// NumPy's rules, in which it computes.
pub trait Join<U: Content>: Content {
    /// The type that it computes in.
    type Output: Content;
}

impl<T: Content> Join<Any> for T {
    type Output = Any;
}

impl<T: Element> Join<T> for Any {
    type Output = Any;
}

/// `A and (B C) give D` is said once for both orders.
macro_rules! joins {
    ($($one:ident and ($($other:ident)*) give $result:ident;)*) => {$($(
        impl Join<$other> for $one {
            type Output = $result;
        }
        impl Join<$one> for $other {
            type Output = $result;
        }
    )*)*};
}

macro_rules! alone {
    ($($type:ident)*) => {$(
        impl Join<$type> for $type {
            type Output = $type;
        }
    )*};
}

alone! { bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 }

joins! {
    i8 and (bool) give i8;
    u8 and (bool) give u8;
    i16 and (bool i8 u8) give i16;
    u16 and (bool u8) give u16;
    i32 and (bool i8 i16 u8 u16) give i32;
    u32 and (bool u8 u16) give u32;
    i64 and (bool i8 i16 i32 u8 u16 u32) give i64;
    u64 and (bool u8 u16 u32) give u64;
    f32 and (bool i8 i16 u8 u16) give f32;
    f64 and (bool i8 i16 i32 i64 u8 u16 u32 u64 f32) give f64;
    u8 and (i8) give i16;
    u16 and (i8 i16) give i32;
    u32 and (i8 i16 i32) give i64;
    u64 and (i8 i16 i32 i64) give f64;
    f32 and (i32 i64 u32 u64) give f64;
}

#[cfg(feature = "half")]
mod halves {
    use super::Join;
    use half::{bf16, f16};

    alone! { f16 bf16 }
    joins! {
        f16 and (bool i8 u8) give f16;
        f16 and (i16 u16 f32 bf16) give f32;
        f16 and (i32 i64 u32 u64 f64) give f64;
        bf16 and (bool i8 u8) give bf16;
        bf16 and (i16 u16 f32) give f32;
        bf16 and (i32 i64 u32 u64 f64) give f64;
    }
}

#[cfg(feature = "num-complex")]
mod complexes {
    use super::Join;

    type C64 = num_complex::Complex<f32>;
    type C128 = num_complex::Complex<f64>;

    alone! { C64 C128 }
    joins! {
        C64 and (bool i8 i16 u8 u16 f32) give C64;
        C64 and (i32 i64 u32 u64 f64 C128) give C128;
        C128 and (bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64) give C128;
    }
    #[cfg(feature = "half")]
    use half::{bf16, f16};
    #[cfg(feature = "half")]
    joins! {
        C64 and (f16 bf16) give C64;
        C128 and (f16 bf16) give C128;
    }
}

/// What an operation of `T` takes beside it: an array or an expression, borrowed or not, or a
/// scalar. A scalar is a `T`, so that literals need no suffix; beside complex numbers also a real
/// one, beside 16-bit floats also an `f32`, and beside [`Any`] any. It does not change the type:
/// [`Expr::astype`] does.
pub trait Operand<T: Content>: private::Sealed {
    /// The type that the two are computed in.
    type Joined: Content;

    /// It as an expression.
    #[doc(hidden)]
    #[track_caller]
    fn operand(self) -> Node;
}

macro_rules! formulas {
    ($($type:ty)*) => {$(
        impl<U> private::Sealed for $type {}
        impl<T: Join<U>, U: Content> Operand<T> for $type {
            type Joined = T::Output;

            #[inline]
            #[track_caller]
            fn operand(self) -> Node {
                self.node()
            }
        }
    )*};
}

formulas! { Array<U> &Array<U> Expr<U> &Expr<U> }

macro_rules! scalar {
    (($($generic:tt)*) $scalar:ty, $array:ty) => {
        impl<$($generic)*> Operand<$array> for $scalar {
            type Joined = $array;

            #[inline]
            #[track_caller]
            fn operand(self) -> Node {
                Node::scalar(self)
            }
        }
    };
}

impl<T: Element> private::Sealed for T {}
scalar! { (T: Element) T, T }
scalar! { (T: Element) T, Any }

/// Scalars that are not of the array's type, which stays.
#[cfg(any(feature = "half", feature = "num-complex"))]
macro_rules! beside {
    ($($array:ty: $scalar:ty;)*) => {
        $(scalar! { () $scalar, $array })*
    };
}

#[cfg(feature = "half")]
beside! { half::f16: f32; half::bf16: f32; }
#[cfg(feature = "num-complex")]
beside! { num_complex::Complex<f32>: f32; num_complex::Complex<f64>: f64; }
