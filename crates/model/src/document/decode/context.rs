//! What every decoder is given: where a node stands, and where mistakes go.

use std::ops::Range;

use crate::diagnostic::{Diagnostic, Place, Span};
use crate::document::node::{Content, Node};
use crate::document::places::within;

/// A node and its place.
#[derive(Debug, Clone)]
pub(super) struct At<'n> {
    pub(super) node: &'n Node,
    pub(super) place: Place,
}

/// The mistakes so far. Decoders go on after one, with a default or without the member, so that
/// all are reported at once.
pub(super) struct Context<'t> {
    text: &'t str,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl<'t> Context<'t> {
    pub(super) fn new(text: &'t str) -> Context<'t> {
        Context { text, diagnostics: Vec::new() }
    }

    /// Reports an error about a whole node.
    pub(super) fn error(&mut self, at: &At<'_>, code: &'static str, message: impl Into<String>) {
        self.report(Diagnostic::error(code, at.place.clone(), message).with_span(at.node.span));
    }

    /// Reports something.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports that a node is not what it should be.
    pub(super) fn wrong_type(&mut self, at: &At<'_>, expected: &str) {
        let message = format!("expected {expected}, found {}", at.node.kind());
        self.error(at, "wrong-type", message);
    }

    /// The bytes of a part of a text node.
    pub(super) fn span_of(&self, at: &At<'_>, part: &Range<usize>) -> Span {
        within(self.text, at.node.span, part)
    }
}

impl<'n> At<'n> {
    /// The elements of a list.
    pub(super) fn elements(&self) -> Option<Vec<At<'n>>> {
        let Content::List(nodes) = &self.node.content else { return None };
        let element = |(index, node)| At { node, place: self.place.index(index) };
        Some(nodes.iter().enumerate().map(element).collect())
    }
}
