//! Structs that are to go to a device.
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;

use super::expr::shown;
use crate::errors::Errors;
use crate::tree::Member;

pub struct Record {
    pub name: Ident,
    pub generics: Vec<TokenStream>,
    pub generic_names: Vec<Ident>,
    pub where_clause: TokenStream,
    pub fields: Vec<(Member, TokenStream)>,
}

/// Reads a struct; `None` if it is none.
pub fn read(tokens: TokenStream, errors: &mut Errors) -> Option<Record> {
    let input: syn::DeriveInput = match syn::parse2(tokens) {
        Ok(input) => input,
        Err(error) => {
            errors.add(error.span(), error.to_string());
            return None;
        }
    };
    let data = match &input.data {
        syn::Data::Struct(data) => data,
        syn::Data::Enum(data) => {
            let reason = "an enum: kernels have structs; use an integer and `match`";
            errors.add(data.enum_token.span(), reason);
            return None;
        }
        syn::Data::Union(data) => {
            errors.add(data.union_token.span(), "a union: kernels have structs");
            return None;
        }
    };
    if !input.attrs.iter().any(is_repr_c) {
        let reason = "a struct that goes to a device has the layout of C: write #[repr(C)]";
        errors.add(input.ident.span(), reason);
    }
    if data.fields.is_empty() {
        errors.add(input.ident.span(), "a struct without fields: C++ has none of size 0");
    }
    let member = |(k, field): (usize, &syn::Field)| match &field.ident {
        Some(name) => (Member::Named(name.clone()), field.ty.to_token_stream()),
        None => (Member::Number(k as u32), field.ty.to_token_stream()),
    };
    let mut names = Vec::new();
    for parameter in &input.generics.params {
        match parameter {
            syn::GenericParam::Type(one) => names.push(one.ident.clone()),
            syn::GenericParam::Const(one) => names.push(one.ident.clone()),
            syn::GenericParam::Lifetime(one) => {
                errors.add(one.span(), "a struct with references cannot go to a device");
            }
        }
    }
    Some(Record {
        name: input.ident.clone(),
        generics: input.generics.params.iter().map(|one| one.to_token_stream()).collect(),
        generic_names: names,
        where_clause: input.generics.where_clause.to_token_stream(),
        fields: data.fields.iter().enumerate().map(member).collect(),
    })
}

fn is_repr_c(attribute: &syn::Attribute) -> bool {
    attribute.path.is_ident("repr") && shown(&attribute.tokens) == "(C)"
}
