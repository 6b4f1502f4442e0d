//! Expressions as expressions of C++, with the statements that these need before them.
use crate::probe;
use crate::tree::{Expr, Kind, Member, Op};

use super::{level, mark_type, Target, Text, Writer, MARK};

fn level_of(op: Op) -> u8 {
    match op {
        Op::Mul | Op::Div | Op::Rem => 12,
        Op::Add | Op::Sub => 11,
        Op::Shl | Op::Shr => 10,
        Op::Lt | Op::Le | Op::Gt | Op::Ge => 9,
        Op::Eq | Op::Ne => 8,
        Op::BitAnd => 7,
        Op::BitXor => 6,
        Op::BitOr => 5,
    }
}

/// What an operand of an operator must bind like at least: C++ compilers want parentheses where
/// people confuse the order.
fn operand_level(op: Op, is_right: bool) -> u8 {
    match op {
        Op::Shl | Op::Shr | Op::BitAnd | Op::BitXor | Op::BitOr => level::UNARY,
        Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne => 11,
        _ => level_of(op) + u8::from(is_right),
    }
}

fn is_place(expr: &Expr) -> bool {
    matches!(expr.kind, Kind::Ref { mutable: true, .. })
}

impl Writer<'_> {
    pub fn value(&mut self, expr: &Expr) -> Text {
        match &expr.kind {
            Kind::Number { digits, negative, slot, .. } => {
                let sign = if *negative { "-" } else { "" };
                let code = match slot {
                    Some(slot) => format!("{}n{};{}{};", MARK, slot, sign, digits),
                    None => untyped(sign, digits),
                };
                let level = if *negative { level::UNARY } else { level::PRIMARY };
                Text { level, ..Text::stable(code) }
            }
            Kind::Bool(truth) => Text::stable(truth.to_string()),
            Kind::Name(name) => match self.find(name) {
                Some(place) if place.is_slice => {
                    let code = format!("rs::slice_of({0}, {0}_len)", place.text);
                    Text::stable(code)
                }
                Some(place) => Text { stable: place.stable, ..Text::stable(place.text) },
                None => Text::stable(self.constant(quote::quote!(#name))),
            },
            Kind::Constant(path) => Text::stable(self.constant(path.clone())),
            Kind::Negate { slot, value } => self.unary("-", *slot, value),
            Kind::Not { slot, value } => self.unary("!", *slot, value),
            Kind::Deref(value) | Kind::Ref { value, .. } => self.value(value),
            Kind::Binary { op, slot, left, right } => {
                let [left, right] = self.two(left, right);
                let code = format!(
                    "{0}b{1};{2};{3}{0}m{4}{0}e",
                    MARK,
                    slot,
                    op.text(),
                    left.within(operand_level(*op, false)),
                    right.within(operand_level(*op, true))
                );
                Text { acts: left.acts || right.acts, ..Text::new(code, level_of(*op)) }
            }
            Kind::And(left, right) => self.logic("&&", level::AND, left, right),
            Kind::Or(left, right) => self.logic("||", level::OR, left, right),
            Kind::Cast { value, from, to, .. } => {
                let value = self.value(value);
                let code =
                    format!("{0}x{1};{2};{3}{0}e", MARK, from, to, value.within(level::UNARY));
                Text { code, level: level::UNARY, ..value }
            }
            Kind::Index(base, index) => self.index(base, index),
            Kind::Field(base, member) => {
                let base = self.value(base);
                let field = probe::member(member).to_string();
                let code = format!("{}.{}", base.within(level::PRIMARY), field_name(&field));
                Text { code, level: level::PRIMARY, ..base }
            }
            _ => self.composed(expr),
        }
    }

    fn composed(&mut self, expr: &Expr) -> Text {
        match &expr.kind {
            Kind::Method { receiver, name, args } => self.method(receiver, &name.to_string(), args),
            Kind::Known { text, args, .. } => self.known(text, args),
            Kind::Associated { name, slot, args, .. } => {
                let name = name.to_string();
                let all: Vec<&Expr> = args.iter().collect();
                let args = self.all(&all);
                let function = match name.as_str() {
                    "default" => return Text::stable(format!("rs::cast<{}>(0)", mark_type(*slot))),
                    "from" | "from_f32" | "from_f64" | "of" => {
                        format!("rs::cast<{}>", mark_type(*slot))
                    }
                    "from_bits" => format!("rs::from_bits<{}>", mark_type(*slot)),
                    _ => format!("rs::{}", name),
                };
                call(&function, &args)
            }
            Kind::Call { instance, args, .. } => {
                let all: Vec<&Expr> = args.iter().collect();
                let texts = self.all(&all);
                let acts = args.iter().any(|arg| is_place(arg) || self.is_slice(arg));
                Text { acts, ..call(&format!("{}f{};", MARK, instance), &texts) }
            }
            Kind::Tuple { items, slot } | Kind::Array { items, slot } => {
                let all: Vec<&Expr> = items.iter().collect();
                let texts = self.all(&all);
                self.braces(*slot, &texts)
            }
            Kind::Repeat { value, slot, .. } => {
                let value = self.value(value);
                let code = format!("rs::repeat<{}>({})", mark_type(*slot), value.code);
                Text { acts: value.acts, ..Text::new(code, level::PRIMARY) }
            }
            Kind::Struct { fields, rest, slot, .. } => {
                let variable = format!("value_{}", self.number());
                self.record(*slot, fields, rest.as_deref(), &variable);
                Text::stable(variable)
            }
            _ => self.through_variable(expr),
        }
    }

    /// Declares a struct and sets its fields one by one: C++ wants all in their order, which
    /// nothing here knows.
    pub fn record(
        &mut self,
        slot: usize,
        fields: &[(Member, Expr)],
        rest: Option<&Expr>,
        variable: &str,
    ) {
        let all: Vec<&Expr> = fields.iter().map(|(_, value)| value).chain(rest).collect();
        let texts = self.all(&all);
        let rest = rest.and_then(|_| texts.last()).map(|text| format!(" = {}", text.code));
        self.line(&format!("{} {}{};", mark_type(slot), variable, rest.unwrap_or_default()));
        for ((member, _), text) in fields.iter().zip(texts) {
            let field = probe::member(member).to_string();
            self.line(&format!("{}.{} = {};", variable, field_name(&field), text.code));
        }
    }

    fn braces(&mut self, slot: usize, items: &[Text]) -> Text {
        let acts = items.iter().any(|item| item.acts);
        let list: Vec<&str> = items.iter().map(|item| item.code.as_str()).collect();
        let code = format!("{}{{{}}}", mark_type(slot), list.join(", "));
        Text { acts, ..Text::new(code, level::PRIMARY) }
    }

    /// An `if`, `match`, `loop` or block whose value is used.
    fn through_variable(&mut self, expr: &Expr) -> Text {
        let slot = match &expr.kind {
            Kind::If { slot, .. }
            | Kind::Match { slot, .. }
            | Kind::Block { slot, .. }
            | Kind::Loop { slot, .. } => *slot,
            _ => None,
        };
        if let Some(text) = self.choice(expr) {
            return text;
        }
        match slot {
            Some(slot) => {
                let variable = format!("value_{}", self.number());
                self.line(&format!("{} {};", mark_type(slot), variable));
                self.send(expr, &Target::Variable(variable.clone()));
                Text { stable: false, ..Text::stable(variable) }
            }
            None => {
                let reason = "here a value is wanted; make this a statement of its own";
                if !matches!(expr.kind, Kind::Wrong) {
                    self.errors.add(expr.span, reason);
                }
                Text::stable("0")
            }
        }
    }

    /// `if` as `? :`, where neither side needs statements.
    pub fn choice(&mut self, expr: &Expr) -> Option<Text> {
        let (condition, then, otherwise) = match &expr.kind {
            Kind::If { condition, then, otherwise: Some(otherwise), slot: Some(_) } => {
                (condition, then, otherwise)
            }
            _ => return None,
        };
        let one = self.simple(then)?;
        let other = match &otherwise.kind {
            Kind::Block { block, .. } => self.simple(block)?,
            Kind::If { .. } => {
                let before = self.constants.len();
                let (text, statements) = self.apart(|writer| writer.choice(otherwise));
                if text.is_none() || !statements.is_empty() {
                    self.constants.truncate(before);
                    return None;
                }
                text?
            }
            _ => return None,
        };
        let condition = self.value(condition);
        let code = format!(
            "{} ? {} : {}",
            condition.within(level::CHOICE + 1),
            one.within(level::CHOICE + 1),
            other.within(level::CHOICE)
        );
        Some(Text::new(code, level::CHOICE))
    }

    /// A block that is an expression and nothing else.
    fn simple(&mut self, block: &crate::tree::Block) -> Option<Text> {
        let tail = match &block.tail {
            Some(tail) if block.statements.is_empty() && is_simple(tail) => tail,
            _ => return None,
        };
        let (text, statements) = self.apart(|writer| writer.value(tail));
        statements.is_empty().then_some(text)
    }

    fn unary(&mut self, op: &str, slot: usize, value: &Expr) -> Text {
        let value = self.value(value);
        let code = format!("{0}u{1};{2};{3}{0}e", MARK, slot, op, value.within(level::UNARY + 1));
        Text { code, level: level::UNARY, ..value }
    }

    fn logic(&mut self, op: &str, level: u8, left: &Expr, right: &Expr) -> Text {
        let first = self.value(left);
        let (second, statements) = self.apart(|writer| {
            writer.depth += 1;
            let second = writer.value(right);
            writer.depth -= 1;
            second
        });
        if statements.is_empty() {
            let operand = |text: &Text| match text.level <= level::AND && text.level != level {
                true => format!("({})", text.code),
                false => text.code.clone(),
            };
            let code = format!("{} {} {}", operand(&first), op, operand(&second));
            return Text { acts: first.acts || second.acts, ..Text::new(code, level) };
        }
        let variable = format!("value_{}", self.number());
        self.line(&format!("bool {} = {};", variable, first.code));
        let not = if op == "||" { "!" } else { "" };
        self.line(&format!("if ({}{}) {{", not, variable));
        self.out.push_str(&statements);
        self.line(&format!("  {} = {};", variable, second.code));
        self.line("}");
        Text { stable: false, ..Text::stable(variable) }
    }

    fn two(&mut self, left: &Expr, right: &Expr) -> [Text; 2] {
        let mut both = self.all(&[left, right]).into_iter();
        match (both.next(), both.next()) {
            (Some(left), Some(right)) => [left, right],
            _ => unreachable!("as many texts as expressions"),
        }
    }

    /// Operands in their order: if a later one needs statements or acts, earlier ones are kept.
    pub fn all(&mut self, exprs: &[&Expr]) -> Vec<Text> {
        let mut texts: Vec<Text> = Vec::new();
        for (k, expr) in exprs.iter().enumerate() {
            let (text, statements) = self.apart(|writer| writer.value(expr));
            let comes_late = !statements.is_empty() || text.acts;
            if comes_late || texts.iter().any(|earlier| earlier.acts) {
                for (earlier, expr) in texts.iter_mut().zip(&exprs[..k]) {
                    if !earlier.stable && !matches!(expr.kind, Kind::Ref { .. }) {
                        let variable = format!("value_{}", self.number());
                        self.line(&format!("const auto {} = {};", variable, earlier.code));
                        *earlier = Text::stable(variable);
                    }
                }
            }
            self.out.push_str(&statements);
            texts.push(text);
        }
        texts
    }

    fn index(&mut self, base: &Expr, index: &Expr) -> Text {
        let slice = match &base.kind {
            Kind::Name(name) => self.find(name).filter(|place| place.is_slice).map(|p| (name, p)),
            _ => None,
        };
        if let Some((name, place)) = slice {
            let index = self.value(index);
            let code = format!("{1}[{0}i{2};{1};{3}{0}e]", MARK, place.text, name, index.code);
            return Text { acts: index.acts, ..Text::new(code, level::PRIMARY) };
        }
        let [base, index] = self.two(base, index);
        let code = format!("{}[{}]", base.within(level::PRIMARY), index.code);
        Text { acts: base.acts || index.acts, ..Text::new(code, level::PRIMARY) }
    }

    fn is_slice(&self, expr: &Expr) -> bool {
        match &expr.kind {
            Kind::Name(name) => self.find(name).map_or(false, |place| place.is_slice),
            _ => false,
        }
    }

    fn method(&mut self, receiver: &Expr, name: &str, args: &[Expr]) -> Text {
        if let (Kind::Name(variable), "len" | "is_empty") = (&receiver.kind, name) {
            if let Some(place) = self.find(variable).filter(|place| place.is_slice) {
                return match name {
                    "len" => Text::stable(format!("{}_len", place.text)),
                    _ => Text::new(format!("{}_len == 0", place.text), level_of(Op::Eq)),
                };
            }
        }
        if name == "clone" {
            return self.value(receiver);
        }
        let mut all = vec![receiver];
        all.extend(args);
        let texts = self.all(&all);
        let acts = name == "swap" || texts.iter().any(|text| text.acts);
        Text { acts, ..call(&format!("rs::{}", name), &texts) }
    }

    fn known(&mut self, text: &'static str, args: &[Expr]) -> Text {
        let all: Vec<&Expr> = args.iter().collect();
        let texts = self.all(&all);
        let mut code = text.to_string();
        for (k, arg) in texts.iter().enumerate() {
            code = code.replace(&format!("${}", k), &arg.within(level::UNARY));
        }
        let (level, stable) = match text {
            _ if text.contains(" % ") => (level_of(Op::Mul), true),
            _ if text.contains(" + ") => (level_of(Op::Add), true),
            _ if text.contains(" * ") => (level_of(Op::Mul), true),
            _ if text.starts_with("(unsigned") => (level::UNARY, true),
            _ => (level::PRIMARY, false),
        };
        Text { code, level, stable, acts: !stable }
    }
}

fn is_simple(expr: &Expr) -> bool {
    !matches!(
        expr.kind,
        Kind::If { .. }
            | Kind::Match { .. }
            | Kind::Block { .. }
            | Kind::Loop { .. }
            | Kind::Break { .. }
            | Kind::Continue { .. }
            | Kind::Return(_)
            | Kind::Struct { .. }
    )
}

fn field_name(field: &str) -> String {
    match field.parse::<u32>() {
        Ok(number) => format!("_{}", number),
        Err(_) => format!("{}_", field.trim_start_matches("r#")),
    }
}

fn call(function: &str, args: &[Text]) -> Text {
    let acts = args.iter().any(|arg| arg.acts);
    let list: Vec<&str> = args.iter().map(|arg| arg.code.as_str()).collect();
    Text { acts, ..Text::new(format!("{}({})", function, list.join(", ")), level::PRIMARY) }
}

/// A number that is compared with an integer of any type.
fn untyped(sign: &str, digits: &str) -> String {
    match (sign, digits.parse::<i64>()) {
        ("", Err(_)) => format!("{}ull", digits),
        (_, Err(_)) => "(-9223372036854775807ll - 1)".to_string(),
        _ => format!("{}{}", sign, digits),
    }
}
