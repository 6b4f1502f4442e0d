//! What cannot be translated: all of it is reported, each at its place.
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

/// Reasons, in the order in which they were found.
#[derive(Default)]
pub struct Errors {
    found: Vec<(Span, String)>,
}

impl Errors {
    pub fn add(&mut self, span: Span, message: impl Into<String>) {
        self.found.push((span, message.into()));
    }

    pub fn count(&self) -> usize {
        self.found.len()
    }

    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// A `compile_error!` for each.
    pub fn tokens(&self) -> TokenStream {
        let one = |(span, message): &(Span, String)| {
            quote_spanned! { *span => ::core::compile_error! { #message } }
        };
        self.found.iter().map(one).collect()
    }
}
