//! CUDA C++ as a template: text in which marks stand for what rustc knows and macros do not, such
//! as types. `kernel::template` of the crate gpuarr fills them in; a mark is U+0001, a letter and
//! what the letter says.
//!
//! | mark | becomes |
//! |---|---|
//! | `F` | the function's own name |
//! | `t3;` | the name of type 3 |
//! | `f3;` | the name of instance 3 of a device function |
//! | `c3;` | constant 3 |
//! | `l3;` | `#line`, if the line that comes is not the one of place 3 |
//! | `n3;42;` | the number 42 as a literal of type 3 |
//! | `b3;+;` LEFT `m` RIGHT `e` | an operator for type 3, or a call |
//! | `a3;+;` PLACE `m` RIGHT `e` | one that assigns |
//! | `u3;-;` VALUE `e` | one of a single operand |
//! | `x3;4;` VALUE `e` | a cast from type 3 to type 4 |
//! | `p3;` | what `printf` calls type 3: `%d` |
//! | `w3;` | the type that a loop with a step counts in, of numbers of type 3 |
//! | `v3;i_1;` | its counter: `i_1`, or `i_1_wide` if that type is another |
//! | `d3;  ;i_1;` | a line that makes `i_1` of `i_1_wide`, then, behind these blanks |
//! | `i`NAME`;`TEXT`;` INDEX `e` | an index of the slice NAME, TEXT in C++, with checks if wanted |
mod calls;
mod flow;
mod loops;
mod matching;
pub mod names;
mod value;

use proc_macro2::{Ident, Span, TokenStream};

use crate::errors::Errors;
use crate::tree::{Function, Passed, Slot};

pub const MARK: char = '\u{1}';

/// How tightly a text binds, as C++ has it.
pub mod level {
    pub const CHOICE: u8 = 2;
    pub const OR: u8 = 3;
    pub const AND: u8 = 4;
    pub const UNARY: u8 = 14;
    pub const PRIMARY: u8 = 16;
}

/// A value as an expression of C++.
pub struct Text {
    pub code: String,
    pub level: u8,
    /// Whether it is the same however late it is looked at.
    pub stable: bool,
    /// Whether it changes something.
    pub acts: bool,
}

impl Text {
    fn new(code: impl Into<String>, level: u8) -> Text {
        Text { code: code.into(), level, stable: false, acts: false }
    }

    fn stable(code: impl Into<String>) -> Text {
        Text { stable: true, ..Text::new(code, level::PRIMARY) }
    }

    /// In parentheses, if what it goes into binds more tightly.
    fn within(&self, level: u8) -> String {
        if self.level < level {
            format!("({})", self.code)
        } else {
            self.code.clone()
        }
    }
}

/// Where a value goes.
#[derive(Clone)]
pub enum Target {
    Nowhere,
    Variable(String),
    Result,
}

/// What a name of the function stands for.
#[derive(Clone)]
struct Place {
    text: String,
    is_slice: bool,
    stable: bool,
    /// Whether who is given the name can write to what it stands for.
    writes: bool,
}

impl Place {
    fn value(text: impl Into<String>, mutable: bool) -> Place {
        Place { text: text.into(), is_slice: false, stable: !mutable, writes: false }
    }

    fn reference(text: impl Into<String>, writes: bool) -> Place {
        Place { writes, ..Place::value(text, writes) }
    }

    /// Of a kernel: an address and a length.
    fn slice(text: impl Into<String>) -> Place {
        Place { text: text.into(), is_slice: true, stable: true, writes: true }
    }

    /// Of a device function: an object with both.
    fn slice_object(text: impl Into<String>, writes: bool) -> Place {
        Place { writes, ..Place::value(text, false) }
    }
}

struct Loop {
    label: Option<String>,
    number: usize,
    target: Target,
    wants_end: bool,
    wants_next: bool,
}

pub struct Writer<'a> {
    errors: &'a mut Errors,
    out: String,
    depth: usize,
    next_number: usize,
    scopes: Vec<Vec<(String, Place)>>,
    loops: Vec<Loop>,
    pub constants: Vec<TokenStream>,
    pub places: Vec<Span>,
}

/// A function as a template, with the constants and places that it mentions.
pub struct Written {
    pub template: String,
    pub constants: Vec<TokenStream>,
    pub places: Vec<Span>,
}

/// `extern "C" __global__ void F(...)`: slices come as an address and a length.
pub fn kernel(function: &Function, errors: &mut Errors) -> Written {
    let mut writer = Writer::new(errors);
    let mut parameters = Vec::new();
    for parameter in &function.parameters {
        let text = writer.fresh(&parameter.name);
        let ty = mark_type(parameter.slot);
        match parameter.kind {
            Passed::Slice { mutable } => {
                let is_const = if mutable { "" } else { "const " };
                parameters.push(format!("{}{}* {}", is_const, ty, text));
                parameters.push(format!("unsigned long long {}_len", text));
                writer.bind(&parameter.name, Place::slice(text));
            }
            _ => {
                let is_const = if parameter.mutable { "" } else { "const " };
                parameters.push(format!("{}{} {}", is_const, ty, text));
                writer.bind(&parameter.name, Place::value(text, parameter.mutable));
            }
        }
    }
    if function.is_dynamic {
        parameters.push("unsigned long long gpuarr_shared_bytes".into());
    }
    let list = parameters.join(", ");
    let head = format!("extern \"C\" __global__ void {}F({}) {{", MARK, list);
    writer.finish(function, &head)
}

/// `__device__ inline T F(...)`.
pub fn device(function: &Function, errors: &mut Errors) -> Written {
    let mut writer = Writer::new(errors);
    let mut parameters = Vec::new();
    for parameter in &function.parameters {
        let text = writer.fresh(&parameter.name);
        let ty = mark_type(parameter.slot);
        let (before, behind) = match parameter.kind {
            Passed::Value if parameter.mutable => ("", ""),
            Passed::Value => ("const ", ""),
            Passed::Reference { mutable: true } => ("", "&"),
            Passed::Reference { mutable: false } => ("const ", "&"),
            Passed::Slice { mutable: true } => ("const rs::slice<", ">"),
            Passed::Slice { mutable: false } => ("const rs::slice<const ", ">"),
        };
        parameters.push(format!("{}{}{} {}", before, ty, behind, text));
        let place = match parameter.kind {
            Passed::Value => Place::value(text, parameter.mutable),
            Passed::Reference { mutable } => {
                Place { stable: false, ..Place::reference(text, mutable) }
            }
            Passed::Slice { mutable } => Place::slice_object(text, mutable),
        };
        writer.bind(&parameter.name, place);
    }
    let result = match &function.returns {
        Some((_, slot)) => mark_type(*slot),
        None => "void".into(),
    };
    let list = parameters.join(", ");
    let head = format!("__device__ inline {} {}F({}) {{", result, MARK, list);
    writer.finish(function, &head)
}

fn mark_type(slot: Slot) -> String {
    format!("{}t{};", MARK, slot)
}

impl Writer<'_> {
    fn new(errors: &mut Errors) -> Writer<'_> {
        Writer {
            errors,
            out: String::new(),
            depth: 0,
            next_number: 0,
            scopes: vec![Vec::new()],
            loops: Vec::new(),
            constants: Vec::new(),
            places: Vec::new(),
        }
    }

    fn finish(mut self, function: &Function, head: &str) -> Written {
        let span = function.parameters.first().map_or_else(Span::call_site, |p| p.name.span());
        self.at(span);
        self.line(head);
        self.depth += 1;
        let target = match function.returns {
            Some(_) => Target::Result,
            None => Target::Nowhere,
        };
        self.send_block(&function.body, &target);
        self.depth -= 1;
        self.line("}");
        Written { template: self.out, constants: self.constants, places: self.places }
    }

    /// Begins a statement of the user's at its line.
    fn at(&mut self, span: Span) {
        self.out.push_str(&format!("{}l{};", MARK, self.places.len()));
        self.places.push(span);
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(&"  ".repeat(self.depth));
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn number(&mut self) -> usize {
        self.next_number += 1;
        self.next_number
    }

    fn fresh(&mut self, name: &Ident) -> String {
        format!("{}_{}", names::plain_name(name), self.number())
    }

    fn bind(&mut self, name: &Ident, place: Place) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.push((name.to_string(), place));
        }
    }

    fn find(&self, name: &Ident) -> Option<Place> {
        let name = name.to_string();
        let all = self.scopes.iter().rev().flat_map(|scope| scope.iter().rev());
        all.into_iter().find(|(known, _)| *known == name).map(|(_, place)| place.clone())
    }

    fn constant(&mut self, tokens: TokenStream) -> String {
        self.constants.push(tokens);
        format!("{}c{};", MARK, self.constants.len() - 1)
    }

    /// What it writes, apart.
    fn apart<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> (T, String) {
        let before = std::mem::take(&mut self.out);
        let result = write(self);
        (result, std::mem::replace(&mut self.out, before))
    }

    fn scoped<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(Vec::new());
        let result = write(self);
        self.scopes.pop();
        result
    }
}
