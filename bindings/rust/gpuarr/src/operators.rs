//! Operators of arrays, in place of methods that return an error: these panic.
use std::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, DivAssign,
    Mul, MulAssign, Neg, Not, Rem, RemAssign, Shl, ShlAssign, Shr, ShrAssign, Sub, SubAssign,
};
use std::ptr;

use gpuarr_sys as sys;

use crate::arg::Arg;
use crate::array::Array;
use crate::element::Content;
use crate::error::{check, Result};
use crate::functions::{binary, Binary};
use crate::promote::Operand;

/// What an operator gives, which has no way to return an error.
#[track_caller]
fn done<T>(result: Result<T>) -> T {
    result.unwrap_or_else(|error| panic!("{}", error))
}

/// Writes to an array that is an argument too.
fn in_place<T>(function: Binary, x: &mut Array<T>, y: Arg<'_>) -> Result<()> {
    let this = Arg::from(&*x).raw();
    check(unsafe { function(&mut x.as_ptr(), this, y.raw(), ptr::null_mut()) })
}

macro_rules! operators {
    ($($trait:ident $method:ident, $in_place:ident $assign:ident = $function:ident -> $result:ty,
       $named:literal;)*) => {$(
        #[doc = $named]
        impl<T: Content, R: Operand<T>> $trait<R> for &Array<T> {
            type Output = Array<$result>;

            #[track_caller]
            fn $method(self, y: R) -> Self::Output {
                done(binary(sys::$function, Arg::from(self), y.arg()))
            }
        }

        #[doc = $named]
        impl<T: Content, R: Operand<T>> $trait<R> for Array<T> {
            type Output = Array<$result>;

            #[track_caller]
            fn $method(self, y: R) -> Self::Output {
                done(binary(sys::$function, Arg::from(&self), y.arg()))
            }
        }

        #[doc = $named]
        /// It writes to this array's memory, in its type: one that the result does not become, as
        /// an integer of a float, is an error.
        impl<T: Content, R: Operand<T>> $in_place<R> for Array<T> {
            #[track_caller]
            fn $assign(&mut self, y: R) {
                done(in_place(sys::$function, self, y.arg()));
            }
        }
    )*};
}

operators! {
    Add add, AddAssign add_assign = gpuarr_add -> R::Joined, "[`Array::add`], which panics.";
    Sub sub, SubAssign sub_assign = gpuarr_subtract -> R::Joined,
        "[`Array::subtract`], which panics.";
    Mul mul, MulAssign mul_assign = gpuarr_multiply -> R::Joined,
        "[`Array::multiply`], which panics.";
    Div div, DivAssign div_assign = gpuarr_divide -> <R::Joined as Content>::Mean,
        "[`Array::divide`], which panics.";
    Rem rem, RemAssign rem_assign = gpuarr_fmod -> <R::Joined as Content>::Number,
        "[`Array::fmod`], which panics.";
    BitAnd bitand, BitAndAssign bitand_assign = gpuarr_bitwise_and -> R::Joined,
        "[`Array::bitwise_and`], which panics.";
    BitOr bitor, BitOrAssign bitor_assign = gpuarr_bitwise_or -> R::Joined,
        "[`Array::bitwise_or`], which panics.";
    BitXor bitxor, BitXorAssign bitxor_assign = gpuarr_bitwise_xor -> R::Joined,
        "[`Array::bitwise_xor`], which panics.";
    Shl shl, ShlAssign shl_assign = gpuarr_left_shift -> <R::Joined as Content>::Number,
        "[`Array::left_shift`], which panics.";
    Shr shr, ShrAssign shr_assign = gpuarr_right_shift -> <R::Joined as Content>::Number,
        "[`Array::right_shift`], which panics.";
}

/// Scalars on the left, for which the traits of others allow no generic type.
macro_rules! on_the_left {
    ($scalar:ty: ($($trait:ident $method:ident = $function:ident -> $result:ident;)*)) => {$(
        impl<T: Content> $trait<&Array<T>> for $scalar
        where
            $scalar: Operand<T>,
        {
            type Output = Array<result!($result $scalar)>;

            #[track_caller]
            fn $method(self, y: &Array<T>) -> Self::Output {
                done(binary(sys::$function, Arg::scalar(self), Arg::from(y)))
            }
        }

        impl<T: Content> $trait<Array<T>> for $scalar
        where
            $scalar: Operand<T>,
        {
            type Output = Array<result!($result $scalar)>;

            #[track_caller]
            fn $method(self, y: Array<T>) -> Self::Output {
                self.$method(&y)
            }
        }
    )*};
}

macro_rules! result {
    (Joined $scalar:ty) => {
        <$scalar as Operand<T>>::Joined
    };
    ($result:ident $scalar:ty) => {
        <<$scalar as Operand<T>>::Joined as Content>::$result
    };
}

macro_rules! scalars {
    ($($scalar:ty)*: $operators:tt) => {
        $(on_the_left! { $scalar: $operators })*
    };
}

macro_rules! numbers {
    ($($scalar:ty)*) => {
        scalars! { $($scalar)*: (
            Add add = gpuarr_add -> Joined;
            Sub sub = gpuarr_subtract -> Joined;
            Mul mul = gpuarr_multiply -> Joined;
            Div div = gpuarr_divide -> Mean;
            Rem rem = gpuarr_fmod -> Number;
        ) }
    };
}

numbers! { i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 }
#[cfg(feature = "half")]
numbers! { half::f16 half::bf16 }
#[cfg(feature = "num-complex")]
numbers! { num_complex::Complex<f32> num_complex::Complex<f64> }

scalars! { bool i8 i16 i32 i64 u8 u16 u32 u64: (
    BitAnd bitand = gpuarr_bitwise_and -> Joined;
    BitOr bitor = gpuarr_bitwise_or -> Joined;
    BitXor bitxor = gpuarr_bitwise_xor -> Joined;
) }
scalars! { i8 i16 i32 i64 u8 u16 u32 u64: (
    Shl shl = gpuarr_left_shift -> Number;
    Shr shr = gpuarr_right_shift -> Number;
) }

macro_rules! signs {
    ($($trait:ident $method:ident = $named:ident, $meaning:literal;)*) => {$(
        #[doc = $meaning]
        impl<T: Content> $trait for &Array<T> {
            type Output = Array<T>;

            #[track_caller]
            fn $method(self) -> Array<T> {
                done(self.$named())
            }
        }

        #[doc = $meaning]
        impl<T: Content> $trait for Array<T> {
            type Output = Array<T>;

            #[track_caller]
            fn $method(self) -> Array<T> {
                done(self.$named())
            }
        }
    )*};
}

signs! {
    Neg neg = negative, "[`Array::negative`], which panics.";
    Not not = invert, "[`Array::invert`], which panics.";
}
