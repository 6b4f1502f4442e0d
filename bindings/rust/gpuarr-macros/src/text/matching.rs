//! `match` as a chain of `if`, and patterns that take values apart.
use proc_macro2::Ident;

use crate::tree::{Arm, Expr, Kind, Pattern, Slot};

use super::names::field_name;
use super::{level, mark_type, Place, Target, Text, Writer};

/// What a pattern asks of a value and gives names to.
#[derive(Default)]
struct Fit<'p> {
    tests: Vec<String>,
    names: Vec<(&'p Ident, bool, Slot, String)>,
}

impl Writer<'_> {
    /// Declares what the pattern of a `let` binds, from a variable.
    pub fn take_apart(&mut self, pattern: &Pattern, from: &str) {
        let mut fit = Fit::default();
        self.fit(pattern, from, &mut fit);
        for (name, mutable, slot, place) in fit.names {
            let text = self.fresh(name);
            let is_const = if mutable { "" } else { "const " };
            self.line(&format!("{}{} {} = {};", is_const, mark_type(slot), text, place));
            self.bind(name, Place::value(text, mutable));
        }
    }

    fn fit<'p>(&mut self, pattern: &'p Pattern, on: &str, fit: &mut Fit<'p>) {
        match pattern {
            Pattern::Any(_) => {}
            Pattern::Name { name, mutable, slot } => {
                fit.names.push((name, *mutable, *slot, on.to_string()));
            }
            Pattern::At { name, slot, pattern } => {
                fit.names.push((name, false, *slot, on.to_string()));
                self.fit(pattern, on, fit);
            }
            Pattern::Tuple(all, _) => {
                for (k, one) in all.iter().enumerate() {
                    self.fit(one, &format!("{}._{}", on, k), fit);
                }
            }
            Pattern::Array(all, _) => {
                for (k, one) in all.iter().enumerate() {
                    self.fit(one, &format!("{}[{}]", on, k), fit);
                }
            }
            Pattern::Struct { fields, .. } => {
                for (name, one) in fields {
                    self.fit(one, &format!("{}.{}", on, field_name(name)), fit);
                }
            }
            Pattern::Value(value) => {
                let value = self.value(value);
                fit.tests.push(format!("{} == {}", on, value.within(level::UNARY)));
            }
            Pattern::Range { first, last, inclusive } => {
                let mut test = |op: &str, bound: &Option<Box<Expr>>| {
                    if let Some(bound) = bound {
                        let bound = self.value(bound);
                        fit.tests.push(format!("{} {} {}", on, op, bound.within(level::UNARY)));
                    }
                };
                test(">=", first);
                test(if *inclusive { "<=" } else { "<" }, last);
            }
            Pattern::OneOf(all) => {
                let either: Vec<String> = all.iter().map(|one| self.test_of(one, on)).collect();
                fit.tests.push(format!("({})", either.join(" || ")));
            }
        }
    }

    fn test_of(&mut self, pattern: &Pattern, on: &str) -> String {
        let mut fit = Fit::default();
        self.fit(pattern, on, &mut fit);
        match fit.tests.len() {
            0 => "true".into(),
            1 => fit.tests.remove(0),
            _ => format!("({})", fit.tests.join(" && ")),
        }
    }

    pub fn choose(&mut self, on: &Expr, slot: Slot, arms: &[Arm], target: &Target) {
        let is_tuple = matches!(on.kind, Kind::Tuple { .. });
        let parts: Vec<Text> = match &on.kind {
            // The items of a tuple are tested one by one, without there being one.
            Kind::Tuple { items, .. } => self.all(&items.iter().collect::<Vec<_>>()),
            _ => vec![self.value(on)],
        };
        let mut names = Vec::new();
        for text in parts {
            if text.stable && text.level == level::PRIMARY {
                names.push(text.code);
            } else {
                let variable = format!("on_{}", self.number());
                let ty = if is_tuple { "auto".into() } else { mark_type(slot) };
                self.line(&format!("const {} {} = {};", ty, variable, text.code));
                names.push(variable);
            }
        }
        for (k, arm) in arms.iter().enumerate() {
            if self.arm(arm, k == 0, &names, is_tuple, k + 1 == arms.len(), target) {
                break;
            }
        }
        self.line("}");
    }

    /// Writes one; true if none can come behind it.
    fn arm(
        &mut self,
        arm: &Arm,
        is_first: bool,
        on: &[String],
        is_tuple: bool,
        is_last: bool,
        target: &Target,
    ) -> bool {
        let mut fit = Fit::default();
        match (&arm.pattern, is_tuple) {
            (Pattern::Tuple(all, _), true) => {
                for (one, on) in all.iter().zip(on) {
                    self.fit(one, on, &mut fit);
                }
            }
            (one @ (Pattern::OneOf(_) | Pattern::Name { .. } | Pattern::At { .. }), true) => {
                let reason = "`match` on a tuple: each pattern is a tuple or `_`";
                self.errors.add(arm.body.span, reason);
                let _ = one;
            }
            (one, _) => self.fit(one, &on[0], &mut fit),
        }
        self.scoped(|writer| {
            for (name, _, _, place) in &fit.names {
                writer.bind(name, Place::value(place, false));
            }
            let mut tests = std::mem::take(&mut fit.tests);
            if let Some(guard) = &arm.guard {
                tests.push(writer.guard(guard));
            }
            let is_else = tests.is_empty() || (is_last && arm.guard.is_none());
            let test = tests.join(" && ");
            writer.line(&match (is_first, is_else) {
                (true, true) => "{".to_string(),
                (true, false) => format!("if ({}) {{", test),
                (false, true) => "} else {".to_string(),
                (false, false) => format!("}} else if ({}) {{", test),
            });
            writer.inside(|writer| {
                for (name, mutable, slot, place) in &fit.names {
                    if *mutable {
                        let text = writer.fresh(name);
                        writer.line(&format!("{} {} = {};", mark_type(*slot), text, place));
                        writer.bind(name, Place::value(text, true));
                    }
                }
                writer.at(arm.body.span);
                match &arm.body.kind {
                    Kind::Block { block, .. } => writer.send_block(block, target),
                    _ => writer.send(&arm.body, target),
                }
            });
            is_else
        })
    }

    fn guard(&mut self, guard: &Expr) -> String {
        let (text, statements) = self.apart(|writer| writer.value(guard));
        if !statements.is_empty() {
            let reason = "a guard that needs statements: use `if` in the arm";
            self.errors.add(guard.span, reason);
        }
        text.within(level::AND)
    }
}
