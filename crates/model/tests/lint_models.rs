//! The models under `examples/models` have no mistakes but those that they accept with a reason.

use std::path::{Path, PathBuf};

use monotable_model::diagnostic::{Colour, SourceFile, render_text};
use monotable_model::document::{Format, read};
use monotable_model::lint::{Evidence, Judgement, lint};

fn models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = std::fs::read_dir(root.join("examples/models")).unwrap();
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    files.push(root.join("crates/cli/src/commands/model/starter.toml"));
    files
}

/// What the linter has to say about a model, and how much of it the model accepts.
fn judge(file: &Path) -> (String, usize) {
    let text = std::fs::read_to_string(file).unwrap();
    let document = read(&text, Format::Toml).unwrap_or_else(|found| panic!("{found:?}"));
    let judgement = Judgement::of(&document.model);
    let mut report = lint(&document.model, Evidence::default(), &judgement);
    report.locate(&document.places);
    let source = SourceFile::new(file.file_name().unwrap().to_string_lossy(), text);
    let shown = report.findings.iter().map(|found| render_text(found, &source, Colour::Never));
    (shown.collect(), report.accepted.len())
}

#[test]
fn models_have_no_mistakes_but_those_that_they_accept() {
    let files = models();
    assert_eq!(files.len(), 40, "39 examples and the starter of model init");
    let found: String = files.iter().map(|file| judge(file).0).collect();
    assert!(found.is_empty(), "\n{found}");
}
