//! Values of a source file with their bytes: what the readers of HCL and JavaScript make.
//!
//! Both languages say more than data. Where a value is an expression, [`Content::Code`] has its
//! text, so that an importer can say by name what it could not evaluate.

use std::collections::BTreeMap;

use monotable_model::diagnostic::{Diagnostic, Place, Span};
use monotable_model::document::Tree;

/// The deepest value that is read, as in the files of models.
pub(super) const DEPTH_MAX: usize = 64;

/// The member that stands for an expression in a tree.
const CODE: &str = "$code";

/// A value and its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) content: Content,
    pub(super) span: Span,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Content {
    Null,
    Bool(bool),
    Number(String),
    String(String),
    List(Vec<Node>),
    Map(Vec<Member>),
    /// An expression, by its text.
    Code(String),
}

/// A named value of a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) name_span: Span,
    pub(super) value: Node,
}

/// Where the members of a source file stand.
#[derive(Debug, Default)]
pub(super) struct Spans(BTreeMap<Place, Span>);

impl Node {
    /// The value without its bytes, and the bytes of all that is in it.
    pub(super) fn into_tree(self) -> (Tree, Spans) {
        let mut spans = Spans::default();
        let tree = self.tree(&Place::root(), &mut spans);
        (tree, spans)
    }

    fn tree(self, place: &Place, spans: &mut Spans) -> Tree {
        match self.content {
            Content::Null => Tree::Null,
            Content::Bool(flag) => Tree::Bool(flag),
            Content::Number(text) => Tree::Number(text),
            Content::String(text) => Tree::String(text),
            Content::Code(text) => Tree::Map(vec![(CODE.to_owned(), Tree::String(text))]),
            Content::List(nodes) => {
                let element = |(index, node): (usize, Node)| {
                    let place = place.index(index);
                    spans.0.insert(place.clone(), node.span);
                    node.tree(&place, spans)
                };
                Tree::List(nodes.into_iter().enumerate().map(element).collect())
            }
            Content::Map(members) => {
                let member = |member: Member| {
                    let place = place.member(&member.name);
                    let is_map = matches!(member.value.content, Content::Map(_));
                    let span = if is_map { member.name_span } else { member.value.span };
                    spans.0.insert(place.clone(), span);
                    (member.name, member.value.tree(&place, spans))
                };
                Tree::Map(members.into_iter().map(member).collect())
            }
        }
    }

    /// The member of this name, if it is a map that has one.
    pub(super) fn member(&self, name: &str) -> Option<&Node> {
        let Content::Map(members) = &self.content else { return None };
        members.iter().find(|member| member.name == name).map(|member| &member.value)
    }
}

impl Spans {
    /// Gives every diagnostic that has no span that of its place, or of what encloses it.
    pub(super) fn locate(&self, diagnostics: &mut [Diagnostic]) {
        for diagnostic in diagnostics.iter_mut().filter(|one| one.span.is_none()) {
            let mut place = Some(diagnostic.place.clone());
            while let Some(inner) = place.filter(|place| *place != Place::root()) {
                diagnostic.span = self.0.get(&inner).copied();
                place = if diagnostic.span.is_some() { None } else { inner.parent() };
            }
        }
    }
}

/// The text of an expression, if the value is one.
pub(super) fn code(tree: &Tree) -> Option<&str> {
    match tree {
        Tree::Map(members) => match members.as_slice() {
            [(name, Tree::String(text))] if name == CODE => Some(text),
            _ => None,
        },
        Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::String(_) | Tree::List(_) => None,
    }
}

/// Says what is wrong with a text.
pub(super) fn syntax(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error("syntax", Place::root(), message).with_span(span)
}

/// Says that values lie too deep inside each other.
pub(super) fn too_deep(span: Span) -> Diagnostic {
    syntax(span, format!("more than {DEPTH_MAX} levels inside each other"))
}
