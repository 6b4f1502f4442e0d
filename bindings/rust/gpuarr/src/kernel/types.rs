//! Types that values in kernels have, and how rustc tells them.
use std::marker::PhantomData;

use super::writer::Writer;

/// What operators of a type are in C++.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[doc(hidden)]
pub enum Class {
    F32,
    F64,
    I32,
    I64,
    U32,
    U64,
    /// Integers of 8 and 16 bits, which C++ computes with as `int`.
    Small,
    Bool,
    /// Floats of 16 bits, which C++ computes with as `float`.
    Half,
    Complex,
    Other,
}

/// A type of values in kernels: numbers, arrays and tuples of such types, and structs with
/// `#[derive(gpuarr::Device)]`.
///
/// # Safety
/// The name is that of a type of C++ with the same values.
pub unsafe trait Value: Copy + 'static {
    #[doc(hidden)]
    const CLASS: Class;

    /// Its name in C++.
    #[doc(hidden)]
    fn name(to: &mut Writer) -> String;

    /// A constant in C++.
    #[doc(hidden)]
    fn literal(&self, to: &mut Writer) -> String;
}

/// Numbers and `bool`: the types that have operators in kernels. Those of your own types are
/// functions with `#[gpuarr::device]` there.
///
/// # Safety
/// `CLASS` says which operators C++ has.
pub unsafe trait Scalar: Value {}

/// A type as the text needs it.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Type {
    pub(super) name: String,
    pub(super) class: Class,
}

/// A type that rustc is to tell, in code that it compiles and nobody runs.
#[derive(Debug)]
#[doc(hidden)]
pub struct Slot<T>(PhantomData<fn(&T)>);

impl<T> Copy for Slot<T> {}
impl<T> Clone for Slot<T> {
    fn clone(&self) -> Self {
        *self
    }
}

#[doc(hidden)]
impl<T> Slot<T> {
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Slot<T> {
        Slot(PhantomData)
    }

    pub fn of(&self, _: &T) {}

    pub fn see(&self, value: T) -> T {
        value
    }

    pub fn is(&self, _: PhantomData<T>) {}
}

/// A variable in shared memory, where rustc wants a value: kernels that have one run on devices
/// only.
#[doc(hidden)]
pub fn shared<T>() -> T {
    panic!("shared memory is there in kernels on a device only")
}

/// A number as a literal: the least ones of signed types have none, and small types take a cast.
pub(super) fn number(name: &str, class: Class, digits: &str) -> String {
    match (class, digits) {
        (Class::F32, digits) => format!("{}f", single(digits)),
        (Class::F64, digits) => with_point(digits),
        (Class::I32, "-2147483648") => "(-2147483647 - 1)".into(),
        (Class::I64, "-9223372036854775808") => "(-9223372036854775807ll - 1)".into(),
        (Class::I64, digits) => format!("{}ll", digits),
        (Class::U32, digits) => format!("{}u", digits),
        (Class::U64, digits) => format!("{}ull", digits),
        (Class::Small | Class::Half, digits) => format!("({}){}", name, digits),
        (_, digits) => digits.into(),
    }
}

/// NVRTC rounds some numbers of many digits to the wrong neighbour, 16777217.0f for one.
fn single(digits: &str) -> String {
    let many = digits.bytes().filter(u8::is_ascii_digit).count() > 7;
    match digits.parse::<f32>() {
        Ok(number) if many && number.is_finite() => format!("{:?}", number),
        _ => with_point(digits),
    }
}

fn with_point(digits: &str) -> String {
    match digits.contains(['.', 'e', 'E']) {
        true => digits.into(),
        false => format!("{}.0", digits),
    }
}

macro_rules! integers {
    ($($type:ty: $class:ident, $name:literal;)*) => {$(
        unsafe impl Scalar for $type {}
        unsafe impl Value for $type {
            const CLASS: Class = Class::$class;

            fn name(_: &mut Writer) -> String {
                $name.into()
            }

            fn literal(&self, _: &mut Writer) -> String {
                number($name, Class::$class, &self.to_string())
            }
        }
    )*};
}

integers! {
    i8: Small, "signed char";
    i16: Small, "short";
    i32: I32, "int";
    i64: I64, "long long";
    isize: I64, "long long";
    u8: Small, "unsigned char";
    u16: Small, "unsigned short";
    u32: U32, "unsigned";
    u64: U64, "unsigned long long";
    usize: U64, "unsigned long long";
}

macro_rules! floats {
    ($($type:ty: $class:ident, $name:literal, $suffix:literal;)*) => {$(
        unsafe impl Scalar for $type {}
        unsafe impl Value for $type {
            const CLASS: Class = Class::$class;

            fn name(_: &mut Writer) -> String {
                $name.into()
            }

            fn literal(&self, _: &mut Writer) -> String {
                match self.is_finite() {
                    true => number($name, Class::$class, &format!("{:?}", self)),
                    false => format!("rs::from_bits<{}>({}{})", $name, self.to_bits(), $suffix),
                }
            }
        }
    )*};
}

floats! {
    f32: F32, "float", "u";
    f64: F64, "double", "ull";
}

unsafe impl Scalar for bool {}
unsafe impl Value for bool {
    const CLASS: Class = Class::Bool;

    fn name(_: &mut Writer) -> String {
        "bool".into()
    }

    fn literal(&self, _: &mut Writer) -> String {
        self.to_string()
    }
}

#[cfg(feature = "half")]
macro_rules! halves {
    ($($type:ty, $name:literal;)*) => {$(
        unsafe impl Scalar for $type {}
        unsafe impl Value for $type {
            const CLASS: Class = Class::Half;

            fn name(to: &mut Writer) -> String {
                to.include();
                $name.into()
            }

            fn literal(&self, to: &mut Writer) -> String {
                let value = self.to_f32().literal(to);
                format!("({}){}", Self::name(to), value)
            }
        }
    )*};
}

#[cfg(feature = "half")]
halves! { half::f16, "float16"; half::bf16, "bfloat16"; }

#[cfg(feature = "num-complex")]
macro_rules! complex {
    ($($part:ty, $name:literal;)*) => {$(
        unsafe impl Scalar for num_complex::Complex<$part> {}
        unsafe impl Value for num_complex::Complex<$part> {
            const CLASS: Class = Class::Complex;

            fn name(to: &mut Writer) -> String {
                to.include();
                $name.into()
            }

            fn literal(&self, to: &mut Writer) -> String {
                let (re, im) = (self.re.literal(to), self.im.literal(to));
                format!("{}({}, {})", Self::name(to), re, im)
            }
        }
    )*};
}

#[cfg(feature = "num-complex")]
complex! { f32, "complex64"; f64, "complex128"; }

unsafe impl<T: Value, const N: usize> Value for [T; N] {
    const CLASS: Class = Class::Other;

    fn name(to: &mut Writer) -> String {
        format!("rs::array<{}, {}>", T::name(to), N)
    }

    fn literal(&self, to: &mut Writer) -> String {
        let items: Vec<String> = self.iter().map(|item| item.literal(to)).collect();
        format!("{}{{{{{}}}}}", Self::name(to), items.join(", "))
    }
}

macro_rules! tuples {
    ($($type:ident $place:tt)*) => {
        unsafe impl<$($type: Value),*> Value for ($($type,)*) {
            const CLASS: Class = Class::Other;

            fn name(to: &mut Writer) -> String {
                format!("rs::tuple<{}>", [$($type::name(to)),*].join(", "))
            }

            fn literal(&self, to: &mut Writer) -> String {
                let items = [$(self.$place.literal(to)),*];
                format!("{}{{{}}}", Self::name(to), items.join(", "))
            }
        }
    };
}

tuples! { A 0 }
tuples! { A 0 B 1 }
tuples! { A 0 B 1 C 2 }
tuples! { A 0 B 1 C 2 D 3 }
tuples! { A 0 B 1 C 2 D 3 E 4 }
tuples! { A 0 B 1 C 2 D 3 E 4 F 5 }
