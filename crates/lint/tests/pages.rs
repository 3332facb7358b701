//! The examples on every rule's page: the mistake is found where it is, and not where it is not.
//! What is found is written down in `pages.txt`, to be read by people; `UPDATE_EXPECT=1` writes it
//! anew.

use std::fmt::Write as _;

use expect_test::expect_file;
use monotable_lint::{
    Basis, Check, Evidence, Example, ExampleKind, Judgement, Rule, StoredItem, examples, lint,
    read, read_export, read_recording, rules,
};
use monotable_model::diagnostic::{Colour, Diagnostic, SourceFile, render_text};
use monotable_model::document::{Format, Model};

#[test]
fn every_rule_finds_its_mistake_on_its_page_and_nothing_in_the_right_example() {
    let mut faults = Vec::new();
    for rule in rules() {
        let examples = examples(rule.page);
        for kind in [ExampleKind::Wrong, ExampleKind::Right] {
            if !examples.iter().any(|example| example.kind == kind) {
                faults.push(format!("{}: no example is {kind:?}", rule.code));
            }
        }
        for (number, example) in examples.iter().enumerate() {
            let found = findings(rule, example);
            if found.is_empty() == (example.kind == ExampleKind::Wrong) {
                faults.push(format!(
                    "{}: example {} is {:?}, found {found:?}",
                    rule.code,
                    number + 1,
                    example.kind
                ));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn codes_are_unique_and_pages_begin_with_them() {
    let mut codes: Vec<&str> = rules().map(|rule| rule.code).collect();
    for rule in rules() {
        let title = format!("# {}\n", rule.code);
        assert!(rule.page.starts_with(&title), "{} begins with another title", rule.code);
        assert!(rule.page.contains("\nSource: "), "{} names no source", rule.code);
    }
    codes.sort_unstable();
    let count = codes.len();
    codes.dedup();
    assert_eq!(codes.len(), count);
}

#[test]
fn findings_have_the_places_messages_and_suggestions_that_are_written_down() {
    let mut shown = String::new();
    for rule in rules() {
        writeln!(shown, "# {}", rule.code).unwrap();
        for example in examples(rule.page).iter().filter(|one| one.kind == ExampleKind::Wrong) {
            for finding in findings(rule, example) {
                let Diagnostic { severity, place, message, .. } = &finding;
                writeln!(shown, "{} at {place}: {message}", severity.name()).unwrap();
                for note in &finding.notes {
                    let place = note.place.as_ref().map(|place| format!(" at {place}"));
                    writeln!(shown, "    note{}: {}", place.unwrap_or_default(), note.message)
                        .unwrap();
                }
                if let Some(suggestion) = &finding.suggestion {
                    writeln!(shown, "    {suggestion}").unwrap();
                }
            }
        }
        shown.push('\n');
    }
    expect_file!["pages.txt"].assert_eq(&shown);
}

#[test]
fn a_rule_finds_its_mistake_in_a_model_alone_if_it_says_so() {
    let is_found = |rule: &Rule| {
        let examples = examples(rule.page);
        let wrong = examples.into_iter().filter(|example| example.kind == ExampleKind::Wrong);
        let mut alone =
            wrong.map(|example| Example { before: None, requests: None, data: None, ..example });
        alone.any(|example| !findings(rule, &example).is_empty())
    };
    let disagree = rules().filter(|rule| is_found(rule) != (rule.basis == Basis::Model));
    let codes: Vec<&str> = disagree.map(|rule| rule.code).collect();
    assert_eq!(codes, Vec::<&str>::new());
}

fn findings(rule: &Rule, example: &Example) -> Vec<Diagnostic> {
    let model = model(rule, &example.model);
    let before = example.before.as_deref().map(|text| self::model(rule, text));
    let requests = example.requests.as_deref().map(read_recording).transpose();
    let requests = requests.unwrap_or_else(|error| panic!("{}: {error}", rule.code));
    let requests = requests.unwrap_or_default();
    let items = example.data.as_deref().map(|text| items(rule, &model, text));
    let evidence =
        Evidence { items, before: before.as_ref(), requests: &requests, recording: None };
    let report = lint(&model, evidence, &judgement(rule));
    report.findings.into_iter().filter(|finding| finding.code == rule.code).collect()
}

fn items(rule: &Rule, model: &Model, text: &str) -> Vec<StoredItem> {
    let table = &model.tables.first().expect("a model has a table").name;
    read_export(text, table).unwrap_or_else(|error| panic!("{}: {error}", rule.code))
}

/// All rules are asked for the sake of one that looks at what they found, and only the one
/// otherwise.
fn judgement(rule: &Rule) -> Judgement {
    match rule.check {
        Check::Subject(_) => Judgement { only: vec![rule.code], ..Judgement::default() },
        Check::Allowances(_) => Judgement::default(),
    }
}

fn model(rule: &Rule, text: &str) -> Model {
    match read(text, Format::Toml) {
        Ok(document) => document.model,
        Err(diagnostics) => panic!("{}\n{}", rule.code, shown(text, &diagnostics)),
    }
}

fn shown(text: &str, diagnostics: &[Diagnostic]) -> String {
    let file = SourceFile::new("page".to_owned(), text.to_owned());
    diagnostics.iter().map(|found| render_text(found, &file, Colour::Never)).collect()
}
