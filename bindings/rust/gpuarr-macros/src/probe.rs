//! The body once more as Rust, in which rustc tells the types: `t3.of(&x)` and `t3.see(x)` give the
//! type number 3 that of `x`. It is compiled and never run.
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use crate::tree::{Arm, Block, Expr, Kind, Member, Op, Pattern, Range, Slot, Statement};

/// The variable for a type. It is none that the user's own names could mean.
pub fn slot(number: Slot, span: Span) -> Ident {
    Ident::new(&format!("t{}", number), span.resolved_at(Span::mixed_site()))
}

/// The variable for an instance of a device function.
pub fn instance(number: usize, span: Span) -> Ident {
    Ident::new(&format!("f{}", number), span.resolved_at(Span::mixed_site()))
}

fn seen(number: Slot, span: Span, value: TokenStream) -> TokenStream {
    let slot = slot(number, span);
    quote_spanned! { span => #slot.see(#value) }
}

/// A value whose type is wanted if the number is there.
fn maybe_seen(number: Option<Slot>, span: Span, value: TokenStream) -> TokenStream {
    match number {
        Some(number) => seen(number, span, value),
        None => value,
    }
}

pub fn block(block: &Block) -> TokenStream {
    let statements = block.statements.iter().map(statement);
    let tail = block.tail.as_deref().map(expr);
    quote! { { #(#statements)* #tail } }
}

fn statement(statement: &Statement) -> TokenStream {
    match statement {
        Statement::Let { pattern: names, ty, init, span } => {
            let pattern = pattern(names);
            let typed = ty.as_ref().map(|ty| quote!(: #ty));
            let is_reference = matches!(init, Some(Expr { kind: Kind::Ref { .. }, .. }));
            let (set, told) = match init {
                Some(value) => (Some(expr(value)), told(names, is_reference)),
                // What has no value yet cannot be looked at.
                None => (None, declared(names, ty.as_ref())),
            };
            let set = set.map(|value| quote!(= #value));
            quote_spanned! { *span => let #pattern #typed #set; #told }
        }
        Statement::Shared { name, ty, slot: number, span, is_slice } => {
            let slot = slot(*number, *span);
            let told = match is_slice {
                true => quote!(#slot.of(&#name[0]);),
                false => quote!(#slot.of(&#name);),
            };
            quote_spanned! { *span =>
                let mut #name: #ty = ::gpuarr::kernel::shared();
                #told
            }
        }
        Statement::Expr(one) => {
            let one = expr(one);
            quote! { #one; }
        }
    }
}

fn declared(names: &Pattern, ty: Option<&TokenStream>) -> TokenStream {
    match (names, ty) {
        (Pattern::Name { name, slot: number, .. }, Some(ty)) => {
            let slot = slot(*number, name.span());
            quote! { #slot.is(::core::marker::PhantomData::<#ty>); }
        }
        _ => TokenStream::new(),
    }
}

/// Tells the types of what a pattern binds.
fn told(pattern: &Pattern, is_reference: bool) -> TokenStream {
    match pattern {
        Pattern::Name { name, slot: number, .. } | Pattern::At { name, slot: number, .. } => {
            let slot = slot(*number, name.span());
            match is_reference {
                true => quote! { #slot.of(&*#name); },
                false => quote! { #slot.of(&#name); },
            }
        }
        Pattern::Tuple(all, _) | Pattern::Array(all, _) => {
            all.iter().map(|one| told(one, false)).collect()
        }
        Pattern::Struct { fields, .. } => fields.iter().map(|(_, p)| told(p, false)).collect(),
        _ => TokenStream::new(),
    }
}

fn pattern(this: &Pattern) -> TokenStream {
    match this {
        Pattern::Any(span) => quote_spanned!(*span => _),
        Pattern::Name { name, mutable, .. } => match mutable {
            true => quote!(mut #name),
            false => quote!(#name),
        },
        Pattern::Tuple(all, span) => {
            let all = all.iter().map(pattern);
            quote_spanned!(*span => (#(#all,)*))
        }
        Pattern::Array(all, span) => {
            let all = all.iter().map(pattern);
            quote_spanned!(*span => [#(#all),*])
        }
        Pattern::Struct { path, fields, open } => {
            let fields = fields.iter().map(|(name, inner)| {
                let (name, inner) = (member(name), pattern(inner));
                quote!(#name: #inner)
            });
            let rest = open.then(|| quote!(..));
            quote!(#path { #(#fields,)* #rest })
        }
        Pattern::Value(value) => bound(value),
        Pattern::Range { first, last, inclusive } => {
            let first = first.as_deref().map(bound);
            let last = last.as_deref().map(bound);
            match inclusive {
                true => quote!(#first..=#last),
                false => quote!(#first..#last),
            }
        }
        Pattern::OneOf(all) => {
            let all = all.iter().map(pattern);
            quote!(#(#all)|*)
        }
        Pattern::At { name, pattern: inner, .. } => {
            let inner = pattern(inner);
            quote!(#name @ (#inner))
        }
    }
}

/// What a pattern compares with stands there as it is.
fn bound(value: &Expr) -> TokenStream {
    match &value.kind {
        Kind::Number { rust, .. } | Kind::Constant(rust) => rust.clone(),
        Kind::Bool(truth) => quote!(#truth),
        _ => quote!(_),
    }
}

fn list(exprs: &[Expr]) -> Vec<TokenStream> {
    exprs.iter().map(expr).collect()
}

pub fn expr(this: &Expr) -> TokenStream {
    let span = this.span;
    match &this.kind {
        Kind::Number { rust, slot, .. } => maybe_seen(*slot, span, rust.clone()),
        Kind::Bool(truth) => quote_spanned!(span => #truth),
        Kind::Name(name) => quote!(#name),
        Kind::Constant(path) => path.clone(),
        Kind::Negate { slot, value } => {
            let value = seen(*slot, span, expr(value));
            quote_spanned!(span => (-#value))
        }
        Kind::Not { slot, value } => {
            let value = seen(*slot, span, expr(value));
            quote_spanned!(span => (!#value))
        }
        Kind::Deref(value) => {
            let value = expr(value);
            quote_spanned!(span => (*#value))
        }
        Kind::Ref { mutable, value } => {
            let value = expr(value);
            match mutable {
                true => quote_spanned!(span => (&mut #value)),
                false => quote_spanned!(span => (&#value)),
            }
        }
        Kind::Binary { op, slot, left, right } => {
            let (op, left, right) = (operator(*op, "", span), expr(left), expr(right));
            let left = seen(*slot, span, left);
            quote_spanned!(span => (#left #op #right))
        }
        Kind::And(left, right) => {
            let (left, right) = (expr(left), expr(right));
            quote_spanned!(span => (#left && #right))
        }
        Kind::Or(left, right) => {
            let (left, right) = (expr(left), expr(right));
            quote_spanned!(span => (#left || #right))
        }
        Kind::Assign(left, right) => {
            let (left, right) = (expr(left), expr(right));
            quote_spanned!(span => #left = #right)
        }
        Kind::AssignMany { places, value } => {
            let (places, value) = (list(places), expr(value));
            quote_spanned!(span => (#(#places,)*) = #value)
        }
        Kind::AssignOp { op, slot: number, left, right } => {
            let (op, left, right) = (operator(*op, "=", span), expr(left), expr(right));
            let slot = slot(*number, span);
            quote_spanned!(span => { #slot.of(&#left); #left #op #right })
        }
        Kind::Cast { value, from, ty, to } => {
            let value = seen(*from, span, expr(value));
            seen(*to, span, quote_spanned!(span => #value as #ty))
        }
        _ => composed(this),
    }
}

fn composed(this: &Expr) -> TokenStream {
    let span = this.span;
    match &this.kind {
        Kind::Index(base, index) => {
            let (base, index) = (expr(base), expr(index));
            quote_spanned!(span => #base[#index])
        }
        Kind::Field(base, member) => {
            let (base, member) = (expr(base), self::member(member));
            quote_spanned!(span => #base.#member)
        }
        Kind::Method { receiver, name, args } => {
            let (receiver, args) = (expr(receiver), list(args));
            quote_spanned!(span => #receiver.#name(#(#args),*))
        }
        Kind::Known { path, args, .. } => {
            let args = list(args);
            quote_spanned!(span => #path(#(#args),*))
        }
        Kind::Associated { path, slot, args, .. } => {
            let args = list(args);
            seen(*slot, span, quote_spanned!(span => #path(#(#args),*)))
        }
        Kind::Call { path, instance: number, args } => {
            let (instance, args) = (instance(*number, span), list(args));
            quote_spanned!(span => #path::__gpuarr_call(&#instance, #(#args),*))
        }
        Kind::Tuple { items, slot } => {
            let items = list(items);
            seen(*slot, span, quote_spanned!(span => (#(#items,)*)))
        }
        Kind::Array { items, slot } => {
            let items = list(items);
            seen(*slot, span, quote_spanned!(span => [#(#items),*]))
        }
        Kind::Repeat { value, count, slot } => {
            let value = expr(value);
            seen(*slot, span, quote_spanned!(span => [#value; #count]))
        }
        Kind::Struct { path, fields, rest, slot } => {
            let fields = fields.iter().map(|(name, value)| {
                let (name, value) = (member(name), expr(value));
                quote!(#name: #value)
            });
            let rest = rest.as_deref().map(expr).map(|rest| quote!(, ..#rest));
            seen(*slot, span, quote_spanned!(span => #path { #(#fields),* #rest }))
        }
        _ => flow(this),
    }
}

fn flow(this: &Expr) -> TokenStream {
    let span = this.span;
    match &this.kind {
        Kind::If { condition, then, otherwise, slot } => {
            let (condition, then) = (expr(condition), block(then));
            let otherwise = otherwise.as_deref().map(expr).map(|other| quote!(else { #other }));
            maybe_seen(*slot, span, quote_spanned!(span => if #condition #then #otherwise))
        }
        Kind::Match { on, on_slot, arms, slot } => {
            let on = seen(*on_slot, span, expr(on));
            let arms = arms.iter().map(arm);
            maybe_seen(*slot, span, quote_spanned!(span => match #on { #(#arms)* }))
        }
        Kind::Block { block: inner, slot } => maybe_seen(*slot, span, block(inner)),
        Kind::While { label, condition, body } => {
            let (label, condition, body) = (labelled(label), expr(condition), block(body));
            quote_spanned!(span => #label while #condition #body)
        }
        Kind::Loop { label, body, slot } => {
            let (label, body) = (labelled(label), block(body));
            maybe_seen(*slot, span, quote_spanned!(span => #label loop #body))
        }
        Kind::For { label, counter, range, body } => counted(label, counter, range, body, span),
        Kind::Break { label, value } => {
            let (label, value) = (lifetime(label), value.as_deref().map(expr));
            quote_spanned!(span => break #label #value)
        }
        Kind::Continue { label } => {
            let label = lifetime(label);
            quote_spanned!(span => continue #label)
        }
        Kind::Return(value) => {
            let value = value.as_deref().map(expr);
            quote_spanned!(span => return #value)
        }
        Kind::Print { values, .. } => {
            let values = values.iter().map(|(value, slot)| seen(*slot, value.span, expr(value)));
            quote_spanned!(span => { #(#values;)* })
        }
        Kind::Assert { condition, .. } => {
            let condition = expr(condition);
            quote_spanned!(span => { let _: bool = #condition; })
        }
        Kind::Underscore => quote_spanned!(span => _),
        _ => quote!(::core::unreachable!()),
    }
}

fn counted(
    label: &Option<Ident>,
    counter: &Pattern,
    range: &Range,
    body: &Block,
    span: Span,
) -> TokenStream {
    let (label, names, told) = (labelled(label), pattern(counter), told(counter, false));
    let (first, last, body) = (expr(&range.first), expr(&range.last), block(body));
    let first = seen(range.slot, span, first);
    let dots = if range.inclusive { quote!(..=) } else { quote!(..) };
    let mut through = quote_spanned!(span => (#first #dots #last));
    if range.reversed {
        through = quote_spanned!(span => #through.rev());
    }
    if let Some(step) = &range.step {
        let step = expr(step);
        through = quote_spanned!(span => #through.step_by(#step));
    }
    quote_spanned!(span => #label for #names in #through { #told #body })
}

fn arm(arm: &Arm) -> TokenStream {
    let (names, told, body) = (pattern(&arm.pattern), told(&arm.pattern, false), expr(&arm.body));
    let guard = arm.guard.as_ref().map(expr).map(|guard| quote!(if #guard));
    quote! { #names #guard => { #told #body } }
}

fn labelled(label: &Option<Ident>) -> Option<TokenStream> {
    let name = lifetime(label)?;
    Some(quote!(#name:))
}

fn lifetime(label: &Option<Ident>) -> Option<TokenStream> {
    let name = label.as_ref()?;
    let mut quoted = proc_macro2::Punct::new('\'', proc_macro2::Spacing::Joint);
    quoted.set_span(name.span());
    Some(quote!(#quoted #name))
}

pub fn member(member: &Member) -> TokenStream {
    match member {
        Member::Named(name) => quote!(#name),
        Member::Number(number) => {
            let number = proc_macro2::Literal::u32_unsuffixed(*number);
            quote!(#number)
        }
    }
}

/// `+`, or `+=` with the "=" behind it.
fn operator(op: Op, behind: &str, span: Span) -> TokenStream {
    let text = format!("{}{}", op.text(), behind);
    let puncts = text.chars().enumerate().map(|(k, c)| {
        let spacing = if k + 1 < text.len() {
            proc_macro2::Spacing::Joint
        } else {
            proc_macro2::Spacing::Alone
        };
        let mut punct = proc_macro2::Punct::new(c, spacing);
        punct.set_span(span);
        proc_macro2::TokenTree::from(punct)
    });
    puncts.collect()
}

/// The variables for all types and instances.
pub fn variables(slots: usize, instances: usize) -> TokenStream {
    let types = (0..slots).map(|k| slot(k, Span::call_site()));
    let functions = (0..instances).map(|k| instance(k, Span::call_site()));
    quote! {
        #(let #types = ::gpuarr::kernel::Slot::new();)*
        #(let #functions = ::gpuarr::kernel::Slot::new();)*
    }
}
