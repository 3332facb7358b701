//! The parts of a condition that must all hold.
//!
//! A condition is parted at each `AND` outside of parentheses, and inside of parentheses that hold
//! nothing but such parts: `a = :a AND (b > :b AND c = :c)` has three. `OR` and `NOT` keep what
//! they are about together. Each part is an expression of its own, which keeps the placeholders
//! that it has in the whole, so that the parts of one condition can be joined again.

use std::collections::BTreeMap;
use std::ops::Range;

use super::token::{Token, TokenKind, tokenize};
use super::{Expression, NameSource, Source};

impl Expression {
    /// The parts of a condition that must all hold, in their order.
    pub fn conjuncts(&self) -> Vec<Expression> {
        // One token of the text is one token of what it was rewritten to.
        let (Ok(written), Ok(rewritten)) = (tokenize(&self.text), tokenize(&self.rewritten)) else {
            return vec![self.clone()];
        };
        let parts = parts(&rewritten);
        if parts.len() < 2 || written.len() != rewritten.len() {
            return vec![self.clone()];
        }
        let part = |range: Range<usize>| {
            let (written, rewritten) = (written.get(range.clone())?, rewritten.get(range)?);
            Some(self.part(written, rewritten))
        };
        parts.into_iter().filter_map(part).collect()
    }

    /// Returns whether it is one test of an item, or a choice between some. Nothing else is asked
    /// for if the test holds: it can be left out as a whole where one of its tests is.
    pub fn is_choice(&self) -> bool {
        tokenize(&self.rewritten).is_ok_and(|tokens| {
            let all: Vec<(usize, Keyword)> = keywords(&tokens, 0..tokens.len()).collect();
            let is_or_within = |range: &Range<usize>| {
                all.iter().any(|(at, word)| *word == Keyword::Or && range.contains(at))
            };
            // `NOT` turns a choice into tests of which none may hold.
            let turned = |position: usize| {
                let is_not = tokens.get(position).is_some_and(|token| token.is_word("NOT"));
                parenthesis(&tokens, position + 1..tokens.len()).filter(|_| is_not)
            };
            all.iter().all(|(_, word)| *word == Keyword::Or)
                && !(0..tokens.len()).filter_map(turned).any(|range| is_or_within(&range))
        })
    }

    fn part(&self, written: &[Token<'_>], rewritten: &[Token<'_>]) -> Expression {
        let has = |placeholder: &str| rewritten.iter().any(|token| token.text == placeholder);
        let names: BTreeMap<String, NameSource> =
            self.names.iter().filter(|(name, _)| has(name)).map(owned).collect();
        let values: BTreeMap<String, Source> =
            self.values.iter().filter(|(name, _)| has(name)).map(owned).collect();
        let is_index = |name: &&String| has(&format!("{{{name}}}"));
        let is_attribute = |name: &&String| names_attribute(written, name);
        Expression {
            text: spanned(&self.text, written),
            rewritten: spanned(&self.rewritten, rewritten),
            names,
            values,
            indexes: self.indexes.iter().filter(is_index).cloned().collect(),
            attributes: self.attributes.iter().filter(is_attribute).cloned().collect(),
        }
    }
}

fn owned<T: Clone>((name, source): (&String, &T)) -> (String, T) {
    (name.clone(), source.clone())
}

/// Returns whether a path begins with an attribute.
fn names_attribute(tokens: &[Token<'_>], name: &str) -> bool {
    tokens.iter().enumerate().any(|(position, token)| {
        let before = position.checked_sub(1).and_then(|before| tokens.get(before));
        let after = tokens.get(position + 1);
        matches!(token.kind, TokenKind::Word | TokenKind::Name)
            && token.inner() == name
            && !before.is_some_and(|before| before.is_symbol("."))
            && !after.is_some_and(|after| after.is_symbol("("))
    })
}

/// The text from the first token to the last.
fn spanned(text: &str, tokens: &[Token<'_>]) -> String {
    let range = tokens.first().zip(tokens.last()).map(|(a, b)| a.start..b.range().end);
    range.and_then(|range| text.get(range)).unwrap_or_default().to_owned()
}

/// The tokens of each part.
fn parts(tokens: &[Token<'_>]) -> Vec<Range<usize>> {
    let whole = 0..tokens.len();
    let (mut open, mut found) = (Vec::from([whole]), Vec::new());
    while let Some(range) = open.pop() {
        match parted(tokens, range.clone()) {
            Some(parts) => open.extend(parts.into_iter().rev()),
            None => found.push(range),
        }
    }
    found
}

/// The parts of some tokens, if there are several.
fn parted(tokens: &[Token<'_>], mut range: Range<usize>) -> Option<Vec<Range<usize>>> {
    while let Some(inner) = within_parentheses(tokens, range.clone()) {
        range = inner;
    }
    let mut parts = Vec::new();
    let mut start = range.start;
    for (position, keyword) in outer_keywords(tokens, range.clone()) {
        match keyword {
            Keyword::And => {
                parts.push(start..position);
                start = position + 1;
            }
            Keyword::Or => return None,
        }
    }
    parts.push(start..range.end);
    (parts.len() > 1).then_some(parts)
}

/// What stands between a parenthesis at the beginning and the one at the end that closes it.
fn within_parentheses(tokens: &[Token<'_>], range: Range<usize>) -> Option<Range<usize>> {
    let end = range.end;
    parenthesis(tokens, range).filter(|inner| inner.end + 1 == end)
}

/// What stands between a parenthesis at the beginning and the one that closes it.
fn parenthesis(tokens: &[Token<'_>], range: Range<usize>) -> Option<Range<usize>> {
    let first = range.start;
    tokens.get(first).filter(|token| token.is_symbol("("))?;
    let mut depth = 0_usize;
    for position in range {
        depth = deeper(depth, tokens.get(position)?);
        if depth == 0 {
            return Some(first + 1..position);
        }
    }
    None
}

fn deeper(depth: usize, token: &Token<'_>) -> usize {
    match token {
        token if token.is_symbol("(") => depth + 1,
        token if token.is_symbol(")") => depth.saturating_sub(1),
        _ => depth,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keyword {
    And,
    Or,
}

/// The words that join conditions outside of parentheses.
fn outer_keywords(tokens: &[Token<'_>], range: Range<usize>) -> Vec<(usize, Keyword)> {
    let mut depth = 0;
    let depths: Vec<usize> = range
        .clone()
        .filter_map(|position| tokens.get(position))
        .map(|token| {
            depth = deeper(depth, token);
            depth
        })
        .collect();
    let is_outer = |position: usize| depths.get(position - range.start) == Some(&0);
    keywords(tokens, range.clone()).filter(|(position, _)| is_outer(*position)).collect()
}

/// The words that join conditions. The `AND` of a `BETWEEN` joins its ends, and a member of a map
/// may be called anything.
fn keywords<'t>(
    tokens: &'t [Token<'t>],
    range: Range<usize>,
) -> impl Iterator<Item = (usize, Keyword)> + use<'t> {
    let mut betweens = 0_usize;
    range.filter_map(move |position| {
        let token = tokens.get(position)?;
        let before = position.checked_sub(1).and_then(|before| tokens.get(before));
        if before.is_some_and(|before| before.is_symbol(".")) {
            return None;
        }
        if token.is_word("BETWEEN") {
            betweens += 1;
            return None;
        }
        if token.is_word("AND") && betweens > 0 {
            betweens -= 1;
            return None;
        }
        let keyword = [("AND", Keyword::And), ("OR", Keyword::Or)];
        let found = keyword.into_iter().find(|(word, _)| token.is_word(word));
        found.map(|(_, keyword)| (position, keyword))
    })
}

#[cfg(test)]
mod tests {
    use super::super::{ExpressionKind, Scope};
    use super::*;

    fn filter(text: &str) -> Expression {
        let mut scope = Scope::new();
        for name in ["a", "b", "c", "status"] {
            scope.add(name, name);
        }
        Expression::parse(ExpressionKind::Filter, text, &scope)
            .unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let parts = filter(text).conjuncts();
        let texts: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
        assert_eq!(texts, expected, "{text}");
    }

    #[test]
    fn a_condition_is_parted_at_each_and_outside_of_other_conditions() {
        check("a = :a", &["a = :a"]);
        check("a = :a AND b > :b and c = 1", &["a = :a", "b > :b", "c = 1"]);
        check("a BETWEEN :x AND :y AND b = 1", &["a BETWEEN :x AND :y", "b = 1"]);
        check("a = :a OR b = :b AND c = 1", &["a = :a OR b = :b AND c = 1"]);
        check("(a = :a OR b = :b) AND c = 1", &["(a = :a OR b = :b)", "c = 1"]);
        check("((a = :a AND (b = :b)) AND c = 1)", &["a = :a", "(b = :b)", "c = 1"]);
        check("NOT (a = 1 AND b = 1) AND c = 1", &["NOT (a = 1 AND b = 1)", "c = 1"]);
        check("a.or = 'x AND y' AND size(b) > 1", &["a.or = 'x AND y'", "size(b) > 1"]);
        check("(a = 1) AND (b = 1)", &["(a = 1)", "(b = 1)"]);
    }

    #[test]
    fn a_part_keeps_the_placeholders_of_the_whole() {
        let whole = filter("status = 'x' AND a.{m} = :p AND b[{n}] IN ('x', 'y')");
        let parts = whole.conjuncts();
        let rewritten: Vec<&str> = parts.iter().map(|part| part.rewritten.as_str()).collect();
        assert_eq!(rewritten, ["#status = :f1", "a.#m = :p", "b[{n}] IN (:f1, :f2)"]);
        let parameters: Vec<Vec<&str>> = parts.iter().map(Expression::parameters).collect();
        assert_eq!(parameters, [vec![], vec!["m", "p"], vec!["n"]]);
        let attributes: Vec<&[String]> = parts.iter().map(|part| &part.attributes[..]).collect();
        assert_eq!(attributes, [["status"], ["a"], ["b"]]);
        assert_eq!(parts[2].values.len(), 2);
    }

    #[test]
    fn a_choice_is_one_test_or_any_of_some() {
        for text in [
            "a = 1",
            "NOT (a = 1)",
            "a BETWEEN 1 AND 2",
            "NOT a.and = 1",
            "(attribute_not_exists(a) OR NOT (a = 1) OR b IN (1, 2))",
        ] {
            assert!(filter(text).is_choice(), "{text}");
        }
        for text in [
            "NOT (a = 1 AND b = 1)",
            "NOT (a = 1 OR b = 1)",
            "a BETWEEN 1 AND 2 AND b = 1",
            "a = 1 OR b = 1 AND c = 1",
        ] {
            assert!(!filter(text).is_choice(), "{text}");
        }
    }
}
