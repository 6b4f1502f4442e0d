//! Statements: variables, assignments, branches.
use proc_macro2::Ident;

use crate::tree::{Block, Expr, Kind, Op, Pattern, Slot, Statement};

use super::{level, mark_type, Place, Target, Text, Writer, MARK};

impl Writer<'_> {
    /// Writes a block's statements, in a scope of names, and its value where that goes.
    pub fn send_block(&mut self, block: &Block, target: &Target) {
        self.scoped(|writer| {
            for statement in &block.statements {
                writer.statement(statement);
            }
            if let Some(tail) = &block.tail {
                writer.at(tail.span);
                writer.send(tail, target);
            }
        });
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Let { pattern, init: Some(init), span, .. } => {
                self.at(*span);
                self.declare(pattern, init);
            }
            Statement::Let {
                pattern: Pattern::Name { name, slot, .. }, init: None, span, ..
            } => {
                self.at(*span);
                let text = self.fresh(name);
                self.line(&format!("{} {};", mark_type(*slot), text));
                self.bind(name, Place::value(text, true));
            }
            Statement::Let { span, .. } => {
                self.errors.add(*span, "variables without a value are declared one by one");
            }
            Statement::Shared { name, slot, span, is_slice: true, .. } => {
                self.at(*span);
                let (text, ty) = (self.fresh(name), mark_type(*slot));
                self.line(&format!("extern __shared__ {} {}[];", ty, text));
                let length = format!("gpuarr_shared_bytes / sizeof({})", ty);
                self.line(&format!("const unsigned long long {}_len = {};", text, length));
                self.bind(name, Place::slice(text));
            }
            Statement::Shared { name, slot, span, .. } => {
                self.at(*span);
                let text = self.fresh(name);
                self.line(&format!("__shared__ {} {};", mark_type(*slot), text));
                self.bind(name, Place::value(text, true));
            }
            Statement::Expr(expr) => {
                self.at(expr.span);
                self.send(expr, &Target::Nowhere);
            }
        }
    }

    fn declare(&mut self, pattern: &Pattern, init: &Expr) {
        let (name, mutable, slot) = match pattern {
            Pattern::Name { name, mutable, slot } => (name, *mutable, *slot),
            Pattern::Any(_) => return self.send(init, &Target::Nowhere),
            _ => return self.declare_parts(pattern, init),
        };
        let ty = mark_type(slot);
        match &init.kind {
            Kind::Ref { mutable: writes, value } => {
                if let Some(slice) = self.slice_named(value) {
                    return self.bind(name, slice);
                }
                let value = self.value(value);
                let text = self.fresh(name);
                let is_const = if *writes { "" } else { "const " };
                self.line(&format!("{}{}& {} = {};", is_const, ty, text, value.code));
                self.bind(name, Place::reference(text, *writes));
            }
            Kind::Struct { fields, rest, .. } => {
                let text = self.fresh(name);
                self.record(slot, fields, rest.as_deref(), &text);
                self.bind(name, Place::value(text, mutable));
            }
            Kind::If { .. } | Kind::Match { .. } | Kind::Block { .. } | Kind::Loop { .. } => {
                self.declare_by_statement(name, mutable, &ty, init);
            }
            _ => {
                if let Some(slice) = self.slice_named(init) {
                    return self.bind(name, slice);
                }
                let value = self.value(init);
                let text = self.fresh(name);
                let is_const = if mutable { "" } else { "const " };
                self.line(&format!("{}{} {} = {};", is_const, ty, text, value.code));
                self.bind(name, Place::value(text, mutable));
            }
        }
    }

    /// `let (a, b) = ...`: of a tuple that is written out, item by item.
    fn declare_parts(&mut self, pattern: &Pattern, init: &Expr) {
        if let (Pattern::Tuple(names, _), Kind::Tuple { items, .. }) = (pattern, &init.kind) {
            if names.len() == items.len() {
                let values = self.all(&items.iter().collect::<Vec<_>>());
                for (name, value) in names.iter().zip(values) {
                    match name {
                        Pattern::Tuple(..) | Pattern::Array(..) | Pattern::Struct { .. } => {
                            self.part_by_variable(name, value);
                        }
                        _ => self.take_apart(name, &value.code),
                    }
                }
                return;
            }
        }
        let value = self.value(init);
        self.part_by_variable(pattern, value);
    }

    fn part_by_variable(&mut self, pattern: &Pattern, value: Text) {
        let whole = self.kept(value);
        self.take_apart(pattern, &whole);
    }

    /// What of a value can be looked at more than once.
    fn kept(&mut self, value: Text) -> String {
        if value.stable && value.level == level::PRIMARY {
            return value.code;
        }
        let variable = format!("value_{}", self.number());
        self.line(&format!("const auto {} = {};", variable, value.code));
        variable
    }

    fn declare_by_statement(&mut self, name: &Ident, mutable: bool, ty: &str, init: &Expr) {
        let text = self.fresh(name);
        let (choice, statements) = self.apart(|writer| writer.choice(init));
        match choice {
            Some(value) => {
                self.out.push_str(&statements);
                let is_const = if mutable { "" } else { "const " };
                self.line(&format!("{}{} {} = {};", is_const, ty, text, value.code));
            }
            None => {
                self.line(&format!("{} {};", ty, text));
                self.send(init, &Target::Variable(text.clone()));
            }
        }
        self.bind(name, Place::value(text, mutable));
    }

    fn slice_named(&self, expr: &Expr) -> Option<Place> {
        match &expr.kind {
            Kind::Name(name) => self.find(name).filter(|place| place.is_slice),
            Kind::Deref(inner) => self.slice_named(inner),
            _ => None,
        }
    }

    /// Writes an expression, and its value where that goes.
    pub fn send(&mut self, expr: &Expr, target: &Target) {
        match &expr.kind {
            Kind::Assign(left, right) if matches!(left.kind, Kind::Underscore) => {
                self.send(right, &Target::Nowhere);
            }
            Kind::Assign(left, right) => {
                let (place, value) = self.place_and_value(left, right);
                self.line(&format!("{} = {};", place.code, value.code));
            }
            Kind::AssignMany { places, value } => self.assign_many(places, value),
            Kind::AssignOp { op, slot, left, right } => self.assign(*op, *slot, left, right),
            Kind::If { condition, then, otherwise, .. } => {
                self.branch(condition, then, otherwise.as_deref(), target);
            }
            Kind::Match { on, on_slot, arms, .. } => self.choose(on, *on_slot, arms, target),
            Kind::Block { block, .. } => {
                self.line("{");
                self.inside(|writer| writer.send_block(block, target));
                self.line("}");
            }
            Kind::While { label, condition, body } => self.repeat(label, condition, body),
            Kind::Loop { label, body, .. } => {
                let number = self.enter(label, target.clone());
                self.line("for (;;) {");
                self.body(body, number);
            }
            Kind::For { label, counter, range, body } => self.count(label, counter, range, body),
            Kind::Break { label, value } => self.leave(expr, label, value.as_deref()),
            Kind::Continue { label } => self.go_on(expr, label),
            Kind::Return(value) => {
                match value {
                    Some(value) => self.send(value, &Target::Result),
                    None => self.line("return;"),
                };
            }
            Kind::Print { texts, values } => self.print(texts, values),
            Kind::Assert { condition, message, debug } => {
                self.assertion(condition, message.as_deref(), *debug);
            }
            Kind::Panic(message) => self.line(&format!("assert(!\"{}\");", quoted(message))),
            Kind::Wrong => {}
            _ => self.put(expr, target),
        }
    }

    fn print(&mut self, texts: &[String], values: &[(Expr, Slot)]) {
        let all = self.all(&values.iter().map(|(value, _)| value).collect::<Vec<_>>());
        let mut format = String::new();
        for (k, text) in texts.iter().enumerate() {
            if k > 0 {
                format.push_str(&format!("{}p{};", MARK, values[k - 1].1));
            }
            format.push_str(&quoted(text).replace('%', "%%"));
        }
        let list: String = all.iter().map(|value| format!(", {}", value.code)).collect();
        self.line(&format!("printf(\"{}\"{});", format, list));
    }

    fn assertion(&mut self, condition: &Expr, message: Option<&str>, debug: bool) {
        let mut test = self.value(condition).within(level::AND + 1);
        if let Some(message) = message {
            test = format!("{} && \"{}\"", test, quoted(message));
        }
        if debug {
            let is_on = self.constant(quote::quote!(::core::cfg!(debug_assertions)));
            test = format!("!{} || ({})", is_on, test);
        }
        self.line(&format!("assert({});", test));
    }

    fn put(&mut self, expr: &Expr, target: &Target) {
        let value = self.value(expr);
        match target {
            Target::Variable(name) => self.line(&format!("{} = {};", name, value.code)),
            Target::Result => self.line(&format!("return {};", value.code)),
            // A function may print or wait, of which its arguments say nothing.
            Target::Nowhere if value.acts || matches!(expr.kind, Kind::Call { .. }) => {
                self.line(&format!("{};", value.code))
            }
            Target::Nowhere => {}
        }
    }

    fn assign(&mut self, op: Op, slot: Slot, left: &Expr, right: &Expr) {
        let (place, value) = self.place_and_value(left, right);
        let line =
            format!("{0}a{1};{2};{3}{0}m{4}{0}e;", MARK, slot, op.text(), place.code, value.code);
        self.line(&line);
    }

    /// The value comes first.
    fn place_and_value(&mut self, place: &Expr, value: &Expr) -> (Text, Text) {
        let mut value = self.value(value);
        let (place, statements) = self.apart(|writer| writer.value(place));
        if !value.stable && (place.acts || !statements.is_empty()) {
            let variable = format!("value_{}", self.number());
            self.line(&format!("const auto {} = {};", variable, value.code));
            value = Text::stable(variable);
        }
        self.out.push_str(&statements);
        (place, value)
    }

    /// All values are there before the first place changes.
    fn assign_many(&mut self, places: &[Expr], value: &Expr) {
        let values = match &value.kind {
            Kind::Tuple { items, .. } => self.all(&items.iter().collect::<Vec<_>>()),
            _ => {
                let whole = self.value(value);
                let whole = self.kept(whole);
                let parts = (0..places.len()).map(|k| format!("{}._{}", whole, k));
                parts.map(|part| Text::new(part, level::PRIMARY)).collect()
            }
        };
        let mut kept = Vec::new();
        for value in values {
            let variable = format!("value_{}", self.number());
            self.line(&format!("const auto {} = {};", variable, value.code));
            kept.push(variable);
        }
        let named = places.iter().zip(kept);
        for (place, value) in named.filter(|(place, _)| !matches!(place.kind, Kind::Underscore)) {
            let place = self.value(place);
            self.line(&format!("{} = {};", place.code, value));
        }
    }

    pub fn inside(&mut self, write: impl FnOnce(&mut Self)) {
        self.depth += 1;
        write(self);
        self.depth -= 1;
    }

    fn branch(
        &mut self,
        condition: &Expr,
        then: &Block,
        otherwise: Option<&Expr>,
        target: &Target,
    ) {
        let condition = self.value(condition);
        self.line(&format!("if ({}) {{", condition.code));
        self.inside(|writer| writer.send_block(then, target));
        if let Some(otherwise) = otherwise {
            self.line("} else {");
            self.inside(|writer| match &otherwise.kind {
                Kind::Block { block, .. } => writer.send_block(block, target),
                _ => writer.send(otherwise, target),
            });
        }
        self.line("}");
    }
}

/// What stands between the quotes of C++ for a text.
fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    text.replace('\n', "\\n").replace('\t', "\\t").replace('\r', "\\r")
}
