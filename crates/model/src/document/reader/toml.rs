//! TOML.

use ::toml::Spanned;
use ::toml::de::{DeTable, DeValue};

use super::{DEPTH_MAX, syntax, too_deep};
use crate::diagnostic::{Diagnostic, Span};
use crate::document::node::{Content, Entry, Node};

/// Reads a text.
pub(super) fn read(text: &str) -> Result<Node, Vec<Diagnostic>> {
    let (table, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        return Err(errors.iter().map(|error| diagnostic(error, text)).collect());
    }
    let span = Span::new(0, text.len());
    Ok(Node { span, content: content_of(table.get_ref(), 1).map_err(|error| vec![error])? })
}

fn diagnostic(error: &::toml::de::Error, text: &str) -> Diagnostic {
    let span = error.span().map_or(Span::new(text.len(), text.len()), Span::from);
    syntax(span, error.message())
}

/// The members of a table in the order of the file, which the parser's own map does not keep.
fn content_of(table: &DeTable<'_>, depth: usize) -> Result<Content, Diagnostic> {
    let mut entries = Vec::with_capacity(table.len());
    for (key, value) in table {
        entries.push(Entry {
            key: key.get_ref().to_string(),
            key_span: Span::from(key.span()),
            value: node(value, depth)?,
        });
    }
    entries.sort_by_key(|entry| entry.key_span.start);
    Ok(Content::Map(entries))
}

fn node(value: &Spanned<DeValue<'_>>, depth: usize) -> Result<Node, Diagnostic> {
    let span = Span::from(value.span());
    if depth > DEPTH_MAX {
        return Err(too_deep(span));
    }
    let content = match value.get_ref() {
        DeValue::String(text) => Content::String(text.to_string()),
        DeValue::Integer(integer) => {
            Content::Number(decimal(integer.as_str(), integer.radix(), span)?)
        }
        DeValue::Float(float) => Content::Number(finite(float.as_str(), span)?),
        DeValue::Boolean(value) => Content::Bool(*value),
        DeValue::Datetime(time) => Content::String(time.to_string()),
        DeValue::Array(values) => {
            let nodes = values.iter().map(|value| node(value, depth + 1));
            Content::List(nodes.collect::<Result<_, _>>()?)
        }
        DeValue::Table(table) => content_of(table, depth + 1)?,
    };
    Ok(Node { span, content })
}

/// The decimal text of an integer in any radix.
fn decimal(text: &str, radix: u32, span: Span) -> Result<String, Diagnostic> {
    if radix == 10 {
        return Ok(text.trim_start_matches('+').to_owned());
    }
    let value = u128::from_str_radix(text, radix);
    value.map(|value| value.to_string()).map_err(|_| syntax(span, "the number is too large"))
}

fn finite(text: &str, span: Span) -> Result<String, Diagnostic> {
    if text.contains(['i', 'n']) {
        return Err(syntax(span, format!("{text} is not a number that can be stored")));
    }
    Ok(text.trim_start_matches('+').to_owned())
}
