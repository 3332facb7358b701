//! Every crate takes its lints, and the fields that all crates share, from the workspace.

use super::{Finding, TextFile};

const INHERITED: &[&str] = &["version", "edition", "rust-version", "license"];

pub(super) fn check(file: &TextFile) -> Vec<Finding> {
    let is_member = file.path.file_name().is_some_and(|name| name == "Cargo.toml")
        && file.path.iter().count() > 1;
    if !is_member {
        return Vec::new();
    }
    let mut findings = Vec::new();
    if !file.text.contains("[lints]\nworkspace = true\n") {
        findings.push(Finding::of_file(&file.path, "does not inherit the lints of the workspace"));
    }
    for field in INHERITED {
        if !file.text.contains(&format!("{field}.workspace = true\n")) {
            let message = format!("does not inherit {field} from the workspace");
            findings.push(Finding::of_file(&file.path, message));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn a_crate_without_the_lints_of_the_workspace_is_found() {
        let text = "version.workspace = true\nedition.workspace = true\n\
                    rust-version.workspace = true\nlicense.workspace = true\n";
        let file = TextFile { path: PathBuf::from("crates/a/Cargo.toml"), text: text.to_owned() };
        assert_eq!(check(&file).len(), 1);
        let file = TextFile { path: PathBuf::from("Cargo.toml"), text: text.to_owned() };
        assert_eq!(check(&file).len(), 0);
    }
}
