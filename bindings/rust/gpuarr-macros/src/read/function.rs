//! Functions: their names, types and parameters, around a body.
use proc_macro2::{Ident, TokenStream};
use quote::{quote, ToTokens};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;

use super::expr::shown;
use super::Reader;
use crate::errors::Errors;
use crate::tree::{Block, Function, Parameter, Passed};

const PASSED: &str = "kernels take slices, `&[T]` and `&mut [T]`, and values";
/// Of a reference that is to mean something else later.
pub const CHANGING: &str = "`mut` of a reference: in kernels it stays what it is; use an index";
const NAMED: &str = "a parameter has a name; take it apart by `let` in the body";

/// A function as it stands, for writing it again.
pub struct Head {
    pub attributes: TokenStream,
    pub visibility: TokenStream,
    pub name: Ident,
    /// With their bounds, as they are declared, and the names alone.
    pub generics: Vec<TokenStream>,
    pub generic_names: Vec<Ident>,
    pub where_clause: TokenStream,
    pub inputs: TokenStream,
    pub output: TokenStream,
    pub body: TokenStream,
}

pub struct Item {
    pub head: Head,
    pub function: Function,
}

/// What stands in the parentheses of `#[gpuarr::kernel(...)]`.
#[derive(Default)]
pub struct Attributes {
    pub is_checked: bool,
}

impl Attributes {
    pub fn read(tokens: TokenStream, errors: &mut Errors) -> Attributes {
        let mut read = Attributes::default();
        if let Some(first) = tokens.clone().into_iter().next() {
            match tokens.to_string().as_str() {
                "checked" => read.is_checked = true,
                other => {
                    let reason = format!("`{}`: only `checked` may stand here", other);
                    errors.add(first.span(), reason);
                }
            }
        }
        read
    }
}

impl Item {
    /// Reads a function. If there is something wrong with what it takes and returns, it comes back
    /// as it stands, and no more can be made of it.
    pub fn read(
        tokens: TokenStream,
        is_kernel: bool,
        errors: &mut Errors,
    ) -> Result<Item, TokenStream> {
        let mut item: syn::ItemFn = match syn::parse2(tokens.clone()) {
            Ok(item) => item,
            Err(error) => {
                errors.add(error.span(), format!("a function: {}", error));
                return Err(tokens);
            }
        };
        let before = errors.count();
        signature(&item.sig, is_kernel, errors);
        for input in item.sig.inputs.iter_mut() {
            Conditions(errors).visit_fn_arg_mut(input);
        }
        Conditions(errors).visit_block_mut(&mut item.block);
        let generics = type_names(&item.sig.generics);
        let mut reader = Reader::new(
            item.sig.ident.to_string(),
            generics.iter().map(Ident::to_string).collect(),
            errors,
        );
        let parameters: Vec<Parameter> =
            item.sig.inputs.iter().filter_map(|one| reader.parameter(one, is_kernel)).collect();
        let is_wrong = reader.errors.count() > before;
        let returns = match &item.sig.output {
            syn::ReturnType::Type(_, ty) if !is_unit(ty) => {
                Some((ty.to_token_stream(), reader.slot(ty.span())))
            }
            _ => None,
        };
        let body = reader.block(&item.block, returns.is_some());
        let function = reader.function(parameters, returns, body);
        share(&mut item.block);
        match is_wrong {
            true => Err(item.to_token_stream()),
            false => Ok(Item { head: head(&item), function }),
        }
    }
}

impl Reader<'_> {
    pub fn function(
        self,
        parameters: Vec<Parameter>,
        returns: Option<(TokenStream, usize)>,
        body: Block,
    ) -> Function {
        Function {
            parameters,
            returns,
            body,
            items: self.items,
            slots: self.slots,
            operands: self.operands,
            instances: self.instances,
            is_joint: self.is_joint,
            is_dynamic: self.is_dynamic,
        }
    }

    fn parameter(&mut self, input: &syn::FnArg, is_kernel: bool) -> Option<Parameter> {
        let typed = match input {
            syn::FnArg::Typed(typed) => typed,
            syn::FnArg::Receiver(own) => {
                self.errors.add(own.span(), "`self`: kernels are no methods");
                return None;
            }
        };
        let name = match &*typed.pat {
            syn::Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => name,
            other => {
                self.errors.add(other.span(), NAMED);
                return None;
            }
        };
        let (kind, inner) = passed(&typed.ty);
        if is_kernel && matches!(kind, Passed::Reference { .. }) {
            self.errors.add(typed.ty.span(), format!("{}: {}", shown(&typed.ty), PASSED));
        }
        if let (Some(found), false) = (&name.mutability, kind == Passed::Value) {
            self.errors.add(found.span(), CHANGING);
        }
        if let syn::Type::ImplTrait(_) = inner {
            self.errors.add(inner.span(), "`impl` as a type: name it, as `fn f<T: Element>(x: T)`");
        }
        let is_generic = self.is_generic(inner);
        if is_kernel && matches!(kind, Passed::Slice { .. }) && !is_path(inner) {
            let reason = format!("a slice of {}: of numbers and structs only", shown(inner));
            self.errors.add(inner.span(), reason);
        }
        Some(self.make_parameter(name, kind, &typed.ty, inner, is_generic))
    }

    pub fn make_parameter(
        &mut self,
        name: &syn::PatIdent,
        kind: Passed,
        ty: &syn::Type,
        inner: &syn::Type,
        is_generic: bool,
    ) -> Parameter {
        Parameter {
            name: name.ident.clone(),
            mutable: name.mutability.is_some(),
            slot: self.slot(name.span()),
            kind,
            ty: ty.to_token_stream(),
            inner: inner.to_token_stream(),
            is_generic,
        }
    }

    pub fn is_generic(&self, ty: &syn::Type) -> bool {
        let name = match bare(ty) {
            syn::Type::Path(path) => path.path.get_ident().map(Ident::to_string),
            _ => None,
        };
        name.map_or(false, |name| self.generics.contains(&name))
    }
}

/// A type that another macro wrote may come in a group.
pub fn bare(ty: &syn::Type) -> &syn::Type {
    match ty {
        syn::Type::Group(group) => bare(&group.elem),
        syn::Type::Paren(group) => bare(&group.elem),
        _ => ty,
    }
}

fn is_path(ty: &syn::Type) -> bool {
    matches!(bare(ty), syn::Type::Path(_))
}

fn is_unit(ty: &syn::Type) -> bool {
    matches!(bare(ty), syn::Type::Tuple(tuple) if tuple.elems.is_empty())
}

pub fn passed(ty: &syn::Type) -> (Passed, &syn::Type) {
    match bare(ty) {
        syn::Type::Reference(reference) => {
            let mutable = reference.mutability.is_some();
            match bare(&reference.elem) {
                syn::Type::Slice(slice) => (Passed::Slice { mutable }, &slice.elem),
                inner => (Passed::Reference { mutable }, inner),
            }
        }
        other => (Passed::Value, other),
    }
}

fn signature(sig: &syn::Signature, is_kernel: bool, errors: &mut Errors) {
    let mut refuse = |span, reason: &str| errors.add(span, reason);
    if let Some(found) = &sig.asyncness {
        refuse(found.span(), "`async`: kernels have none");
    }
    if let Some(found) = &sig.unsafety {
        refuse(found.span(), "`unsafe`: launching is; leave it out here");
    }
    if let Some(found) = &sig.abi {
        refuse(found.span(), "`extern`: a kernel gets its own calling convention");
    }
    if let Some(found) = &sig.variadic {
        refuse(found.span(), "kernels have a fixed number of parameters");
    }
    if let syn::ReturnType::Type(_, ty) = &sig.output {
        if is_kernel && !is_unit(ty) {
            refuse(ty.span(), "a kernel returns nothing: write results to a `&mut [T]`");
        } else if let syn::Type::Reference(_) = &**ty {
            refuse(ty.span(), "device functions return values, no references");
        }
    }
    for parameter in &sig.generics.params {
        if let syn::GenericParam::Lifetime(lifetime) = parameter {
            refuse(lifetime.span(), "kernels need no lifetimes: leave them out");
        }
    }
}

fn type_names(generics: &syn::Generics) -> Vec<Ident> {
    let name = |parameter: &syn::GenericParam| match parameter {
        syn::GenericParam::Type(one) => Some(one.ident.clone()),
        syn::GenericParam::Const(one) => Some(one.ident.clone()),
        syn::GenericParam::Lifetime(_) => None,
    };
    generics.params.iter().filter_map(name).collect()
}

fn head(item: &syn::ItemFn) -> Head {
    let (attrs, sig) = (&item.attrs, &item.sig);
    Head {
        attributes: quote!(#(#attrs)*),
        visibility: item.vis.to_token_stream(),
        name: sig.ident.clone(),
        generics: sig.generics.params.iter().map(|one| one.to_token_stream()).collect(),
        generic_names: type_names(&sig.generics),
        where_clause: sig.generics.where_clause.to_token_stream(),
        inputs: sig.inputs.to_token_stream(),
        output: sig.output.to_token_stream(),
        body: item.block.to_token_stream(),
    }
}

/// Refuses conditions of compilation, which rustc looks at when the text is made already.
pub struct Conditions<'a>(pub &'a mut Errors);

impl VisitMut for Conditions<'_> {
    fn visit_attribute_mut(&mut self, found: &mut syn::Attribute) {
        if found.path.is_ident("cfg") || found.path.is_ident("cfg_attr") {
            let reason = "#[cfg] in a kernel: write `if cfg!(...)`, or two functions with #[cfg]";
            self.0.add(found.path.span(), reason);
        }
    }
}

/// Gives shared variables a value in the function that rustc compiles, and takes the mark away.
fn share(block: &mut syn::Block) {
    struct Shared;
    impl VisitMut for Shared {
        fn visit_local_mut(&mut self, local: &mut syn::Local) {
            let marks = local.attrs.len();
            local.attrs.retain(|attribute| !attribute.path.is_ident("shared"));
            if local.attrs.len() < marks && local.init.is_none() {
                local.attrs.push(syn::parse_quote!(#[allow(unused_mut)]));
                if let syn::Pat::Type(typed) = &mut local.pat {
                    if let syn::Pat::Ident(name) = &mut *typed.pat {
                        name.mutability = Some(Default::default());
                    }
                }
                let value = syn::parse_quote!(::gpuarr::kernel::shared());
                local.init = Some((Default::default(), value));
            }
            syn::visit_mut::visit_local_mut(self, local);
        }
    }
    Shared.visit_block_mut(block);
}
