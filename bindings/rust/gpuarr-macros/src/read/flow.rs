//! Branches, loops, and what leaves them; and all else that is refused.
use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;

use super::expr::shown;
use super::Reader;
use crate::tree::{Arm, Expr, Kind, Range, Slot};

const NO_LET: &str = "`let` as a condition: kernels have no Option; match integers instead";

impl Reader<'_> {
    pub fn flow(&mut self, expr: &syn::Expr, wanted: bool) -> Expr {
        let span = expr.span();
        let kind = match expr {
            syn::Expr::If(branch) => self.branch(branch, wanted),
            syn::Expr::Match(choice) => self.choice(choice, wanted),
            syn::Expr::Block(block) if block.label.is_none() => Kind::Block {
                block: self.block(&block.block, wanted),
                slot: self.used(wanted, span),
            },
            syn::Expr::While(repeated) => {
                if let syn::Expr::Let(condition) = &*repeated.cond {
                    return self.refuse(condition.let_token.span(), NO_LET);
                }
                Kind::While {
                    label: name(&repeated.label),
                    condition: self.boxed(&repeated.cond),
                    body: self.block(&repeated.body, false),
                }
            }
            syn::Expr::Loop(repeated) => Kind::Loop {
                label: name(&repeated.label),
                body: self.block(&repeated.body, false),
                slot: self.used(wanted, span),
            },
            syn::Expr::ForLoop(repeated) => self.counted(repeated),
            syn::Expr::Break(jump) => Kind::Break {
                label: jump.label.as_ref().map(|label| label.ident.clone()),
                value: jump.expr.as_ref().map(|value| self.boxed(value)),
            },
            syn::Expr::Continue(jump) => {
                Kind::Continue { label: jump.label.as_ref().map(|label| label.ident.clone()) }
            }
            syn::Expr::Macro(call) => self.macro_call(&call.mac, wanted),
            syn::Expr::Return(jump) => Kind::Return(jump.expr.as_ref().map(|v| self.boxed(v))),
            other => return self.refuse(span, refused(other)),
        };
        Expr { span, kind }
    }

    fn used(&mut self, wanted: bool, span: Span) -> Option<Slot> {
        wanted.then(|| self.slot(span))
    }

    fn branch(&mut self, branch: &syn::ExprIf, wanted: bool) -> Kind {
        if let syn::Expr::Let(condition) = &*branch.cond {
            return self.refuse(condition.let_token.span(), NO_LET).kind;
        }
        let condition = self.boxed(&branch.cond);
        let then = self.block(&branch.then_branch, wanted);
        let (otherwise, span) = (branch.else_branch.as_ref(), branch.if_token.span());
        let otherwise = otherwise.map(|(_, other)| Box::new(self.expr(other, wanted)));
        Kind::If { condition, then, otherwise, slot: self.used(wanted, span) }
    }

    fn choice(&mut self, choice: &syn::ExprMatch, wanted: bool) -> Kind {
        let on = self.boxed(&choice.expr);
        let on_slot = self.slot(choice.expr.span());
        let mut arms = Vec::new();
        for arm in &choice.arms {
            let pattern = self.arm_pattern(&arm.pat);
            let guard = arm.guard.as_ref().map(|(_, condition)| self.value(condition));
            arms.push(Arm { pattern, guard, body: self.expr(&arm.body, wanted) });
        }
        let span = choice.match_token.span();
        Kind::Match { on, on_slot, arms, slot: self.used(wanted, span) }
    }

    fn counted(&mut self, repeated: &syn::ExprForLoop) -> Kind {
        let label = name(&repeated.label);
        let range = self.range(&repeated.expr);
        let counter = self.pattern(&repeated.pat);
        let body = self.block(&repeated.body, false);
        match range {
            Some(range) => Kind::For { label, counter, range, body },
            None => Kind::Wrong,
        }
    }

    /// `a..b`, `a..=b`, and these with `.rev()` or `.step_by(s)` behind.
    fn range(&mut self, expr: &syn::Expr) -> Option<Range> {
        match expr {
            syn::Expr::Paren(inner) => self.range(&inner.expr),
            syn::Expr::Range(range) => self.plain_range(range),
            syn::Expr::MethodCall(call) if call.method == "rev" && call.args.is_empty() => {
                let range = self.range(&call.receiver)?;
                if range.reversed || range.step.is_some() {
                    let reason = "rev() of a range with steps: use a `while` loop";
                    self.errors.add(call.method.span(), reason);
                }
                Some(Range { reversed: true, ..range })
            }
            syn::Expr::MethodCall(call) if call.method == "step_by" && call.args.len() == 1 => {
                let range = self.range(&call.receiver)?;
                if range.reversed || range.step.is_some() {
                    let reason = "step_by() behind rev() or another: use a `while` loop";
                    self.errors.add(call.method.span(), reason);
                }
                Some(Range { step: Some(self.boxed(&call.args[0])), ..range })
            }
            other => {
                let reason = format!(
                    "`for` over {}: kernels have ranges of integers only: `for i in 0..x.len()`",
                    shown(other)
                );
                self.errors.add(other.span(), reason);
                None
            }
        }
    }

    fn plain_range(&mut self, range: &syn::ExprRange) -> Option<Range> {
        match (&range.from, &range.to) {
            (Some(first), Some(last)) => Some(Range {
                first: self.boxed(first),
                last: self.boxed(last),
                inclusive: matches!(range.limits, syn::RangeLimits::Closed(_)),
                reversed: false,
                step: None,
                slot: self.slot(first.span()),
            }),
            _ => {
                self.errors.add(range.span(), "a range without an end: give it both ends");
                None
            }
        }
    }
}

fn name(label: &Option<syn::Label>) -> Option<proc_macro2::Ident> {
    label.as_ref().map(|label| label.name.ident.clone())
}

/// Why an expression is not in the subset.
fn refused(expr: &syn::Expr) -> String {
    let reason = match expr {
        syn::Expr::Let(_) => NO_LET,
        syn::Expr::Try(_) => "`?`: kernels have no Result",
        syn::Expr::Unsafe(_) => "`unsafe`: kernels have slices and no raw pointers",
        syn::Expr::Async(_) | syn::Expr::Await(_) => "`async`: kernels have none",
        syn::Expr::Block(_) => "a block with a label: use `loop` with `break`",
        syn::Expr::Verbatim(_) => "this syntax is not in the subset of kernels",
        other => return format!("{}: not in the subset of kernels", other.to_token_stream()),
    };
    reason.to_string()
}
