//! Statements: variables, branches, loops and jumps.
use proc_macro2::Ident;

use crate::tree::{Block, Expr, Kind, Op, Pattern, Range, Slot, Statement};

use super::{level, mark_type, Loop, Place, Target, Text, Writer, MARK};

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
                self.bind(name, text, false, false);
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
                self.bind(name, text, true, true);
            }
            Statement::Shared { name, slot, span, .. } => {
                self.at(*span);
                let text = self.fresh(name);
                self.line(&format!("__shared__ {} {};", mark_type(*slot), text));
                self.bind(name, text, false, false);
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
                    return self.rebind(name, slice);
                }
                let value = self.value(value);
                let text = self.fresh(name);
                let is_const = if *writes { "" } else { "const " };
                self.line(&format!("{}{}& {} = {};", is_const, ty, text, value.code));
                self.bind(name, text, false, !writes);
            }
            Kind::Struct { fields, rest, .. } => {
                let text = self.fresh(name);
                self.record(slot, fields, rest.as_deref(), &text);
                self.bind(name, text, false, !mutable);
            }
            Kind::If { .. } | Kind::Match { .. } | Kind::Block { .. } | Kind::Loop { .. } => {
                self.declare_by_statement(name, mutable, &ty, init);
            }
            _ => {
                if let Some(slice) = self.slice_named(init) {
                    return self.rebind(name, slice);
                }
                let value = self.value(init);
                let text = self.fresh(name);
                let is_const = if mutable { "" } else { "const " };
                self.line(&format!("{}{} {} = {};", is_const, ty, text, value.code));
                self.bind(name, text, false, !mutable);
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
        if value.stable && value.level == level::PRIMARY {
            return self.take_apart(pattern, &value.code);
        }
        let variable = format!("value_{}", self.number());
        self.line(&format!("const auto {} = {};", variable, value.code));
        self.take_apart(pattern, &variable);
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
        self.bind(name, text, false, !mutable);
    }

    fn slice_named(&self, expr: &Expr) -> Option<Place> {
        match &expr.kind {
            Kind::Name(name) => self.find(name).filter(|place| place.is_slice),
            Kind::Deref(inner) => self.slice_named(inner),
            _ => None,
        }
    }

    /// Another name of a slice.
    fn rebind(&mut self, name: &Ident, slice: Place) {
        self.bind(name, slice.text, true, true);
    }

    /// Writes an expression, and its value where that goes.
    pub fn send(&mut self, expr: &Expr, target: &Target) {
        match &expr.kind {
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
            Kind::Assert(condition) => {
                let condition = self.value(condition);
                self.line(&format!("assert({});", condition.code));
            }
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
            format.extend(text.chars().flat_map(printed));
        }
        let list: String = all.iter().map(|value| format!(", {}", value.code)).collect();
        self.line(&format!("printf(\"{}\"{});", format, list));
    }

    fn put(&mut self, expr: &Expr, target: &Target) {
        let value = self.value(expr);
        match target {
            Target::Variable(name) => self.line(&format!("{} = {};", name, value.code)),
            Target::Result => self.line(&format!("return {};", value.code)),
            Target::Nowhere if value.acts => self.line(&format!("{};", value.code)),
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
                let parts = (0..places.len()).map(|k| format!("{}._{}", whole.within(16), k));
                parts.map(|part| Text::new(part, level::PRIMARY)).collect()
            }
        };
        let mut kept = Vec::new();
        for value in values {
            let variable = format!("value_{}", self.number());
            self.line(&format!("const auto {} = {};", variable, value.code));
            kept.push(variable);
        }
        for (place, value) in places.iter().zip(kept) {
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

    /// Begins a loop; its number is for its labels.
    fn enter(&mut self, label: &Option<Ident>, target: Target) -> usize {
        let number = self.number();
        let label = label.as_ref().map(Ident::to_string);
        self.loops.push(Loop { label, number, target, wants_end: false, wants_next: false });
        number
    }

    /// The body of a loop that was begun, and its end. Labels stand where no variable's beginning
    /// lies between them and a jump.
    fn body(&mut self, body: &Block, number: usize) {
        let ((), text) = self.apart(|writer| {
            writer.inside(|writer| writer.send_block(body, &Target::Nowhere));
        });
        let done = self.loops.pop();
        let (wants_next, wants_end) = done.map_or((false, false), |l| (l.wants_next, l.wants_end));
        if wants_next {
            self.line("{");
        }
        self.out.push_str(&text);
        if wants_next {
            self.line(&format!("}} next_{}:;", number));
        }
        self.line("}");
        if wants_end {
            self.line(&format!("end_{}:;", number));
        }
    }

    fn repeat(&mut self, label: &Option<Ident>, condition: &Expr, body: &Block) {
        let number = self.enter(label, Target::Nowhere);
        let (test, statements) = self.apart(|writer| writer.value(condition));
        if statements.is_empty() {
            self.line(&format!("while ({}) {{", test.code));
        } else {
            self.line("for (;;) {");
            self.out.push_str(&statements);
            self.line(&format!("  if (!({})) break;", test.code));
        }
        self.body(body, number);
    }

    fn count(&mut self, label: &Option<Ident>, counter: &Pattern, range: &Range, body: &Block) {
        let bounds = match &range.step {
            Some(step) => self.all(&[&range.first, &range.last, step]),
            None => self.all(&[&range.first, &range.last]),
        };
        let number = self.enter(label, Target::Nowhere);
        let ty = mark_type(range.slot);
        let (name, mutable) = match counter {
            Pattern::Name { name, mutable, .. } => (Some(name), *mutable),
            _ => (None, false),
        };
        let plain = name.map_or_else(|| format!("i_{}", number), |name| self.fresh(name));
        let counted = if range.step.is_some() {
            format!("{}v{};{};", MARK, range.slot, plain)
        } else {
            plain.clone()
        };
        let head = head(range, &bounds, &ty, &counted, number, is_small(&range.last));
        self.line(&head);
        if range.reversed && !range.inclusive {
            self.line(&format!("  --{};", plain));
        }
        if range.step.is_some() {
            self.out.push_str(&format!(
                "{}d{};{};{};",
                MARK,
                range.slot,
                "  ".repeat(self.depth + 1),
                plain
            ));
        }
        self.scoped(|writer| {
            match name {
                Some(name) if mutable => {
                    let text = writer.fresh(name);
                    writer.line(&format!("  {} {} = {};", ty, text, plain));
                    writer.bind(name, text, false, false);
                }
                Some(name) => writer.bind(name, plain, false, true),
                None => {}
            }
            writer.body(body, number);
        });
    }

    fn loop_of(&self, label: &Option<Ident>) -> Option<usize> {
        match label {
            None => self.loops.len().checked_sub(1),
            Some(label) => {
                let label = label.to_string();
                self.loops.iter().rposition(|one| one.label.as_deref() == Some(label.as_str()))
            }
        }
    }

    fn leave(&mut self, expr: &Expr, label: &Option<Ident>, value: Option<&Expr>) {
        let at = match self.loop_of(label) {
            Some(at) => at,
            None => return self.errors.add(expr.span, "`break` outside of a loop"),
        };
        if let Some(value) = value {
            let target = self.loops[at].target.clone();
            self.send(value, &target);
        }
        if at + 1 == self.loops.len() {
            self.line("break;");
        } else {
            self.loops[at].wants_end = true;
            self.line(&format!("goto end_{};", self.loops[at].number));
        }
    }

    fn go_on(&mut self, expr: &Expr, label: &Option<Ident>) {
        let at = match self.loop_of(label) {
            Some(at) => at,
            None => return self.errors.add(expr.span, "`continue` outside of a loop"),
        };
        if at + 1 == self.loops.len() {
            self.line("continue;");
        } else {
            self.loops[at].wants_next = true;
            self.line(&format!("goto next_{};", self.loops[at].number));
        }
    }
}

/// The head of a counted loop. What the body might change is looked at once.
fn head(
    range: &Range,
    bounds: &[Text],
    ty: &str,
    i: &str,
    number: usize,
    is_small: bool,
) -> String {
    let (first, last) = (&bounds[0].code, &bounds[1]);
    let kept = |name: &str, text: &Text| match text.stable {
        true => (String::new(), text.within(level::UNARY)),
        false => (format!(", {name}_{number} = {}", text.code), format!("{name}_{number}")),
    };
    let (limit, last) = kept("last", last);
    let less = if range.inclusive { "<=" } else { "<" };
    match (&range.step, range.reversed, range.inclusive && !is_small) {
        (Some(_), ..) => {
            let (more, step) = kept("step", &bounds[2]);
            let wide = format!("{}w{};", MARK, range.slot);
            format!("for ({wide} {i} = {first}{limit}{more}; {i} {less} {last}; {i} += {step}) {{")
        }
        // Down from the last number to the first: the step comes before the body.
        (None, true, _) if !range.inclusive => format!(
            "for ({ty} first_{number} = {first}, {i} = {}; {i} > first_{number};) {{",
            bounds[1].code
        ),
        // No step beyond the first or the last number of the type.
        (None, true, _) => format!(
            "for ({ty} first_{number} = {first}, {i} = {}, more_{number} = {i} >= first_{number}; \
             more_{number}; more_{number} = {i} > first_{number}, {i} -= more_{number}) {{",
            bounds[1].code
        ),
        (None, false, true) => format!(
            "for ({ty} {i} = {first}{limit}, more_{number} = {i} <= {last}; more_{number}; \
             more_{number} = {i} < {last}, {i} += more_{number}) {{"
        ),
        (None, false, false) => {
            format!("for ({ty} {i} = {first}{limit}; {i} {less} {last}; ++{i}) {{")
        }
    }
}

/// A character of a `printf`'s text.
fn printed(c: char) -> Vec<char> {
    match c {
        '"' | '\\' => vec!['\\', c],
        '\n' => vec!['\\', 'n'],
        '\t' => vec!['\\', 't'],
        '%' => vec!['%', '%'],
        _ => vec![c],
    }
}

/// A number that is not the last of its type.
fn is_small(last: &Expr) -> bool {
    match &last.kind {
        Kind::Number { digits, .. } => digits.parse::<u32>().map_or(false, |number| number < 127),
        _ => false,
    }
}
