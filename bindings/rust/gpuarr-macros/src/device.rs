//! `#[gpuarr::device]`: the function as it is, and beside it a type of the same name that has its
//! text.
use proc_macro2::TokenStream;
use quote::quote;

use crate::code::Owner;
use crate::errors::Errors;
use crate::read::{Head, Item};
use crate::text;

pub fn expand(tokens: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let item = match Item::read(tokens, false, &mut errors) {
        Ok(item) => item,
        Err(itself) => {
            let errors = errors.tokens();
            return quote!(#itself #errors);
        }
    };
    let Item { head, function } = &item;
    let owner = Owner {
        name: &head.name,
        generics: &head.generics,
        generic_names: &head.generic_names,
        where_clause: &head.where_clause,
    };
    let written = text::device(function, &mut errors);
    let about = format!("The function [`{0}`](fn@{0}) in kernels.", head.name);
    let declared = owner.declare(&head.visibility, &about);
    let (itself, called) = (itself(head), called(head, &owner));
    if !errors.is_empty() {
        let (generics, where_clause, ty) = (&head.generics, &head.where_clause, owner.ty());
        let (errors, name) = (errors.tokens(), head.name.to_string());
        return quote! {
            #errors #declared #itself #called
            impl<#(#generics),*> ::gpuarr::kernel::Code for #ty #where_clause {
                const NAME: &'static str = #name;
                fn write(_: &mut ::gpuarr::kernel::Writer) {}
            }
        };
    }
    let code = owner.code(function, &written);
    quote! { #declared #itself #called #code }
}

fn itself(head: &Head) -> TokenStream {
    let Head { attributes, visibility, name, generics, where_clause, inputs, output, body, .. } =
        head;
    quote! {
        #attributes
        #[allow(dead_code, clippy::needless_range_loop)]
        #visibility fn #name<#(#generics),*>(#inputs) #output #where_clause #body
    }
}

/// What a call of it is where rustc is asked for types.
fn called(head: &Head, owner: &Owner) -> TokenStream {
    let Head { visibility, generics, where_clause, inputs, output, .. } = head;
    let ty = owner.ty();
    quote! {
        impl<#(#generics),*> #ty #where_clause {
            #[doc(hidden)]
            #[allow(warnings, clippy::all)]
            #visibility fn __gpuarr_call(_: &::gpuarr::kernel::Slot<Self>, #inputs) #output {
                ::core::unreachable!()
            }
        }
    }
}
