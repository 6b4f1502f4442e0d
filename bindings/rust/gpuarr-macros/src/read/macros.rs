//! The macros that kernels may call: those that print, and those that fail.
use proc_macro2::{TokenStream, TokenTree};
use quote::{quote, ToTokens};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::Token;

use super::expr::shown;
use super::Reader;
use crate::tree::{Expr, Kind, Op};

const FORMAT: &str = "a format of `{}` alone, with a value behind for each: kernels print numbers \
                      as they are";
const KNOWN: &str = "kernels call print!, println!, assert!, assert_eq!, assert_ne!, panic!, \
                     unreachable!, matches! and cfg! only";

impl Reader<'_> {
    pub fn macro_call(&mut self, call: &syn::Macro, wanted: bool) -> Kind {
        let name = shown(&call.path);
        match name.as_str() {
            "cfg" => return Kind::Constant(call.to_token_stream()),
            "matches" => return self.matches(call.tokens.clone(), wanted),
            _ => {}
        }
        let parser = Punctuated::<syn::Expr, Token![,]>::parse_terminated;
        let parts: Vec<syn::Expr> = match parser.parse2(call.tokens.clone()) {
            Ok(parts) => parts.into_iter().collect(),
            Err(_) => return self.refuse(call.path.span(), format!("{}!: {}", name, KNOWN)).kind,
        };
        let debug = name.starts_with("debug_");
        match (name.trim_start_matches("debug_"), parts.as_slice()) {
            ("println", []) => Kind::Print { texts: vec!["\n".into()], values: Vec::new() },
            ("print", [format, values @ ..]) => self.print(format, values, ""),
            ("println", [format, values @ ..]) => self.print(format, values, "\n"),
            ("assert", [condition, said @ ..]) => {
                Kind::Assert { condition: self.boxed(condition), message: text_of(said), debug }
            }
            ("assert_eq", [left, right, said @ ..]) => {
                let condition = Box::new(self.comparison(Op::Eq, left, right));
                Kind::Assert { condition, message: text_of(said), debug }
            }
            ("assert_ne", [left, right, said @ ..]) => {
                let condition = Box::new(self.comparison(Op::Ne, left, right));
                Kind::Assert { condition, message: text_of(said), debug }
            }
            ("panic" | "unreachable", said) => Kind::Panic(text_of(said).unwrap_or(name)),
            _ => self.refuse(call.path.span(), format!("{}!: {}", name, KNOWN)).kind,
        }
    }

    fn comparison(&mut self, op: Op, left: &syn::Expr, right: &syn::Expr) -> Expr {
        let (span, slot) = (left.span(), self.operand(left.span()));
        let (left, right) = (self.boxed(left), self.boxed(right));
        Expr { span, kind: Kind::Binary { op, slot, left, right } }
    }

    /// `matches!(n, 1 | 2)` is a `match`.
    fn matches(&mut self, tokens: TokenStream, wanted: bool) -> Kind {
        let is_comma =
            |token: &TokenTree| matches!(token, TokenTree::Punct(p) if p.as_char() == ',');
        let mut rest = tokens.into_iter();
        let value: TokenStream = rest.by_ref().take_while(|token| !is_comma(token)).collect();
        let pattern: TokenStream = rest.collect();
        let span = value.span();
        match syn::parse2(quote!(match #value { #pattern => true, _ => false })) {
            Ok(choice) => self.expr(&choice, wanted).kind,
            Err(_) => self.refuse(span, "matches!: with a value and a pattern").kind,
        }
    }

    fn print(&mut self, format: &syn::Expr, values: &[syn::Expr], end: &str) -> Kind {
        let text = match format {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => text.value() + end,
            _ => return self.refuse(format.span(), FORMAT).kind,
        };
        let texts: Vec<String> = text.split("{}").map(String::from).collect();
        if texts.iter().any(|text| text.contains(['{', '}'])) || texts.len() != values.len() + 1 {
            return self.refuse(format.span(), FORMAT).kind;
        }
        let values = values.iter().map(|value| {
            let value: Expr = self.value(value);
            let slot = self.slot(value.span);
            (value, slot)
        });
        Kind::Print { values: values.collect(), texts }
    }
}

/// What a macro that fails is to say: its format as it stands, since devices print no values there.
fn text_of(said: &[syn::Expr]) -> Option<String> {
    match said.first() {
        Some(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. })) => Some(text.value()),
        _ => None,
    }
}
