//! Loops, and the jumps that leave them or go on.
use proc_macro2::Ident;

use crate::tree::{Block, Expr, Kind, Pattern, Range};

use super::{level, mark_type, Loop, Place, Target, Text, Writer, MARK};

impl Writer<'_> {
    /// Begins a loop; its number is for its labels.
    pub fn enter(&mut self, label: &Option<Ident>, target: Target) -> usize {
        let number = self.number();
        let label = label.as_ref().map(Ident::to_string);
        self.loops.push(Loop { label, number, target, wants_end: false, wants_next: false });
        number
    }

    /// The body of a loop that was begun, and its end. Labels stand where no variable's beginning
    /// lies between them and a jump.
    pub fn body(&mut self, body: &Block, number: usize) {
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

    pub fn repeat(&mut self, label: &Option<Ident>, condition: &Expr, body: &Block) {
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

    pub fn count(&mut self, label: &Option<Ident>, counter: &Pattern, range: &Range, body: &Block) {
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
                    writer.bind(name, Place::value(text, true));
                }
                Some(name) => writer.bind(name, Place::value(plain, false)),
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

    pub fn leave(&mut self, expr: &Expr, label: &Option<Ident>, value: Option<&Expr>) {
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

    pub fn go_on(&mut self, expr: &Expr, label: &Option<Ident>) {
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
        (Some(by), ..) => {
            let (more, mut step) = kept("step", &bounds[2]);
            if !is_number(by) {
                step = format!("rs::step({step})");
            }
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

/// A number that is written as one, and not 0.
fn is_number(expr: &Expr) -> bool {
    matches!(&expr.kind, Kind::Number { digits, .. } if digits != "0")
}

/// A number that is not the last of its type.
fn is_small(last: &Expr) -> bool {
    match &last.kind {
        Kind::Number { digits, .. } => digits.parse::<u32>().map_or(false, |number| number < 127),
        _ => false,
    }
}
