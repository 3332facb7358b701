//! Links in Markdown files lead to files that exist.

use std::path::Path;

use super::{Finding, TextFile};

pub(super) fn check(file: &TextFile, root: &Path) -> Vec<Finding> {
    if !file.has_extension("md") {
        return Vec::new();
    }
    let folder = root.join(file.path.parent().unwrap_or(Path::new("")));
    let mut findings = Vec::new();
    let mut fenced = false;
    for (index, line) in file.text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if fenced {
            continue;
        }
        for target in targets(line).filter(|target| !leads_to_a_file(&folder, target)) {
            let message = format!("the link to {target} leads nowhere");
            findings.push(Finding::of_line(&file.path, index + 1, message));
        }
    }
    findings
}

/// What stands between `](` and `)`.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0))
}

fn leads_to_a_file(folder: &Path, target: &str) -> bool {
    let elsewhere = target.contains("://") || target.starts_with("mailto:");
    let path = target.split('#').next().unwrap_or(target);
    elsewhere || path.is_empty() || folder.join(path).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_link_of_a_line_is_a_target() {
        let line = "see [a](a.md), [b](b.md#part) and [c](https://example.com)";
        assert_eq!(targets(line).collect::<Vec<_>>(), ["a.md", "b.md#part", "https://example.com"]);
    }

    #[test]
    fn a_fragment_or_another_site_needs_no_file() {
        let nowhere = Path::new("no-such-folder");
        assert!(leads_to_a_file(nowhere, "#part"));
        assert!(leads_to_a_file(nowhere, "https://example.com/a"));
        assert!(!leads_to_a_file(nowhere, "a.md"));
    }
}
