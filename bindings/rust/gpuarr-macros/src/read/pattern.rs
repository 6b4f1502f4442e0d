//! Patterns, of `let`, `for` and `match`.
use quote::{quote, ToTokens};
use syn::spanned::Spanned;

use super::expr::plain;
use super::Reader;
use crate::tree::{Expr, Kind, Pattern};

const REFUSED: &str =
    "this pattern: kernels match integers, bools, tuples of them, and take apart \
                       tuples, arrays and structs";

impl Reader<'_> {
    pub fn pattern(&mut self, pattern: &syn::Pat) -> Pattern {
        let span = pattern.span();
        match pattern {
            syn::Pat::Wild(_) => Pattern::Any(span),
            syn::Pat::Ident(name) => self.name(name),
            syn::Pat::Tuple(tuple) => {
                Pattern::Tuple(tuple.elems.iter().map(|one| self.pattern(one)).collect(), span)
            }
            syn::Pat::Slice(array) => {
                Pattern::Array(array.elems.iter().map(|one| self.pattern(one)).collect(), span)
            }
            syn::Pat::Struct(record) => self.fields(record),
            syn::Pat::Lit(lit) => Pattern::Value(self.bound(&lit.expr)),
            syn::Pat::Path(path) => {
                Pattern::Value(plain(span, Kind::Constant(path.to_token_stream())))
            }
            syn::Pat::Range(range) => Pattern::Range {
                first: Some(self.bound(&range.lo)),
                last: Some(self.bound(&range.hi)),
                inclusive: matches!(range.limits, syn::RangeLimits::Closed(_)),
            },
            syn::Pat::Or(either) => {
                let before = self.slots.len();
                let all = either.cases.iter().map(|one| self.pattern(one)).collect();
                if self.slots.len() > before {
                    self.errors
                        .add(span, "a name in one of several patterns: write an arm for each");
                }
                Pattern::OneOf(all)
            }
            _ => {
                self.errors.add(span, REFUSED);
                Pattern::Any(span)
            }
        }
    }

    fn name(&mut self, name: &syn::PatIdent) -> Pattern {
        if let Some(by_ref) = &name.by_ref {
            self.errors.add(by_ref.span(), "`ref`: write `&` before the value instead");
        }
        if let Some((_, inner)) = &name.subpat {
            let pattern = Box::new(self.pattern(inner));
            return Pattern::At { name: name.ident.clone(), slot: self.slot(name.span()), pattern };
        }
        let text = name.ident.to_string();
        if text.len() > 1 && text.chars().all(|c| c.is_uppercase() || c.is_numeric() || c == '_') {
            let value = Kind::Constant(name.ident.to_token_stream());
            return Pattern::Value(plain(name.span(), value)); // rustc takes it for a constant too
        }
        let mutable = name.mutability.is_some();
        Pattern::Name { name: name.ident.clone(), mutable, slot: self.slot(name.span()) }
    }

    fn fields(&mut self, record: &syn::PatStruct) -> Pattern {
        let mut fields = Vec::new();
        for field in &record.fields {
            match &field.member {
                syn::Member::Named(name) => fields.push((name.clone(), self.pattern(&field.pat))),
                syn::Member::Unnamed(index) => self.errors.add(index.span(), REFUSED),
            }
        }
        Pattern::Struct { path: record.path.to_token_stream(), fields }
    }

    /// A literal, with a sign or without, or a constant.
    fn bound(&mut self, expr: &syn::Expr) -> Box<Expr> {
        let span = expr.span();
        match expr {
            syn::Expr::Lit(lit) => plain(span, self.untyped(&lit.lit, false, quote!(#expr))),
            syn::Expr::Unary(unary) => match &*unary.expr {
                syn::Expr::Lit(lit) => plain(span, self.untyped(&lit.lit, true, quote!(#expr))),
                _ => Box::new(self.refuse(span, REFUSED)),
            },
            syn::Expr::Path(path) => plain(span, Kind::Constant(path.to_token_stream())),
            _ => Box::new(self.refuse(span, REFUSED)),
        }
    }
}
