//! `#[derive(gpuarr::Device)]`: a struct's definition in C++, and a check that it lies alike.
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

use crate::code::{is_constant, writer};
use crate::errors::Errors;
use crate::probe::member;
use crate::read;
use crate::text::names::{field_name, plain_name};

pub fn expand(tokens: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let record = read::record(tokens, &mut errors);
    let record = match record {
        Some(record) if errors.is_empty() => record,
        _ => return errors.tokens(),
    };
    let (name, generics, names) = (&record.name, &record.generics, &record.generic_names);
    let to = writer(Span::call_site());
    let (where_clause, shown) = (&record.where_clause, plain_name(name));
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
    let shown_members = record.fields.iter().map(|(one, _)| field_name(one));
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
                    #(fields.add::<#types>(
                        #to,
                        #shown_members,
                        // An address is taken, and nothing is read.
                        ::gpuarr::kernel::offset(|one: *const Self| unsafe {
                            ::core::ptr::addr_of!((*one).#members) as *const u8
                        }),
                    );)*
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
