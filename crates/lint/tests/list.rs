//! The pages of the guide say what the rules are. `UPDATE_EXPECT=1` writes them anew.

use expect_test::{ExpectFile, expect_file};
use monotable_lint::{ExampleKind, Rule, THRESHOLDS, Topic, examples, rules};

const INTRODUCTION: &str = "# Lint rules

What `monotable model lint` finds, topic by topic. Each rule has a page that says why it is a \
    mistake, shows a model that
has it and one that has not, and names the source. [The guide to the linter](../model-lint.md) \
    says how to run it, how to
accept a finding, and how to set severities and thresholds.

The examples on the pages are the rules' tests: `crates/lint/tests/pages.rs` runs them all. The \
    last column says how
many have the mistake and how many have not. [Slips of the sources](slips.md) are caught by these \
    rules, or by the planner.
";

#[test]
fn the_list_in_the_guide_has_every_rule() {
    let topics: String = Topic::ALL.into_iter().map(topic).collect();
    let list = format!("{INTRODUCTION}{topics}{}", thresholds());
    expect("README.md").assert_eq(&list);
}

/// Compares with a file of the guide, or writes it.
fn expect(name: &str) -> ExpectFile {
    let mut file = expect_file!["../../../docs/guide/lint/README.md"];
    file.path.set_file_name(name);
    file
}

#[test]
fn the_guide_has_a_copy_of_every_page() {
    for rule in rules() {
        expect(&format!("{}.md", rule.code)).assert_eq(rule.page);
    }
}

#[test]
fn every_page_belongs_to_a_rule() {
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/pages")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(rules().any(|rule| name == format!("{}.md", rule.code)), "{name}");
    }
}

fn topic(topic: Topic) -> String {
    let mut own: Vec<&Rule> = rules().filter(|rule| rule.topic == topic).collect();
    own.sort_by_key(|rule| rule.code);
    let name = topic.name();
    let heading: String = name.chars().take(1).flat_map(char::to_uppercase).collect();
    let rest: String = name.chars().skip(1).collect();
    let rows: String = own.into_iter().map(row).collect();
    format!(
        "\n## {heading}{rest}\n\n| Rule | Severity | What | Source | Examples \
         |\n|---|---|---|---|---|\n{rows}"
    )
}

fn row(rule: &Rule) -> String {
    let examples = examples(rule.page);
    let count = |kind| examples.iter().filter(|example| example.kind == kind).count();
    format!(
        "| [`{0}`]({0}.md) | {1} | {2} | {3} | {4} wrong, {5} right |\n",
        rule.code,
        rule.severity.name(),
        rule.summary.replace('|', "\\|"),
        source(rule),
        count(ExampleKind::Wrong),
        count(ExampleKind::Right),
    )
}

/// The source that the page names, which is its last paragraph.
fn source(rule: &Rule) -> String {
    let (_, source) = rule.page.split_once("\nSource: ").unwrap();
    source.split_whitespace().collect::<Vec<_>>().join(" ").trim_end_matches('.').to_owned()
}

fn thresholds() -> String {
    let row = |threshold: &monotable_lint::Threshold| {
        format!("| `{}` | {} | {} |\n", threshold.name, threshold.default, threshold.meaning)
    };
    let rows: String = THRESHOLDS.iter().map(row).collect();
    format!("\n## Thresholds\n\n| Name | Default | Meaning |\n|---|---|---|\n{rows}")
}
