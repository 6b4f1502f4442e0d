//! Names of the user's as C++ can have them.
use proc_macro2::Ident;

use crate::tree::Member;

/// A field's name in C++, where it may be no word of that.
pub fn field_name(member: &Member) -> String {
    match member {
        Member::Number(number) => format!("_{}", number),
        // So C++ calls the parts of complex numbers too.
        Member::Named(name) if name == "re" || name == "im" => name.to_string(),
        Member::Named(name) => format!("{}_", plain_name(name)),
    }
}

/// A name in ASCII, which all compilers take.
pub fn plain_name(name: &Ident) -> String {
    let name = name.to_string();
    let mut plain = String::new();
    for c in name.trim_start_matches("r#").chars() {
        match c.is_ascii() {
            true => plain.push(c),
            false => plain.push_str(&format!("u{:x}", u32::from(c))),
        }
    }
    plain
}
