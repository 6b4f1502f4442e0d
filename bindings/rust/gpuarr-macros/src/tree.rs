//! The subset of Rust that kernels may use, as a tree: `read` makes it, `probe` writes it as Rust
//! again, `text` as a template of CUDA C++.
use proc_macro2::{Ident, Span, TokenStream};

/// Number of a type that rustc tells: of a binding, a literal, an operand.
pub type Slot = usize;

/// Number of an instance of a device function that rustc tells.
pub type Instance = usize;

pub struct Expr {
    pub span: Span,
    pub kind: Kind,
}

pub enum Kind {
    /// A literal without its suffix; `rust` has it as it stands. Those of patterns have no type.
    Number {
        digits: String,
        negative: bool,
        rust: TokenStream,
        slot: Option<Slot>,
    },
    Bool(bool),
    /// A local variable, or a constant of that name.
    Name(Ident),
    /// A constant: `f32::MAX`.
    Constant(TokenStream),
    Negate {
        slot: Slot,
        value: Box<Expr>,
    },
    Not {
        slot: Slot,
        value: Box<Expr>,
    },
    Deref(Box<Expr>),
    Ref {
        mutable: bool,
        value: Box<Expr>,
    },
    Binary {
        op: Op,
        slot: Slot,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Assign(Box<Expr>, Box<Expr>),
    /// `(a, b) = (b, a + b)`
    AssignMany {
        places: Vec<Expr>,
        value: Box<Expr>,
    },
    AssignOp {
        op: Op,
        slot: Slot,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    Cast {
        value: Box<Expr>,
        from: Slot,
        ty: TokenStream,
        to: Slot,
    },
    Index(Box<Expr>, Box<Expr>),
    Field(Box<Expr>, Member),
    Method {
        receiver: Box<Expr>,
        name: Ident,
        args: Vec<Expr>,
    },
    /// A function that the crate or the language has.
    Known {
        path: TokenStream,
        text: &'static str,
        args: Vec<Expr>,
    },
    /// A function of a type of numbers, as `f32::max(a, b)`, `f32::from(n)`.
    Associated {
        path: TokenStream,
        name: Ident,
        slot: Slot,
        args: Vec<Expr>,
    },
    Call {
        path: TokenStream,
        instance: Instance,
        args: Vec<Expr>,
    },
    Tuple {
        items: Vec<Expr>,
        slot: Slot,
    },
    Array {
        items: Vec<Expr>,
        slot: Slot,
    },
    Repeat {
        value: Box<Expr>,
        count: TokenStream,
        slot: Slot,
    },
    /// `Point { x, ..rest }`, `Point(x)`
    Struct {
        path: TokenStream,
        fields: Vec<(Member, Expr)>,
        rest: Option<Box<Expr>>,
        slot: Slot,
    },
    If {
        condition: Box<Expr>,
        then: Block,
        otherwise: Option<Box<Expr>>,
        slot: Option<Slot>,
    },
    Match {
        on: Box<Expr>,
        on_slot: Slot,
        arms: Vec<Arm>,
        slot: Option<Slot>,
    },
    Block {
        block: Block,
        slot: Option<Slot>,
    },
    While {
        label: Option<Ident>,
        condition: Box<Expr>,
        body: Block,
    },
    Loop {
        label: Option<Ident>,
        body: Block,
        slot: Option<Slot>,
    },
    For {
        label: Option<Ident>,
        counter: Pattern,
        range: Range,
        body: Block,
    },
    Break {
        label: Option<Ident>,
        value: Option<Box<Expr>>,
    },
    Continue {
        label: Option<Ident>,
    },
    Return(Option<Box<Expr>>),
    /// `println!("{} {}", a, b)`: the texts around the values.
    Print {
        texts: Vec<String>,
        values: Vec<(Expr, Slot)>,
    },
    /// With what it says; `debug`: only where the program is compiled with such assertions.
    Assert {
        condition: Box<Expr>,
        message: Option<String>,
        debug: bool,
    },
    /// `panic!`, with what it says.
    Panic(String),
    /// `_` as what is assigned to.
    Underscore,
    /// What was refused.
    Wrong,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Op {
    /// In Rust and in C++.
    pub fn text(self) -> &'static str {
        match self {
            Op::Add => "+",
            Op::Sub => "-",
            Op::Mul => "*",
            Op::Div => "/",
            Op::Rem => "%",
            Op::BitAnd => "&",
            Op::BitOr => "|",
            Op::BitXor => "^",
            Op::Shl => "<<",
            Op::Shr => ">>",
            Op::Eq => "==",
            Op::Ne => "!=",
            Op::Lt => "<",
            Op::Le => "<=",
            Op::Gt => ">",
            Op::Ge => ">=",
        }
    }
}

pub enum Member {
    Named(Ident),
    Number(u32),
}

pub struct Range {
    pub first: Box<Expr>,
    pub last: Box<Expr>,
    pub inclusive: bool,
    pub reversed: bool,
    pub step: Option<Box<Expr>>,
    pub slot: Slot,
}

pub struct Block {
    pub statements: Vec<Statement>,
    /// The value, or a last expression without one.
    pub tail: Option<Box<Expr>>,
}

pub enum Statement {
    Let {
        pattern: Pattern,
        ty: Option<TokenStream>,
        init: Option<Expr>,
        span: Span,
    },
    /// `is_slice`: dynamic shared memory, `&mut [T]`, of which the slot is that of the elements.
    Shared {
        name: Ident,
        ty: TokenStream,
        slot: Slot,
        span: Span,
        is_slice: bool,
    },
    Expr(Expr),
}

pub struct Arm {
    pub pattern: Pattern,
    pub guard: Option<Expr>,
    pub body: Expr,
}

pub enum Pattern {
    Any(Span),
    Name {
        name: Ident,
        mutable: bool,
        slot: Slot,
    },
    Tuple(Vec<Pattern>, Span),
    Array(Vec<Pattern>, Span),
    /// `open`: with `..`, and more fields than are named.
    Struct {
        path: TokenStream,
        fields: Vec<(Member, Pattern)>,
        open: bool,
    },
    /// A literal, or a constant of integers or `bool`.
    Value(Box<Expr>),
    Range {
        first: Option<Box<Expr>>,
        last: Option<Box<Expr>>,
        inclusive: bool,
    },
    OneOf(Vec<Pattern>),
    At {
        name: Ident,
        slot: Slot,
        pattern: Box<Pattern>,
    },
}

/// A parameter of a function.
pub struct Parameter {
    pub name: Ident,
    pub mutable: bool,
    pub slot: Slot,
    pub kind: Passed,
    /// As it stands, and without its references and brackets.
    pub ty: TokenStream,
    pub inner: TokenStream,
    /// Whether it is a type parameter of the function.
    pub is_generic: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Passed {
    Value,
    /// `&T`, `&mut T`.
    Reference {
        mutable: bool,
    },
    /// `&[T]`, `&mut [T]`.
    Slice {
        mutable: bool,
    },
}

pub struct Function {
    pub parameters: Vec<Parameter>,
    /// The type and its number, if it returns a value.
    pub returns: Option<(TokenStream, Slot)>,
    pub body: Block,
    /// `const`, `static` and `use` at its beginning, for the names in it.
    pub items: TokenStream,
    /// Where each type and each instance of a device function was asked for.
    pub slots: Vec<Span>,
    /// The types among them that have to have operators in C++.
    pub operands: Vec<Slot>,
    pub instances: Vec<Span>,
    /// Barriers, warps or shared memory: threads need one another.
    pub is_joint: bool,
    /// Whether it has to be told how much dynamic shared memory there is.
    pub is_dynamic: bool,
}
