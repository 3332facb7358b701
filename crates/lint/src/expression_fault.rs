//! What is wrong with the expressions of recorded requests, each fault with the one rule that is
//! about it.
//!
//! The parser of the service stops at the first token that it cannot use. Which mistake that is,
//! such as a literal or a missing `=`, is told from the tokens around it; what is none of the known
//! mistakes is left to `bad-expression`.

use monotable_expr::{ParseError, ResolveError, Resolver, Section, parse_update};
use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{Model, Table, Token, TokenKind, tokenize};

use super::Subject;
use super::request_part::{
    ExpressionMember, ExpressionText, RequestPart, request_parts, used_placeholders,
};
use super::update_clause::clauses;

/// What is wrong with an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ExpressionFault {
    /// The conditions on keys are separated by a comma.
    Comma,
    /// A bare name is a reserved word.
    ReservedWord(String),
    /// An attribute's name has characters that mean something else here.
    SpecialName(String),
    /// A literal stands where only a placeholder can.
    Literal(String),
    /// `SET` of this path has no `=`.
    NoEquals(String),
    /// `REMOVE` of this path is followed by a value.
    ValueAfterRemove(String),
    /// Anything else, in words.
    Other(String),
}

/// Reports the faults that a rule is about: it words those that are its own.
pub(super) fn report_faults(
    subject: &Subject<'_>,
    word: impl Fn(&ExpressionFault, &ExpressionText<'_>) -> Option<Diagnostic>,
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for part in request_parts(subject) {
        for expression in part.expressions() {
            let faults = faults(subject.model, &part, &expression);
            diagnostics.extend(faults.iter().filter_map(|fault| word(fault, &expression)));
        }
    }
    diagnostics
}

fn faults(
    model: &Model,
    part: &RequestPart<'_>,
    expression: &ExpressionText<'_>,
) -> Vec<ExpressionFault> {
    let special = special_names(model, part.table, expression.text);
    if !special.is_empty() {
        return special;
    }
    match expression.member.parse_error(expression.text) {
        Some(ParseError::ReservedWord { word }) if is_literal_word(&word) => {
            vec![ExpressionFault::Literal(word)]
        }
        Some(ParseError::ReservedWord { word }) => vec![ExpressionFault::ReservedWord(word)],
        Some(ParseError::Syntax { .. }) => syntax_faults(expression),
        Some(error) => vec![ExpressionFault::Other(error.to_string())],
        None => resolve_fault(part, expression).into_iter().collect(),
    }
}

fn is_literal_word(word: &str) -> bool {
    ["true", "false", "null"].iter().any(|literal| word.eq_ignore_ascii_case(literal))
}

/// Stored attributes with names that are not plain, and that the text has without a placeholder.
fn special_names(model: &Model, table: Option<&Table>, text: &str) -> Vec<ExpressionFault> {
    let Some(table) = table else { return Vec::new() };
    let attributes = model.entities_in(table).flat_map(|entity| &entity.attributes);
    let mut names: Vec<&str> = attributes.map(|attribute| attribute.item_name()).collect();
    names.sort_unstable();
    names.dedup();
    let special = names.into_iter().filter(|name| !is_plain(name) && stands_in(name, text));
    special.map(|name| ExpressionFault::SpecialName(name.to_owned())).collect()
}

/// Whether a name can stand in an expression as it is, as far as its characters go.
fn is_plain(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.chars().all(is_word)
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// Whether a text has a name that is not part of a longer word.
fn stands_in(name: &str, text: &str) -> bool {
    text.match_indices(name).any(|(start, _)| {
        let before = text.get(..start).and_then(|before| before.chars().next_back());
        let after = text.get(start + name.len()..).and_then(|after| after.chars().next());
        let is_outside = |character: Option<char>| character.is_none_or(|one| !is_word(one));
        is_outside(before) && is_outside(after) && before != Some('#') && before != Some(':')
    })
}

fn syntax_faults(expression: &ExpressionText<'_>) -> Vec<ExpressionFault> {
    let tokens = tokenize(expression.text).unwrap_or_default();
    if expression.member == ExpressionMember::KeyCondition && has_outer_comma(&tokens) {
        return vec![ExpressionFault::Comma];
    }
    let mut faults = match expression.member {
        ExpressionMember::Update => update_faults(expression.text),
        ExpressionMember::KeyCondition
        | ExpressionMember::Filter
        | ExpressionMember::Condition
        | ExpressionMember::Projection => Vec::new(),
    };
    faults.extend(literals(expression.text, &tokens));
    if faults.is_empty() {
        let error = expression.member.parse_error(expression.text);
        faults.extend(error.map(|error| ExpressionFault::Other(error.to_string())));
    }
    faults
}

fn has_outer_comma(tokens: &[Token<'_>]) -> bool {
    let mut depth = 0usize;
    tokens.iter().any(|token| {
        match token.text {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && token.is_symbol(",")
    })
}

fn update_faults(text: &str) -> Vec<ExpressionFault> {
    let is_value = |token: &Token<'_>| token.kind == TokenKind::Parameter;
    let fault = |clause: &super::update_clause::Clause<'_>| match clause.section {
        Section::Set if !clause.has_equals() && !clause.rest.is_empty() => {
            Some(ExpressionFault::NoEquals(clause.target.to_string()))
        }
        Section::Remove if clause.rest.first().is_some_and(is_value) => {
            Some(ExpressionFault::ValueAfterRemove(clause.target.to_string()))
        }
        Section::Set | Section::Remove | Section::Add | Section::Delete => None,
    };
    clauses(text).iter().filter_map(fault).collect()
}

/// Numbers, unless they are list indexes, and texts in quotes.
fn literals(text: &str, tokens: &[Token<'_>]) -> Vec<ExpressionFault> {
    let mut found = Vec::new();
    let mut before: Option<&Token<'_>> = None;
    for token in tokens {
        let is_index = before.is_some_and(|before| before.is_symbol("["));
        match token.kind {
            TokenKind::Number if !is_index => found.push(token.text.to_owned()),
            TokenKind::Text => found.push(token.text.to_owned()),
            TokenKind::Number
            | TokenKind::Word
            | TokenKind::Parameter
            | TokenKind::Name
            | TokenKind::Hole
            | TokenKind::Symbol => {}
        }
        before = Some(token);
    }
    if found.is_empty() {
        found.extend(quoted(text));
    }
    found.into_iter().map(ExpressionFault::Literal).collect()
}

/// The first text between double quotes.
fn quoted(text: &str) -> Option<String> {
    let (_, rest) = text.split_once('"')?;
    let (inner, _) = rest.split_once('"')?;
    Some(format!("\"{inner}\""))
}

/// What the service says once placeholders are replaced. Placeholders that are not defined have a
/// rule of their own.
fn resolve_fault(
    part: &RequestPart<'_>,
    expression: &ExpressionText<'_>,
) -> Option<ExpressionFault> {
    let defined = |member: &str, name: &str| {
        part.body.member(member).is_some_and(|names| names.member(name).is_some())
    };
    let is_defined = |placeholder: &&str| {
        if placeholder.starts_with('#') {
            defined("ExpressionAttributeNames", placeholder)
        } else {
            defined("ExpressionAttributeValues", placeholder)
        }
    };
    if !used_placeholders(expression.text).iter().all(is_defined) {
        return None;
    }
    let error = resolve_error(part, expression)?;
    Some(ExpressionFault::Other(error.to_string()))
}

fn resolve_error(part: &RequestPart<'_>, expression: &ExpressionText<'_>) -> Option<ResolveError> {
    let placeholders = part.placeholders();
    let mut resolver = Resolver::new(&placeholders.names, &placeholders.values);
    match expression.member {
        ExpressionMember::KeyCondition | ExpressionMember::Filter | ExpressionMember::Condition => {
            let parsed = monotable_expr::parse_condition(expression.text).ok()?;
            resolver.condition(&parsed).err()
        }
        ExpressionMember::Update => resolver.update(&parse_update(expression.text).ok()?).err(),
        ExpressionMember::Projection => {
            let parsed = monotable_expr::parse_projection(expression.text).ok()?;
            resolver.projection(&parsed).err()
        }
    }
}
