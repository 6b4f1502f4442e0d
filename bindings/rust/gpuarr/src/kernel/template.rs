//! Fills in a template: `text` of the crate gpuarr-macros has the list of marks.
use super::types::{number, Class, Type};

/// A template, and what its marks stand for.
#[derive(Debug)]
#[doc(hidden)]
pub struct Parts<'a> {
    pub template: &'static str,
    pub types: &'a [Type],
    pub instances: &'a [String],
    pub constants: &'a [String],
    pub lines: &'a [u32],
    pub file: &'static str,
}

const MARK: char = '\u{1}';

/// What comes in the middle and at the end of something that was begun.
struct Open {
    middle: String,
    end: String,
}

pub(super) struct Filling<'a> {
    parts: &'a Parts<'a>,
    own_name: &'a str,
    is_checked: bool,
    rest: &'static str,
    out: String,
    open: Vec<Open>,
    wanted_line: u32,
    next_line: u32,
}

impl<'a> Filling<'a> {
    pub fn new(parts: &'a Parts<'a>, own_name: &'a str, is_checked: bool) -> Filling<'a> {
        Filling {
            parts,
            own_name,
            is_checked,
            rest: parts.template,
            out: String::new(),
            open: Vec::new(),
            wanted_line: 0,
            next_line: 0,
        }
    }

    pub fn run(mut self) -> Result<String, String> {
        while !self.rest.is_empty() {
            let at = self.rest.find(MARK).unwrap_or(self.rest.len());
            let (plain, rest) = self.rest.split_at(at);
            self.rest = rest;
            self.plain(plain);
            let mut marked = self.rest.chars();
            if marked.next().is_some() {
                let letter = marked.next().unwrap_or(' ');
                self.rest = marked.as_str();
                self.mark(letter)?;
            }
        }
        Ok(self.out)
    }

    /// Text, with the user's lines: a directive stands before each line that is not the next one.
    fn plain(&mut self, text: &str) {
        for piece in text.split_inclusive('\n') {
            self.begin(piece);
            self.out.push_str(piece);
            self.next_line += u32::from(piece.ends_with('\n'));
        }
    }

    fn begin(&mut self, text: &str) {
        let start = self.out.rfind('\n').map_or(0, |end| end + 1);
        let at_start = self.out[start..].trim().is_empty();
        let says_something = !text.trim_start().starts_with('}') && !text.trim().is_empty();
        if at_start && says_something && self.next_line != self.wanted_line {
            let directive = match self.next_line {
                0 => format!("#line {} \"{}\"\n", self.wanted_line, self.parts.file),
                _ => format!("#line {}\n", self.wanted_line),
            };
            self.out.insert_str(start, &directive);
            self.next_line = self.wanted_line;
        }
    }

    fn until(&mut self) -> &'static str {
        let at = self.rest.find(';').unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(at);
        self.rest = rest.get(1..).unwrap_or("");
        word
    }

    fn index(&mut self) -> usize {
        self.until().parse().unwrap_or(0)
    }

    fn ty(&mut self) -> &'a Type {
        let at = self.index();
        &self.parts.types[at]
    }

    fn mark(&mut self, letter: char) -> Result<(), String> {
        let parts = self.parts;
        match letter {
            'F' => self.put(self.own_name),
            't' => {
                let ty = self.ty();
                self.put(&ty.name);
            }
            'f' => {
                let at = self.index();
                self.put(&parts.instances[at]);
            }
            'c' => {
                let at = self.index();
                self.put(&parts.constants[at]);
            }
            'l' => {
                let at = self.index();
                self.wanted_line = parts.lines[at];
            }
            'n' => {
                let (ty, digits) = (self.ty(), self.until());
                let text = number(&ty.name, ty.class, digits);
                self.put(&text);
            }
            'p' => {
                let spec = printed(self.ty())?;
                self.put(spec);
            }
            'w' => {
                let ty = self.ty();
                let wide = if is_wide(ty.class) { &ty.name } else { "long long" };
                self.put(wide);
            }
            'v' => {
                let (ty, name) = (self.ty(), self.until());
                let behind = if is_wide(ty.class) { "" } else { "_wide" };
                self.put(&format!("{}{}", name, behind));
            }
            'd' => {
                let (ty, blanks, name) = (self.ty(), self.until(), self.until());
                if !is_wide(ty.class) {
                    self.plain(&format!(
                        "{0}const {1} {2} = ({1}){2}_wide;\n",
                        blanks, ty.name, name
                    ));
                }
            }
            'b' | 'a' => self.operator(letter == 'a'),
            'u' => self.unary(),
            'x' => self.cast(),
            'i' => self.slice_index(),
            'm' => {
                let middle = self.open.last_mut().map(|open| std::mem::take(&mut open.middle));
                self.put(&middle.unwrap_or_default());
            }
            _ => {
                let end = self.open.pop().map(|open| open.end);
                self.put(&end.unwrap_or_default());
            }
        }
        Ok(())
    }

    /// Text that has no line's end in it.
    fn put(&mut self, text: &str) {
        self.begin(text);
        self.out.push_str(text);
    }

    fn begun(&mut self, first: &str, middle: String, end: &str) {
        self.put(first);
        self.open.push(Open { middle, end: end.into() });
    }

    fn operator(&mut self, assigns: bool) {
        let (ty, op) = (self.ty(), self.until());
        let equals = if assigns { "=" } else { "" };
        if is_plain(op, ty.class, self.is_checked) {
            self.begun("", format!(" {}{} ", op, equals), "");
        } else {
            let behind = if assigns { "_assign" } else { "" };
            self.begun(&format!("rs::{}{}(", word(op), behind), ", ".into(), ")");
        }
    }

    fn unary(&mut self) {
        let (ty, op) = (self.ty(), self.until());
        let first = match (op, ty.class) {
            ("-", Class::F32 | Class::F64 | Class::Complex) => "-",
            ("-", _) => "rs::neg(",
            (_, Class::Bool) => "!",
            (_, Class::Small) => "rs::inverted(",
            _ => "~",
        };
        let end = if first.len() > 1 { ")" } else { "" };
        self.begun(first, String::new(), end);
    }

    fn cast(&mut self) {
        let (from, to) = (self.ty(), self.ty());
        let is_float = |class| matches!(class, Class::F32 | Class::F64 | Class::Half);
        match is_float(from.class) && !is_float(to.class) {
            true => self.begun(&format!("rs::cast<{}>(", to.name), String::new(), ")"),
            false => self.begun(&format!("({})", to.name), String::new(), ""),
        }
    }

    fn slice_index(&mut self) {
        let (name, text) = (self.until(), self.until());
        match self.is_checked {
            true => self.begun("rs::at(", String::new(), &format!(", {}_len, \"{}\")", text, name)),
            false => self.begun("", String::new(), ""),
        }
    }
}

fn printed(ty: &Type) -> Result<&'static str, String> {
    match ty.class {
        Class::F32 | Class::F64 => Ok("%g"),
        Class::I32 | Class::Small | Class::Bool => Ok("%d"),
        Class::U32 => Ok("%u"),
        Class::I64 => Ok("%lld"),
        Class::U64 => Ok("%llu"),
        _ => Err(format!("println! of {}: kernels print numbers only", ty.name)),
    }
}

/// Whether no step of a loop leads beyond its last number.
fn is_wide(class: Class) -> bool {
    matches!(class, Class::I64 | Class::U64)
}

/// Whether C++'s operator does what Rust's does. Where sums of unsigned numbers are not checked,
/// both wrap around; those of signed ones must not in C++.
fn is_plain(op: &str, class: Class, is_checked: bool) -> bool {
    use Class::{Complex, F32, F64, I32, I64, U32, U64};
    let is_float = matches!(class, F32 | F64 | Complex);
    match op {
        "+" | "-" | "*" => is_float || (matches!(class, U32 | U64) && !is_checked),
        "/" => is_float || (matches!(class, I32 | I64 | U32 | U64) && !is_checked),
        "%" => matches!(class, I32 | I64 | U32 | U64) && !is_checked,
        "&" | "|" | "^" => matches!(class, I32 | I64 | U32 | U64),
        "<<" | ">>" => false,
        _ => true,
    }
}

fn word(op: &str) -> &'static str {
    match op {
        "+" => "add",
        "-" => "sub",
        "*" => "mul",
        "/" => "div",
        "%" => "rem",
        "&" => "bit_and",
        "|" => "bit_or",
        "^" => "bit_xor",
        "<<" => "shl",
        _ => "shr",
    }
}
