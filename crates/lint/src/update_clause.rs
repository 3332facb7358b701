//! The clauses of an update, from its text: `SET a = a + :n, b = :b REMOVE c` has three.
//!
//! The text is that of a model or of a request, and may be wrong: what a clause lacks is what rules
//! look for.

use std::fmt;

use monotable_expr::Section;
use monotable_model::document::{Token, TokenKind, tokenize};

/// A clause of an update.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Clause<'t> {
    /// The section that it stands in.
    pub(super) section: Section,
    /// The path that is changed.
    pub(super) target: PathText<'t>,
    /// What follows the path: for `SET`, the `=` and all behind it.
    pub(super) rest: Vec<Token<'t>>,
}

/// A path as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PathText<'t> {
    tokens: Vec<Token<'t>>,
}

/// The clauses of a text, in order. A text of which not even the sections can be told has none.
pub(super) fn clauses(text: &str) -> Vec<Clause<'_>> {
    let tokens = tokenize(text).unwrap_or_default();
    let mut clauses = Vec::new();
    let mut section = None;
    for part in split(&tokens) {
        let (keyword, part) = match part.split_first() {
            Some((first, rest)) if section_of(first).is_some() => (section_of(first), rest),
            Some(_) | None => (section, part),
        };
        section = keyword;
        let Some(section) = section else { continue };
        let (target, rest) = path(part);
        if !target.tokens.is_empty() {
            clauses.push(Clause { section, target, rest: rest.to_vec() });
        }
    }
    clauses
}

/// Cuts before each section, and at each comma that is not inside of parentheses.
fn split<'a, 't>(tokens: &'a [Token<'t>]) -> Vec<&'a [Token<'t>]> {
    let mut parts = Vec::new();
    let mut depth = 0usize;
    let mut start = 0;
    for (position, token) in tokens.iter().enumerate() {
        match token.text {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let is_comma = depth == 0 && token.is_symbol(",");
        if is_comma || (depth == 0 && section_of(token).is_some()) {
            parts.extend(tokens.get(start..position));
            start = if is_comma { position + 1 } else { position };
        }
    }
    parts.extend(tokens.get(start..));
    parts.retain(|part| !part.is_empty());
    parts
}

fn section_of(token: &Token<'_>) -> Option<Section> {
    [Section::Set, Section::Remove, Section::Add, Section::Delete]
        .into_iter()
        .find(|section| token.is_word(section.keyword()))
}

/// The path that tokens begin with, and what comes after it.
fn path<'a, 't>(tokens: &'a [Token<'t>]) -> (PathText<'t>, &'a [Token<'t>]) {
    let mut length = 0;
    let mut wants_name = true;
    while let Some(token) = tokens.get(length) {
        if wants_name && is_name(token) {
            (length, wants_name) = (length + 1, false);
        } else if !wants_name && token.is_symbol(".") {
            (length, wants_name) = (length + 1, true);
        } else if !wants_name && token.is_symbol("[") {
            length = (length + 3).min(tokens.len());
        } else {
            break;
        }
    }
    let (target, rest) = tokens.split_at_checked(length).unwrap_or((tokens, &[]));
    (PathText { tokens: target.to_vec() }, rest)
}

fn is_name(token: &Token<'_>) -> bool {
    match token.kind {
        TokenKind::Word | TokenKind::Name | TokenKind::Hole => true,
        TokenKind::Parameter | TokenKind::Text | TokenKind::Number | TokenKind::Symbol => false,
    }
}

impl<'t> Clause<'t> {
    /// Whether a `SET` has its `=`.
    pub(super) fn has_equals(&self) -> bool {
        self.rest.first().is_some_and(|token| token.is_symbol("="))
    }

    /// The paths that are added or subtracted as they are: operands of `+` and `-` outside of any
    /// function.
    pub(super) fn summands(&self) -> Vec<PathText<'t>> {
        let outside = outside_calls(&self.rest);
        if !outside.iter().any(|token| token.is_symbol("+") || token.is_symbol("-")) {
            return Vec::new();
        }
        let operands = outside.split(|token| ["=", "+", "-"].contains(&token.text));
        let paths = operands.map(|operand| path(operand).0);
        paths.filter(|path| !path.tokens.is_empty()).collect()
    }

    /// The value or parameter that is set or added, if it is one alone.
    pub(super) fn value(&self) -> Option<&Token<'t>> {
        match self.rest.as_slice() {
            [equals, value] if equals.is_symbol("=") && !is_name(value) => Some(value),
            [value] if !value.is_symbol("=") && !is_name(value) => Some(value),
            _ => None,
        }
    }

    /// Whether a function is called, by its name.
    pub(super) fn calls(&self, function: &str) -> bool {
        let is_call = |pair: &[Token<'_>]| match pair {
            [name, open] => name.is_word(function) && open.is_symbol("("),
            _ => false,
        };
        self.rest.windows(2).any(is_call)
    }

    /// Whether the target changes by a number that is added to what it was.
    pub(super) fn is_count(&self) -> bool {
        match self.section {
            Section::Set => {
                self.rest.iter().any(|token| token.is_symbol("+") || token.is_symbol("-"))
            }
            Section::Add => true,
            Section::Remove | Section::Delete => false,
        }
    }
}

/// The tokens that are not between parentheses, without the names of the functions before them.
fn outside_calls<'t>(tokens: &[Token<'t>]) -> Vec<Token<'t>> {
    let mut outside: Vec<Token<'t>> = Vec::new();
    let mut depth = 0usize;
    for token in tokens {
        if token.is_symbol("(") {
            if depth == 0 {
                outside.pop();
            }
            depth += 1;
        } else if token.is_symbol(")") {
            depth = depth.saturating_sub(1);
        } else if depth == 0 {
            outside.push(token.clone());
        }
    }
    outside
}

impl<'t> PathText<'t> {
    /// The attribute that it begins with, as written.
    pub(super) fn root(&self) -> &'t str {
        self.tokens.first().map_or("", |token| token.text)
    }

    /// The attribute that it begins with, without the `#` of a placeholder.
    pub(super) fn root_name(&self) -> &'t str {
        self.tokens.first().map_or("", Token::inner)
    }

    /// Whether it is a member of an attribute, and a parameter says which.
    pub(super) fn is_any_member(&self) -> bool {
        match self.tokens.as_slice() {
            [_, dot, member] => dot.is_symbol(".") && member.kind == TokenKind::Hole,
            _ => false,
        }
    }

    /// Whether it is a whole attribute.
    pub(super) fn is_attribute(&self) -> bool {
        self.tokens.len() == 1
    }
}

impl fmt::Display for PathText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tokens.iter().try_for_each(|token| f.write_str(token.text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let shown = clauses(text).into_iter().map(|clause| {
            let rest: Vec<&str> = clause.rest.iter().map(|token| token.text).collect();
            format!("{} {} | {}", clause.section, clause.target, rest.join(" "))
        });
        assert_eq!(shown.collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn clauses_end_at_commas_outside_of_calls_and_at_sections() {
        check(
            "SET a = if_not_exists(a, :z) + :n, #b.c[0] = :b REMOVE d, e ADD f :f",
            &[
                "SET a | = if_not_exists ( a , :z ) + :n",
                "SET #b.c[0] | = :b",
                "REMOVE d | ",
                "REMOVE e | ",
                "ADD f | :f",
            ],
        );
    }

    #[test]
    fn what_is_wrong_stays_visible() {
        check("SET #a :v REMOVE b :c", &["SET #a | :v", "REMOVE b | :c"]);
        check("SET a = :a, REMOVE b", &["SET a | = :a", "REMOVE b | "]);
        check("", &[]);
    }

    #[test]
    fn summands_are_paths_outside_of_functions() {
        let summands = |text: &str| {
            let clause = clauses(text).into_iter().next().unwrap();
            clause.summands().iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(summands("SET a = a + :n"), ["a"]);
        assert_eq!(summands("SET a = m.{k} - b"), ["m.{k}", "b"]);
        assert_eq!(summands("SET a = if_not_exists(a, :z) + :n"), [""; 0]);
        assert_eq!(summands("SET a = b"), [""; 0]);
    }
}
