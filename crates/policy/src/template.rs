//! Templates: text in a document that may have wildcards and variables, compiled when it is read.
//!
//! A variable such as `${aws:username}` stands for the value of a condition key. Its value is
//! literal: an asterisk in a user's name is no wildcard. `${*}`, `${?}` and `${$}` stand for these
//! characters themselves. A variable that has no value, or several, and no default makes the
//! template match nothing.

use std::borrow::Cow;

use crate::error::Problem;
use crate::pattern::{self, Case, Unit};
use crate::question::{NoFacts, PrincipalName, Question};

/// Whether `*` and `?` have a meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wildcards {
    /// They are patterns.
    Active,
    /// They are the characters themselves.
    Literal,
}

/// Whether `${…}` is a variable, which it is since version 2012-10-17.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Variables {
    /// It is.
    Active,
    /// It is the characters themselves.
    Literal,
}

/// Compiled text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template {
    source: Box<str>,
    shape: Shape,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Shape {
    Anything,
    Exact(Box<str>),
    Prefix(Box<str>),
    Pattern(Box<[Unit]>),
    WithVariables(Box<[Piece]>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Units(Vec<Unit>),
    Variable(Variable),
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Variable {
    /// In lower case.
    key: Box<str>,
    default: Option<Box<str>>,
}

impl Template {
    /// Compiles text.
    pub(crate) fn parse(
        text: &str,
        wildcards: Wildcards,
        variables: Variables,
    ) -> Result<Template, Problem> {
        let pieces = pieces(text, wildcards, variables)?;
        Ok(Template { source: text.into(), shape: shape(pieces) })
    }

    /// The text as it stands in the document.
    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    /// The keys of the variables, in lower case.
    pub(crate) fn variable_keys(&self) -> impl Iterator<Item = &str> {
        self.variables().map(|variable| &*variable.key)
    }

    fn variables(&self) -> impl Iterator<Item = &Variable> {
        let pieces = match &self.shape {
            Shape::WithVariables(pieces) => &pieces[..],
            Shape::Anything | Shape::Exact(_) | Shape::Prefix(_) | Shape::Pattern(_) => &[],
        };
        pieces.iter().filter_map(|piece| match piece {
            Piece::Variable(variable) => Some(variable),
            Piece::Units(_) => None,
        })
    }

    /// Whether the whole of a text matches, or nothing if a variable has no value.
    pub(crate) fn matches(&self, text: &str, case: Case, question: &Question<'_>) -> Option<bool> {
        let is_match = match (&self.shape, case) {
            (Shape::Anything, _) => true,
            (Shape::Exact(wanted), Case::Sensitive) => text == &**wanted,
            (Shape::Exact(wanted), Case::Insensitive) => eq_ignore_case(text, wanted),
            (Shape::Prefix(prefix), Case::Sensitive) => text.starts_with(&**prefix),
            (Shape::Prefix(prefix), Case::Insensitive) => {
                let lead = text.as_bytes().get(..prefix.len());
                lead.is_some_and(|lead| lead.eq_ignore_ascii_case(prefix.as_bytes()))
            }
            (Shape::Pattern(units), case) => pattern::matches(units, text, case),
            (Shape::WithVariables(pieces), Case::Sensitive) => {
                pattern::matches(&resolve(pieces, question)?, text, case)
            }
            (Shape::WithVariables(pieces), Case::Insensitive) => {
                let wanted = literal(&resolve(pieces, question)?);
                eq_ignore_case(text, &wanted)
            }
        };
        Some(is_match)
    }

    /// Whether the whole of a text matches a template without variables.
    pub(crate) fn matches_plain(&self, text: &str, case: Case) -> bool {
        let principal = PrincipalName::user("", "");
        let question =
            Question { principal: &principal, action: "", resource: "", facts: &NoFacts };
        self.matches(text, case, &question) == Some(true)
    }

    /// The key of the first variable that has neither a value nor a default.
    pub(crate) fn unresolved(&self, question: &Question<'_>) -> Option<&str> {
        let is_open = |variable: &&Variable| {
            variable.default.is_none() && single_value(&variable.key, question).is_none()
        };
        self.variables().find(is_open).map(|variable| &*variable.key)
    }
}

/// Whether two texts differ in nothing but the case of letters.
fn eq_ignore_case(left: &str, right: &str) -> bool {
    if left.is_ascii() && right.is_ascii() {
        return left.eq_ignore_ascii_case(right);
    }
    let lower = |text| str::chars(text).flat_map(char::to_lowercase);
    lower(left).eq(lower(right))
}

/// The text of units that have no wildcards.
fn literal(units: &[Unit]) -> String {
    let bytes = units.iter().filter_map(|unit| match unit {
        Unit::Byte(byte) => Some(*byte),
        Unit::AnyCharacter | Unit::AnyRun => None,
    });
    String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned()
}

fn resolve(pieces: &[Piece], question: &Question<'_>) -> Option<Vec<Unit>> {
    let mut units = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Units(literal) => units.extend_from_slice(literal),
            Piece::Variable(variable) => match single_value(&variable.key, question) {
                Some(value) => pattern::push_literal(&mut units, &value),
                None => pattern::push_literal(&mut units, variable.default.as_deref()?),
            },
        }
    }
    Some(units)
}

fn single_value<'a>(key: &str, question: &'a Question<'_>) -> Option<Cow<'a, str>> {
    let mut values = question.values(key)?.into_iter();
    let first = values.next()?;
    values.next().is_none().then_some(first)
}

/// Chooses the cheapest form that means the same.
fn shape(mut pieces: Vec<Piece>) -> Shape {
    if pieces.iter().any(|piece| matches!(piece, Piece::Variable(_))) {
        return Shape::WithVariables(pieces.into());
    }
    let Some(Piece::Units(units)) = pieces.pop() else {
        return Shape::Exact("".into());
    };
    let is_byte = |unit: &Unit| matches!(unit, Unit::Byte(_));
    match units.split_last() {
        Some((Unit::AnyRun, [])) => Shape::Anything,
        Some((Unit::AnyRun, lead)) if lead.iter().all(is_byte) => {
            Shape::Prefix(literal(lead).into())
        }
        _ if units.iter().all(is_byte) => Shape::Exact(literal(&units).into()),
        _ => Shape::Pattern(units.into()),
    }
}

/// Splits text into literal parts with wildcards, and variables. Without variables it is one piece.
fn pieces(text: &str, wildcards: Wildcards, variables: Variables) -> Result<Vec<Piece>, Problem> {
    let mut pieces = Vec::new();
    let mut units = Vec::new();
    let mut rest = text;
    loop {
        let start = match variables {
            Variables::Active => rest.find("${"),
            Variables::Literal => None,
        };
        push_text(&mut units, rest.get(..start.unwrap_or(rest.len())).unwrap_or(rest), wildcards);
        let Some(after) = start.and_then(|start| rest.get(start + 2..)) else { break };
        let (inside, behind) =
            after.split_once('}').ok_or(Problem::VariableNotClosed { text: text.to_owned() })?;
        rest = behind;
        match inside {
            "*" | "?" | "$" => pattern::push_literal(&mut units, inside),
            name => {
                pieces.push(Piece::Units(std::mem::take(&mut units)));
                pieces.push(Piece::Variable(variable(name)?));
            }
        }
    }
    pieces.push(Piece::Units(units));
    Ok(pieces)
}

fn push_text(units: &mut Vec<Unit>, text: &str, wildcards: Wildcards) {
    match wildcards {
        Wildcards::Active => {
            text.chars().for_each(|character| pattern::push_wild(units, character))
        }
        Wildcards::Literal => pattern::push_literal(units, text),
    }
}

/// Reads what stands between the braces: a key, or a key and a default in single quotes.
fn variable(inside: &str) -> Result<Variable, Problem> {
    let malformed = || Problem::VariableMalformed { variable: inside.to_owned() };
    let (key, default) = match inside.split_once(',') {
        None => (inside, None),
        Some((key, default)) => {
            let quoted = default.trim().strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
            (key, Some(quoted.ok_or_else(malformed)?))
        }
    };
    let key = key.trim();
    let is_name = |character: char| character.is_ascii_graphic() && !"${*?'".contains(character);
    let has_service = key.split_once(':').is_some_and(|(service, name)| {
        !service.is_empty() && !name.is_empty() && key.chars().all(is_name)
    });
    if !has_service {
        return Err(malformed());
    }
    Ok(Variable { key: key.to_ascii_lowercase().into(), default: default.map(Into::into) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::FactTable;

    fn is_match(template: &str, text: &str, facts: &[(&str, &str)]) -> Option<bool> {
        let template = Template::parse(template, Wildcards::Active, Variables::Active).unwrap();
        let mut table = FactTable::new();
        facts.iter().for_each(|(key, value)| table.add(key, value));
        let principal = PrincipalName::user("000000000000", "alice");
        let question = Question {
            principal: &principal,
            action: "dynamodb:GetItem",
            resource: "*",
            facts: &table,
        };
        template.matches(text, Case::Sensitive, &question)
    }

    #[test]
    fn a_variable_is_replaced_by_the_value_of_its_key() {
        assert_eq!(is_match("a/${aws:username}/*", "a/alice/b", &[]), Some(true));
        assert_eq!(is_match("a/${AWS:UserName}/*", "a/bob/b", &[]), Some(false));
    }

    #[test]
    fn the_value_of_a_variable_is_literal() {
        assert_eq!(is_match("${a:b}", "anything", &[("a:b", "*")]), Some(false));
        assert_eq!(is_match("${a:b}", "*", &[("a:b", "*")]), Some(true));
    }

    #[test]
    fn a_variable_without_a_value_takes_its_default() {
        assert_eq!(is_match("${a:b}", "x", &[]), None);
        assert_eq!(is_match("${a:b, 'x'}", "x", &[]), Some(true));
        assert_eq!(is_match("${a:b, 'x'}", "y", &[("a:b", "y")]), Some(true));
    }

    #[test]
    fn a_variable_with_several_values_has_none() {
        assert_eq!(is_match("${a:b}", "x", &[("a:b", "x"), ("a:b", "y")]), None);
    }

    #[test]
    fn special_characters_have_variables_of_their_own() {
        assert_eq!(is_match("${*}${?}${$}", "*?$", &[]), Some(true));
        assert_eq!(is_match("${*}", "anything", &[]), Some(false));
    }

    #[test]
    fn variables_must_be_well_formed() {
        for text in ["${", "${}", "${user}", "${aws:a", "${aws:}", "${aws:x, y}", "${aws:x,}"] {
            let parsed = Template::parse(text, Wildcards::Active, Variables::Active);
            assert!(parsed.is_err(), "{text}");
            assert!(Template::parse(text, Wildcards::Active, Variables::Literal).is_ok());
        }
    }
}
