//! A document that was read: the model, and where its members stand.

use super::decode::decode;
use super::reader::{self, Format};
use super::resolve::check_references;
use super::{Model, Places};
use crate::diagnostic::{Diagnostic, Severity};

/// A model and the places of its members.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The model. Every name that is used in it exists.
    pub model: Model,
    /// Where its members stand in the text.
    pub places: Places,
}

/// Reads a document, or says all that is wrong with it, in the order of the file.
///
/// ```
/// use monotable_model::document::{Format, read};
///
/// let text = r#"
/// format = 1
/// name = "shop"
///
/// [tables.Shop]
/// partition_key = "PK"
///
/// [entities.Customer]
/// key = { partition = "CUSTOMER#{username}" }
/// attributes.username = "S"
/// "#;
/// let document = read(text, Format::Toml).unwrap();
/// assert_eq!(document.model.entities[0].tables, ["Shop"]);
///
/// let problems = read(&text.replace("{username}", "{user}"), Format::Toml).unwrap_err();
/// assert_eq!(problems[0].message, "Customer has no attribute user");
/// ```
pub fn read(text: &str, format: Format) -> Result<Document, Vec<Diagnostic>> {
    read_with(text, format, |_| Vec::new())
}

/// Reads a document as [`read`] does, and reports what another check finds in the model as well.
///
/// A model names things that this crate does not know, such as rules of the linter. Who knows them
/// checks them here, so that all mistakes of a file are reported together.
pub fn read_with(
    text: &str,
    format: Format,
    check: impl FnOnce(&Model) -> Vec<Diagnostic>,
) -> Result<Document, Vec<Diagnostic>> {
    let (document, mistakes) = read_partly(text, format, check);
    document.filter(|_| !has_error(&mistakes)).ok_or(mistakes)
}

fn has_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}

/// Reads as much of a document as can be, with all that is wrong with it. There is a document
/// whenever the syntax is that of its format: it lacks what could not be read, and names in it may
/// lead nowhere. Editors ask about such a document while somebody writes it.
pub fn read_partly(
    text: &str,
    format: Format,
    check: impl FnOnce(&Model) -> Vec<Diagnostic>,
) -> (Option<Document>, Vec<Diagnostic>) {
    let root = match reader::read(text, format) {
        Ok(root) => root,
        Err(mistakes) => return (None, mistakes),
    };
    let places = Places::of(&root, text);
    let (model, mut diagnostics) = decode(&root, text);
    // A document whose shape is wrong would be reported a second time for what it lacks.
    if diagnostics.is_empty() {
        diagnostics = check_references(&model);
        diagnostics.extend(check(&model));
    }
    places.locate(&mut diagnostics);
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map_or(0, |span| span.start));
    (Some(Document { model, places }), diagnostics)
}
