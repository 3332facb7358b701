//! The licences of all dependencies, and the versions of those that ship in the server.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::Finding;

/// Licences that go with `MIT OR Apache-2.0`. An expression passes if one of its alternatives is
/// made of these.
const ACCEPTED: &[&str] = &[
    "0BSD",
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Crates that the server may hold in several versions, because its dependencies have not met yet.
const DUPLICATES_ACCEPTED: &[&str] = &["base64", "getrandom", "hashbrown", "wasi"];

/// Crates that `cargo metadata` lists for a feature of the form `name?/feature`, though no feature
/// that is on brings them in: `cargo tree` does not have them.
const NOT_LINKED: &[&str] = &["x509-parser"];

/// Takes what `cargo metadata` prints with all dependencies.
pub(super) fn check(metadata: &Value) -> Result<Vec<Finding>> {
    let packages = metadata.get("packages").and_then(Value::as_array).context("no packages")?;
    let mut findings: Vec<Finding> = packages.iter().filter_map(refused_licence).collect();
    findings.extend(duplicates(metadata)?);
    Ok(findings)
}

fn refused_licence(package: &Value) -> Option<Finding> {
    let name = text(package, "name");
    let licence = text(package, "license");
    (!accepts(licence)).then(|| {
        Finding::of_file(Path::new("Cargo.lock"), format!("{name} has the licence {licence:?}"))
    })
}

/// True if an SPDX expression of `AND` within `OR` can be met with [`ACCEPTED`] licences. The slash
/// is the old form of `OR`.
fn accepts(expression: &str) -> bool {
    let plain = expression.replace(['(', ')'], "").replace('/', " OR ");
    let term = |licence: &str| ACCEPTED.contains(&licence.trim());
    if expression.contains(") AND") || expression.contains("AND (") {
        return plain.split(" AND ").all(|part| part.split(" OR ").any(term));
    }
    plain.split(" OR ").any(|part| part.split(" AND ").all(term))
}

fn duplicates(metadata: &Value) -> Result<Vec<Finding>> {
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in shipped(metadata)? {
        versions.entry(text(package, "name")).or_default().insert(text(package, "version"));
    }
    let doubled = versions
        .into_iter()
        .filter(|(name, found)| found.len() > 1 && !DUPLICATES_ACCEPTED.contains(name));
    let finding = |(name, found): (&str, BTreeSet<&str>)| {
        let found: Vec<&str> = found.into_iter().collect();
        let message = format!("the server holds {name} in versions {}", found.join(" and "));
        Finding::of_file(Path::new("Cargo.lock"), message)
    };
    Ok(doubled.map(finding).collect())
}

/// The packages that are linked into the server on Unix: what its normal dependencies lead to, but
/// procedural macros, which run in the compiler.
fn shipped(metadata: &Value) -> Result<Vec<&Value>> {
    let packages = metadata.get("packages").and_then(Value::as_array).context("no packages")?;
    let nodes = metadata.pointer("/resolve/nodes").and_then(Value::as_array).context("no nodes")?;
    let server = packages.iter().find(|package| text(package, "name") == "monotable-cli");
    let left_out: BTreeSet<&str> = packages
        .iter()
        .filter(|package| is_macro(package) || NOT_LINKED.contains(&text(package, "name")))
        .map(|package| text(package, "id"))
        .collect();
    let mut waiting = vec![text(server.context("there is no monotable-cli")?, "id")];
    let mut reached = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if !left_out.contains(id) && reached.insert(id) {
            let node = nodes.iter().find(|node| text(node, "id") == id).context("a lost node")?;
            waiting.extend(normal_dependencies(node));
        }
    }
    let linked = |package: &&Value| reached.contains(text(package, "id"));
    Ok(packages.iter().filter(linked).collect())
}

fn is_macro(package: &Value) -> bool {
    let kinds = package.pointer("/targets/0/kind").and_then(Value::as_array);
    kinds.into_iter().flatten().any(|kind| kind == "proc-macro")
}

fn normal_dependencies(node: &Value) -> impl Iterator<Item = &str> {
    let dependencies = node.get("deps").and_then(Value::as_array).into_iter().flatten();
    dependencies
        .filter(|dependency| is_normal(dependency))
        .map(|dependency| text(dependency, "pkg"))
}

/// A normal dependency on Unix has no kind, and no target that names Windows alone.
fn is_normal(dependency: &Value) -> bool {
    let kinds = dependency.get("dep_kinds").and_then(Value::as_array).into_iter().flatten();
    kinds.into_iter().any(|kind| {
        let target = text(kind, "target");
        kind.get("kind").is_none_or(Value::is_null) && !target.contains("windows")
    })
}

/// A member that is text; empty where it is missing, which no comparison accepts.
fn text<'a>(value: &'a Value, member: &str) -> &'a str {
    value.get(member).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_accepted_alternative_is_enough() {
        assert!(accepts("MIT OR GPL-3.0"));
        assert!(accepts("MIT/Apache-2.0"));
        assert!(accepts("(MIT OR Apache-2.0) AND Unicode-3.0"));
        assert!(accepts("Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT"));
    }

    #[test]
    fn every_part_of_an_alternative_must_be_accepted() {
        assert!(!accepts("MIT AND GPL-3.0"));
        assert!(!accepts("(MIT OR Apache-2.0) AND GPL-3.0"));
        assert!(!accepts(""));
    }
}
