//! What a rule is.

use monotable_model::diagnostic::{Diagnostic, Severity};
use monotable_model::document::Allowance;

use super::{Subject, Topic};

/// A mistake that can be found.
#[derive(Debug)]
pub struct Rule {
    /// What it is called: lower case with dashes, the same for ever.
    pub code: &'static str,
    /// How bad it is at worst.
    pub severity: Severity,
    /// What it is about.
    pub topic: Topic,
    /// What it takes to find it.
    pub basis: Basis,
    /// The mistake in one line, without a full stop.
    pub summary: &'static str,
    /// Its page in the guide, in Markdown.
    pub page: &'static str,
    /// Finds it.
    pub check: Check,
}

/// What it takes to find a mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// The model alone.
    Model,
    /// Data, recorded requests or an earlier model as well.
    Evidence,
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
    /// The path of its page in the repository.
    pub fn page_path(&self) -> String {
        format!("docs/guide/lint/{}.md", self.code)
    }
}

/// A rule with its page. The code is also the page's file name.
macro_rules! rule {
    ($code:literal, $severity:ident, $topic:ident, $basis:ident, $summary:literal,
        $kind:ident($check:path)) => {
        $crate::Rule {
            code: $code,
            severity: monotable_model::diagnostic::Severity::$severity,
            topic: $crate::Topic::$topic,
            basis: $crate::Basis::$basis,
            summary: $summary,
            page: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/pages/", $code, ".md")),
            check: $crate::Check::$kind($check),
        }
    };
    ($code:literal, $severity:ident, $topic:ident, $basis:ident, $summary:literal, $check:path) => {
        $crate::rule::rule!($code, $severity, $topic, $basis, $summary, Subject($check))
    };
}

pub(super) use rule;
