//! A function of the generated code.

use std::fmt::Write as _;

use super::identifier::{field_name, literal};
use super::kind::Kind;
use super::text::comment;

/// Clippy asks for a reason beyond this.
const PARAMETERS_MAX: usize = 7;

/// A function for an access pattern.
#[derive(Debug, Default)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) docs: Vec<String>,
    /// The type of the table.
    pub(super) table: String,
    /// Names and types.
    pub(super) parameters: Vec<(String, String)>,
    pub(super) returns: String,
    pub(super) body: String,
    /// Types of parameters that the pattern declares and nothing else tells.
    pub(super) declared: Vec<(String, Kind)>,
    /// Parameters that may be left out.
    pub(super) optional: Vec<String>,
    /// Structs that the function takes.
    pub(super) structs: String,
}

impl Function {
    /// Takes a parameter and returns its name in the code. The first use decides its type, unless
    /// the pattern declares another.
    pub(super) fn parameter(&mut self, name: &str, kind: &Kind) -> String {
        let ident = field_name(name);
        let kind = self.kind_of(name, kind);
        let is_optional = self.optional.iter().any(|it| it == name);
        let text = kind.parameter();
        self.take(&ident, if is_optional { format!("Option<{text}>") } else { text });
        ident
    }

    /// The type of a parameter: that of the attribute that it is used for, unless the pattern
    /// declares another.
    pub(super) fn kind_of(&self, name: &str, used: &Kind) -> Kind {
        let declared = self.declared.iter().find(|(known, _)| known == name);
        match declared {
            Some((_, declared)) if !is_same_sort(declared, used) => declared.clone(),
            Some(_) | None => used.clone(),
        }
    }

    /// Takes a parameter of this type, unless there is one of the name.
    pub(super) fn take(&mut self, ident: &str, kind: String) {
        if !self.parameters.iter().any(|(known, _)| known == ident) {
            self.parameters.push((ident.to_owned(), kind));
        }
    }

    /// Writes the function.
    pub(super) fn write(&self, out: &mut String) {
        out.push_str(&self.structs);
        for (number, doc) in self.docs.iter().enumerate() {
            out.push_str(if number == 0 { "" } else { "///\n" });
            out.push_str(&comment("///", "", doc));
        }
        let mut parameters = vec![format!("db: &Db<{}>", self.table)];
        parameters.extend(self.parameters.iter().map(|(name, kind)| format!("{name}: {kind}")));
        if parameters.len() > PARAMETERS_MAX {
            let reason = literal("the access pattern has as many");
            let _ = writeln!(out, "#[expect(clippy::too_many_arguments, reason = {reason})]");
        }
        let line =
            format!("pub fn {}({}) -> {} {{", self.name, parameters.join(", "), self.returns);
        if line.len() <= 100 {
            let _ = writeln!(out, "{line}");
        } else {
            let _ = writeln!(out, "pub fn {}(", self.name);
            for parameter in parameters {
                let _ = writeln!(out, "    {parameter},");
            }
            let _ = writeln!(out, ") -> {} {{", self.returns);
        }
        for line in self.body.lines() {
            out.push_str(&wrapped(line));
        }
        out.push_str("}\n\n");
    }
}

/// A statement, with each call of a row on a line of its own where one line is too narrow.
fn wrapped(line: &str) -> String {
    if line.len() <= 96 {
        return format!("    {line}\n");
    }
    let indent = line.len() - line.trim_start().len();
    let (mut depth, mut calls, mut start) = (0_i32, Vec::new(), 0);
    for (at, character) in line.char_indices() {
        match character {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth -= 1,
            '.' if depth == 0 && line.get(..at).is_some_and(|before| before.ends_with(')')) => {
                calls.push(line.get(start..at).unwrap_or_default());
                start = at;
            }
            _ => {}
        }
    }
    calls.push(line.get(start..).unwrap_or_default());
    let mut lines = calls.into_iter();
    let first = lines.next().unwrap_or_default();
    let rest = lines.map(|call| format!("    {:indent$}    {call}\n", ""));
    format!("    {first}\n") + &rest.collect::<String>()
}

/// Whether a declared type is one that says no more than the attribute's.
fn is_same_sort(declared: &Kind, used: &Kind) -> bool {
    match (declared, used) {
        (Kind::Text, Kind::Text | Kind::Enumeration(..))
        | (Kind::Number, Kind::Number | Kind::Lock)
        | (Kind::Flag, Kind::Flag) => true,
        (Kind::Other(_), Kind::Other(_)) => true,
        (
            Kind::Text
            | Kind::Number
            | Kind::Lock
            | Kind::Flag
            | Kind::Enumeration(..)
            | Kind::Other(_),
            _,
        ) => false,
    }
}
