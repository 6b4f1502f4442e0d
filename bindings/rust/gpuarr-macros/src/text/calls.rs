//! Calls: of methods, of what the crate has, of device functions.
use crate::tree::{Expr, Kind, Op, Slot};

use super::value::level_of;
use super::{level, mark_type, Text, Writer, MARK};

impl Writer<'_> {
    /// Whether a function that is given this can write to it.
    fn writes(&self, expr: &Expr) -> bool {
        match &expr.kind {
            Kind::Ref { mutable, .. } => *mutable,
            Kind::Name(name) => self.find(name).map_or(false, |place| place.writes),
            _ => false,
        }
    }

    pub fn call(&mut self, instance: usize, args: &[Expr]) -> Text {
        let texts = self.arguments(args);
        let acts = args.iter().any(|arg| self.writes(arg)) || texts.iter().any(|text| text.acts);
        Text { acts, ..call(&format!("{}f{};", MARK, instance), &texts) }
    }

    fn arguments(&mut self, args: &[Expr]) -> Vec<Text> {
        self.in_order(&args.iter().collect::<Vec<_>>(), |writer, arg| writer.writes(arg))
    }

    pub fn associated(&mut self, name: &str, slot: Slot, args: &[Expr]) -> Text {
        let all: Vec<&Expr> = args.iter().collect();
        let args = self.all(&all);
        let function = match name {
            "default" => return Text::stable(format!("rs::cast<{}>(0)", mark_type(slot))),
            "from" | "from_f32" | "from_f64" | "of" => format!("rs::cast<{}>", mark_type(slot)),
            "new" => mark_type(slot),
            "from_bits" => format!("rs::from_bits<{}>", mark_type(slot)),
            _ => format!("rs::{}", name),
        };
        call(&function, &args)
    }

    pub fn method(&mut self, receiver: &Expr, name: &str, args: &[Expr]) -> Text {
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
        let function = match name {
            "arg" | "conj" => name.to_string(),
            "norm" => "abs".to_string(),
            "norm_sqr" => "norm".to_string(),
            _ => format!("rs::{}", name),
        };
        Text { acts, ..call(&function, &texts) }
    }

    pub fn known(&mut self, text: &'static str, args: &[Expr]) -> Text {
        let texts = self.arguments(args);
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

fn call(function: &str, args: &[Text]) -> Text {
    let acts = args.iter().any(|arg| arg.acts);
    let list: Vec<&str> = args.iter().map(|arg| arg.code.as_str()).collect();
    Text { acts, ..Text::new(format!("{}({})", function, list.join(", ")), level::PRIMARY) }
}
