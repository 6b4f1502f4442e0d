//! Patterns, of `let`, `for` and `match`.
use proc_macro2::{Span, TokenStream};
use quote::{quote, ToTokens};
use syn::spanned::Spanned;

use super::expr::plain;
use super::Reader;
use crate::tree::{Expr, Kind, Member, Pattern};

const FLOAT: &str = "a float as a pattern: kernels match integers; use `if`";
const REST: &str = "`..` among the items of a pattern: write `_` for each that is not wanted";
const REFUSED: &str =
    "this pattern: kernels match integers, bools, tuples of them, and take apart \
                       tuples, arrays and structs";

impl Reader<'_> {
    /// One of a `match`.
    pub fn arm_pattern(&mut self, pattern: &syn::Pat) -> Pattern {
        self.can_fail = true;
        let read = self.pattern(pattern);
        self.can_fail = false;
        read
    }

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
            syn::Pat::TupleStruct(record) => {
                let items = record.pat.elems.iter().enumerate();
                let fields =
                    items.map(|(k, one)| (Member::Number(k as u32), self.pattern(one))).collect();
                Pattern::Struct { path: record.path.to_token_stream(), fields, open: false }
            }
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
            syn::Pat::Verbatim(tokens) => self.half_open(tokens.clone(), span),
            other => {
                let is_rest = matches!(other, syn::Pat::Rest(_));
                self.errors.add(span, if is_rest { REST } else { REFUSED });
                Pattern::Any(span)
            }
        }
    }

    /// `..=5`, `5..`, which syn 1 leaves as they stand.
    fn half_open(&mut self, tokens: TokenStream, span: Span) -> Pattern {
        let read = match syn::parse2(tokens) {
            Ok(syn::Expr::Range(range)) if range.from.is_some() != range.to.is_some() => range,
            _ => {
                self.errors.add(span, REFUSED);
                return Pattern::Any(span);
            }
        };
        Pattern::Range {
            first: read.from.map(|first| self.bound(&first)),
            inclusive: matches!(read.limits, syn::RangeLimits::Closed(_)),
            last: read.to.map(|last| self.bound(&last)),
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
        let is_upper = text.chars().all(|c| c.is_uppercase() || c.is_numeric() || c == '_');
        if self.can_fail && is_upper && text.contains(char::is_uppercase) {
            let value = Kind::Constant(name.ident.to_token_stream());
            return Pattern::Value(plain(name.span(), value));
        }
        let (mutable, slot) = (name.mutability.is_some(), self.slot(name.span()));
        if self.can_fail && !mutable {
            // With an `@`, rustc does not take it for a constant of that name.
            let pattern = Box::new(Pattern::Any(name.span()));
            return Pattern::At { name: name.ident.clone(), slot, pattern };
        }
        Pattern::Name { name: name.ident.clone(), mutable, slot }
    }

    fn fields(&mut self, record: &syn::PatStruct) -> Pattern {
        let mut fields = Vec::new();
        for field in &record.fields {
            let member = match &field.member {
                syn::Member::Named(name) => Member::Named(name.clone()),
                syn::Member::Unnamed(index) => Member::Number(index.index),
            };
            fields.push((member, self.pattern(&field.pat)));
        }
        let open = record.dot2_token.is_some();
        Pattern::Struct { path: record.path.to_token_stream(), fields, open }
    }

    /// A literal, with a sign or without, or a constant.
    fn bound(&mut self, expr: &syn::Expr) -> Box<Expr> {
        let span = expr.span();
        match expr {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Float(_), .. }) => {
                Box::new(self.refuse(span, FLOAT))
            }
            syn::Expr::Lit(lit) => plain(span, self.untyped(&lit.lit, false, quote!(#expr))),
            syn::Expr::Unary(unary) => match &*unary.expr {
                syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Float(_), .. }) => {
                    Box::new(self.refuse(span, FLOAT))
                }
                syn::Expr::Lit(lit) => plain(span, self.untyped(&lit.lit, true, quote!(#expr))),
                _ => Box::new(self.refuse(span, REFUSED)),
            },
            syn::Expr::Path(path) => plain(span, Kind::Constant(path.to_token_stream())),
            _ => Box::new(self.refuse(span, REFUSED)),
        }
    }
}
