//! The text of a kernel in the making: the functions and structs that it needs, then itself.
use std::any::TypeId;
use std::mem;

use crate::error::{Error, Result, Status};

use super::records::Fields;
use super::template::{Filling, Parts};
use super::types::{Scalar, Slot, Type, Value};

/// A function that a macro made text of.
#[doc(hidden)]
pub trait Code: 'static {
    const NAME: &'static str;
    fn write(to: &mut Writer);
}

/// Words and names of C++ and CUDA, which kernels cannot have as their names.
const TAKEN: &str = " \
    EOF INFINITY M_E M_PI NAN NULL abort alignas alignof and and_eq asm assert auto bitand bitor \
    blockDim blockIdx bool calloc catch char class clock clock64 compl const_cast constexpr \
    decltype default delete dim3 double dynamic_cast exit explicit export float free friend goto \
    gpuarr_rust gridDim inline int labs llabs long main malloc memcmp memcpy memmove memset \
    mutable namespace new noexcept not not_eq nullptr operator or or_eq printf private protected \
    ptrdiff_t public puts register reinterpret_cast rs short signed size_t sizeof static_assert \
    static_cast std strcmp strcpy strlen switch template this threadIdx thread_local throw try \
    typedef typeid typename union unsigned using virtual void volatile warpSize wchar_t xor \
    xor_eq ";

/// Functions that C++ knows without being told, and again for `float` with an `f` behind.
const FUNCTIONS: &str = " \
    abs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh cospi erf erfc \
    erfcinv erfcx erfinv exp exp10 exp2 expm1 fabs fdim floor fma fmax fmin fmod frexp hypot \
    ilogb isfinite isinf isnan j0 j1 jn ldexp lgamma llrint llround log log10 log1p log2 logb \
    lrint lround max min modf nan nearbyint nextafter norm norm3d norm4d normcdf normcdfinv pow \
    rcbrt remainder remquo rhypot rint rnorm round rsqrt scalbln scalbn signbit sin sincos \
    sincospi sinh sinpi sqrt tan tanh tgamma trunc y0 y1 yn ";

/// Collects a text. Types and functions are named by what they are, so that each is there once.
#[derive(Debug)]
#[doc(hidden)]
pub struct Writer {
    text: String,
    names: Vec<(TypeId, String)>,
    open: Vec<TypeId>,
    own_name: String,
    is_checked: bool,
    needs_header: bool,
    failed: Option<Error>,
}

/// The name of a kernel in its text.
pub(super) fn kernel_name(name: &str) -> String {
    let has = |list: &str, name: &str| list.contains(&format!(" {} ", name));
    let single = name.strip_suffix('f').unwrap_or(name);
    let is_taken = has(TAKEN, name) || has(FUNCTIONS, name) || has(FUNCTIONS, single);
    match is_taken || name.starts_with("__") || name.starts_with("make_") {
        true => format!("{}_", name),
        false => name.into(),
    }
}

#[doc(hidden)]
impl Writer {
    pub(super) fn new(is_checked: bool) -> Writer {
        Writer {
            text: String::new(),
            names: Vec::new(),
            open: Vec::new(),
            own_name: String::new(),
            is_checked,
            needs_header: false,
            failed: None,
        }
    }

    /// A kernel under its own name.
    pub(super) fn kernel<K: Code>(&mut self) -> String {
        let name = kernel_name(K::NAME);
        self.own_name = name.clone();
        K::write(self);
        name
    }

    /// The whole text.
    pub(super) fn finish(self) -> Result<String> {
        let header = if self.needs_header { "#include <gpuarr.cuh>\n" } else { "" };
        Ok(format!("{}{}", header, self.finish_preamble()?))
    }

    /// The text for a kernel that has all types of elements already.
    pub(super) fn finish_preamble(self) -> Result<String> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let mut header = String::new();
        if self.text.contains(" assert(") {
            header.push_str("#include <assert.h>\n");
        }
        Ok(format!("{}namespace rs = gpuarr_rust;\n\n{}", header, self.text))
    }

    /// The name of an instance of a device function, whose text comes before that of its caller.
    pub fn instance<K: Code>(&mut self, _: Slot<K>) -> String {
        self.function::<K>()
    }

    pub(super) fn function<K: Code>(&mut self) -> String {
        let id = TypeId::of::<K>();
        if let Some((_, name)) = self.names.iter().find(|(known, _)| *known == id) {
            return name.clone();
        }
        if self.open.contains(&id) {
            let message =
                format!("{} calls itself by way of others: kernels have no recursion", K::NAME);
            self.fail(message);
            return K::NAME.into();
        }
        let name = format!("{}_{}", K::NAME, self.names.len() + self.open.len());
        self.open.push(id);
        let outer = mem::replace(&mut self.own_name, name.clone());
        K::write(self);
        self.own_name = outer;
        self.open.pop();
        self.names.push((id, name.clone()));
        name
    }

    /// The name of a struct, whose definition comes before what mentions it.
    pub fn record<T: Value>(
        &mut self,
        name: &str,
        fields: impl FnOnce(&mut Writer) -> Fields,
    ) -> String {
        let id = TypeId::of::<T>();
        if let Some((_, name)) = self.names.iter().find(|(known, _)| *known == id) {
            return name.clone();
        }
        let (Fields(fields), shown) = (fields(self), name);
        let name = format!("{}_{}", name, self.names.len() + self.open.len());
        let (size, align) = (mem::size_of::<T>(), mem::align_of::<T>());
        if let Some(field) = fields.iter().find(|field| !field.lies_alike(align)) {
            self.fail(format!(
                "struct {}: {} lies otherwise on devices, where {} is aligned as a whole; put it \
                 at a multiple of its size, beside a number of that size, or take two floats",
                shown,
                field.name.trim_end_matches('_'),
                field.ty
            ));
        }
        let fields = fields.iter().map(|field| format!("  {} {};\n", field.ty, field.name));
        let text = format!(
            "struct {0} {{\n{1}}};\nstatic_assert(sizeof({0}) == {2} && alignof({0}) == {3}, \
             \"laid out as in Rust\");\n",
            name,
            fields.collect::<String>(),
            size,
            align
        );
        self.text.push_str(&text);
        self.text.push('\n');
        self.names.push((id, name.clone()));
        name
    }

    pub fn type_of<T: Value>(&mut self, _: Slot<T>) -> Type {
        Type { name: T::name(self), class: T::CLASS }
    }

    /// The type of what an operator works on.
    pub fn operand<T: Scalar>(&mut self, slot: Slot<T>) -> Type {
        self.type_of(slot)
    }

    pub fn constant<T: Value>(&mut self, value: &T) -> String {
        value.literal(self)
    }

    /// The text of the function whose turn it is.
    pub fn write(&mut self, parts: &Parts<'_>) {
        let filled = Filling::new(parts, &self.own_name, self.is_checked).run();
        match filled {
            Ok(text) => self.text.push_str(&text),
            Err(message) => self.fail(message),
        }
        self.text.push('\n');
    }

    /// For types that only a header has.
    #[cfg(any(feature = "half", feature = "num-complex"))]
    pub(super) fn include(&mut self) {
        self.needs_header = true;
    }

    fn fail(&mut self, message: String) {
        self.failed.get_or_insert(Error::new(Status::UNSUPPORTED, message));
    }
}
