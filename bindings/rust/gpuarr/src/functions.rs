//! Functions that are computed element by element.
use std::ptr;

use gpuarr_sys as sys;

use crate::arg::Arg;
use crate::array::Array;
use crate::element::Content;
use crate::error::{number, Result};
use crate::outputs::Results;
use crate::promote::{Join, Operand};

/// What a function of one array is in C.
type Unary = unsafe extern "C" fn(
    *mut *mut sys::gpuarr_array,
    *const sys::gpuarr_array,
    *mut sys::gpuarr_stream,
) -> i32;

/// One of two arguments.
pub(crate) type Binary = unsafe extern "C" fn(
    *mut *mut sys::gpuarr_array,
    sys::gpuarr_arg,
    sys::gpuarr_arg,
    *mut sys::gpuarr_stream,
) -> i32;

/// Two results of one type.
type Both<T> = (Array<T>, Array<T>);

/// Calls a function of two arguments, of which one is an array.
pub(crate) fn binary<R: Content>(function: Binary, x: Arg<'_>, y: Arg<'_>) -> Result<Array<R>> {
    Results::make(|out, _| unsafe { function(out, x.raw(), y.raw(), ptr::null_mut()) })
}

/// One after the other, for functions with two results.
pub(crate) fn two<T>(out: *mut *mut T) -> (*mut *mut T, *mut *mut T) {
    // There is room for both, and nothing is read.
    (out, out.wrapping_add(1))
}

macro_rules! unary {
    ($($name:ident = $function:ident -> $result:ty, $meaning:literal;)*) => {
        /// Functions of each element. They make an array in the memory order of this one, in the
        /// thread's current stream, and compile when first called with a dtype and a kind of
        /// layout. Names are those of `f64`'s own methods where it has one that means the same. All
        /// fail with `OUT_OF_MEMORY`, `DRIVER` and what compiling may give, and with `DTYPE` for
        /// types that they do not take. [`Function`](crate::Function) writes to given arrays, under
        /// a mask, in other streams.
        impl<T: Content> Array<T> {
            $(#[doc = $meaning]
            ///
            /// # Errors
            /// As all of these.
            pub fn $name(&self) -> Result<Array<$result>> {
                self.unary(sys::$function)
            })*
        }
    };
}

unary! {
    negative = gpuarr_negative -> T, "`-x`, not of bools. Unsigned integers wrap around.";
    positive = gpuarr_positive -> T, "`x` itself, not of bools.";
    abs = gpuarr_abs -> T::Part, "Absolute values.";
    sign = gpuarr_sign -> T, "-1, 0 or 1; of a complex number `x / abs(x)`. Not of bools.";
    square = gpuarr_square -> T::Number, "`x * x`.";
    recip = gpuarr_reciprocal -> T::Number, "`1 / x`; of integers 0 but for 1 and -1.";
    rint = gpuarr_rint -> T::Float, "The nearest whole number, of two the even one.";
    floor = gpuarr_floor -> T, "The largest whole number up to `x`. No complex numbers.";
    ceil = gpuarr_ceil -> T, "The smallest whole number from `x` on. No complex numbers.";
    trunc = gpuarr_trunc -> T, "`x` without what is behind the point. No complex numbers.";
    real = gpuarr_real -> T::Part, "Real parts.";
    imag = gpuarr_imag -> T::Part, "Imaginary parts; 0 of real numbers.";
    conj = gpuarr_conj -> T::Number, "Complex conjugates.";
    angle = gpuarr_angle -> <T::Float as Content>::Part, "Angles of complex numbers in radians.";
    exp = gpuarr_exp -> T::Float, "e to the power of `x`.";
    exp2 = gpuarr_exp2 -> T::Float, "2 to the power of `x`.";
    exp_m1 = gpuarr_expm1 -> T::Float, "`exp(x) - 1`, exact near 0.";
    ln = gpuarr_log -> T::Float, "Natural logarithms; NaN of negative real numbers.";
    log2 = gpuarr_log2 -> T::Float, "Logarithms to base 2.";
    log10 = gpuarr_log10 -> T::Float, "Logarithms to base 10.";
    ln_1p = gpuarr_log1p -> T::Float, "`ln(1 + x)`, exact near 0.";
    sin = gpuarr_sin -> T::Float, "Sines of radians.";
    cos = gpuarr_cos -> T::Float, "Cosines of radians.";
    tan = gpuarr_tan -> T::Float, "Tangents of radians.";
    asin = gpuarr_arcsin -> T::Float, "Angles whose sine is `x`.";
    acos = gpuarr_arccos -> T::Float, "Angles whose cosine is `x`.";
    atan = gpuarr_arctan -> T::Float, "Angles whose tangent is `x`.";
    sinh = gpuarr_sinh -> T::Float, "Hyperbolic sines.";
    cosh = gpuarr_cosh -> T::Float, "Hyperbolic cosines.";
    tanh = gpuarr_tanh -> T::Float, "Hyperbolic tangents.";
    asinh = gpuarr_arcsinh -> T::Float, "The inverse of `sinh`.";
    acosh = gpuarr_arccosh -> T::Float, "The inverse of `cosh`.";
    atanh = gpuarr_arctanh -> T::Float, "The inverse of `tanh`.";
    to_radians = gpuarr_deg2rad -> T::Float, "Degrees as radians. No complex numbers.";
    to_degrees = gpuarr_rad2deg -> T::Float, "Radians as degrees. No complex numbers.";
    sqrt = gpuarr_sqrt -> T::Float, "Square roots; NaN of negative real numbers.";
    cbrt = gpuarr_cbrt -> T::Float, "Cube roots. No complex numbers.";
    rsqrt = gpuarr_rsqrt -> T::Float, "`1 / sqrt(x)`. No complex numbers.";
    erf = gpuarr_erf -> T::Float, "The error function. No complex numbers.";
    erfc = gpuarr_erfc -> T::Float, "`1 - erf(x)`, exact where that is small. No complex numbers.";
    gamma = gpuarr_gamma -> T::Float, "The gamma function. No complex numbers.";
    lgamma = gpuarr_lgamma -> T::Float, "Logarithms of the absolute value of the gamma function.";
    sinc = gpuarr_sinc -> T::Float, "`sin(pi x) / (pi x)`, which is 1 at 0.";
    is_nan = gpuarr_isnan -> bool, "Whether `x`, or a part of it, is NaN.";
    is_infinite = gpuarr_isinf -> bool, "Whether `x`, or a part of it, is infinite.";
    is_finite = gpuarr_isfinite -> bool, "Whether `x` is neither infinite nor NaN.";
    is_sign_negative = gpuarr_signbit -> bool, "Whether the sign is minus, also of 0 and NaN.";
    logical_not = gpuarr_logical_not -> bool, "Whether `x` is 0.";
    invert = gpuarr_invert -> T, "Bits that `x` has not, of integers; of bools, not.";
}

macro_rules! binary {
    ($($name:ident = $function:ident -> $result:ty, $meaning:literal;)*) => {
        /// Functions of this array's elements, `x`, and of another's or a scalar, `y`: see
        /// [`Operand`]. Shapes broadcast together by NumPy's rules. Of arrays of two types the
        /// smallest is computed in that holds both. All fail as the functions of one array do, and
        /// with `BROADCAST` and `DEVICE`.
        impl<T: Content> Array<T> {
            $(#[doc = $meaning]
            ///
            /// # Errors
            /// As all of these.
            pub fn $name<R: Operand<T>>(&self, y: R) -> Result<Array<$result>> {
                binary(sys::$function, Arg::from(self), y.arg())
            })*
        }
    };
}

binary! {
    add = gpuarr_add -> R::Joined, "`x + y`; for bools, whether one is true.";
    subtract = gpuarr_subtract -> R::Joined, "`x - y`, not of bools.";
    multiply = gpuarr_multiply -> R::Joined, "`x * y`; for bools, whether both are true.";
    divide = gpuarr_divide -> <R::Joined as Content>::Mean, "`x / y`, of whole numbers as `f64`.";
    floor_divide = gpuarr_floor_divide -> <R::Joined as Content>::Number, "`x / y` rounded down; \
        of integers 0 for a `y` of 0. No complex numbers.";
    remainder = gpuarr_remainder -> <R::Joined as Content>::Number, "What `floor_divide` leaves, \
        with the sign of `y`. No complex numbers.";
    fmod = gpuarr_fmod -> <R::Joined as Content>::Number, "What division cut at the point leaves, \
        with the sign of `x`, as Rust's `%`; of integers 0 for a `y` of 0. No complex numbers.";
    power = gpuarr_power -> <R::Joined as Content>::Number, "`x` to the power of `y`. Integers \
        give integers, for which a negative scalar is an error (`ARGUMENT`).";
    float_power = gpuarr_float_power -> <R::Joined as Content>::Double, "`x` to the power of `y` \
        in `f64`, or `Complex<f64>`.";
    maximum = gpuarr_maximum -> R::Joined, "The greater of two; NaN if one is.";
    minimum = gpuarr_minimum -> R::Joined, "The lesser of two; NaN if one is.";
    fmax = gpuarr_fmax -> R::Joined, "The greater of two; the number if one is NaN.";
    fmin = gpuarr_fmin -> R::Joined, "The lesser of two; the number if one is NaN.";
    gcd = gpuarr_gcd -> R::Joined, "Greatest common divisors, of integers.";
    lcm = gpuarr_lcm -> R::Joined, "Least common multiples, of integers.";
    complex = gpuarr_complex -> <R::Joined as Content>::Complex, "Complex numbers with real part \
        `x` and imaginary part `y`.";
    equal = gpuarr_equal -> bool, "Whether `x == y`.";
    not_equal = gpuarr_not_equal -> bool, "Whether `x != y`.";
    less = gpuarr_less -> bool, "Whether `x < y`. Complex numbers by parts.";
    less_equal = gpuarr_less_equal -> bool, "Whether `x <= y`. Complex numbers by parts.";
    greater = gpuarr_greater -> bool, "Whether `x > y`. Complex numbers by parts.";
    greater_equal = gpuarr_greater_equal -> bool, "Whether `x >= y`. Complex numbers by parts.";
    logical_and = gpuarr_logical_and -> bool, "Whether neither is 0; NaN is not 0.";
    logical_or = gpuarr_logical_or -> bool, "Whether one of two is not 0.";
    logical_xor = gpuarr_logical_xor -> bool, "Whether just one of two is not 0.";
    bitwise_and = gpuarr_bitwise_and -> R::Joined, "Bits that both have, of integers or bools.";
    bitwise_or = gpuarr_bitwise_or -> R::Joined, "Bits that one has, of integers or bools.";
    bitwise_xor = gpuarr_bitwise_xor -> R::Joined, "Bits that just one has, of integers or bools.";
    left_shift = gpuarr_left_shift -> <R::Joined as Content>::Number, "Bits moved `y` places up; 0 \
        for as many places as there are, or more.";
    right_shift = gpuarr_right_shift -> <R::Joined as Content>::Number, "Bits moved `y` places \
        down, filled up with the sign.";
    logaddexp = gpuarr_logaddexp -> <R::Joined as Content>::Float, "`ln(exp(x) + exp(y))` without \
        overflow on the way. No complex numbers.";
    logaddexp2 = gpuarr_logaddexp2 -> <R::Joined as Content>::Float, "`log2(exp2(x) + exp2(y))` \
        without overflow on the way. No complex numbers.";
    hypot = gpuarr_hypot -> <R::Joined as Content>::Float, "`sqrt(x * x + y * y)` without overflow \
        on the way. No complex numbers.";
    atan2 = gpuarr_arctan2 -> <R::Joined as Content>::Float, "Angles of the points whose first \
        coordinate is `y` and whose second is `x`: `f64::atan2`'s order. No complex numbers.";
    copysign = gpuarr_copysign -> <R::Joined as Content>::Float, "`x` with the sign of `y`.";
    nextafter = gpuarr_nextafter -> <R::Joined as Content>::Float, "The next float after `x` \
        towards `y`. No complex numbers.";
    heaviside = gpuarr_heaviside -> <R::Joined as Content>::Float, "0 where `x < 0`, `y` where it \
        is 0, else 1. No complex numbers.";
}

/// How far numbers may differ that count as close. `Tolerance::default()` is NumPy's: 1e-5 of the
/// second number, and 1e-8.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tolerance {
    /// As a part of the second number.
    pub relative: f64,
    /// In itself; the two add up.
    pub absolute: f64,
    /// Whether NaN is close to NaN.
    pub equal_nan: bool,
}

impl Default for Tolerance {
    fn default() -> Tolerance {
        Tolerance { relative: 1e-5, absolute: 1e-8, equal_nan: false }
    }
}

/// Functions with numbers of their own, or several results. They fail as those above do.
impl<T: Content> Array<T> {
    fn unary<R: Content>(&self, function: Unary) -> Result<Array<R>> {
        Results::make(|out, _| unsafe { function(out, self.as_ptr(), ptr::null_mut()) })
    }

    /// Rounds to places behind the point, halves to even; before it if there are fewer than none.
    ///
    /// # Errors
    /// As all of these.
    pub fn round(&self, decimals: i32) -> Result<Array<T>> {
        Results::make(|out, _| unsafe {
            sys::gpuarr_round(out, self.as_ptr(), decimals, ptr::null_mut())
        })
    }

    /// `x`, but at least `low`, and at most `high`, which wins. NaN stays, and a bound that is NaN
    /// makes one. For one bound there are [`Array::maximum`] and [`Array::minimum`].
    ///
    /// # Errors
    /// As all of these.
    pub fn clip<L, H>(&self, low: L, high: H) -> Result<Array<T>>
    where
        L: Operand<T, Joined = T>,
        H: Operand<T, Joined = T>,
    {
        let (low, high) = (low.arg().raw(), high.arg().raw());
        Results::make(|out, _| unsafe {
            sys::gpuarr_clip(out, self.as_ptr(), low, high, ptr::null_mut())
        })
    }

    /// `x * 2^exponent`. The exponents' type does not count.
    ///
    /// # Errors
    /// As all of these.
    pub fn ldexp<'a>(&self, exponent: impl Into<Arg<'a>>) -> Result<Array<T::Float>> {
        binary(sys::gpuarr_ldexp, Arg::from(self), exponent.into())
    }

    /// Mantissas from 0.5 to 1, with the sign of `x`, and exponents of 2. No complex numbers.
    ///
    /// # Errors
    /// As all of these.
    pub fn frexp(&self) -> Result<(Array<T::Float>, Array<i32>)> {
        Results::make(|out, _| {
            let (mantissa, exponent) = two(out);
            unsafe { sys::gpuarr_frexp(mantissa, exponent, self.as_ptr(), ptr::null_mut()) }
        })
    }

    /// What is behind the point, and what is before it, both with the sign of `x`. No complex
    /// numbers.
    ///
    /// # Errors
    /// As all of these.
    pub fn modf(&self) -> Result<Both<T::Float>> {
        Results::make(|out, _| {
            let (fraction, whole) = two(out);
            unsafe { sys::gpuarr_modf(fraction, whole, self.as_ptr(), ptr::null_mut()) }
        })
    }

    /// [`Array::floor_divide`] and [`Array::remainder`] in one pass.
    ///
    /// # Errors
    /// As all of these.
    pub fn divmod<R: Operand<T>>(&self, y: R) -> Result<Both<<R::Joined as Content>::Number>> {
        let (x, y) = (Arg::from(self).raw(), y.arg().raw());
        Results::make(|out, _| {
            let (quotient, remainder) = two(out);
            unsafe { sys::gpuarr_divmod(quotient, remainder, x, y, ptr::null_mut()) }
        })
    }

    /// Where this is not 0 elements of `x`, else of `y`, which may be a scalar.
    ///
    /// # Errors
    /// As all of these.
    pub fn where_<U: Content, R: Operand<U>>(
        &self,
        x: &Array<U>,
        y: R,
    ) -> Result<Array<R::Joined>> {
        let condition = Arg::from(self).raw();
        let (x, y) = (Arg::from(x).raw(), y.arg().raw());
        Results::make(|out, _| unsafe { sys::gpuarr_where(out, condition, x, y, ptr::null_mut()) })
    }

    /// Whether `x` is close to `y`: equal, or nearer than the tolerance.
    ///
    /// # Errors
    /// As all of these.
    pub fn isclose<R: Operand<T>>(&self, y: R, tolerance: Tolerance) -> Result<Array<bool>> {
        let (x, y) = (Arg::from(self).raw(), y.arg().raw());
        let Tolerance { relative, absolute, equal_nan } = tolerance;
        let (equal_nan, stream) = (equal_nan as i32, ptr::null_mut());
        Results::make(|out, _| unsafe {
            sys::gpuarr_isclose(out, x, y, relative, absolute, equal_nan, stream)
        })
    }

    /// Whether all elements are close to another array's. It waits.
    ///
    /// # Errors
    /// As all of these; `UNSUPPORTED` in a stream that is captured.
    pub fn allclose<U: Content>(&self, y: &Array<U>, tolerance: Tolerance) -> Result<bool>
    where
        T: Join<U>,
    {
        let Tolerance { relative, absolute, equal_nan } = tolerance;
        let (x, y, equal_nan) = (self.as_ptr(), y.as_ptr(), equal_nan as i32);
        number(|out| unsafe {
            sys::gpuarr_allclose(out, x, y, relative, absolute, equal_nan, ptr::null_mut())
        })
        .map(|close: i32| close != 0)
    }

    /// Whether another array has the same shape and equal elements. NaN equals nothing. It waits.
    ///
    /// # Errors
    /// As [`Array::allclose`].
    pub fn array_equal<U: Content>(&self, y: &Array<U>) -> Result<bool>
    where
        T: Join<U>,
    {
        let (x, y) = (self.as_ptr(), y.as_ptr());
        number(|out| unsafe { sys::gpuarr_array_equal(out, x, y, ptr::null_mut()) })
            .map(|equal: i32| equal != 0)
    }
}
