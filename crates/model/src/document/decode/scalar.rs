//! Texts, numbers and choices.

use monotable_item::Number;

use super::context::{At, Context};
use crate::diagnostic::{Diagnostic, nearest};
use crate::document::node::Content;

/// A text that is not empty.
pub(super) fn text(cx: &mut Context<'_>, at: &At<'_>) -> Option<String> {
    match &at.node.content {
        Content::String(text) if text.is_empty() => {
            cx.error(at, "bad-value", "the text is empty");
            None
        }
        Content::String(text) => Some(text.clone()),
        Content::Null
        | Content::Bool(_)
        | Content::Number(_)
        | Content::List(_)
        | Content::Map(_) => {
            cx.wrong_type(at, "text");
            None
        }
    }
}

/// True or false.
pub(super) fn boolean(cx: &mut Context<'_>, at: &At<'_>) -> Option<bool> {
    let Content::Bool(value) = at.node.content else {
        cx.wrong_type(at, "true or false");
        return None;
    };
    Some(value)
}

/// An exact number.
pub(super) fn number(cx: &mut Context<'_>, at: &At<'_>) -> Option<Number> {
    let Content::Number(text) = &at.node.content else {
        cx.wrong_type(at, "a number");
        return None;
    };
    match text.parse() {
        Ok(number) => Some(number),
        Err(error) => {
            cx.error(at, "bad-value", format!("{text} cannot be stored: {error}"));
            None
        }
    }
}

/// A whole number that is not negative.
pub(super) fn count(cx: &mut Context<'_>, at: &At<'_>) -> Option<u64> {
    let count = number(cx, at)?.to_i64().and_then(|value| u64::try_from(value).ok());
    if count.is_none() {
        cx.error(at, "bad-value", "expected a whole number that is not negative");
    }
    count
}

/// A whole number above zero.
pub(super) fn positive(cx: &mut Context<'_>, at: &At<'_>) -> Option<u64> {
    let count = count(cx, at)?;
    if count == 0 {
        cx.error(at, "bad-value", "expected a number above zero");
        return None;
    }
    Some(count)
}

/// A quantity that need not be whole: a rate or an average. It is an estimate, so a binary
/// fraction is exact enough.
pub(super) fn quantity(cx: &mut Context<'_>, at: &At<'_>) -> Option<f64> {
    let number = number(cx, at)?;
    let quantity = number.to_string().parse().ok().filter(|value: &f64| *value >= 0.0);
    if quantity.is_none() {
        cx.error(at, "bad-value", "expected a number that is not negative");
    }
    quantity
}

/// A list of texts.
pub(super) fn texts(cx: &mut Context<'_>, at: &At<'_>) -> Option<Vec<String>> {
    let Some(elements) = at.elements() else {
        cx.wrong_type(at, "a list of texts");
        return None;
    };
    Some(elements.iter().filter_map(|element| text(cx, element)).collect())
}

/// One of several words, each with what it means.
pub(super) fn choice<T: Copy>(
    cx: &mut Context<'_>,
    at: &At<'_>,
    choices: &[(&'static str, T)],
) -> Option<T> {
    let written = text(cx, at)?;
    if let Some((_, meaning)) = choices.iter().find(|(word, _)| *word == written) {
        return Some(*meaning);
    }
    let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
    let message = format!("{written} is not one of {}", words.join(", "));
    let mut diagnostic =
        Diagnostic::error("bad-value", at.place.clone(), message).with_span(at.node.span);
    diagnostic.suggestion = nearest(&written, words).map(|meant| format!("did you mean {meant}?"));
    cx.report(diagnostic);
    None
}
