//! What a function's text is made of when its types are known: the implementation of
//! `gpuarr::kernel::Code`.
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use crate::probe;
use crate::text::names::plain_name;
use crate::text::Written;
use crate::tree::{Function, Passed};

/// The type in whose name the text is kept, with its parameters.
pub struct Owner<'a> {
    pub name: &'a Ident,
    pub generics: &'a [TokenStream],
    pub generic_names: &'a [Ident],
    pub where_clause: &'a TokenStream,
}

impl Owner<'_> {
    /// `name<T, N>`
    pub fn ty(&self) -> TokenStream {
        let (name, names) = (self.name, self.generic_names);
        quote!(#name<#(#names),*>)
    }

    /// A type of which there are no values; it has its name beside the function's.
    pub fn declare(&self, visibility: &TokenStream, about: &str) -> TokenStream {
        let Owner { name, generics, where_clause, .. } = self;
        let declared = generics.iter().zip(self.generic_names);
        let types = declared.filter(|(declared, _)| !is_constant(declared)).map(|(_, name)| name);
        quote! {
            #[doc = #about]
            #[allow(non_camel_case_types, dead_code)]
            #visibility struct #name<#(#generics),*> #where_clause {
                never: ::core::convert::Infallible,
                own: ::core::marker::PhantomData<fn(#(&#types),*)>,
            }
        }
    }

    /// Implements `Code`: what rustc is asked, and what is made of the answers.
    pub fn code(&self, function: &Function, written: &Written) -> TokenStream {
        let Owner { name, generics, where_clause, .. } = self;
        let (ty, shown) = (self.ty(), plain_name(name));
        let to = writer(Span::call_site());
        let asked = asked(function);
        // All tokens are of one place and one origin: else rustc shows errors at the attribute.
        let types = function.slots.iter().enumerate().map(|(k, span)| {
            let (to, slot) = (writer(*span), probe::slot(k, *span));
            match function.operands.contains(&k) {
                true => quote_spanned!(to.span() => #to.operand(#slot)),
                false => quote_spanned!(to.span() => #to.type_of(#slot)),
            }
        });
        let instances = function.instances.iter().enumerate().map(|(k, span)| {
            let (to, instance) = (writer(*span), probe::instance(k, *span));
            quote_spanned!(to.span() => #to.instance(#instance))
        });
        let constants = written.constants.iter().map(|path| {
            let first = path.clone().into_iter().next();
            let to = writer(first.map_or_else(Span::call_site, |first| first.span()));
            quote_spanned!(to.span() => #to.constant(&#path))
        });
        let lines = written.places.iter().map(|span| quote_spanned!(*span => ::core::line!()));
        let (template, items) = (&written.template, &function.items);
        quote! {
            impl<#(#generics),*> ::gpuarr::kernel::Code for #ty #where_clause {
                const NAME: &'static str = #shown;

                #[allow(warnings, clippy::all)]
                fn write(#to: &mut ::gpuarr::kernel::Writer) {
                    #items
                    #asked
                    let types = [#(#types),*];
                    let instances = [#(#instances),*];
                    let constants = [#(#constants),*];
                    let lines = [#(#lines),*];
                    #to.write(&::gpuarr::kernel::Parts {
                        template: #template,
                        types: &types,
                        instances: &instances,
                        constants: &constants,
                        lines: &lines,
                        file: ::core::file!(),
                    });
                }
            }
        }
    }
}

/// The name of the `Writer` in what is generated, wherever the tokens around it come from.
pub fn writer(span: Span) -> Ident {
    Ident::new("to", span.resolved_at(Span::mixed_site()))
}

/// Of a parameter as it is declared: `const N: usize`.
pub fn is_constant(declared: &TokenStream) -> bool {
    declared.to_string().starts_with("const ")
}

/// The body once more, as a closure that nothing calls.
fn asked(function: &Function) -> TokenStream {
    let variables = probe::variables(function.slots.len(), function.instances.len());
    let told = function.parameters.iter().map(|parameter| {
        let slot = probe::slot(parameter.slot, parameter.name.span());
        let inner = &parameter.inner;
        quote!(#slot.is(::core::marker::PhantomData::<#inner>);)
    });
    let result = function.returns.as_ref().map(|(ty, slot)| {
        let slot = probe::slot(*slot, Span::call_site());
        quote!(#slot.is(::core::marker::PhantomData::<#ty>);)
    });
    let inputs = inputs(function);
    let output = function.returns.as_ref().map(|(ty, _)| quote!(-> #ty));
    let body = probe::block(&function.body);
    quote! {
        #variables
        #(#told)*
        #result
        let _ = |#inputs| #output #body;
    }
}

/// `mut a: f32, x: &[f32]`
pub fn inputs(function: &Function) -> TokenStream {
    let one = |parameter: &crate::tree::Parameter| {
        let (name, ty) = (&parameter.name, &parameter.ty);
        match parameter.mutable && parameter.kind == Passed::Value {
            true => quote!(mut #name: #ty,),
            false => quote!(#name: #ty,),
        }
    };
    function.parameters.iter().map(one).collect()
}
