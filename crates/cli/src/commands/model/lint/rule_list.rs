//! The rules: a list of them, and the page of one.

use anyhow::{Result, bail};
use monotable_lint::{Rule, Topic, rule, rules};
use monotable_model::diagnostic::nearest;
use monotable_model::document::Tree;

use super::LintOutput;
use crate::commands::model::rendering::{self, object};
use crate::outcome::Outcome;
use crate::output::{self, Style, styled};

/// Prints the page of a rule.
pub(super) fn explain(code: &str) -> Result<Outcome> {
    output::line(named(code)?.page.trim_end())?;
    Ok(Outcome::Done)
}

/// The rule of a code, or the one that was probably meant in an error.
pub(super) fn named(code: &str) -> Result<&'static Rule> {
    if let Some(rule) = rule(code) {
        return Ok(rule);
    }
    let hint = match nearest(code, rules().map(|rule| rule.code)) {
        Some(meant) => format!("did you mean {meant}?"),
        None => "`monotable model lint --rules` lists them".to_owned(),
    };
    bail!("there is no rule {code}; {hint}")
}

/// Prints all rules, topic by topic.
pub(super) fn print(form: LintOutput) -> Result<Outcome> {
    match form {
        LintOutput::Text => print_text()?,
        LintOutput::Json => {
            rendering::json(&Tree::List(rules().map(described).collect()))?;
        }
        LintOutput::Sarif => bail!("--rules prints text or JSON; every SARIF log has the rules"),
    }
    Ok(Outcome::Done)
}

fn print_text() -> Result<()> {
    let width = rules().map(|rule| rule.code.len()).max().unwrap_or_default();
    for topic in Topic::ALL {
        output::line(&styled(Style::Strong, &format!("Rules on {}", topic.name())))?;
        for rule in rules().filter(|rule| rule.topic == topic) {
            let severity = rule.severity.name();
            output::line(&format!("  {:width$}  {severity:7}  {}", rule.code, rule.summary))?;
        }
        output::line("")?;
    }
    Ok(())
}

fn described(rule: &Rule) -> Tree {
    object([
        ("code", Tree::String(rule.code.to_owned())),
        ("severity", Tree::String(rule.severity.name().to_owned())),
        ("topic", Tree::String(rule.topic.name().to_owned())),
        ("summary", Tree::String(rule.summary.to_owned())),
        ("page", Tree::String(rule.page_path())),
    ])
}
