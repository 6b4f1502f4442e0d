//! The text of a kernel in the making: the functions and structs that it needs, then itself.
use std::any::TypeId;
use std::mem;

use crate::error::{Error, Result, Status};

use super::records::Fields;
use super::template::{Filling, Parts};
use super::types::{Slot, Type, Value};

/// A function that a macro made text of.
#[doc(hidden)]
pub trait Code: 'static {
    const NAME: &'static str;
    fn write(to: &mut Writer);
}

/// Words of C++ that Rust has not, and functions that C++ knows without being told, which kernels
/// cannot have as their names.
const TAKEN: &str =
    " asm auto catch char class const_cast default delete double explicit export float friend \
    goto inline int long main mutable namespace new noexcept operator private protected \
    public register short signed sizeof switch template this throw typedef typename union \
    unsigned using virtual void volatile wchar_t and or not xor rs gpuarr_rust abort abs acos \
    acosh asin asinh atan atan2 atanh calloc cbrt ceil copysign cos cosh erf erfc exit exp \
    exp2 expm1 fabs floor fma fmax fmin fmod free frexp hypot ldexp lgamma log log10 log1p \
    log2 logb malloc max memcmp memcpy memmove memset min modf pow printf puts remainder rint \
    round sin sinh sqrt strcmp strcpy strlen tan tanh tgamma trunc ";

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
    match TAKEN.contains(&format!(" {} ", name)) {
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
        if let Some(error) = self.failed {
            return Err(error);
        }
        let mut header = String::new();
        if self.needs_header {
            header.push_str("#include <gpuarr.cuh>\n");
        }
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
        let Fields(fields) = fields(self);
        let name = format!("{}_{}", name, self.names.len() + self.open.len());
        let fields = fields.iter().map(|(ty, field)| format!("  {} {};\n", ty, field));
        let (size, align) = (mem::size_of::<T>(), mem::align_of::<T>());
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
