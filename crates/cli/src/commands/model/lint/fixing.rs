//! `--fix`: mends the file where there is one right answer.

use std::path::Path;

use anyhow::Result;
use monotable_lint::{Report, fixed};
use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::Document;

use crate::commands::model::file::ModelFile;
use crate::whole_file;

/// How often the file is read again: what is mended can show what else is wrong.
const ROUNDS_MAX: usize = 10;

/// Mends a file until nothing is left that can be, and says what was done.
pub(super) fn fix(path: &Path, judge: impl Fn(&Document) -> Result<Report>) -> Result<()> {
    for _ in 0..ROUNDS_MAX {
        let file = ModelFile::open(path)?;
        let findings = match &file.document {
            Ok(document) => judge(document)?.findings,
            Err(mistakes) => mistakes.clone(),
        };
        let fixed = fixed(file.source.text(), file.format, &findings);
        if fixed.mended.is_empty() {
            break;
        }
        whole_file::replace(path, &fixed.text)?;
        for mended in &fixed.mended {
            eprintln!("{}", line(&file, mended));
        }
    }
    Ok(())
}

fn line(file: &ModelFile, mended: &Diagnostic) -> String {
    let offset = mended.span.map_or(0, |span| span.start);
    let position = file.source.position(offset);
    let (find, replace) = match &mended.fix {
        Some(fix) => (fix.find.as_str(), fix.replace.as_str()),
        None => ("", ""),
    };
    format!("{}:{}: {}: {find} is {replace} now", file.source.name(), position.line, mended.code)
}
