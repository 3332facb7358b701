//! Projections: which attributes an index holds.

use std::collections::BTreeSet;
use std::fmt::Display;

use monotable_database::schema::IndexProjection;
use monotable_item::limits::{
    KEY_NAME_BYTES_MAX, PROJECTED_NAMES_MAX, PROJECTED_NAMES_PER_INDEX_MAX,
};
use monotable_protocol::shapes::Projection;

use super::constraint::{Violations, length_at_least, length_at_most, missing, old};
use super::enums::Member;
use crate::error::ApiError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ProjectionType {
    All,
    Include,
    KeysOnly,
}

const PROJECTION_TYPE: Member<Option<ProjectionType>> = Member {
    path: "projectionType",
    default: None,
    values: &[
        ("ALL", Some(ProjectionType::All)),
        ("INCLUDE", Some(ProjectionType::Include)),
        ("KEYS_ONLY", Some(ProjectionType::KeysOnly)),
    ],
};

/// A projection whose members are well-formed, each by itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ProjectionMembers {
    kind: Option<ProjectionType>,
    names: Option<Vec<String>>,
}

/// Reads a projection, which must be there.
pub(crate) fn read(
    violations: &mut Violations,
    path: &dyn Display,
    projection: &Option<Projection>,
) -> ProjectionMembers {
    let Some(projection) = projection else {
        violations.push(missing(path));
        return ProjectionMembers::default();
    };
    let kind =
        PROJECTION_TYPE.read_at(format_args!("{path}.projectionType"), &projection.projection_type);
    violations.extend(kind.as_ref().err().cloned());
    let names = &projection.non_key_attributes;
    let names_path = format_args!("{path}.nonKeyAttributes");
    violations.extend(names.as_ref().and_then(|names| names_violation(&names_path, names)));
    ProjectionMembers { kind: kind.unwrap_or_default(), names: names.clone() }
}

fn names_violation(path: &dyn Display, names: &[String]) -> Option<String> {
    let echo = format!("[{}]", names.join(", "));
    let is_of_length = |name: &String| (1..=KEY_NAME_BYTES_MAX).contains(&name.len());
    let constraint = match names.len() {
        0 => length_at_least(1),
        1..=PROJECTED_NAMES_PER_INDEX_MAX if names.iter().all(is_of_length) => return None,
        1..=PROJECTED_NAMES_PER_INDEX_MAX => format!(
            "Member must satisfy constraint: [{}, {}]",
            length_at_most(KEY_NAME_BYTES_MAX),
            length_at_least(1)
        ),
        _ => length_at_most(PROJECTED_NAMES_PER_INDEX_MAX),
    };
    Some(old(echo, path, &constraint))
}

/// Resolves what an index projects.
pub(crate) fn projected(members: &ProjectionMembers) -> Result<IndexProjection, ApiError> {
    let Some(kind) = members.kind else {
        return Err(ApiError::parameter("Unknown ProjectionType: null"));
    };
    match (kind, &members.names) {
        (ProjectionType::All, None) => Ok(IndexProjection::All),
        (ProjectionType::KeysOnly, None) => Ok(IndexProjection::KeysOnly),
        (ProjectionType::Include, Some(names)) => included(names).map(IndexProjection::Include),
        (ProjectionType::All, Some(_)) => Err(names_mismatch("ALL", "specified")),
        (ProjectionType::KeysOnly, Some(_)) => Err(names_mismatch("KEYS_ONLY", "specified")),
        (ProjectionType::Include, None) => Err(names_mismatch("INCLUDE", "not specified")),
    }
}

fn names_mismatch(kind: &str, state: &str) -> ApiError {
    ApiError::parameter(format!("ProjectionType is {kind}, but NonKeyAttributes is {state}"))
}

fn included(names: &[String]) -> Result<BTreeSet<String>, ApiError> {
    let mut included = BTreeSet::new();
    for name in names {
        if !included.insert(name.clone()) {
            let message = format!("Duplicate element in NonKeyAttributes: {name}");
            return Err(ApiError::parameter(message));
        }
    }
    Ok(included)
}

/// Refuses a table whose indexes project too many attributes by name, each index counted for
/// itself.
///
/// AWS documents the limit; its text for it is not known, this one is ours.
pub(crate) fn check_names_total<'a>(
    projections: impl Iterator<Item = &'a IndexProjection>,
) -> Result<(), ApiError> {
    let count = |projected: &IndexProjection| match projected {
        IndexProjection::All | IndexProjection::KeysOnly => 0,
        IndexProjection::Include(names) => names.len(),
    };
    match projections.map(count).sum() {
        0..=PROJECTED_NAMES_MAX => Ok(()),
        _ => Err(ApiError::parameter(format!(
            "Number of NonKeyAttributes of all indexes exceeds per-table limit of \
             {PROJECTED_NAMES_MAX}"
        ))),
    }
}
