//! `elementwise!` and `reduction!`: an object with typed calls, and the closures on the host.
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use crate::code::{inputs, Owner};
use crate::errors::Errors;
use crate::read::{Closure, ElementwiseInput, ReductionInput};
use crate::text;
use crate::text::names::plain_name;

/// The parameters of the types that all parts share.
struct Letters {
    names: Vec<Ident>,
    declared: Vec<TokenStream>,
}

impl Letters {
    fn new(generics: &[(Ident, TokenStream)]) -> Letters {
        Letters {
            names: generics.iter().map(|(name, _)| name.clone()).collect(),
            declared: generics.iter().map(|(name, bound)| quote!(#name: #bound)).collect(),
        }
    }

    /// The type of one part, its text and the function itself as a method `name`.
    fn part(&self, name: &str, closure: &Closure, errors: &mut Errors) -> TokenStream {
        let part = Ident::new(name, Span::call_site());
        let nothing = TokenStream::new();
        let owner = Owner {
            name: &part,
            generics: &self.declared,
            generic_names: &self.names,
            where_clause: &nothing,
        };
        let written = text::device(&closure.function, errors);
        if !errors.is_empty() {
            return TokenStream::new();
        }
        let (declared, code) = (
            owner.declare(&nothing, "A part of a kernel."),
            owner.code(&closure.function, &written),
        );
        let (generics, ty, inputs) = (&self.declared, owner.ty(), inputs(&closure.function));
        let (output, body) = (&closure.output, &closure.body);
        quote! {
            #declared
            #code
            impl<#(#generics),*> #ty {
                fn run(#inputs) -> #output #body
            }
        }
    }
}

/// `x: impl Input<T>` and `Input::arg(&x)` for each parameter.
fn operands(closure: &Closure) -> (Vec<TokenStream>, Vec<TokenStream>) {
    let declared = closure.function.parameters.iter().map(|parameter| {
        let (name, ty) = (&parameter.name, &parameter.inner);
        quote!(#name: impl ::gpuarr::kernel::Input<#ty>)
    });
    let given = closure.function.parameters.iter().map(|parameter| {
        let name = &parameter.name;
        quote!(::gpuarr::kernel::Input::arg(&#name))
    });
    (declared.collect(), given.collect())
}

/// `("x", <T as Element>::DTYPE)` for each input.
fn in_params(closure: &Closure) -> TokenStream {
    let each = closure.function.parameters.iter().map(|parameter| {
        let (name, ty) = (plain_name(&parameter.name), &parameter.inner);
        quote!((#name, <#ty as ::gpuarr::Element>::DTYPE))
    });
    quote!(&[#(#each),*])
}

fn dtypes(types: &[TokenStream]) -> TokenStream {
    quote!(&[#(<#types as ::gpuarr::Element>::DTYPE),*])
}

/// `Array<f32>`, or a tuple of arrays, and the same as what is written to.
fn results(types: &[TokenStream]) -> (TokenStream, TokenStream) {
    match types {
        [one] => (quote!(::gpuarr::Array<#one>), quote!(&mut ::gpuarr::Array<#one>)),
        all => (quote!((#(::gpuarr::Array<#all>,)*)), quote!((#(&mut ::gpuarr::Array<#all>,)*))),
    }
}

/// Reasons, and something that the program around may take for the kernel.
fn refused(errors: &Errors) -> TokenStream {
    let errors = errors.tokens();
    quote!({ #errors ::core::unreachable!() })
}

pub fn elementwise(tokens: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let input = match ElementwiseInput::read(tokens, &mut errors) {
        Some(input) => input,
        None => return refused(&errors),
    };
    let (letters, closure) = (Letters::new(&input.generics), &input.closure);
    let part = letters.part("Body", closure, &mut errors);
    if !errors.is_empty() {
        return refused(&errors);
    }
    let (names, generics) = (&letters.names, &letters.declared);
    let (declared, given) = operands(closure);
    let (made, written) = results(&closure.outputs);
    let (in_params, out_params) = (in_params(closure), dtypes(&closure.outputs));
    let (host_inputs, output) = (&closure.inputs, &closure.output);
    let values = closure.function.parameters.iter().map(|parameter| &parameter.name);
    quote! {{
        #part

        /// An elementwise kernel, made by `gpuarr::elementwise!`.
        #[derive(Clone, Copy, Debug)]
        struct Kernel;

        #[allow(dead_code, clippy::too_many_arguments)]
        impl Kernel {
            /// The closure, on the host.
            fn host<#(#generics),*>(&self, #host_inputs) -> #output {
                Body::<#(#names),*>::run(#(#values),*)
            }

            /// The kernel for such elements.
            fn kernel<#(#generics),*>(&self) -> ::gpuarr::Result<&'static ::gpuarr::Elementwise> {
                static KEPT: ::gpuarr::kernel::Kept<::gpuarr::Elementwise> =
                    ::gpuarr::kernel::Kept::new();
                KEPT.get::<Body<#(#names),*>>(|| {
                    ::gpuarr::kernel::elementwise::<Body<#(#names),*>>(#in_params, #out_params)
                })
            }

            /// Runs it over arrays and scalars, and makes the result.
            fn call<#(#generics),*>(&self, #(#declared),*) -> ::gpuarr::Result<#made> {
                self.kernel::<#(#names),*>()?.call(&[#(#given),*])
            }

            /// Runs it over arrays and scalars, and writes to a given array.
            fn call_into<#(#generics),*>(
                &self, #(#declared,)* gpuarr_out: #written
            ) -> ::gpuarr::Result<()> {
                self.kernel::<#(#names),*>()?.call_into(&[#(#given),*], gpuarr_out)
            }

            /// The CUDA C++ text of the closure.
            fn text<#(#generics),*>(&self) -> ::gpuarr::Result<::std::string::String> {
                ::gpuarr::kernel::source::<Body<#(#names),*>>()
            }
        }
        Kernel
    }}
}

pub fn reduction(tokens: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let mut input = match ReductionInput::read(tokens, &mut errors) {
        Some(input) => input,
        None => return refused(&errors),
    };
    let letters = Letters::new(&input.generics);
    let mut parts = letters.part("Map", &input.map, &mut errors);
    parts.extend(letters.part("Reduce", &input.reduce, &mut errors));
    let post = input.post.take();
    if let Some(post) = &post {
        parts.extend(letters.part("Post", post, &mut errors));
    }
    if !errors.is_empty() {
        return refused(&errors);
    }
    reduction_object(&letters, &input, post.as_ref(), parts)
}

fn reduction_object(
    letters: &Letters,
    input: &ReductionInput,
    post: Option<&Closure>,
    parts: TokenStream,
) -> TokenStream {
    let (names, generics, map) = (&letters.names, &letters.declared, &input.map);
    let last = post.unwrap_or(&input.reduce);
    let (declared, given) = operands(map);
    let (made, written) = results(&last.outputs);
    let (in_params, out_params) = (in_params(map), dtypes(&last.outputs));
    let (partial, result) = (&map.output, &last.output);
    let identity = match &input.identity {
        Some(value) => quote!(::core::option::Option::Some::<#partial>(#value)),
        None => quote!(::core::option::Option::None::<#partial>),
    };
    let (post_type, counts) = match post {
        Some(post) => (quote!(Post<#(#names),*>), post.function.parameters.len() == 2),
        None => (quote!(::gpuarr::kernel::Same), false),
    };
    let finished = match (post, counts) {
        (Some(_), true) => quote!(Post::<#(#names),*>::run(all, count)),
        (Some(_), false) => quote!(Post::<#(#names),*>::run(all)),
        (None, _) => quote!(all),
    };
    let columns: Vec<Ident> =
        (0..map.function.parameters.len()).map(|k| format_ident!("gpuarr_{}", k)).collect();
    let types = map.function.parameters.iter().map(|parameter| &parameter.inner);
    let first = &columns[..1];
    quote! {{
        #parts

        /// A reduction, made by `gpuarr::reduction!`.
        #[derive(Clone, Copy, Debug)]
        struct Kernel;

        #[allow(dead_code, clippy::too_many_arguments)]
        impl Kernel {
            /// The closures, on the host: `None` of no elements and without an identity.
            fn host<#(#generics),*>(
                &self, #(#columns: &[#types]),*
            ) -> ::core::option::Option<#result> {
                let count = #(#first)*.len();
                let mapped = (0..count).map(|k| Map::<#(#names),*>::run(#(#columns[k]),*));
                let all = match #identity {
                    ::core::option::Option::Some(identity) => {
                        mapped.fold(identity, |a, b| Reduce::<#(#names),*>::run(a, b))
                    }
                    ::core::option::Option::None => {
                        mapped.reduce(|a, b| Reduce::<#(#names),*>::run(a, b))?
                    }
                };
                ::core::option::Option::Some(#finished)
            }

            /// The kernel for such elements.
            fn kernel<#(#generics),*>(&self) -> ::gpuarr::Result<&'static ::gpuarr::Reduction> {
                static KEPT: ::gpuarr::kernel::Kept<::gpuarr::Reduction> =
                    ::gpuarr::kernel::Kept::new();
                KEPT.get::<(Map<#(#names),*>, Reduce<#(#names),*>)>(|| {
                    let parts = ::gpuarr::kernel::ReductionParts {
                        inputs: #in_params,
                        outputs: #out_params,
                        identity: #identity,
                        counts: #counts,
                    };
                    parts.make::<Map<#(#names),*>, Reduce<#(#names),*>, #post_type>()
                })
            }

            /// Reduces arrays along axes, and makes the result.
            fn call<#(#generics),*>(
                &self, #(#declared,)* gpuarr_axes: impl ::core::convert::Into<::gpuarr::Axes>
            ) -> ::gpuarr::Result<#made> {
                self.kernel::<#(#names),*>()?.call(&[#(#given),*], gpuarr_axes)
            }

            /// Reduces arrays along axes, and writes to a given array.
            fn call_into<#(#generics),*>(
                &self,
                #(#declared,)*
                gpuarr_axes: impl ::core::convert::Into<::gpuarr::Axes>,
                gpuarr_out: #written
            ) -> ::gpuarr::Result<()> {
                self.kernel::<#(#names),*>()?.call_into(&[#(#given),*], gpuarr_axes, gpuarr_out)
            }
        }
        Kernel
    }}
}
