//! Expressions.
use proc_macro2::{Span, TokenStream};
use quote::{quote, ToTokens};
use syn::spanned::Spanned;

use super::Reader;
use crate::tree::{Expr, Kind, Member, Op};

const CLOSURE: &str = "a closure: kernels have none; write a #[gpuarr::device] fn";
const RANGE: &str = "a range that no `for` runs through: kernels have no iterators";

impl Reader<'_> {
    /// Reads one whose value is used.
    pub fn value(&mut self, expr: &syn::Expr) -> Expr {
        self.expr(expr, true)
    }

    pub fn boxed(&mut self, expr: &syn::Expr) -> Box<Expr> {
        Box::new(self.value(expr))
    }

    /// Reads one; `wanted` says whether its value is used.
    pub fn expr(&mut self, expr: &syn::Expr, wanted: bool) -> Expr {
        let span = expr.span();
        let kind = match expr {
            syn::Expr::Paren(inner) => return self.expr(&inner.expr, wanted),
            syn::Expr::Group(inner) => return self.expr(&inner.expr, wanted),
            syn::Expr::Lit(lit) => self.literal(&lit.lit, false, lit.to_token_stream()),
            syn::Expr::Path(path) => self.path(path),
            syn::Expr::Unary(unary) => self.unary(unary),
            syn::Expr::Reference(reference) => Kind::Ref {
                mutable: reference.mutability.is_some(),
                value: self.boxed(&reference.expr),
            },
            syn::Expr::Binary(binary) => self.binary(binary),
            syn::Expr::Assign(assign) => {
                let value = self.boxed(&assign.right);
                match &*assign.left {
                    syn::Expr::Tuple(places) => {
                        let places = places.elems.iter().map(|place| self.place(place)).collect();
                        Kind::AssignMany { places, value }
                    }
                    place => Kind::Assign(Box::new(self.place(place)), value),
                }
            }
            syn::Expr::AssignOp(assign) => self.assign_op(assign),
            syn::Expr::Cast(cast) => self.cast(cast),
            syn::Expr::Index(index) => self.index(index),
            syn::Expr::Field(field) => {
                let member = match &field.member {
                    syn::Member::Named(name) => Member::Named(name.clone()),
                    syn::Member::Unnamed(index) => Member::Number(index.index),
                };
                Kind::Field(self.boxed(&field.base), member)
            }
            syn::Expr::Tuple(tuple) if tuple.elems.is_empty() => {
                return self.refuse(span, "(): a value of nothing");
            }
            syn::Expr::Tuple(tuple) => {
                Kind::Tuple { items: self.values(&tuple.elems), slot: self.slot(span) }
            }
            syn::Expr::Array(array) if array.elems.is_empty() => {
                return self.refuse(span, "[]: an array without elements");
            }
            syn::Expr::Array(array) => {
                Kind::Array { items: self.values(&array.elems), slot: self.slot(span) }
            }
            syn::Expr::Repeat(repeat) => Kind::Repeat {
                value: self.boxed(&repeat.expr),
                count: repeat.len.to_token_stream(),
                slot: self.slot(span),
            },
            syn::Expr::Struct(record) => self.record(record),
            syn::Expr::MethodCall(call) => self.method(call),
            syn::Expr::Call(call) => self.call(call),
            syn::Expr::Closure(_) => return self.refuse(span, CLOSURE),
            syn::Expr::Range(_) => return self.refuse(span, RANGE),
            _ => return self.flow(expr, wanted),
        };
        Expr { span, kind }
    }

    pub fn values<'e>(&mut self, list: impl IntoIterator<Item = &'e syn::Expr>) -> Vec<Expr> {
        list.into_iter().map(|one| self.value(one)).collect()
    }

    fn literal(&mut self, lit: &syn::Lit, negative: bool, rust: TokenStream) -> Kind {
        match self.untyped(lit, negative, rust) {
            Kind::Number { digits, negative, rust, .. } => {
                Kind::Number { digits, negative, rust, slot: Some(self.slot(lit.span())) }
            }
            other => other,
        }
    }

    /// A literal of a pattern, of which rustc is not asked for the type.
    pub fn untyped(&mut self, lit: &syn::Lit, negative: bool, rust: TokenStream) -> Kind {
        let digits = match lit {
            syn::Lit::Int(number) => number.base10_digits().to_string(),
            syn::Lit::Float(number) => number.base10_digits().to_string(),
            syn::Lit::Byte(byte) => byte.value().to_string(),
            syn::Lit::Bool(truth) => return Kind::Bool(truth.value),
            _ => {
                let what = match lit {
                    syn::Lit::Str(_) | syn::Lit::ByteStr(_) => "a string",
                    syn::Lit::Char(_) => "a char",
                    _ => "this literal",
                };
                return self
                    .refuse(lit.span(), format!("{}: kernels have numbers only", what))
                    .kind;
            }
        };
        Kind::Number { digits, negative, rust, slot: None }
    }

    fn path(&mut self, path: &syn::ExprPath) -> Kind {
        match path.path.get_ident() {
            Some(name) if path.qself.is_none() => Kind::Name(name.clone()),
            _ => Kind::Constant(path.to_token_stream()),
        }
    }

    fn unary(&mut self, unary: &syn::ExprUnary) -> Kind {
        match unary.op {
            syn::UnOp::Deref(_) => Kind::Deref(self.boxed(&unary.expr)),
            syn::UnOp::Not(_) => {
                Kind::Not { value: self.boxed(&unary.expr), slot: self.operand(unary.span()) }
            }
            syn::UnOp::Neg(_) => match &*unary.expr {
                syn::Expr::Lit(lit) => self.literal(&lit.lit, true, unary.to_token_stream()),
                value => {
                    Kind::Negate { value: self.boxed(value), slot: self.operand(unary.span()) }
                }
            },
        }
    }

    fn binary(&mut self, binary: &syn::ExprBinary) -> Kind {
        let (left, right) = (self.boxed(&binary.left), self.boxed(&binary.right));
        match operator(&binary.op) {
            Operator::And => Kind::And(left, right),
            Operator::Or => Kind::Or(left, right),
            Operator::Plain(op) => {
                Kind::Binary { op, slot: self.operand(binary.left.span()), left, right }
            }
            Operator::Assign(op) => {
                Kind::AssignOp { op, slot: self.operand(binary.left.span()), left, right }
            }
        }
    }

    fn assign_op(&mut self, assign: &syn::ExprAssignOp) -> Kind {
        let (left, right) = (self.boxed(&assign.left), self.boxed(&assign.right));
        match operator(&assign.op) {
            Operator::Assign(op) => {
                Kind::AssignOp { op, slot: self.operand(assign.left.span()), left, right }
            }
            _ => unreachable!("syn takes an operator that assigns for another"),
        }
    }

    /// What is assigned to.
    fn place(&mut self, place: &syn::Expr) -> Expr {
        let span = place.span();
        match place {
            syn::Expr::Verbatim(tokens) if tokens.to_string() == "_" => {
                Expr { span, kind: Kind::Underscore }
            }
            syn::Expr::Tuple(_) | syn::Expr::Array(_) | syn::Expr::Struct(_) => {
                let reason = "to take a value apart here: kernels assign to tuples of places, \
                              `(a, b) = (b, a)`; use `let`";
                self.refuse(span, reason)
            }
            place => self.value(place),
        }
    }

    /// rustc lets a literal without a suffix have the type that it is cast to.
    fn cast(&mut self, cast: &syn::ExprCast) -> Kind {
        let (literal, negative) = match &*cast.expr {
            syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => (&**expr, true),
            other => (other, false),
        };
        if let syn::Expr::Lit(syn::ExprLit { lit: lit @ syn::Lit::Int(number), .. }) = literal {
            if number.suffix().is_empty() {
                return self.literal(lit, negative, quote!((#cast)));
            }
        }
        Kind::Cast {
            value: self.boxed(&cast.expr),
            from: self.slot(cast.span()),
            ty: cast.ty.to_token_stream(),
            to: self.slot(cast.span()),
        }
    }

    fn index(&mut self, index: &syn::ExprIndex) -> Kind {
        if let syn::Expr::Range(_) = &*index.index {
            let reason =
                "a part of a slice: kernels have whole ones only; pass the whole and where \
                          the part begins";
            return self.refuse(index.index.span(), reason).kind;
        }
        Kind::Index(self.boxed(&index.expr), self.boxed(&index.index))
    }

    fn record(&mut self, record: &syn::ExprStruct) -> Kind {
        let mut fields = Vec::new();
        for field in &record.fields {
            let member = match &field.member {
                syn::Member::Named(name) => Member::Named(name.clone()),
                syn::Member::Unnamed(index) => Member::Number(index.index),
            };
            fields.push((member, self.value(&field.expr)));
        }
        let rest = record.rest.as_ref().map(|rest| self.boxed(rest));
        let slot = self.slot(record.path.span());
        Kind::Struct { path: record.path.to_token_stream(), fields, rest, slot }
    }
}

enum Operator {
    Plain(Op),
    Assign(Op),
    And,
    Or,
}

fn operator(op: &syn::BinOp) -> Operator {
    use syn::BinOp;
    match op {
        BinOp::And(_) => Operator::And,
        BinOp::Or(_) => Operator::Or,
        BinOp::Add(_) => Operator::Plain(Op::Add),
        BinOp::Sub(_) => Operator::Plain(Op::Sub),
        BinOp::Mul(_) => Operator::Plain(Op::Mul),
        BinOp::Div(_) => Operator::Plain(Op::Div),
        BinOp::Rem(_) => Operator::Plain(Op::Rem),
        BinOp::BitAnd(_) => Operator::Plain(Op::BitAnd),
        BinOp::BitOr(_) => Operator::Plain(Op::BitOr),
        BinOp::BitXor(_) => Operator::Plain(Op::BitXor),
        BinOp::Shl(_) => Operator::Plain(Op::Shl),
        BinOp::Shr(_) => Operator::Plain(Op::Shr),
        BinOp::Eq(_) => Operator::Plain(Op::Eq),
        BinOp::Ne(_) => Operator::Plain(Op::Ne),
        BinOp::Lt(_) => Operator::Plain(Op::Lt),
        BinOp::Le(_) => Operator::Plain(Op::Le),
        BinOp::Gt(_) => Operator::Plain(Op::Gt),
        BinOp::Ge(_) => Operator::Plain(Op::Ge),
        BinOp::AddEq(_) => Operator::Assign(Op::Add),
        BinOp::SubEq(_) => Operator::Assign(Op::Sub),
        BinOp::MulEq(_) => Operator::Assign(Op::Mul),
        BinOp::DivEq(_) => Operator::Assign(Op::Div),
        BinOp::RemEq(_) => Operator::Assign(Op::Rem),
        BinOp::BitAndEq(_) => Operator::Assign(Op::BitAnd),
        BinOp::BitOrEq(_) => Operator::Assign(Op::BitOr),
        BinOp::BitXorEq(_) => Operator::Assign(Op::BitXor),
        BinOp::ShlEq(_) => Operator::Assign(Op::Shl),
        BinOp::ShrEq(_) => Operator::Assign(Op::Shr),
    }
}

/// An expression of ours for a pattern's literal.
pub fn plain(span: Span, kind: Kind) -> Box<Expr> {
    Box::new(Expr { span, kind })
}

/// Its words: `f32`, `max` of `f32::max`.
pub fn words(path: &syn::Path) -> Vec<String> {
    path.segments.iter().map(|segment| segment.ident.to_string()).collect()
}

/// The path as it stands, for messages.
pub fn shown(tokens: &impl ToTokens) -> String {
    quote!(#tokens).to_string().replace(' ', "")
}
