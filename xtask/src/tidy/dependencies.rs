//! Which crate of the workspace may use which: the arrows of ARCHITECTURE.md.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::Finding;

const PREFIX: &str = "monotable-";

/// The package of the typed client, in `crates/client`: what applications name has the plain name.
const CLIENT: &str = "monotable";

/// Crates that see none of our internals, so that they judge any endpoint alike.
const BLACK_BOXES: &[&str] = &["conformance", "bench", "workload"];

/// Each crate with the crates it may use.
const ARROWS: &[(&str, &[&str])] = &[
    ("item", &[]),
    ("expr", &["item"]),
    ("calendar", &[]),
    ("model", &["calendar", "expr", "item"]),
    ("plan", &["model", "expr", "item"]),
    ("observe", &["plan", "model", "expr", "item"]),
    ("lint", &["plan", "model", "expr", "item"]),
    ("exchange", &["plan", "model", "expr", "item"]),
    ("chart", &["plan", "model", "item"]),
    ("migration", &["plan", "model", "item"]),
    ("seed", &["model", "calendar", "item"]),
    ("console", &["chart", "exchange", "lint", "migration", "plan", "seed", "model", "item"]),
    ("model-fixture", &[]),
    ("policy", &["calendar"]),
    ("storage", &[]),
    ("tree", &[]),
    ("storage-local", &["storage", "tree"]),
    ("storage-postgres", &["storage"]),
    ("postgres-fixture", &[]),
    ("protocol-model", &[]),
    ("protocol", &["item"]),
    ("faults", &[]),
    ("database", &["storage", "expr", "item"]),
    ("sigv4", &["calendar"]),
    ("identity", &["policy", "sigv4"]),
    (
        "api",
        &[
            "database", "faults", "observe", "protocol", "expr", "item", "storage", "identity",
            "policy", "sigv4", "calendar",
        ],
    ),
    ("server", &["api", "database", "faults", "observe", "model", "storage", "identity", "sigv4"]),
    (
        "node",
        &[
            "server",
            "api",
            "faults",
            "observe",
            "database",
            "storage",
            "storage-local",
            "storage-postgres",
            "identity",
        ],
    ),
    ("remote", &["protocol", "item", "sigv4"]),
    ("trigger", &["remote"]),
    ("migrate", &["remote", "migration", "model", "item"]),
    (
        "cli",
        &[
            "node",
            "server",
            "api",
            "faults",
            "database",
            "storage",
            "storage-local",
            "storage-postgres",
            "remote",
            "trigger",
            "migrate",
            "calendar",
            "model",
            "plan",
            "observe",
            "lint",
            "exchange",
            "chart",
            "console",
            "migration",
            "seed",
            "policy",
            "expr",
            "item",
            "identity",
            "bench",
        ],
    ),
    ("derive", &["model", "item"]),
    ("client", &["derive", "model", "calendar", "expr", "item"]),
    (
        "embedded",
        &[
            "client",
            "api",
            "database",
            "faults",
            "protocol",
            "storage",
            "storage-local",
            "identity",
            "calendar",
            "expr",
            "item",
        ],
    ),
    ("example-web", &["client"]),
    ("example-e-commerce", &["example-web", "client", "embedded"]),
    ("example-github-backend", &["example-web", "client", "embedded"]),
    ("workload", &[]),
    ("conformance", &["remote", "workload"]),
    ("bench", &[]),
    (
        "hot-paths",
        &[
            "api",
            "database",
            "protocol",
            "observe",
            "lint",
            "plan",
            "model",
            "model-fixture",
            "expr",
            "item",
            "storage",
            "identity",
            "sigv4",
            "server",
        ],
    ),
    (
        "bench-compare",
        &[
            "bench",
            "conformance",
            "postgres-fixture",
            "storage",
            "storage-local",
            "storage-postgres",
            "sigv4",
        ],
    ),
    ("failover", &["conformance", "postgres-fixture"]),
    ("xtask", &["conformance", "postgres-fixture"]),
];

/// Takes what `cargo metadata --no-deps` prints.
pub(super) fn check(metadata: &Value) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for package in list(metadata, "packages")? {
        let name = short_name(text(package, "name")?);
        let manifest = format!("crates/{name}/Cargo.toml");
        let Some((_, allowed)) = ARROWS.iter().find(|(from, _)| *from == name) else {
            findings
                .push(Finding::of_file(Path::new(&manifest), "the crate has no arrows in tidy"));
            continue;
        };
        for dependency in list(package, "dependencies")? {
            let to = text(dependency, "name")?;
            let for_tests = dependency.get("kind").is_some_and(|kind| kind == "dev");
            let allowed = allowed.contains(&short_name(to))
                || for_tests && may_test_with(name, short_name(to));
            if is_ours(to) && !allowed {
                let message = format!("{name} must not depend on {}", short_name(to));
                findings.push(Finding::of_file(Path::new(&manifest), message));
            }
        }
    }
    Ok(findings)
}

/// The tests of a crate may use more than the crate itself, but never what is built on it. The
/// client is tested on the database in process: its tests are outside of the library, which is
/// therefore built once.
fn may_test_with(from: &str, to: &str) -> bool {
    (from, to) == ("client", "embedded") || !BLACK_BOXES.contains(&from) && !leads_to(to, from)
}

fn leads_to(from: &str, to: &str) -> bool {
    let used = ARROWS.iter().filter(|(name, _)| *name == from).flat_map(|(_, used)| used.iter());
    used.into_iter().any(|next| *next == to || leads_to(next, to))
}

fn is_ours(package: &str) -> bool {
    package == CLIENT || package.starts_with(PREFIX)
}

fn short_name(package: &str) -> &str {
    if package == CLIENT { "client" } else { package.strip_prefix(PREFIX).unwrap_or(package) }
}

fn list<'a>(value: &'a Value, member: &str) -> Result<&'a Vec<Value>> {
    value.get(member).and_then(Value::as_array).with_context(|| format!("no {member} in metadata"))
}

fn text<'a>(value: &'a Value, member: &str) -> Result<&'a str> {
    value.get(member).and_then(Value::as_str).with_context(|| format!("no {member} in metadata"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn findings(from: &str, to: &str) -> usize {
        findings_of_kind(from, to, &Value::Null)
    }

    fn findings_of_kind(from: &str, to: &str, kind: &Value) -> usize {
        let dependencies = json!([{ "name": to, "kind": kind }]);
        check(&json!({ "packages": [{ "name": from, "dependencies": dependencies }] }))
            .unwrap()
            .len()
    }

    #[test]
    fn an_arrow_may_not_be_turned_round() {
        assert_eq!(findings("monotable-expr", "monotable-item"), 0);
        assert_eq!(findings("monotable-item", "monotable-expr"), 1);
        assert_eq!(findings("monotable-conformance", "monotable-protocol"), 1);
        assert_eq!(findings("monotable-item", "thiserror"), 0);
    }

    #[test]
    fn tests_may_use_what_is_not_built_on_the_crate() {
        let dev = |from, to| findings_of_kind(from, to, &json!("dev"));
        assert_eq!(dev("monotable-database", "monotable-storage-local"), 0);
        assert_eq!(dev("monotable-item", "monotable-database"), 1);
        assert_eq!(dev("monotable-conformance", "monotable-item"), 1);
    }

    #[test]
    fn a_crate_without_arrows_is_found() {
        assert_eq!(findings("monotable-helper", "thiserror"), 1);
    }
}
