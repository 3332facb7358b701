//! What a rule is.

use super::Subject;
use crate::diagnostic::{Diagnostic, Severity};

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
    pub check: fn(&Subject<'_>) -> Vec<Diagnostic>,
}

/// What rules are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topic {
    /// Requests, declared as access patterns or recorded.
    Requests,
    /// Keys and their templates.
    Keys,
    /// Item collections, indexes and throughput.
    Collections,
    /// Time to live, streams and migrations.
    Evolution,
    /// Stored items.
    Data,
}

impl Topic {
    /// In the order in which they are listed.
    pub const ALL: [Topic; 5] =
        [Topic::Keys, Topic::Requests, Topic::Collections, Topic::Evolution, Topic::Data];

    /// The words for it.
    pub fn name(self) -> &'static str {
        match self {
            Topic::Requests => "requests",
            Topic::Keys => "keys",
            Topic::Collections => "collections and indexes",
            Topic::Evolution => "time to live, streams and migrations",
            Topic::Data => "data",
        }
    }
}

/// A rule with its page. The code is also the page's file name.
macro_rules! rule {
    ($code:literal, $severity:ident, $topic:ident, $summary:literal, $check:path) => {
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
            check: $check,
        }
    };
}

pub(super) use rule;
