//! `#[derive(gpuarr::Device)]`: a struct's definition in C++, and a check that it lies alike.
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

use crate::code::{is_constant, writer};
use crate::errors::Errors;
use crate::probe::member;
use crate::read;

pub fn expand(tokens: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let record = read::record(tokens, &mut errors);
    let record = match record {
        Some(record) if errors.is_empty() => record,
        _ => return errors.tokens(),
    };
    let (name, generics, names) = (&record.name, &record.generics, &record.generic_names);
    let to = writer(Span::call_site());
    let (where_clause, shown) = (&record.where_clause, name.to_string());
    let bounds: Vec<TokenStream> = generics
        .iter()
        .zip(names)
        .map(|(declared, name)| match is_constant(declared) {
            true => quote!(#declared),
            false if declared.to_string().contains(':') => {
                quote!(#declared + ::gpuarr::kernel::Plain)
            }
            false => quote!(#name: ::gpuarr::kernel::Plain),
        })
        .collect();
    let members: Vec<TokenStream> = record.fields.iter().map(|(one, _)| member(one)).collect();
    let shown_members = members.iter().map(|one| {
        let text = one.to_string();
        match text.parse::<u32>() {
            Ok(number) => format!("_{}", number),
            Err(_) => format!("{}_", text.trim_start_matches("r#")),
        }
    });
    let types = record.fields.iter().map(|(_, ty)| ty);
    let literals = record.fields.iter().zip(&members).map(|((_, ty), member)| {
        let span = ty.clone().into_iter().next().map_or_else(|| name.span(), |first| first.span());
        quote_spanned!(span => <#ty as ::gpuarr::kernel::Value>::literal(&self.#member, #to))
    });
    quote! {
        // repr(C), of fields that lie alike themselves; static_assert in C++ says it once more.
        unsafe impl<#(#bounds),*> ::gpuarr::kernel::Value for #name<#(#names),*> #where_clause {
            const CLASS: ::gpuarr::kernel::Class = ::gpuarr::kernel::Class::Other;

            fn name(#to: &mut ::gpuarr::kernel::Writer) -> ::std::string::String {
                #to.record::<Self>(#shown, |#to| {
                    let mut fields = ::gpuarr::kernel::Fields::default();
                    #(fields.add::<#types>(#to, #shown_members);)*
                    fields
                })
            }

            fn literal(&self, #to: &mut ::gpuarr::kernel::Writer) -> ::std::string::String {
                let name = <Self as ::gpuarr::kernel::Value>::name(#to);
                let fields = [#(#literals),*];
                ::std::format!("{}{{{}}}", name, fields.join(", "))
            }
        }

        unsafe impl<#(#bounds),*> ::gpuarr::kernel::Plain for #name<#(#names),*> #where_clause {
            type Array = ::gpuarr::kernel::Records<Self>;

            #[inline]
            fn arg(&self) -> ::gpuarr::Arg<'_> {
                ::gpuarr::Arg::bytes(self)
            }
        }
    }
}
