//! Calls: of methods, of what the crate has, of device functions.
use quote::ToTokens;
use syn::spanned::Spanned;

use super::expr::{shown, words};
use super::Reader;
use crate::known;
use crate::tree::{Expr, Kind, Member};

const OWN: &str = "kernels have no functions of your own types; make it a #[gpuarr::device] fn, \
                   or write the struct with its fields";

impl Reader<'_> {
    pub fn method(&mut self, call: &syn::ExprMethodCall) -> Kind {
        let name = call.method.to_string();
        let span = call.method.span();
        match known::method(&name) {
            Some(count) if count == call.args.len() => {}
            Some(_) => return Kind::Wrong, // rustc says how many it has
            None => return self.refuse(span, unknown_method(&name)).kind,
        }
        let receiver = self.boxed(&call.receiver);
        Kind::Method { receiver, name: call.method.clone(), args: self.values(&call.args) }
    }

    pub fn call(&mut self, call: &syn::ExprCall) -> Kind {
        let path = match &*call.func {
            syn::Expr::Path(path) => path,
            other => {
                let reason = "a call of a value: kernels call functions by their names";
                return self.refuse(other.span(), reason).kind;
            }
        };
        let names = words(&path.path);
        if path.qself.is_some() || names.is_empty() {
            let reason = format!("{}: kernels have no methods of traits", shown(path));
            return self.refuse(path.span(), reason).kind;
        }
        if let Some(known) = known::function(&names) {
            self.is_joint |= known.is_joint;
            let args = self.values(&call.args);
            return Kind::Known { path: path.to_token_stream(), text: known.text, args };
        }
        let last = &names[names.len() - 1];
        if let [.., of, _] = names.as_slice() {
            let is_alone = names.len() == 2;
            let is_number = known::is_number(of) || self.generics.contains(of);
            let is_type =
                of.starts_with(char::is_uppercase) && !last.starts_with(char::is_uppercase);
            if is_alone && is_number || is_type {
                return self.associated(call, path, is_number);
            }
        }
        match (names.as_slice(), &call.args) {
            ([.., of, name], args) if of == "cmp" && args.len() == 2 && is_extreme(name) => {
                let name = path.path.segments[names.len() - 1].ident.clone();
                let receiver = self.boxed(&args[0]);
                return Kind::Method { receiver, name, args: vec![self.value(&args[1])] };
            }
            ([.., of, name], args) if of == "mem" && name == "swap" && args.len() == 2 => {
                return self.swap(&args[0], &args[1]);
            }
            _ => {}
        }
        if last.starts_with(char::is_uppercase) {
            let number = |(k, value)| (Member::Number(k as u32), value);
            let fields = self.values(&call.args).into_iter().enumerate().map(number).collect();
            let slot = self.slot(path.span());
            return Kind::Struct { path: path.to_token_stream(), fields, rest: None, slot };
        }
        if names.len() == 1 && *last == self.own_name {
            let reason = format!("{} calls itself: kernels have no recursion; use a loop", last);
            return self.refuse(path.span(), reason).kind;
        }
        let args = self.values(&call.args);
        Kind::Call { path: path.to_token_stream(), instance: self.instance(path.span()), args }
    }

    /// `swap(&mut a, &mut b)` is `(a, b) = (b, a)`.
    fn swap(&mut self, one: &syn::Expr, other: &syn::Expr) -> Kind {
        match (one, other) {
            (syn::Expr::Reference(one), syn::Expr::Reference(other)) => {
                let items = vec![self.value(&other.expr), self.value(&one.expr)];
                let kind = Kind::Tuple { items, slot: self.slot(one.span()) };
                let places = vec![self.value(&one.expr), self.value(&other.expr)];
                Kind::AssignMany { places, value: Box::new(Expr { span: one.span(), kind }) }
            }
            _ => self.refuse(one.span(), "swap of references: write `(*a, *b) = (*b, *a)`").kind,
        }
    }

    /// A function of a type: of numbers, of what may be another name of one, or of complex ones.
    fn associated(&mut self, call: &syn::ExprCall, path: &syn::ExprPath, is_number: bool) -> Kind {
        let last = &path.path.segments[path.path.segments.len() - 1].ident;
        let name = last.to_string();
        match known::associated(&name) {
            _ if name == "new" && !is_complex(&path.path) => {
                return self.refuse(path.span(), format!("{}: {}", shown(path), OWN)).kind
            }
            Some(count) if count == call.args.len() => {}
            Some(_) if is_number => return Kind::Wrong,
            _ if is_number => return self.refuse(last.span(), unknown_method(&name)).kind,
            _ => return self.refuse(path.span(), format!("{}: {}", shown(path), OWN)).kind,
        }
        let args = self.values(&call.args);
        let makes = matches!(name.as_str(), "default" | "new" | "of") || name.starts_with("from");
        let slot = if makes { self.operand(path.span()) } else { self.slot(path.span()) };
        Kind::Associated { path: path.to_token_stream(), name: last.clone(), slot, args }
    }
}

fn is_complex(path: &syn::Path) -> bool {
    path.segments.iter().any(|segment| segment.ident.to_string().starts_with("Complex"))
}

fn is_extreme(name: &str) -> bool {
    name == "max" || name == "min"
}

fn unknown_method(name: &str) -> String {
    let why = match name {
        "iter" | "iter_mut" | "into_iter" | "map" | "fold" | "sum" | "zip" | "enumerate" => {
            "kernels have no iterators; use `for` over a range"
        }
        "unwrap" | "expect" | "get" | "get_mut" | "first" | "last" | "try_from" | "try_into" => {
            "kernels have no Option and no Result"
        }
        _ if name.starts_with("checked_") => "kernels have no Option and no Result",
        "into" => "say which type: `u64::from(x)`, or `as`",
        "to_string" | "push" | "to_vec" | "collect" => "kernels cannot allocate",
        _ => "kernels have those of numbers and arrays; make it a #[gpuarr::device] fn",
    };
    format!("method `{}`: {}", name, why)
}
