//! What the linter does with findings: severities, thresholds, allowances, order, and reports for
//! programs.

use monotable_lint::{
    Evidence, Judgement, Report, lint, read, read_recording, render_report_json, render_sarif,
    rules,
};
use monotable_model::diagnostic::{Diagnostic, Severity, SourceFile};
use monotable_model::document::{Document, Format, Profile, Tree, write, write_tree};
use serde_json::{Value, json};

/// A model with two mistakes on purpose: a bare key and a number without zeros.
const MODEL: &str = r#"
format = 1
name = "shop"

[tables.Shop]
partition_key = "PK"
sort_key = "SK"
type_attribute = "Type"

[entities.Order]
key = { partition = "CUSTOMER#{username}", sort = "ORDER#{number:plain}" }
attributes = { username = "S", number = "N" }

[entities.Customer]
key = { partition = "{username}", sort = "CUSTOMER" }
attributes.username = "S"
"#;

fn document(more: &str) -> Document {
    let text = format!("{MODEL}{more}");
    read(&text, Format::Toml).unwrap_or_else(|found| panic!("{found:?}"))
}

fn refused(more: &str) -> Vec<Diagnostic> {
    read(&format!("{MODEL}{more}"), Format::Toml).unwrap_err()
}

/// The report on the model with more, of the two rules that it is about.
fn report(more: &str) -> Report {
    let document = document(more);
    let mut judgement = Judgement::of(&document.model);
    judgement.only = vec!["missing-type-prefix", "unpadded-number", "unused-allowance"];
    let mut report = lint(&document.model, Evidence::default(), &judgement);
    report.locate(&document.places);
    report
}

fn found(more: &str) -> Vec<(&'static str, Severity)> {
    report(more).findings.iter().map(|finding| (finding.code, finding.severity)).collect()
}

const ALLOW_NUMBER: &str =
    "[[allow]]\nrule = \"unpadded-number\"\nat = \"entities.Order\"\nreason = \"few orders\"\n";

#[test]
fn findings_stand_in_the_order_of_the_file() {
    let expected =
        [("unpadded-number", Severity::Warning), ("missing-type-prefix", Severity::Warning)];
    assert_eq!(found(""), expected);
}

#[test]
fn a_model_sets_severities_and_turns_rules_off() {
    let settings =
        "[lint]\nseverity = { unpadded-number = \"error\", missing-type-prefix = \"off\" }\n";
    assert_eq!(found(settings), [("unpadded-number", Severity::Error)]);
}

#[test]
fn a_model_sets_its_profile() {
    assert_eq!(
        found("[lint]\nprofile = \"multi-table\"\n"),
        [("unpadded-number", Severity::Warning)]
    );
    assert_eq!(document("").model.lint.profile, None);
    let judgement = Judgement::of(&document("[lint]\nprofile = \"multi-table\"\n").model);
    assert_eq!(judgement.profile, Profile::MultiTable);
}

#[test]
fn settings_survive_being_written() {
    let settings = "[lint]\nprofile = \"single-table\"\nthresholds = { pad-share = 0.5 }\n\
                    severity = { unpadded-number = \"info\" }\n";
    let model = document(settings).model;
    for format in [Format::Toml, Format::Yaml, Format::Json] {
        let again = read(&write(&model, format), format).unwrap().model;
        assert_eq!(again.lint, model.lint);
    }
}

#[test]
fn what_a_model_allows_is_set_aside_with_the_reason() {
    let report = report(ALLOW_NUMBER);
    assert_eq!(report.findings.len(), 1);
    assert_eq!(report.accepted[0].finding.code, "unpadded-number");
    assert_eq!(report.accepted[0].reason, "few orders");
}

#[test]
fn an_allowance_elsewhere_accepts_nothing_and_is_reported() {
    let elsewhere = ALLOW_NUMBER.replace("entities.Order", "entities.Customer");
    let report = report(&elsewhere);
    assert_eq!(report.count(Severity::Warning), 3);
    let unused = report.findings.last().unwrap();
    assert_eq!(unused.code, "unused-allowance");
    assert_eq!(unused.message, "unpadded-number finds nothing at entities.Customer");
}

#[test]
fn an_allowance_of_a_rule_that_is_not_asked_is_not_unused() {
    let document = document(ALLOW_NUMBER);
    let only = Judgement { only: vec!["unused-allowance"], ..Judgement::default() };
    assert_eq!(lint(&document.model, Evidence::default(), &only), Report::default());
}

#[test]
fn names_that_mean_nothing_are_errors_that_say_what_was_meant() {
    for (more, code, suggestion) in [
        (
            ALLOW_NUMBER.replace("unpadded-number", "unpaded-number"),
            "unknown-rule",
            "did you mean unpadded-number?",
        ),
        (
            "[lint]\nseverity = { unpadded-numbers = \"off\" }\n".to_owned(),
            "unknown-rule",
            "did you mean unpadded-number?",
        ),
        (
            "[lint]\nthresholds = { pad-shares = 0.5 }\n".to_owned(),
            "unknown-threshold",
            "did you mean pad-share?",
        ),
        ("[lint]\nprofil = \"x\"\n".to_owned(), "unknown-member", "did you mean profile?"),
    ] {
        let found = refused(&more);
        assert_eq!(found[0].code, code);
        assert_eq!(found[0].suggestion.as_deref(), Some(suggestion));
        assert!(found[0].span.is_some());
    }
}

#[test]
fn thresholds_are_sorted_and_their_names_unique() {
    let names: Vec<&str> =
        monotable_lint::THRESHOLDS.iter().map(|threshold| threshold.name).collect();
    assert!(names.is_sorted_by(|one, other| one < other), "{names:?}");
}

fn parsed(tree: &Tree) -> Value {
    serde_json::from_str(&write_tree(tree)).unwrap()
}

fn source(more: &str) -> SourceFile {
    SourceFile::new("models/my shop.toml", format!("{MODEL}{more}"))
}

#[test]
fn the_json_report_has_pages_reasons_and_a_summary() {
    let json = parsed(&render_report_json(&report(ALLOW_NUMBER), &source(ALLOW_NUMBER)));
    let counts = json!({ "errors": 0, "warnings": 1, "infos": 0, "accepted": 1 });
    assert_eq!(json["summary"], counts);
    assert_eq!(json["findings"][0]["code"], "missing-type-prefix");
    assert_eq!(json["findings"][0]["page"], "docs/guide/lint/missing-type-prefix.md");
    assert_eq!(json["findings"][0]["start"]["line"], 15);
    assert_eq!(json["accepted"][0]["reason"], "few orders");
}

#[test]
fn a_sarif_log_has_what_code_scanning_asks_for() {
    let log = parsed(&render_sarif(&report(ALLOW_NUMBER), &source(ALLOW_NUMBER)));
    assert_eq!(log["version"], "2.1.0");
    assert_eq!(log["$schema"], "https://json.schemastore.org/sarif-2.1.0.json");
    let run = &log["runs"][0];
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "monotable");
    let described = driver["rules"].as_array().unwrap();
    assert_eq!(described.len(), rules().count());
    for rule in described {
        assert!(rule["shortDescription"]["text"].is_string());
        assert!(rule["help"]["text"].as_str().unwrap().starts_with("# "));
        let level = rule["defaultConfiguration"]["level"].as_str().unwrap();
        assert!(["error", "warning", "note"].contains(&level));
    }
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(described[index]["id"], result["ruleId"]);
        assert!(result["message"]["text"].as_str().unwrap().ends_with('.'));
        let physical = &result["locations"][0]["physicalLocation"];
        assert_eq!(physical["artifactLocation"]["uri"], "models/my%20shop.toml");
    }
}

#[test]
fn a_sarif_result_points_at_its_region_and_an_accepted_one_is_suppressed() {
    let log = parsed(&render_sarif(&report(ALLOW_NUMBER), &source(ALLOW_NUMBER)));
    let results = &log["runs"][0]["results"];
    assert_eq!(results[0]["level"], "warning");
    assert_eq!(
        results[0]["locations"][0]["physicalLocation"]["region"],
        json!({ "startLine": 15, "startColumn": 21, "endLine": 15, "endColumn": 33 })
    );
    assert_eq!(results[0]["suppressions"], Value::Null);
    assert_eq!(
        results[1]["suppressions"],
        json!([{ "kind": "inSource", "justification": "few orders" }])
    );
}

/// Three scans with the same mistake, and a query without one.
const REQUESTS: &str = r#"{"operation": "Query", "request": {"TableName": "Shop", "KeyConditionExpression": "PK = :p", "ExpressionAttributeValues": {":p": {"S": "CUSTOMER#a"}}}}
{"operation": "Scan", "request": {"TableName": "Shop", "FilterExpression": "PK = :p", "ExpressionAttributeValues": {":p": {"S": "a"}}}, "at": "2026-01-03T10:00:00.000Z"}
{"operation": "Scan", "request": {"TableName": "Shop", "FilterExpression": "PK = :p", "ExpressionAttributeValues": {":p": {"S": "b"}}}, "at": "2026-01-03T10:00:01.000Z"}

{"operation": "Scan", "request": {"TableName": "Shop", "FilterExpression": "PK = :p", "ExpressionAttributeValues": {":p": {"S": "c"}}}, "at": "2026-01-03T10:00:02.000Z"}
"#;

fn report_on_requests() -> Report {
    let document = document("");
    let requests = read_recording(REQUESTS).unwrap();
    let judgement =
        Judgement { only: vec!["scan-with-equality-filter"], ..Judgement::of(&document.model) };
    let recording = Some("calls of today.jsonl".to_owned());
    let evidence = Evidence { requests: &requests, recording, ..Evidence::default() };
    lint(&document.model, evidence, &judgement)
}

#[test]
fn findings_on_requests_name_the_first_and_list_the_others() {
    let report = report_on_requests();
    let [finding] = report.findings.as_slice() else { panic!("{:#?}", report.findings) };
    let notes: Vec<&str> = finding.notes.iter().map(|note| note.message.as_str()).collect();
    let expected = "Scan of Shop, line 2 of calls of today.jsonl, at 2026-01-03T10:00:00.000Z; \
                    the same in lines 3, 5";
    assert_eq!(notes.last(), Some(&expected));
}

#[test]
fn programs_are_told_which_request_it_was() {
    let report = report_on_requests();
    let json = parsed(&render_report_json(&report, &source("")));
    let request = json!({
        "line": 2, "operation": "Scan", "table": "Shop", "at": "2026-01-03T10:00:00.000Z",
        "repeated_at": [3, 5],
    });
    assert_eq!(json["findings"][0]["request"], request);
    let log = parsed(&render_sarif(&report, &source("")));
    let result = &log["runs"][0]["results"][0];
    let physical = &result["locations"][0]["physicalLocation"];
    assert_eq!(physical["artifactLocation"]["uri"], "calls%20of%20today.jsonl");
    assert_eq!(physical["region"]["startLine"], 2);
    assert_eq!(result["properties"]["at"], "2026-01-03T10:00:00.000Z");
    assert_eq!(result["properties"]["occurrences"], 3);
    assert!(result["message"]["text"].as_str().unwrap().contains("line 2 of calls of today.jsonl"));
}
