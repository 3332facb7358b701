//! What is published can be: it says what it is, carries its licences, and stands on published
//! packages alone.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use super::Finding;

const LICENCES: &[&str] = &["LICENSE-APACHE", "LICENSE-MIT"];

/// Takes what `cargo metadata --no-deps` prints.
pub(super) fn check(metadata: &Value, root: &Path) -> Result<Vec<Finding>> {
    let packages = metadata.get("packages").and_then(Value::as_array).context("no packages")?;
    let published: Vec<&Value> = packages.iter().filter(|it| is_published(it)).collect();
    let names: Vec<&str> = published.iter().map(|it| text(it, "name")).collect();
    let ours: Vec<&str> = packages.iter().map(|it| text(it, "name")).collect();
    let mut findings = Vec::new();
    for package in published {
        let manifest = PathBuf::from(text(package, "manifest_path"));
        let found = |message: String| {
            let path = manifest.strip_prefix(root).unwrap_or(&manifest);
            Finding::of_file(path, message)
        };
        findings.extend(unpublished_dependencies(package, &ours, &names).map(found));
        let folder = manifest.parent().context("a manifest without a folder")?;
        findings.extend(missing_texts(package, folder, root)?.into_iter().map(found));
    }
    Ok(findings)
}

/// `cargo metadata` has the registries, none for a package that is not published.
fn is_published(package: &Value) -> bool {
    package.get("publish").is_none_or(|to| to.as_array().is_none_or(|to| !to.is_empty()))
}

/// Dependencies that a user could not get. Those of tests may have no version: they are left out.
fn unpublished_dependencies<'a>(
    package: &'a Value,
    ours: &'a [&'a str],
    published: &'a [&'a str],
) -> impl Iterator<Item = String> + 'a {
    let dependencies = package.get("dependencies").and_then(Value::as_array);
    dependencies.into_iter().flatten().filter_map(move |dependency| {
        let (name, version) = (text(dependency, "name"), text(dependency, "req"));
        let for_tests = dependency.get("kind").is_some_and(|kind| kind == "dev");
        if !ours.contains(&name) {
            return None;
        }
        match (for_tests, version) {
            (true, "*") => None,
            (false, "*") => Some(format!("a published package needs a version of {name}")),
            (_, _) if published.contains(&name) => None,
            (_, _) => Some(format!("a published package depends on {name}, which is not")),
        }
    })
}

fn missing_texts(package: &Value, folder: &Path, root: &Path) -> Result<Vec<String>> {
    let mut missing = Vec::new();
    if text(package, "description").is_empty() {
        missing.push("a published package needs a description".to_owned());
    }
    if !folder.join("README.md").is_file() {
        missing.push("a published package needs a README.md".to_owned());
    }
    for licence in LICENCES {
        // A link would be a text of one line on a machine without links.
        if fs::read(folder.join(licence)).ok() != Some(fs::read(root.join(licence))?) {
            missing.push(format!("a published package needs a copy of {licence}"));
        }
    }
    Ok(missing)
}

fn text<'a>(value: &'a Value, member: &str) -> &'a str {
    value.get(member).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn depending_on(to: &Value) -> Vec<String> {
        let package = json!({ "name": "a", "dependencies": [to] });
        unpublished_dependencies(&package, &["a", "b", "c"], &["a", "b"]).collect()
    }

    #[test]
    fn a_published_package_stands_on_published_ones_with_a_version() {
        assert!(depending_on(&json!({ "name": "b", "req": "^0.1" })).is_empty());
        assert!(depending_on(&json!({ "name": "syn", "req": "^3" })).is_empty());
        assert!(depending_on(&json!({ "name": "c", "req": "*", "kind": "dev" })).is_empty());
        assert_eq!(depending_on(&json!({ "name": "c", "req": "^0.1" })).len(), 1);
        assert_eq!(depending_on(&json!({ "name": "c", "req": "^0.1", "kind": "dev" })).len(), 1);
        assert_eq!(depending_on(&json!({ "name": "b", "req": "*" })).len(), 1);
    }

    #[test]
    fn a_package_is_published_unless_it_says_that_it_is_not() {
        assert!(is_published(&json!({ "publish": null })));
        assert!(!is_published(&json!({ "publish": [] })));
    }
}
