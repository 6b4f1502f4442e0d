//! `#[gpuarr::kernel]`: a launcher with the function's name, and a type with that name that has the
//! text and the function itself.
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use crate::code::Owner;
use crate::errors::Errors;
use crate::read::{Attributes, Head, Item};
use crate::text;
use crate::tree::{Function, Parameter, Passed};

pub fn expand(attribute: TokenStream, tokens: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let attributes = Attributes::read(attribute, &mut errors);
    let item = match Item::read(tokens, true, &mut errors) {
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
    let written = text::kernel(function, &mut errors);
    let about = format!("The kernel [`{0}`](fn@{0}): its text, and itself on the host.", head.name);
    let declared = owner.declare(&head.visibility, &about);
    let (launcher, host) =
        (launcher(head, function, &owner, &attributes), host(head, function, &owner));
    if !errors.is_empty() {
        // The function and its launcher stay, so that nothing else is missing them.
        let (generics, where_clause, ty) = (&head.generics, &head.where_clause, owner.ty());
        let (errors, name) = (errors.tokens(), head.name.to_string());
        return quote! {
            #errors #declared #launcher #host
            impl<#(#generics),*> ::gpuarr::kernel::Code for #ty #where_clause {
                const NAME: &'static str = #name;
                fn write(_: &mut ::gpuarr::kernel::Writer) {}
            }
        };
    }
    let code = owner.code(function, &written);
    quote! { #declared #launcher #host #code }
}

/// The type of a slice's array. Where the type of the elements is to be inferred, it is spelled.
fn array(parameter: &Parameter) -> TokenStream {
    let inner = &parameter.inner;
    match parameter.is_generic {
        true => quote!(::gpuarr::Array<#inner>),
        false => quote!(<#inner as ::gpuarr::kernel::Plain>::Array),
    }
}

fn launcher(
    head: &Head,
    function: &Function,
    owner: &Owner,
    attributes: &Attributes,
) -> TokenStream {
    let Head { attributes: outer, visibility, name, generics, where_clause, .. } = head;
    let ty = owner.ty();
    let inputs = function.parameters.iter().map(|parameter| {
        let (name, inner) = (&parameter.name, &parameter.inner);
        let array = array(parameter);
        match parameter.kind {
            Passed::Slice { mutable: true } => quote!(#name: &'gpuarr mut #array),
            Passed::Slice { mutable: false } => quote!(#name: &'gpuarr #array),
            _ => quote!(#name: #inner),
        }
    });
    let given = function.parameters.iter().map(|parameter| {
        let name = &parameter.name;
        match parameter.kind {
            Passed::Slice { .. } => quote! {
                ::gpuarr::kernel::Sliced::arg(&*#name),
                ::gpuarr::kernel::length(&*#name)
            },
            _ => quote_spanned!(name.span() => ::gpuarr::kernel::Plain::arg(&#name)),
        }
    });
    let slices = function.parameters.iter().filter(|p| matches!(p.kind, Passed::Slice { .. }));
    let checks = slices.map(|parameter| {
        let (name, shown) = (&parameter.name, parameter.name.to_string());
        quote!((#shown, ::gpuarr::kernel::Sliced::is_plain(&*#name)))
    });
    let bytes = function.is_dynamic.then(|| quote!(::gpuarr::Arg::scalar(gpuarr_bytes as u64)));
    let given = given.chain(bytes);
    let is_checked = attributes.is_checked;
    let launcher_generics = quote!('gpuarr, #(#generics),*);
    quote! {
        #outer
        #[allow(clippy::too_many_arguments)]
        #[inline]
        #[must_use = "nothing is launched yet"]
        #visibility fn #name<#launcher_generics>(#(#inputs),*)
            -> ::gpuarr::kernel::Ready<impl ::gpuarr::kernel::Arguments + 'gpuarr> #where_clause
        {
            static KEPT: ::gpuarr::kernel::Kept<::gpuarr::RawKernel> =
                ::gpuarr::kernel::Kept::new();
            let gpuarr_strided = ::gpuarr::kernel::strided(&[#(#checks),*]);
            ::gpuarr::kernel::Ready::new(
                KEPT.get::<#ty>(|| ::gpuarr::kernel::raw::<#ty>(#is_checked)),
                gpuarr_strided,
                move |gpuarr_bytes: i64, gpuarr_then: &mut dyn FnMut(&[::gpuarr::Arg<'_>])| {
                    let _ = gpuarr_bytes;
                    gpuarr_then(&[#(#given),*])
                },
            )
        }
    }
}

/// The function, and a run of it by one thread after another where that means the same.
fn host(head: &Head, function: &Function, owner: &Owner) -> TokenStream {
    let Head { visibility, name, generics, where_clause, inputs, body, .. } = head;
    let ty = owner.ty();
    let about = format!("What each thread of [`{0}`](fn@{0}) does, on the host.", name);
    let run_about = format!(
        "Runs [`{0}`](fn@{0}) on the host, one thread after another: a number, or grid and block.",
        name
    );
    let source = format!("The CUDA C++ text of [`{0}`](fn@{0}).", name);
    let plain = function.parameters.iter().map(|parameter| {
        let (name, ty) = (&parameter.name, &parameter.ty);
        quote!(#name: #ty)
    });
    let names = function.parameters.iter().map(|parameter| &parameter.name);
    let run = (!function.is_joint).then(|| {
        quote! {
            #[doc = #run_about]
            #[allow(dead_code, clippy::too_many_arguments)]
            #visibility fn on_host(
                gpuarr_threads: impl ::core::convert::Into<::gpuarr::kernel::Threads>,
                #(#plain),*
            ) {
                ::gpuarr::kernel::on_host(gpuarr_threads.into(), || Self::thread(#(#names),*));
            }
        }
    });
    quote! {
        impl<#(#generics),*> #ty #where_clause {
            #[doc = #about]
            #[allow(dead_code, clippy::too_many_arguments, clippy::needless_range_loop)]
            #visibility fn thread(#inputs) #body

            #run

            #[doc = #source]
            #[allow(dead_code)]
            #visibility fn source() -> ::gpuarr::Result<::std::string::String> {
                ::gpuarr::kernel::source::<Self>()
            }
        }
    }
}
