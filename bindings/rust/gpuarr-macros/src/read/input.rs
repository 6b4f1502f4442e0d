//! What stands in `elementwise!` and `reduction!`: closures with the types of their parameters.
use proc_macro2::{Ident, TokenStream};
use quote::{quote, ToTokens};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::Token;

use super::expr::shown;
use super::function::{bare, Conditions};
use super::Reader;
use crate::errors::Errors;
use crate::tree::{Block, Function, Parameter, Passed};

/// A closure as a function.
pub struct Closure {
    pub function: Function,
    /// `x: f32, y: f32`.
    pub inputs: TokenStream,
    pub output: Option<TokenStream>,
    /// The items of an output that is a tuple.
    pub outputs: Vec<TokenStream>,
    pub body: TokenStream,
}

pub struct ElementwiseInput {
    pub generics: Vec<(Ident, TokenStream)>,
    pub closure: Closure,
}

pub struct ReductionInput {
    pub generics: Vec<(Ident, TokenStream)>,
    pub map: Closure,
    pub reduce: Closure,
    pub post: Option<Closure>,
    pub identity: Option<TokenStream>,
}

/// `|x: T, y: T| -> T where T: Float { ... }`; `where` and what is before `{` may be left out.
struct Raw {
    parameters: Vec<(syn::PatIdent, Option<syn::Type>)>,
    output: Option<syn::Type>,
    bounds: Vec<(Ident, TokenStream)>,
    body: syn::Expr,
}

impl Parse for Raw {
    fn parse(input: ParseStream) -> syn::Result<Raw> {
        input.parse::<Token![|]>()?;
        let mut parameters = Vec::new();
        while !input.peek(Token![|]) {
            let name = syn::PatIdent {
                attrs: Vec::new(),
                by_ref: None,
                mutability: input.parse()?,
                ident: input.parse()?,
                subpat: None,
            };
            let ty = match input.peek(Token![:]) {
                true => input.parse::<Token![:]>().and_then(|_| input.parse()).map(Some)?,
                false => None,
            };
            parameters.push((name, ty));
            if !input.peek(Token![|]) {
                input.parse::<Token![,]>()?;
            }
        }
        input.parse::<Token![|]>()?;
        let output = match input.peek(Token![->]) {
            true => input.parse::<Token![->]>().and_then(|_| input.parse()).map(Some)?,
            false => None,
        };
        let mut bounds = Vec::new();
        if input.peek(Token![where]) {
            input.parse::<Token![where]>()?;
            while !input.peek(syn::token::Brace) {
                let name: Ident = input.parse()?;
                input.parse::<Token![:]>()?;
                let bound = syn::punctuated::Punctuated::<syn::TypeParamBound, Token![+]>::
                    parse_separated_nonempty(input)?;
                bounds.push((name, bound.to_token_stream()));
                if input.peek(Token![,]) {
                    input.parse::<Token![,]>()?;
                }
            }
        }
        Ok(Raw { parameters, output, bounds, body: input.parse()? })
    }
}

struct RawReduction {
    parts: Vec<(Ident, RawPart)>,
}

enum RawPart {
    Closure(Box<Raw>),
    Value(Box<syn::Expr>),
}

impl Parse for RawReduction {
    fn parse(input: ParseStream) -> syn::Result<RawReduction> {
        let mut parts = Vec::new();
        while !input.is_empty() {
            let name: Ident = input.parse()?;
            input.parse::<Token![:]>()?;
            let part = match input.peek(Token![|]) {
                true => RawPart::Closure(Box::new(input.parse()?)),
                false => RawPart::Value(Box::new(input.parse()?)),
            };
            parts.push((name, part));
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(RawReduction { parts })
    }
}

/// Capital letters that stand for types, with their bounds: `Number` where none is given.
fn placeholders(raws: &[&Raw]) -> Vec<(Ident, TokenStream)> {
    let mut found: Vec<(Ident, TokenStream)> = Vec::new();
    for raw in raws {
        let types = raw.parameters.iter().filter_map(|(_, ty)| ty.as_ref());
        for tokens in types.chain(&raw.output).map(ToTokens::to_token_stream) {
            collect(tokens, &mut found);
        }
    }
    for (name, bound) in raws.iter().flat_map(|raw| &raw.bounds) {
        if let Some(one) = found.iter_mut().find(|(known, _)| known == name) {
            one.1 = bound.clone();
        }
    }
    found
}

fn collect(tokens: TokenStream, found: &mut Vec<(Ident, TokenStream)>) {
    for tree in tokens {
        match tree {
            proc_macro2::TokenTree::Ident(name) => {
                let text = name.to_string();
                let is_letter = text.len() == 1 && text.starts_with(char::is_uppercase);
                if is_letter && found.iter().all(|(known, _)| *known != name) {
                    found.push((name, quote!(::gpuarr::Number)));
                }
            }
            proc_macro2::TokenTree::Group(group) => collect(group.stream(), found),
            _ => {}
        }
    }
}

impl Raw {
    /// Types that were left out are `default`.
    fn read(
        &self,
        letters: &[(Ident, TokenStream)],
        defaults: [Option<&syn::Type>; 2],
        errors: &mut Errors,
    ) -> Closure {
        let mut reader = Reader::new(
            String::new(),
            letters.iter().map(|(name, _)| name.to_string()).collect(),
            errors,
        );
        let mut parameters: Vec<Parameter> = Vec::new();
        let mut inputs = TokenStream::new();
        for (k, (name, ty)) in self.parameters.iter().enumerate() {
            let ty = match ty.as_ref().or(defaults[k.min(1)]) {
                Some(ty) => ty,
                None => {
                    let reason =
                        format!("`{}` without a type: write `{}: f32`", shown(name), shown(name));
                    reader.errors.add(name.span(), reason);
                    continue;
                }
            };
            if !matches!(bare(ty), syn::Type::Path(_) | syn::Type::Tuple(_) | syn::Type::Array(_)) {
                let reason = format!("{}: elements come by value", shown(ty));
                reader.errors.add(ty.span(), reason);
            }
            let is_generic = reader.is_generic(ty);
            parameters.push(reader.make_parameter(name, Passed::Value, ty, ty, is_generic));
            inputs.extend(quote!(#name: #ty,));
        }
        let output = self.output.as_ref().or(defaults[0]);
        let returns = output.map(|ty| (ty.to_token_stream(), reader.slot(ty.span())));
        Conditions(reader.errors).visit_expr_mut(&mut self.body.clone());
        let body = match &self.body {
            syn::Expr::Block(block) => reader.block(&block.block, true),
            value => Block { statements: Vec::new(), tail: Some(reader.boxed(value)) },
        };
        let outputs = match output {
            Some(syn::Type::Tuple(tuple)) => tuple.elems.iter().map(|t| quote!(#t)).collect(),
            _ => output.iter().map(|ty| quote!(#ty)).collect(),
        };
        Closure {
            function: reader.function(parameters, returns, body),
            inputs,
            output: output.map(|ty| ty.to_token_stream()),
            outputs,
            body: match &self.body {
                syn::Expr::Block(block) => quote!(#block),
                value => quote!({ #value }),
            },
        }
    }
}

fn parse<T: Parse>(tokens: TokenStream, errors: &mut Errors) -> Option<T> {
    match syn::parse2(tokens) {
        Ok(parsed) => Some(parsed),
        Err(error) => {
            errors.add(error.span(), error.to_string());
            None
        }
    }
}

impl ElementwiseInput {
    pub fn read(tokens: TokenStream, errors: &mut Errors) -> Option<ElementwiseInput> {
        let raw: Raw = parse(tokens, errors)?;
        let generics = placeholders(&[&raw]);
        if raw.output.is_none() {
            let reason = "say what it returns: `|x: f32| -> f32 { ... }`";
            errors.add(raw.body.span(), reason);
        }
        let closure = raw.read(&generics, [None, None], errors);
        Some(ElementwiseInput { generics, closure })
    }
}

impl ReductionInput {
    pub fn read(tokens: TokenStream, errors: &mut Errors) -> Option<ReductionInput> {
        let span = proc_macro2::Span::call_site();
        let raw: RawReduction = parse(tokens, errors)?;
        let (mut map, mut reduce, mut post, mut identity) = (None, None, None, None);
        for (name, part) in raw.parts {
            match (name.to_string().as_str(), part) {
                ("map", RawPart::Closure(closure)) => map = Some(closure),
                ("reduce", RawPart::Closure(closure)) => reduce = Some(closure),
                ("post", RawPart::Closure(closure)) => post = Some(closure),
                ("identity", RawPart::Value(value)) => identity = Some(value.to_token_stream()),
                _ => {
                    let reason = "a reduction has closures `map`, `reduce`, `post`, and a value \
                                  `identity`";
                    errors.add(name.span(), reason);
                }
            }
        }
        let (map, reduce) = match (map, reduce) {
            (Some(map), Some(reduce)) => (map, reduce),
            _ => {
                errors.add(span, "a reduction needs `map: |x: f32| ...` and `reduce: |a, b| ...`");
                return None;
            }
        };
        let mut all = vec![&*map, &*reduce];
        all.extend(post.as_deref());
        let generics = placeholders(&all);
        let first = map.parameters.first().and_then(|(_, ty)| ty.as_ref());
        let partial = map.output.as_ref().or(first);
        let count: syn::Type = syn::parse_quote!(usize);
        Some(ReductionInput {
            map: map.read(&generics, [partial, None], errors),
            reduce: reduce.read(&generics, [partial, partial], errors),
            post: post.as_ref().map(|post| post.read(&generics, [partial, Some(&count)], errors)),
            identity,
            generics,
        })
    }
}
