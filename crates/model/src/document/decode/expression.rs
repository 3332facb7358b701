//! Expressions, with what is wrong in them pointed at.

use super::context::{At, Context};
use super::scalar::text;
use crate::diagnostic::Diagnostic;
use crate::document::{Expression, ExpressionError, ExpressionKind, Range, Scope, parse_range};

/// Reads an expression. Without a scope nothing is known about its attributes, because something
/// else is wrong, and it is left out.
pub(super) fn expression(
    cx: &mut Context<'_>,
    at: &At<'_>,
    kind: ExpressionKind,
    scope: Option<&Scope>,
) -> Option<Expression> {
    let written = text(cx, at)?;
    match Expression::parse(kind, &written, scope?) {
        Ok(expression) => Some(expression),
        Err(errors) => {
            for error in errors {
                report(cx, at, error);
            }
            None
        }
    }
}

/// Reads a range.
pub(super) fn range(cx: &mut Context<'_>, at: &At<'_>, scope: &Scope) -> Option<Range> {
    let written = text(cx, at)?;
    parse_range(&written, scope).map_err(|error| report(cx, at, error)).ok()
}

fn report(cx: &mut Context<'_>, at: &At<'_>, error: ExpressionError) {
    let span = error.range.map_or(at.node.span, |range| cx.span_of(at, &range));
    let mut diagnostic =
        Diagnostic::error("bad-expression", at.place.clone(), error.message).with_span(span);
    diagnostic.suggestion = error.suggestion;
    cx.report(diagnostic);
}
