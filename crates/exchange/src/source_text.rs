//! Which language a foreign file is written in, and its values.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Format, Places, Tree, read_foreign};

use super::source_node::{Node, Spans};
use super::{SourceFormat, electrodb, hcl};

/// The longest source file that is read, as with the files of models.
const SOURCE_BYTES_MAX: usize = 4 * 1024 * 1024;

/// A foreign file as a tree.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) tree: Tree,
    pub(super) format: SourceFormat,
    pub(super) locations: Locations,
}

/// Where the members of a file stand.
#[derive(Debug)]
pub(super) enum Locations {
    Data(Places),
    Code(Spans),
}

impl Locations {
    /// Gives every diagnostic its bytes.
    pub(super) fn locate(&self, diagnostics: &mut [Diagnostic]) {
        match self {
            Locations::Data(places) => places.locate(diagnostics),
            Locations::Code(spans) => spans.locate(diagnostics),
        }
    }
}

/// The language of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    Data(Format),
    Hcl,
    JavaScript,
}

/// What reads a language.
type Reader = fn(&str) -> Result<Node, Diagnostic>;

/// Reads a file in the given format, or detects the format.
pub(super) fn read(
    file_name: &str,
    text: &str,
    told: Option<SourceFormat>,
) -> Result<Source, Vec<Diagnostic>> {
    let (read, format): (Reader, SourceFormat) = match language(file_name, text) {
        Language::Data(format) => return read_data(text, format, told),
        Language::Hcl => (hcl::read, SourceFormat::Terraform),
        Language::JavaScript => (electrodb::read, SourceFormat::ElectroDb),
    };
    if text.len() > SOURCE_BYTES_MAX {
        let message = format!("the file has {} bytes, over {SOURCE_BYTES_MAX}", text.len());
        return Err(vec![Diagnostic::error("too-large", Place::root(), message)]);
    }
    if let Some(told) = told.filter(|told| *told != format) {
        return Err(vec![wrong_language(format, told)]);
    }
    let (tree, spans) = read(text).map_err(|error| vec![error])?.into_tree();
    Ok(Source { tree, format, locations: Locations::Code(spans) })
}

fn read_data(
    text: &str,
    format: Format,
    told: Option<SourceFormat>,
) -> Result<Source, Vec<Diagnostic>> {
    let (tree, places) = read_foreign(text, format)?;
    let format = told.or_else(|| SourceFormat::detect(&tree));
    let format = format.ok_or_else(|| vec![unknown_format()])?;
    Ok(Source { tree, format, locations: Locations::Data(places) })
}

/// The language of a file: by its extension, or else by what is in it.
fn language(file_name: &str, text: &str) -> Language {
    let extension = file_name.rsplit_once('.').map(|(_, extension)| extension);
    match extension.map(str::to_ascii_lowercase).as_deref() {
        Some("tf" | "hcl") => return Language::Hcl,
        Some("ts" | "mts" | "cts" | "tsx" | "js" | "mjs" | "cjs" | "jsx") => {
            return Language::JavaScript;
        }
        Some("json" | "yaml" | "yml" | "toml") => {}
        Some(_) | None if text.trim_start().starts_with(['{', '[']) => {}
        Some(_) | None if text.contains("resource \"aws_dynamodb_table\"") => {
            return Language::Hcl;
        }
        Some(_) | None if text.contains("new Entity(") => return Language::JavaScript,
        Some(_) | None => {}
    }
    Language::Data(Format::detect(file_name, text))
}

fn unknown_format() -> Diagnostic {
    let known: Vec<&str> = SourceFormat::ALL.iter().map(|(name, _)| *name).collect();
    let message = format!("the file has no format that is known: {}", known.join(", "));
    Diagnostic::error("unknown-format", Place::root(), message)
        .with_suggestion("say which one it is; a model of our own needs no import")
}

fn wrong_language(format: SourceFormat, told: SourceFormat) -> Diagnostic {
    let message = format!("the file is {}, not {}", format.name(), told.name());
    Diagnostic::error("unknown-format", Place::root(), message)
        .with_suggestion("leave the format out; it is told by what is in the file")
}
