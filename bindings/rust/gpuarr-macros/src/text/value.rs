//! Expressions as expressions of C++, with the statements that these need before them.
use crate::tree::{Expr, Kind, Member, Op};

use super::names::field_name;
use super::{level, mark_type, Target, Text, Writer, MARK};

pub fn level_of(op: Op) -> u8 {
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
                let code = format!("{}.{}", base.within(level::PRIMARY), field_name(member));
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
                self.associated(&name.to_string(), *slot, args)
            }
            Kind::Call { instance, args, .. } => self.call(*instance, args),
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
            self.line(&format!("{}.{} = {};", variable, field_name(member), text.code));
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
        let acts = condition.acts || one.acts || other.acts;
        Some(Text { acts, ..Text::new(code, level::CHOICE) })
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
        self.in_order(exprs, |_, _| false)
    }

    /// The same, but for what is a place and has to stay one.
    pub fn in_order(
        &mut self,
        exprs: &[&Expr],
        is_place: impl Fn(&Self, &Expr) -> bool,
    ) -> Vec<Text> {
        let mut texts: Vec<Text> = Vec::new();
        for (k, expr) in exprs.iter().enumerate() {
            let (text, statements) = self.apart(|writer| writer.value(expr));
            let comes_late = !statements.is_empty() || text.acts;
            if comes_late || texts.iter().any(|earlier| earlier.acts) {
                for (earlier, expr) in texts.iter_mut().zip(&exprs[..k]) {
                    let stays = matches!(expr.kind, Kind::Ref { .. }) || is_place(self, expr);
                    if !earlier.stable && !stays {
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
        let mut array = self.value(base);
        let (index, statements) = self.apart(|writer| writer.value(index));
        let comes_late = !statements.is_empty() || index.acts;
        if comes_late && !array.stable && !matches!(base.kind, Kind::Name(_)) {
            // An array within others stays a place.
            let is_place = matches!(base.kind, Kind::Index(..) | Kind::Field(..) | Kind::Deref(_));
            let variable = format!("value_{}", self.number());
            let ty = if is_place { "auto&" } else { "const auto" };
            self.line(&format!("{} {} = {};", ty, variable, array.code));
            array = Text::stable(variable);
        }
        self.out.push_str(&statements);
        let code = format!("{}[{}]", array.within(level::PRIMARY), index.code);
        Text { acts: array.acts || index.acts, ..Text::new(code, level::PRIMARY) }
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
            | Kind::Panic(_)
            | Kind::Struct { .. }
    )
}

/// A number that is compared with an integer of any type.
fn untyped(sign: &str, digits: &str) -> String {
    match (sign, digits.parse::<i64>()) {
        ("", Err(_)) => format!("{}ull", digits),
        (_, Err(_)) => "(-9223372036854775807ll - 1)".to_string(),
        _ => format!("{}{}", sign, digits),
    }
}
