//! Slips of the texts that single-table design is learnt from: each is caught, by a rule or on
//! reading.
//!
//! A case is a file under `slips/`: what the slip is, what catches it, the model that has it or
//! that belongs to the requests or items, and after `--- requests` or `--- data` those.

mod planted;

use std::path::Path;

use monotable_lint::{Evidence, Judgement, lint, read, read_export, read_recording, rule};
use monotable_model::document::{Format, Model};
use monotable_plan::diagnose;

struct Case {
    name: String,
    /// `rule CODE`, `reading CODE`, `planner CODE` or `recording`.
    caught_by: Vec<String>,
    model: String,
    requests: String,
    data: Option<String>,
}

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slips")
}

fn cases() -> Vec<Case> {
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut cases: Vec<Case> = files.map(|file| case(&file)).collect();
    cases.sort_by(|left, right| left.name.cmp(&right.name));
    assert!(!cases.is_empty());
    cases
}

fn case(file: &Path) -> Case {
    let text = std::fs::read_to_string(file).unwrap();
    let caught_by = text.lines().filter_map(|line| line.strip_prefix("# Caught by: "));
    let caught_by = caught_by.map(str::to_owned).collect();
    let (rest, data) = match text.split_once("\n--- data\n") {
        Some((rest, data)) => (rest, Some(data.to_owned())),
        None => (text.as_str(), None),
    };
    let (model, requests) = rest.split_once("\n--- requests\n").unwrap_or((rest, ""));
    Case {
        name: file.file_stem().unwrap().to_string_lossy().into_owned(),
        caught_by,
        model: format!("format = 1\nname = \"slip\"\n{model}"),
        requests: requests.to_owned(),
        data,
    }
}

/// What is said about a case, in the form of `caught_by`.
fn said(case: &Case) -> Vec<String> {
    let model: Model = match read(&case.model, Format::Toml) {
        Ok(document) => document.model,
        Err(diagnostics) => {
            return diagnostics.iter().map(|one| format!("reading {}", one.code)).collect();
        }
    };
    let requests = match read_recording(&case.requests) {
        Ok(requests) => requests,
        Err(_) => return vec!["recording".to_owned()],
    };
    let items = case.data.as_deref().map(|data| read_export(data, &model.tables[0].name).unwrap());
    let evidence = Evidence { items, requests: &requests, ..Evidence::default() };
    let report = lint(&model, evidence, &Judgement::default());
    let planner = diagnose(&model).into_iter().map(|one| format!("planner {}", one.code));
    report.findings.iter().map(|one| format!("rule {}", one.code)).chain(planner).collect()
}

#[test]
fn every_slip_is_caught_by_what_its_file_says() {
    let mut faults = Vec::new();
    for case in cases() {
        let said = said(&case);
        assert!(!case.caught_by.is_empty(), "{} does not say what catches it", case.name);
        for expected in case.caught_by.iter().filter(|expected| !said.contains(expected)) {
            faults.push(format!("{}: {expected} is not among {said:?}", case.name));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn the_page_names_every_case_and_every_rule_that_catches_one() {
    let page = include_str!("../../../docs/guide/lint/slips.md");
    for case in cases() {
        assert!(page.contains(&format!("`{}`", case.name)), "the page lacks {}", case.name);
        for code in case.caught_by.iter().filter_map(|caught| caught.strip_prefix("rule ")) {
            assert!(rule(code).is_some(), "there is no rule {code}");
            assert!(page.contains(&format!("[{code}]({code}.md)")), "the page lacks {code}");
        }
    }
}
