//! Models of the files of other tools.

use std::io;

use anyhow::{Context, Result, anyhow, bail};
use monotable_exchange::SourceFormat;
use monotable_model::diagnostic::{Diagnostic, SourceFile, nearest};
use monotable_model::document::Model;

use crate::commands::model::rendering;

/// Reads a file. What is wrong with it is shown at its place.
pub(super) fn import(path: &str, format: Option<&str>) -> Result<(Model, Vec<Diagnostic>)> {
    let format = format.map(source_format).transpose()?;
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?;
    match monotable_exchange::import(path, &text, format) {
        Ok(imported) => Ok((imported.model, imported.notes)),
        Err(diagnostics) => {
            rendering::text(&mut io::stderr(), &diagnostics, &SourceFile::new(path, text))?;
            let mistakes = rendering::counted(diagnostics.len(), "mistake", "mistakes");
            bail!("{path} cannot be imported: {mistakes}")
        }
    }
}

fn source_format(name: &str) -> Result<SourceFormat> {
    let known = || SourceFormat::ALL.iter().map(|(known, _)| *known);
    let found = SourceFormat::ALL.iter().find(|(known, _)| *known == name);
    found.map(|(_, format)| *format).ok_or_else(|| {
        let meant = nearest(name, known()).map(|meant| format!(", did you mean {meant}?"));
        let names: Vec<&str> = known().collect();
        anyhow!(
            "no format is called {name}{}; known are {}",
            meant.unwrap_or_default(),
            names.join(", ")
        )
    })
}
