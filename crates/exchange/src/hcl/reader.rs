//! Bodies of HCL: attributes and blocks.

use std::ops::{Deref, DerefMut};

use monotable_model::diagnostic::{Diagnostic, Span};

use crate::source_cursor::SourceCursor;
use crate::source_node::{Content, Member, Node, syntax};

/// Reads a whole file.
pub(crate) fn read(text: &str) -> Result<Node, Diagnostic> {
    let mut reader = Reader(SourceCursor::new(text));
    let members = reader.body(None)?;
    Ok(Node { content: Content::Map(members), span: Span::new(0, text.len()) })
}

/// Reads HCL.
pub(super) struct Reader<'t>(SourceCursor<'t>);

impl<'t> Deref for Reader<'t> {
    type Target = SourceCursor<'t>;

    fn deref(&self) -> &SourceCursor<'t> {
        &self.0
    }
}

impl<'t> DerefMut for Reader<'t> {
    fn deref_mut(&mut self) -> &mut SourceCursor<'t> {
        &mut self.0
    }
}

impl<'t> Reader<'t> {
    /// Passes over white space and comments; over the ends of lines as well, if asked to.
    pub(super) fn skip(&mut self, lines: Lines) {
        loop {
            let rest = self.rest();
            let is_space = |c: char| c.is_whitespace() && (lines == Lines::Passed || c != '\n');
            let space = rest.len() - rest.trim_start_matches(is_space).len();
            let comment = if rest.starts_with('#') || rest.starts_with("//") {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            } else {
                0
            };
            if space + comment == 0 {
                return;
            }
            self.at += space.max(comment);
        }
    }

    /// Reads something that lies deeper by one level.
    pub(super) fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Diagnostic>,
    ) -> Result<T, Diagnostic> {
        self.enter()?;
        let outcome = read(self);
        self.leave();
        outcome
    }

    /// A name: letters, digits, `_` and `-`.
    pub(super) fn name(&mut self) -> Option<&'t str> {
        let rest = self.rest();
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let name = rest.get(..rest.find(|c| !is_part(c)).unwrap_or(rest.len()))?;
        let begins = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if !begins {
            return None;
        }
        self.at += name.len();
        Some(name)
    }

    /// The attributes and blocks up to the brace that ends them, or to the end of the file.
    fn body(&mut self, opened: Option<Span>) -> Result<Vec<Member>, Diagnostic> {
        let mut members = Vec::new();
        loop {
            self.skip(Lines::Passed);
            match (self.peek(), opened) {
                (None, None) => return Ok(members),
                (None, Some(span)) => return Err(syntax(span, "the block is not closed")),
                (Some('}'), Some(_)) => {
                    self.bump();
                    return Ok(members);
                }
                (Some(_), _) => self.statement(&mut members)?,
            }
        }
    }

    /// `name = value`, or `kind "label" { … }`.
    fn statement(&mut self, members: &mut Vec<Member>) -> Result<(), Diagnostic> {
        let start = self.at;
        let name = self.name().ok_or_else(|| self.expected("the name of an attribute or block"))?;
        let name_span = self.since(start);
        let mut path = vec![(name.to_owned(), name_span)];
        loop {
            self.skip(Lines::Kept);
            let start = self.at;
            match self.peek() {
                Some('=') if path.len() == 1 => {
                    self.bump();
                    self.skip(Lines::Kept);
                    let value = self.value()?;
                    members.push(Member { name: name.to_owned(), name_span, value });
                    return Ok(());
                }
                Some('{') => {
                    self.bump();
                    let opened = self.since(start);
                    let body = self.deeper(|reader| reader.body(Some(opened)))?;
                    let span = self.since(start);
                    let body = Node { content: Content::Map(body), span };
                    add_block(members, &path, body);
                    return Ok(());
                }
                Some('"') => path.push((self.quoted()?, self.since(start))),
                Some(_) | None => {
                    let label = self.name().map(str::to_owned);
                    let label = label.ok_or_else(|| self.expected("=, { or a label"))?;
                    path.push((label, self.since(start)));
                }
            }
        }
    }
}

/// Whether the ends of lines are passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    Passed,
    Kept,
}

/// Puts the body of a block where its kind and labels lead. Blocks without labels are a list; a
/// block with labels becomes one when another has the same.
fn add_block(members: &mut Vec<Member>, path: &[(String, Span)], body: Node) {
    let Some(((name, name_span), labels)) = path.split_first() else { return };
    let found = members.iter().position(|member| member.name == *name);
    let Some(member) = found.and_then(|position| members.get_mut(position)) else {
        let value = if labels.is_empty() { in_list(body) } else { nested(labels, body) };
        members.push(Member { name: name.clone(), name_span: *name_span, value });
        return;
    };
    match &mut member.value.content {
        Content::Map(inner) if !labels.is_empty() => add_labelled(inner, labels, body),
        Content::List(bodies) => bodies.push(nested(labels, body)),
        _ => {}
    }
}

/// The same below the kind of a block.
fn add_labelled(members: &mut Vec<Member>, labels: &[(String, Span)], body: Node) {
    let Some(((name, name_span), rest)) = labels.split_first() else { return };
    match members.iter_mut().find(|member| member.name == *name) {
        None => {
            let value = nested(rest, body);
            members.push(Member { name: name.clone(), name_span: *name_span, value });
        }
        Some(member) => match &mut member.value.content {
            Content::Map(inner) if !rest.is_empty() => add_labelled(inner, rest, body),
            Content::List(bodies) => bodies.push(body),
            _ => {
                let first = member.value.clone();
                let span = first.span.to(body.span);
                member.value = Node { content: Content::List(vec![first, body]), span };
            }
        },
    }
}

fn nested(labels: &[(String, Span)], body: Node) -> Node {
    labels.iter().rev().fold(body, |inner, (name, name_span)| {
        let span = inner.span;
        let member = Member { name: name.clone(), name_span: *name_span, value: inner };
        Node { content: Content::Map(vec![member]), span }
    })
}

fn in_list(node: Node) -> Node {
    let span = node.span;
    Node { content: Content::List(vec![node]), span }
}
