//! The macros that kernels may call: `print!`, `println!` and `assert!`.
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::Token;

use super::expr::shown;
use super::Reader;
use crate::tree::{Expr, Kind};

const FORMAT: &str = "a format of `{}` alone: kernels print numbers as they are";

impl Reader<'_> {
    pub fn macro_call(&mut self, call: &syn::Macro) -> Kind {
        let name = shown(&call.path);
        let parser = Punctuated::<syn::Expr, Token![,]>::parse_terminated;
        let parts: Vec<syn::Expr> = match (name.as_str(), parser.parse2(call.tokens.clone())) {
            ("print" | "println" | "assert" | "debug_assert", Ok(parts)) => {
                parts.into_iter().collect()
            }
            _ => {
                let reason = format!("{}!: kernels call print!, println! and assert! only", name);
                return self.refuse(call.path.span(), reason).kind;
            }
        };
        match (name.as_str(), parts.as_slice()) {
            ("print", [format, values @ ..]) => self.print(format, values, ""),
            ("println", [format, values @ ..]) => self.print(format, values, "\n"),
            ("assert" | "debug_assert", [condition]) => Kind::Assert(self.boxed(condition)),
            _ => {
                let reason = format!("{}!: with a condition alone, or a format and values", name);
                self.refuse(call.path.span(), reason).kind
            }
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
