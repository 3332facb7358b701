//! Readers: from the text of a file to one tree of nodes, whatever the format.
//!
//! Each format's reader keeps the bytes of every key and value, the members in the order of the
//! file, and numbers as text. Limits hold for all: the size of the text and the depth of the tree.

mod json;
mod toml;
mod yaml;

use super::node::Node;
use super::{Places, Tree};
use crate::diagnostic::{Diagnostic, Place, Span};

/// The longest document that is read. A model of hundreds of entities has a twentieth of it.
const DOCUMENT_BYTES_MAX: usize = 4 * 1024 * 1024;

/// The deepest document that is read: twice as deep as an item may be.
const DEPTH_MAX: usize = 64;

/// The form in which a document is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// TOML 1.1.
    Toml,
    /// YAML 1.2, one document without aliases.
    Yaml,
    /// JSON.
    Json,
}

impl Format {
    /// The format of a file: by its extension, or else by how its text begins.
    pub fn detect(file_name: &str, text: &str) -> Format {
        let extension = file_name.rsplit_once('.').map(|(_, extension)| extension);
        match extension.map(str::to_ascii_lowercase).as_deref() {
            Some("toml") => return Format::Toml,
            Some("yaml" | "yml") => return Format::Yaml,
            Some("json") => return Format::Json,
            Some(_) | None => {}
        }
        if text.trim_start().starts_with('{') {
            return Format::Json;
        }
        let first =
            text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
        match first {
            Some(line) if line.starts_with('[') || is_toml_pair(line) => Format::Toml,
            Some(_) => Format::Yaml,
            None => Format::Toml,
        }
    }
}

/// Whether a line has `=` before any `:`.
fn is_toml_pair(line: &str) -> bool {
    line.find('=').is_some_and(|equals| line.find(':').is_none_or(|colon| equals < colon))
}

/// Reads a text, or says all that is wrong with it.
pub(crate) fn read(text: &str, format: Format) -> Result<Node, Vec<Diagnostic>> {
    if text.len() > DOCUMENT_BYTES_MAX {
        let message = format!("the document has {} bytes, over {DOCUMENT_BYTES_MAX}", text.len());
        return Err(vec![Diagnostic::error("too-large", Place::root(), message)]);
    }
    match format {
        Format::Toml => toml::read(text),
        Format::Yaml => yaml::read(text),
        Format::Json => json::read(text),
    }
}

/// Reads a file of another tool, and where its members stand. In YAML a tag such as `!Sub` becomes
/// a table of one member, `Fn::Sub`, which is what the short form stands for in CloudFormation.
pub fn read_foreign(text: &str, format: Format) -> Result<(Tree, Places), Vec<Diagnostic>> {
    let root = match format {
        Format::Yaml if text.len() <= DOCUMENT_BYTES_MAX => yaml::read_with_tags(text)?,
        Format::Toml | Format::Yaml | Format::Json => read(text, format)?,
    };
    Ok((root.tree(), Places::of(&root, text)))
}

/// Reads JSON of any size into a plain tree, or says what is wrong with it.
pub fn read_json(text: &str) -> Result<Tree, String> {
    let message = |faults: Vec<Diagnostic>| {
        faults.into_iter().next().map_or_else(String::new, |fault| fault.message)
    };
    json::read(text).map(|node| node.tree()).map_err(message)
}

/// A text that the format does not allow.
fn syntax(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error("syntax", Place::root(), message).with_span(span)
}

/// A tree that is deeper than it may be.
fn too_deep(span: Span) -> Diagnostic {
    let message = format!("more than {DEPTH_MAX} levels inside each other");
    Diagnostic::error("too-deep", Place::root(), message).with_span(span)
}
