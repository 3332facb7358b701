//! Ranges of one attribute: `order_id > :since`.

use super::rewrite::{bare_name, literal};
use super::token::{Token, TokenKind, bare_names, tokenize};
use super::{ExpressionError, Scope, Source};
use crate::document::{Range, RangeComparison};

/// Reads a comparison of one attribute with parameters or literals: `<`, `<=`, `>`, `>=`, `BETWEEN`
/// or `begins_with`.
pub fn parse_range(text: &str, scope: &Scope) -> Result<Range, ExpressionError> {
    let not_a_range = || ExpressionError {
        range: None,
        message: "this is not a range of one attribute".to_owned(),
        suggestion: Some(
            "write a <, <=, >, >=, BETWEEN or begins_with comparison, such as placed_at >= :since"
                .to_owned(),
        ),
    };
    let tokens = tokenize(text).map_err(|_| not_a_range())?;
    if let Some(run) = bare_names(&tokens).first() {
        return Err(bare_name(text, run));
    }
    let (name, comparison) = shape(&tokens).ok_or_else(not_a_range)?;
    if scope.item_name(name.inner()).is_none() {
        let nearest = scope.nearest(name.inner());
        return Err(ExpressionError {
            range: Some(name.range()),
            message: format!("there is no attribute {}", name.inner()),
            suggestion: nearest.map(|nearest| format!("did you mean {nearest}?")),
        });
    }
    let attribute = name.inner().to_owned();
    Ok(Range { text: text.to_owned(), attribute, comparison })
}

fn shape<'a, 't>(tokens: &'a [Token<'t>]) -> Option<(&'a Token<'t>, RangeComparison)> {
    match tokens {
        [function, open, name, comma, value, close]
            if function.is_word("begins_with")
                && open.is_symbol("(")
                && comma.is_symbol(",")
                && close.is_symbol(")") =>
        {
            Some((attribute(name)?, RangeComparison::BeginsWith(source(value)?)))
        }
        [name, between, lower, and, upper] if between.is_word("BETWEEN") && and.is_word("AND") => {
            Some((attribute(name)?, RangeComparison::Between(source(lower)?, source(upper)?)))
        }
        [name, symbol, value] if symbol.kind == TokenKind::Symbol => {
            let value = source(value)?;
            let comparison = match symbol.text {
                "<" => RangeComparison::Less(value),
                "<=" => RangeComparison::LessOrEqual(value),
                ">" => RangeComparison::Greater(value),
                ">=" => RangeComparison::GreaterOrEqual(value),
                _ => return None,
            };
            Some((attribute(name)?, comparison))
        }
        _ => None,
    }
}

fn attribute<'a, 't>(token: &'a Token<'t>) -> Option<&'a Token<'t>> {
    matches!(token.kind, TokenKind::Word | TokenKind::Name).then_some(token)
}

fn source(token: &Token<'_>) -> Option<Source> {
    if token.kind == TokenKind::Parameter {
        return Some(Source::Parameter(token.inner().to_owned()));
    }
    literal(token)?.ok().map(Source::Literal)
}

#[cfg(test)]
mod tests {
    use monotable_item::Value;

    use super::*;

    fn range(text: &str) -> Result<Range, ExpressionError> {
        let mut scope = Scope::new();
        scope.add("Date", "Date");
        parse_range(text, &scope)
    }

    #[test]
    fn every_comparison_of_sort_keys_is_a_range() {
        let parameter = |name: &str| Source::Parameter(name.to_owned());
        let facts = [
            ("Date < :d", RangeComparison::Less(parameter("d"))),
            ("Date <= :d", RangeComparison::LessOrEqual(parameter("d"))),
            ("Date > :d", RangeComparison::Greater(parameter("d"))),
            (
                "Date >= '2026'",
                RangeComparison::GreaterOrEqual(Source::Literal(Value::from("2026"))),
            ),
            ("Date BETWEEN :a AND :b", RangeComparison::Between(parameter("a"), parameter("b"))),
            ("begins_with(Date, :p)", RangeComparison::BeginsWith(parameter("p"))),
        ];
        for (text, comparison) in facts {
            let read = range(text).unwrap();
            assert_eq!((read.attribute.as_str(), read.comparison), ("Date", comparison), "{text}");
        }
    }

    #[test]
    fn what_is_no_range_is_refused() {
        for text in ["", "Date = :d", "Date <> :d", "Date > :a AND Date < :b", "contains(Date, :x)"]
        {
            assert!(range(text).is_err(), "{text}");
        }
        let error = range("Dte > :d").unwrap_err();
        assert_eq!(error.range, Some(0..3));
        assert_eq!(error.suggestion.as_deref(), Some("did you mean Date?"));
    }
}
