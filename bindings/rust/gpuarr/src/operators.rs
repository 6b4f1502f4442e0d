//! Operators, which give expressions.
use std::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, DivAssign,
    Mul, MulAssign, Neg, Not, Rem, RemAssign, Shl, ShlAssign, Shr, ShrAssign, Sub, SubAssign,
};

use crate::array::Array;
use crate::element::Content;
use crate::evaluate::Formula;
use crate::expr::Expr;
use crate::node::{name, Node};
use crate::promote::Operand;

macro_rules! on_formulas {
    ($($type:ty),*: $trait:ident $method:ident = $function:ident -> $result:ty) => {$(
        impl<T: Content, R: Operand<T>> $trait<R> for $type {
            type Output = Expr<$result>;

            #[inline]
            #[track_caller]
            fn $method(self, y: R) -> Self::Output {
                Expr::of(Node::apply(name!($function), [self.node(), y.operand()]))
            }
        }
    )*};
}

macro_rules! operators {
    ($($trait:ident $method:ident, $assign:ident $assigned:ident = $function:ident -> $result:ty;)*)
    => {$(
        on_formulas! {
            Array<T>, &Array<T>, Expr<T>, &Expr<T>: $trait $method = $function -> $result
        }

        /// The name stands for another expression then; arrays stay as they are.
        impl<T: Content, R> $assign<R> for Expr<T>
        where
            for<'a> &'a Expr<T>: $trait<R, Output = Expr<T>>,
        {
            #[track_caller]
            fn $assigned(&mut self, y: R) {
                *self = $trait::$method(&*self, y);
            }
        }
    )*};
}

operators! {
    Add add, AddAssign add_assign = add -> R::Joined;
    Sub sub, SubAssign sub_assign = subtract -> R::Joined;
    Mul mul, MulAssign mul_assign = multiply -> R::Joined;
    Div div, DivAssign div_assign = divide -> <R::Joined as Content>::Mean;
    Rem rem, RemAssign rem_assign = fmod -> <R::Joined as Content>::Number;
    BitAnd bitand, BitAndAssign bitand_assign = bitwise_and -> R::Joined;
    BitOr bitor, BitOrAssign bitor_assign = bitwise_or -> R::Joined;
    BitXor bitxor, BitXorAssign bitxor_assign = bitwise_xor -> R::Joined;
    Shl shl, ShlAssign shl_assign = left_shift -> <R::Joined as Content>::Number;
    Shr shr, ShrAssign shr_assign = right_shift -> <R::Joined as Content>::Number;
}

macro_rules! result {
    (Joined $scalar:ty) => {
        <$scalar as Operand<T>>::Joined
    };
    ($result:ident $scalar:ty) => {
        <<$scalar as Operand<T>>::Joined as Content>::$result
    };
}

/// Scalars on the left, for which the traits of others allow no generic type.
macro_rules! on_the_left {
    ($($type:ty),*: $scalar:ty: $trait:ident $method:ident = $function:ident -> $result:ident)
    => {$(
        impl<T: Content> $trait<$type> for $scalar
        where
            $scalar: Operand<T>,
        {
            type Output = Expr<result!($result $scalar)>;

            #[inline]
            #[track_caller]
            fn $method(self, y: $type) -> Self::Output {
                Expr::of(Node::apply(name!($function), [Operand::<T>::operand(self), y.node()]))
            }
        }
    )*};
}

macro_rules! each_on_the_left {
    ($scalar:ty: ($($trait:ident $method:ident = $function:ident -> $result:ident;)*)) => {$(
        on_the_left! {
            Array<T>, &Array<T>, Expr<T>, &Expr<T>:
            $scalar: $trait $method = $function -> $result
        }
    )*};
}

macro_rules! scalars {
    ($($scalar:ty)*: $operators:tt) => {
        $(each_on_the_left! { $scalar: $operators })*
    };
}

macro_rules! numbers {
    ($($scalar:ty)*) => {
        scalars! { $($scalar)*: (
            Add add = add -> Joined;
            Sub sub = subtract -> Joined;
            Mul mul = multiply -> Joined;
            Div div = divide -> Mean;
            Rem rem = fmod -> Number;
        ) }
    };
}

numbers! { i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 }
#[cfg(feature = "half")]
numbers! { half::f16 half::bf16 }
#[cfg(feature = "num-complex")]
numbers! { num_complex::Complex<f32> num_complex::Complex<f64> }

scalars! { bool i8 i16 i32 i64 u8 u16 u32 u64: (
    BitAnd bitand = bitwise_and -> Joined;
    BitOr bitor = bitwise_or -> Joined;
    BitXor bitxor = bitwise_xor -> Joined;
) }
scalars! { i8 i16 i32 i64 u8 u16 u32 u64: (
    Shl shl = left_shift -> Number;
    Shr shr = right_shift -> Number;
) }

macro_rules! signs {
    ($($type:ty),*) => {$(
        impl<T: Content> Neg for $type {
            type Output = Expr<T>;

            #[inline]
            #[track_caller]
            fn neg(self) -> Expr<T> {
                Expr::of(Node::apply(name!(negative), [self.node()]))
            }
        }

        impl<T: Content> Not for $type {
            type Output = Expr<T>;

            #[inline]
            #[track_caller]
            fn not(self) -> Expr<T> {
                Expr::of(Node::apply(name!(invert), [self.node()]))
            }
        }
    )*};
}

signs! { Array<T>, &Array<T>, Expr<T>, &Expr<T> }
