//! Calls: of methods, of what the crate has, of device functions.
use quote::ToTokens;
use syn::spanned::Spanned;

use super::expr::{shown, words};
use super::Reader;
use crate::known;
use crate::tree::{Kind, Member};

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
        if names.len() == 2 && (known::is_number(&names[0]) || self.generics.contains(&names[0])) {
            return self.associated(call, path);
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

    fn associated(&mut self, call: &syn::ExprCall, path: &syn::ExprPath) -> Kind {
        let last = &path.path.segments[1].ident;
        match known::associated(&last.to_string()) {
            Some(count) if count == call.args.len() => {}
            Some(_) => return Kind::Wrong,
            None => return self.refuse(last.span(), unknown_method(&last.to_string())).kind,
        }
        let args = self.values(&call.args);
        let slot = self.slot(path.span());
        Kind::Associated { path: path.to_token_stream(), name: last.clone(), slot, args }
    }
}

fn unknown_method(name: &str) -> String {
    let why = match name {
        "iter" | "iter_mut" | "into_iter" | "map" | "fold" | "sum" | "zip" | "enumerate" => {
            "kernels have no iterators; use `for` over a range"
        }
        "unwrap" | "expect" | "get" | "get_mut" | "checked_add" | "checked_sub" | "checked_mul" => {
            "kernels have no Option and no Result"
        }
        "into" | "try_into" => "say which type: `u64::from(x)`, or `as`",
        "to_string" | "push" | "to_vec" | "collect" => "kernels cannot allocate",
        _ => "kernels have those of numbers and arrays; make it a #[gpuarr::device] fn",
    };
    format!("method `{}`: {}", name, why)
}
