//! Policies from files, and those that are known by name.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result};
use monotable_policy::{
    IDENTITY_POLICY_BYTES_MAX, MANAGED_POLICIES, Policy, PolicyError, PolicyKind, Problem,
};

/// Reads the policy of a user: a file, or the name of a policy that is known by it.
pub(super) fn identity(source: &Path) -> Result<Policy> {
    let name = source.display().to_string();
    match Policy::managed(&name) {
        Some(policy) if !source.exists() => Ok(policy),
        _ => parse(PolicyKind::Identity, source),
    }
}

/// Reads the policy of a resource.
pub(super) fn resource(source: &Path) -> Result<Policy> {
    parse(PolicyKind::Resource, source)
}

/// Reads a policy of the kind that it looks like: those of resources name principals.
pub(super) fn of_either_kind(name: &str, text: &str) -> Result<Policy, PolicyError> {
    match Policy::parse_identity(name, text) {
        Err(PolicyError::Invalid {
            problem: Problem::PrincipalInIdentityPolicy { .. }, ..
        }) => Policy::parse_resource(name, text),
        other => other,
    }
}

/// Reads the text of a file, but no more of it than a policy can have.
pub(super) fn text(source: &Path) -> Result<String> {
    let name = source.display();
    let file = File::open(source).with_context(|| {
        format!("cannot open {name}; give a file, or one of {}", MANAGED_POLICIES.join(", "))
    })?;
    let mut bytes = Vec::new();
    let bytes_max = u64::try_from(IDENTITY_POLICY_BYTES_MAX)? + 1;
    file.take(bytes_max).read_to_end(&mut bytes).with_context(|| format!("cannot read {name}"))?;
    String::from_utf8(bytes).with_context(|| format!("{name} is not text in UTF-8"))
}

fn parse(kind: PolicyKind, source: &Path) -> Result<Policy> {
    let name = source.display().to_string();
    Policy::parse(kind, &name, &text(source)?).with_context(|| format!("{name} is no policy"))
}
