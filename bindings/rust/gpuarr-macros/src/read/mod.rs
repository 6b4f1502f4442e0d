//! From syn's trees to ours. Nothing else of the crate names syn, whose next versions change it;
//! what the subset does not have is refused here, at its place.
mod call;
mod expr;
mod flow;
mod function;
mod input;
mod macros;
mod pattern;
mod record;
mod statement;

use proc_macro2::{Span, TokenStream};

use crate::errors::Errors;
use crate::tree::{Expr, Instance, Kind, Slot};

pub use function::{Attributes, Head, Item};
pub use input::{Closure, ElementwiseInput, ReductionInput};
pub use record::read as record;

/// What goes through a function's body with the reading.
pub struct Reader<'a> {
    pub errors: &'a mut Errors,
    pub slots: Vec<Span>,
    pub operands: Vec<Slot>,
    pub instances: Vec<Span>,
    /// The function that is read, which may not call itself.
    pub own_name: String,
    /// Its parameters that are types.
    pub generics: Vec<String>,
    pub is_joint: bool,
    pub is_dynamic: bool,
    /// Whether a pattern is read that may not fit, in which names of constants are what they say.
    can_fail: bool,
    /// How many blocks are open, and the items of the first.
    depth: usize,
    items: TokenStream,
}

impl<'a> Reader<'a> {
    fn new(own_name: String, generics: Vec<String>, errors: &'a mut Errors) -> Reader<'a> {
        Reader {
            errors,
            slots: Vec::new(),
            operands: Vec::new(),
            instances: Vec::new(),
            own_name,
            generics,
            is_joint: false,
            is_dynamic: false,
            can_fail: false,
            depth: 0,
            items: TokenStream::new(),
        }
    }

    fn slot(&mut self, span: Span) -> Slot {
        self.slots.push(span);
        self.slots.len() - 1
    }

    /// A type that has operators.
    fn operand(&mut self, span: Span) -> Slot {
        let slot = self.slot(span);
        self.operands.push(slot);
        slot
    }

    fn instance(&mut self, span: Span) -> Instance {
        self.instances.push(span);
        self.instances.len() - 1
    }

    fn refuse(&mut self, span: Span, message: impl Into<String>) -> Expr {
        self.errors.add(span, message);
        Expr { span, kind: Kind::Wrong }
    }
}
