//! What a rule is.

use super::page::{Verdict, examples};
use super::{Subject, Topic};
use crate::diagnostic::{Diagnostic, Severity};
use crate::document::Allowance;

/// A mistake that can be found.
#[derive(Debug)]
pub struct Rule {
    /// What it is called: lower case with dashes, the same for ever.
    pub code: &'static str,
    /// How bad it is at worst.
    pub severity: Severity,
    /// What it is about.
    pub topic: Topic,
    /// The mistake in one line, without a full stop.
    pub summary: &'static str,
    /// Its page in the guide, in Markdown.
    pub page: &'static str,
    /// Finds it.
    pub check: Check,
}

/// How a rule finds its mistake.
#[derive(Debug, Clone, Copy)]
pub enum Check {
    /// In all that is known of the design.
    Subject(fn(&Subject<'_>) -> Vec<Diagnostic>),
    /// In the allowances that accepted nothing: such a rule is asked after all others.
    Allowances(fn(&[Unused<'_>]) -> Vec<Diagnostic>),
}

/// An allowance that accepted nothing.
#[derive(Debug, Clone, Copy)]
pub struct Unused<'m> {
    /// Its place in the list of allowances.
    pub index: usize,
    /// The allowance.
    pub allowance: &'m Allowance,
}

impl Rule {
    /// Whether a model alone can have the mistake, without data, recorded requests or an earlier model: the page
    /// has an example that is nothing but a model.
    pub fn judges_models_alone(&self) -> bool {
        examples(self.page).iter().any(|example| {
            let is_alone =
                example.before.is_none() && example.requests.is_none() && example.data.is_none();
            example.verdict == Verdict::Wrong && is_alone
        })
    }

    /// The path of its page in the repository.
    pub fn page_path(&self) -> String {
        format!("docs/guide/lint/{}.md", self.code)
    }
}

/// A rule with its page. The code is also the page's file name.
macro_rules! rule {
    ($code:literal, $severity:ident, $topic:ident, $summary:literal, $kind:ident($check:path)) => {
        $crate::lint::Rule {
            code: $code,
            severity: $crate::diagnostic::Severity::$severity,
            topic: $crate::lint::Topic::$topic,
            summary: $summary,
            page: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../../docs/guide/lint/",
                $code,
                ".md"
            )),
            check: $crate::lint::Check::$kind($check),
        }
    };
    ($code:literal, $severity:ident, $topic:ident, $summary:literal, $check:path) => {
        $crate::lint::rule::rule!($code, $severity, $topic, $summary, Subject($check))
    };
}

pub(super) use rule;
