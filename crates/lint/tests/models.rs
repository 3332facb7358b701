//! The models under `examples/models` have no mistakes but those that they accept with a reason.

use monotable_lint::{Evidence, Judgement, lint, read};
use monotable_model::diagnostic::{Colour, SourceFile, render_text};
use monotable_model::document::Format;
use monotable_model_fixture::{Example, examples, root};

/// The starter of `model init`, and all examples.
fn models() -> Vec<Example> {
    let starter = root().join("crates/cli/src/commands/model/starter.toml");
    let text = std::fs::read_to_string(starter).unwrap();
    let mut models = examples();
    models.push(Example { name: "starter".to_owned(), text });
    models
}

/// What the linter has to say about a model, and how much of it the model accepts.
fn judge(example: &Example) -> (String, usize) {
    let document = read(&example.text, Format::Toml).unwrap_or_else(|found| panic!("{found:?}"));
    let judgement = Judgement::of(&document.model);
    let mut report = lint(&document.model, Evidence::default(), &judgement);
    report.locate(&document.places);
    let source = SourceFile::new(example.name.as_str(), example.text.as_str());
    let shown = report.findings.iter().map(|found| render_text(found, &source, Colour::Never));
    (shown.collect(), report.accepted.len())
}

#[test]
fn models_have_no_mistakes_but_those_that_they_accept() {
    let found: String = models().iter().map(|model| judge(model).0).collect();
    assert!(found.is_empty(), "\n{found}");
}
