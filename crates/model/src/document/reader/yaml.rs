//! YAML: one document, without aliases.
//!
//! Plain scalars follow the core schema of YAML 1.2, in which `no` and `on` are text.

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, ScanError, StrInput, Tag};

use super::json::is_number;
use super::{DEPTH_MAX, syntax, too_deep};
use crate::diagnostic::{Diagnostic, Span};
use crate::document::node::{Content, Entry, Node};

/// Reads a text.
pub(super) fn read(text: &str) -> Result<Node, Vec<Diagnostic>> {
    read_by(text, Tags::Ignored)
}

/// Reads a text whose tags mean something: `!Sub x` is the table `{ "Fn::Sub": x }`.
pub(super) fn read_with_tags(text: &str) -> Result<Node, Vec<Diagnostic>> {
    read_by(text, Tags::Functions)
}

fn read_by(text: &str, tags: Tags) -> Result<Node, Vec<Diagnostic>> {
    let events = Parser::new_from_str(text);
    let mut reader = Reader { events, offsets: Offsets::of(text), tags };
    reader.document().map_err(|error| vec![error])
}

/// What becomes of tags.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tags {
    /// Nothing: the value is read as if it had none.
    Ignored,
    /// A table with the function's long name, as CloudFormation has it.
    Functions,
}

/// Where each character begins, since the parser counts characters.
struct Offsets(Vec<usize>);

impl Offsets {
    fn of(text: &str) -> Offsets {
        let starts = text.char_indices().map(|(offset, _)| offset);
        Offsets(starts.chain(std::iter::once(text.len())).collect())
    }

    fn offset(&self, marker: Marker) -> usize {
        self.nth(marker.index())
    }

    /// The character at a marker; nothing at the end of the text.
    fn character(&self, marker: Marker) -> Span {
        Span::new(self.offset(marker), self.nth(marker.index().saturating_add(1)))
    }

    fn nth(&self, character: usize) -> usize {
        self.0.get(character).or(self.0.last()).copied().unwrap_or(0)
    }

    fn span(&self, span: saphyr_parser::Span) -> Span {
        Span::new(self.offset(span.start), self.offset(span.end))
    }
}

struct Reader<'t> {
    events: Parser<'t, StrInput<'t>>,
    offsets: Offsets,
    tags: Tags,
}

impl<'t> Reader<'t> {
    fn next(&mut self) -> Result<(Event<'t>, Span), Diagnostic> {
        match self.events.next_event() {
            Some(Ok((event, span))) => Ok((event, self.offsets.span(span))),
            Some(Err(error)) => Err(self.refused(&error)),
            None => Ok((Event::StreamEnd, Span::new(0, 0))),
        }
    }

    fn refused(&self, error: &ScanError) -> Diagnostic {
        syntax(self.offsets.character(*error.marker()), error.info())
    }

    fn document(&mut self) -> Result<Node, Diagnostic> {
        loop {
            let (event, span) = self.next()?;
            match event {
                Event::StreamStart | Event::DocumentStart(_) | Event::Nothing => {}
                Event::StreamEnd => return Ok(Node { span, content: Content::Map(Vec::new()) }),
                Event::DocumentEnd
                | Event::Alias(_)
                | Event::Scalar(..)
                | Event::SequenceStart(..)
                | Event::SequenceEnd
                | Event::MappingStart(..)
                | Event::MappingEnd => {
                    let node = self.node(event, span, 1)?;
                    return self.only(node);
                }
            }
        }
    }

    /// Refuses a second document.
    fn only(&mut self, node: Node) -> Result<Node, Diagnostic> {
        loop {
            match self.next()? {
                (Event::StreamEnd, _) => return Ok(node),
                (Event::DocumentStart(_), span) => {
                    return Err(syntax(span, "a model is one document, and here begins another"));
                }
                (_, _) => {}
            }
        }
    }

    fn node(&mut self, event: Event<'t>, span: Span, depth: usize) -> Result<Node, Diagnostic> {
        if depth > DEPTH_MAX {
            return Err(too_deep(span));
        }
        let function = self.function(&event);
        let node = self.untagged(event, span, depth)?;
        Ok(match function {
            Some(key) => {
                let entry = Entry { key, key_span: span, value: node };
                Node { span, content: Content::Map(vec![entry]) }
            }
            None => node,
        })
    }

    /// The function that a tag stands for.
    fn function(&self, event: &Event<'t>) -> Option<String> {
        let (Event::Scalar(_, _, _, tag)
        | Event::SequenceStart(_, tag)
        | Event::MappingStart(_, tag)) = event
        else {
            return None;
        };
        let own = |tag: &&Tag| self.tags == Tags::Functions && tag.handle == "!";
        tag.as_deref().filter(own).map(|tag| match tag.suffix.as_str() {
            "Ref" | "Condition" => tag.suffix.clone(),
            function => format!("Fn::{function}"),
        })
    }

    fn untagged(&mut self, event: Event<'t>, span: Span, depth: usize) -> Result<Node, Diagnostic> {
        match event {
            Event::Scalar(text, style, _, _) => Ok(Node { span, content: scalar(&text, style) }),
            Event::SequenceStart(..) => self.list(span, depth),
            Event::MappingStart(..) => self.map(span, depth),
            Event::Alias(_) => Err(syntax(span, "aliases are not supported; write the value out")),
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd
            | Event::SequenceEnd
            | Event::MappingEnd => Ok(Node { span, content: Content::Null }),
        }
    }

    fn list(&mut self, start: Span, depth: usize) -> Result<Node, Diagnostic> {
        let mut nodes = Vec::new();
        loop {
            let (event, span) = self.next()?;
            if matches!(event, Event::SequenceEnd | Event::StreamEnd) {
                return Ok(Node { span: start.to(span), content: Content::List(nodes) });
            }
            nodes.push(self.node(event, span, depth + 1)?);
        }
    }

    fn map(&mut self, start: Span, depth: usize) -> Result<Node, Diagnostic> {
        let mut entries = Vec::new();
        loop {
            let (event, key_span) = self.next()?;
            let key = match event {
                Event::MappingEnd | Event::StreamEnd => {
                    return Ok(Node { span: start.to(key_span), content: Content::Map(entries) });
                }
                Event::Scalar(text, ..) => text.into_owned(),
                Event::Nothing
                | Event::StreamStart
                | Event::DocumentStart(_)
                | Event::DocumentEnd
                | Event::Alias(_)
                | Event::SequenceStart(..)
                | Event::SequenceEnd
                | Event::MappingStart(..) => return Err(syntax(key_span, "a name is plain text")),
            };
            let (event, span) = self.next()?;
            entries.push(Entry { key, key_span, value: self.node(event, span, depth + 1)? });
        }
    }
}

fn scalar(text: &str, style: ScalarStyle) -> Content {
    if style != ScalarStyle::Plain {
        return Content::String(text.to_owned());
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Content::Null,
        "true" | "True" | "TRUE" => Content::Bool(true),
        "false" | "False" | "FALSE" => Content::Bool(false),
        _ if is_number(text) => Content::Number(text.to_owned()),
        _ => Content::String(text.to_owned()),
    }
}
