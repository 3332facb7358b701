//! What a copy has come to.

use std::io;

use serde_json::json;

use super::Output;
use super::fingerprint::{Fingerprint, Part};
use crate::output;

/// A copy, as both stores say.
pub(super) struct Copied {
    pub(super) before: Fingerprint,
    pub(super) after: Fingerprint,
}

impl Copied {
    pub(super) fn is_same(&self) -> bool {
        self.before == self.after
    }
}

pub(super) fn print(copied: &Copied, output: Output) -> io::Result<()> {
    match output {
        Output::Text => lines(copied).iter().try_for_each(|line| output::line(line)),
        Output::Json => output::line(&format!(
            "{:#}",
            json!({
                "same": copied.is_same(),
                "from": copied.before.object(),
                "to": copied.after.object(),
            })
        )),
    }
}

fn lines(copied: &Copied) -> Vec<String> {
    let Copied { before, after } = copied;
    let parts = [
        ("entries", &before.entries, &after.entries),
        ("log entries", &before.log_entries, &after.log_entries),
        ("counters", &before.counters, &after.counters),
    ];
    let mut lines: Vec<String> =
        parts.iter().map(|(name, before, after)| line(name, before, after)).collect();
    let verdict = if copied.is_same() {
        "the copy is the same"
    } else {
        "the copy differs; see that no server uses either store, and copy again into an empty one"
    };
    lines.push(verdict.to_owned());
    lines
}

fn line(name: &str, before: &Part, after: &Part) -> String {
    if before == after {
        return format!("{name:12} {}, digest {:032x}", before.count, before.digest);
    }
    format!(
        "{name:12} {}, digest {:032x}; in the copy {}, digest {:032x}",
        before.count, before.digest, after.count, after.digest
    )
}
