//! Model files: read, and reported on.

use std::io;
use std::path::Path;

use anyhow::{Context, Result, bail};
use monotable_model::diagnostic::{Diagnostic, SourceFile};
use monotable_model::document::{Document, Format};

use super::rendering;

/// A model file that was read.
pub(super) struct ModelFile {
    pub(super) source: SourceFile,
    pub(super) format: Format,
    /// The document, or all that is wrong with it.
    pub(super) document: Result<Document, Vec<Diagnostic>>,
}

impl ModelFile {
    /// Reads a file; what is wrong with its content is not an error yet.
    pub(super) fn open(path: &Path) -> Result<ModelFile> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).with_context(|| {
            format!("cannot read {name}; `monotable model init {name}` begins a model")
        })?;
        let format = Format::detect(&name, &text);
        let document = monotable_lint::read(&text, format);
        Ok(ModelFile { source: SourceFile::new(name, text), format, document })
    }

    /// The document, for commands that can do nothing without one.
    pub(super) fn into_document(self) -> Result<(SourceFile, Document)> {
        match self.document {
            Ok(document) => Ok((self.source, document)),
            Err(diagnostics) => {
                rendering::text(&mut io::stderr(), &diagnostics, &self.source)?;
                let mistakes = rendering::counted(diagnostics.len(), "mistake", "mistakes");
                bail!("{} has {mistakes}", self.source.name())
            }
        }
    }
}
