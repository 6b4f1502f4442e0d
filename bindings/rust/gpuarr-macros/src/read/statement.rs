//! Statements and blocks.
use quote::ToTokens;
use syn::spanned::Spanned;

use super::function::{passed, CHANGING};
use super::Reader;
use crate::tree::{Block, Passed, Statement};

const INNER: &str = "an item in a kernel: put it outside, a function as #[gpuarr::device] fn, \
                     constants and `use` outside of inner blocks";
const SHARED: &str = "shared memory is one variable with its type and no value, which all threads \
                      of a block set themselves: `#[shared] let tile: [f32; 256];`";

impl Reader<'_> {
    /// Reads one; `wanted` says whether its last expression is a value that is used.
    pub fn block(&mut self, block: &syn::Block, wanted: bool) -> Block {
        self.depth += 1;
        let (mut statements, mut tail) = (Vec::new(), None);
        for (k, statement) in block.stmts.iter().enumerate() {
            match statement {
                syn::Stmt::Local(local) => statements.extend(self.local(local)),
                syn::Stmt::Item(
                    item @ (syn::Item::Const(_) | syn::Item::Static(_) | syn::Item::Use(_)),
                ) if self.depth == 1 => item.to_tokens(&mut self.items),
                syn::Stmt::Item(item) => self.errors.add(item.span(), INNER),
                syn::Stmt::Expr(expr) if k + 1 == block.stmts.len() => {
                    tail = Some(Box::new(self.expr(expr, wanted)));
                }
                syn::Stmt::Expr(expr) | syn::Stmt::Semi(expr, _) => {
                    statements.push(Statement::Expr(self.expr(expr, false)));
                }
            }
        }
        self.depth -= 1;
        Block { statements, tail }
    }

    fn local(&mut self, local: &syn::Local) -> Option<Statement> {
        let is_shared = |attribute: &syn::Attribute| attribute.path.is_ident("shared");
        if local.attrs.iter().any(is_shared) {
            return self.shared(local);
        }
        let (pattern, ty) = match &local.pat {
            syn::Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pattern => (pattern, None),
        };
        let init = local.init.as_ref().map(|(_, value)| &**value);
        if let (syn::Pat::Ident(name), Some(syn::Expr::Reference(_))) = (pattern, init) {
            if let Some(found) = &name.mutability {
                self.errors.add(found.span(), CHANGING);
            }
        }
        if init.is_none() && ty.is_none() {
            let reason = "a variable without type or value: give it one of them";
            self.errors.add(pattern.span(), reason);
            return None;
        }
        Some(Statement::Let {
            init: init.map(|value| self.value(value)),
            pattern: self.pattern(pattern),
            ty: ty.map(|ty| ty.to_token_stream()),
            span: local.span(),
        })
    }

    fn shared(&mut self, local: &syn::Local) -> Option<Statement> {
        self.is_joint = true;
        let typed = match &local.pat {
            syn::Pat::Type(typed) if local.init.is_none() => typed,
            pattern => {
                self.errors.add(pattern.span(), SHARED);
                return None;
            }
        };
        match &*typed.pat {
            syn::Pat::Ident(one) if one.by_ref.is_none() && one.subpat.is_none() => {
                let (kind, _) = passed(&typed.ty);
                let is_slice = matches!(kind, Passed::Slice { .. });
                self.is_dynamic |= is_slice;
                Some(Statement::Shared {
                    name: one.ident.clone(),
                    ty: typed.ty.to_token_stream(),
                    slot: self.slot(typed.ty.span()),
                    span: local.span(),
                    is_slice,
                })
            }
            pattern => {
                self.errors.add(pattern.span(), SHARED);
                None
            }
        }
    }
}
