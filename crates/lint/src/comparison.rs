//! Comparisons in the conditions of a model: `ttl > :now`, `begins_with(PK, 'ORDER#')`.
//!
//! They are found in the rewritten text, in which every value is a placeholder, so that no literal
//! can be taken for something else.

use monotable_expr::Comparator;
use monotable_model::document::{Expression, NameSource, Source};

/// An attribute compared with a value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Comparison<'e> {
    /// The attribute, by its name in items.
    pub(super) attribute: String,
    /// Whether what is compared lies inside the attribute.
    pub(super) is_nested: bool,
    /// How the attribute is compared: with the attribute on the left.
    pub(super) comparator: Comparator,
    /// The value, if it is one and not an attribute.
    pub(super) value: Option<&'e Source>,
}

/// `begins_with(attribute, value)`
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Beginning<'e> {
    /// The attribute, by its name in items.
    pub(super) attribute: String,
    /// What it must begin with.
    pub(super) value: &'e Source,
}

/// All comparisons of an expression.
pub(super) fn comparisons(expression: &Expression) -> Vec<Comparison<'_>> {
    let tokens = tokens(&expression.rewritten);
    let triples = tokens.windows(3).filter_map(|window| match window {
        [left, middle, right] => Some((*left, comparator(middle)?, *right)),
        _ => None,
    });
    triples
        .filter_map(|(left, comparator, right)| compare(expression, left, comparator, right))
        .collect()
}

/// All tests for a beginning.
pub(super) fn beginnings(expression: &Expression) -> Vec<Beginning<'_>> {
    let tokens = tokens(&expression.rewritten);
    let tests = tokens.windows(5).filter_map(|window| match window {
        ["begins_with", "(", path, ",", value] => {
            let (attribute, false) = attribute(expression, path)? else { return None };
            Some(Beginning { attribute, value: expression.values.get(*value)? })
        }
        _ => None,
    });
    tests.collect()
}

fn compare<'e>(
    expression: &'e Expression,
    left: &str,
    comparator: Comparator,
    right: &str,
) -> Option<Comparison<'e>> {
    if let Some(value) = expression.values.get(left) {
        let (attribute, is_nested) = attribute(expression, right)?;
        let comparator = turned(comparator);
        return Some(Comparison { attribute, is_nested, comparator, value: Some(value) });
    }
    let (attribute, is_nested) = attribute(expression, left)?;
    Some(Comparison { attribute, is_nested, comparator, value: expression.values.get(right) })
}

/// The attribute that a path begins with, and whether the path leads into it.
fn attribute(expression: &Expression, path: &str) -> Option<(String, bool)> {
    let root = path.split(['.', '[']).next().filter(|root| is_name(root))?;
    let name = match expression.names.get(root) {
        Some(NameSource::Name(name)) => name.clone(),
        Some(NameSource::Parameter(_)) => return None,
        None => root.to_owned(),
    };
    Some((name, root.len() < path.len()))
}

fn is_name(root: &str) -> bool {
    root.starts_with(|first: char| first.is_alphabetic() || matches!(first, '_' | '#'))
}

fn comparator(token: &str) -> Option<Comparator> {
    match token {
        "=" => Some(Comparator::Equal),
        "<>" => Some(Comparator::NotEqual),
        "<" => Some(Comparator::Less),
        "<=" => Some(Comparator::LessOrEqual),
        ">" => Some(Comparator::Greater),
        ">=" => Some(Comparator::GreaterOrEqual),
        _ => None,
    }
}

/// The comparator with its sides exchanged.
fn turned(comparator: Comparator) -> Comparator {
    match comparator {
        Comparator::Less => Comparator::Greater,
        Comparator::LessOrEqual => Comparator::GreaterOrEqual,
        Comparator::Greater => Comparator::Less,
        Comparator::GreaterOrEqual => Comparator::LessOrEqual,
        Comparator::Equal | Comparator::NotEqual => comparator,
    }
}

/// Names with their paths, placeholders, comparators, brackets and commas.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '(' | ')' | ',' => 1,
            '<' | '>' | '=' => rest.find(|c| !matches!(c, '<' | '>' | '=')).unwrap_or(rest.len()),
            _ => {
                let is_end = |c: char| c.is_whitespace() || "(),<>=".contains(c);
                rest.find(is_end).unwrap_or(rest.len())
            }
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token);
        rest = after.trim_start();
    }
    tokens
}

#[cfg(test)]
mod tests {
    use monotable_model::document::{ExpressionKind, Scope};

    use super::*;

    fn expression(text: &str) -> Expression {
        let mut scope = Scope::new();
        for name in ["ttl", "PK", "Status", "Address"] {
            scope.add(name, name);
        }
        Expression::parse(ExpressionKind::Filter, text, &scope).unwrap()
    }

    #[test]
    fn the_attribute_stands_on_the_left() {
        let guard = expression("attribute_not_exists(ttl) OR :now < ttl");
        let found = comparisons(&guard);
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].attribute.as_str(), found[0].comparator),
            ("ttl", Comparator::Greater)
        );
    }

    #[test]
    fn what_lies_inside_an_attribute_is_nested() {
        let nested = expression("Address.City = :city AND Status = 'OPEN'");
        let found: Vec<_> =
            comparisons(&nested).into_iter().map(|c| (c.attribute, c.is_nested)).collect();
        assert_eq!(found, [("Address".to_owned(), true), ("Status".to_owned(), false)]);
    }

    #[test]
    fn beginnings_are_found_with_their_literals() {
        let test = expression("Status = 'A' AND begins_with(PK, 'ORDER#')");
        let found = beginnings(&test);
        assert_eq!(found[0].value, &Source::Literal("ORDER#".into()));
    }
}
