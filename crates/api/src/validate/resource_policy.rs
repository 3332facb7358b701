//! Policies of tables and streams: what a document must be, and which revision a change is about.

use std::sync::Arc;

use monotable_database::AttachedPolicy;
use monotable_policy::{Policy, is_known_action};

use super::constraint::{Violations, length_violation};
use crate::error::ApiError;
use crate::wording;

/// The longest name of a revision.
const REVISION_LENGTH_MAX: usize = 255;
/// What is expected by whoever expects no policy.
const NO_POLICY: &str = "NO_POLICY";

/// The name by which decisions refer to the policy of a table or stream.
const NAME: &str = "resource policy";

/// The actions on streams, without their service.
const STREAM_ACTIONS: &[&str] = &["DescribeStream", "GetRecords", "GetShardIterator"];
/// The actions on policies, which both can have.
const POLICY_ACTIONS: &[&str] = &["DeleteResourcePolicy", "GetResourcePolicy", "PutResourcePolicy"];

/// What a policy belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PolicySubject {
    /// A table.
    Table,
    /// A stream.
    Stream,
}

/// A policy that was checked: its meaning, and the text that is kept of it.
pub(crate) struct CheckedPolicy {
    pub(crate) policy: Policy,
    pub(crate) document: Arc<str>,
}

/// Checks a document.
pub(crate) fn read(json: &str, subject: PolicySubject) -> Result<CheckedPolicy, ApiError> {
    let policy = compile(json)?;
    check_actions(&policy, subject)?;
    if policy.allows_everybody() {
        return Err(ApiError::validation(
            "Resource-based policy grants unbounded access in one or more elements. Please revise \
             the policy to ensure least-privilege form of access",
        ));
    }
    let document = Policy::canonical(json).map_err(|error| wording::policy::word(&error))?;
    Ok(CheckedPolicy { policy, document: document.into() })
}

/// What a document means.
pub(crate) fn compile(json: &str) -> Result<Policy, ApiError> {
    Policy::parse_resource(NAME, json).map_err(|error| wording::policy::word(&error))
}

/// Refuses actions that do not exist, and those of streams for a table and the other way round.
fn check_actions(policy: &Policy, subject: PolicySubject) -> Result<(), ApiError> {
    let is_invalid = |action: &&str| {
        let Some((_, name)) = action.split_once(':') else { return false };
        if name.contains(['*', '?']) {
            return false;
        }
        let is_among = |names: &[&str]| names.iter().any(|it| it.eq_ignore_ascii_case(name));
        let is_of_subject = match subject {
            PolicySubject::Table => !is_among(STREAM_ACTIONS),
            PolicySubject::Stream => is_among(STREAM_ACTIONS) || is_among(POLICY_ACTIONS),
        };
        !is_known_action(action) || !is_of_subject
    };
    let invalid: Vec<String> =
        policy.listed_actions().filter(is_invalid).map(|action| format!("\"{action}\"")).collect();
    if invalid.is_empty() {
        Ok(())
    } else {
        Err(wording::policy::invalid_document(&format!(
            "The following action names are invalid: {}",
            invalid.join(", ")
        )))
    }
}

/// Checks the name of a revision, each by itself.
pub(crate) fn check_revision_member(violations: &mut Violations, revision: &Option<String>) {
    let violation = |revision: &String| {
        length_violation(revision, "expectedRevisionId", 1, REVISION_LENGTH_MAX)
    };
    violations.extend(revision.as_ref().and_then(violation));
}

/// Whose policy it is, in the words of refusals.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PolicyOwner<'a> {
    /// The table of this name.
    Table(&'a str),
    /// The stream with this label.
    Stream(&'a str),
}

impl PolicyOwner<'_> {
    fn words(self) -> String {
        match self {
            PolicyOwner::Table(name) => format!("table {name}"),
            PolicyOwner::Stream(label) => format!("stream {label}"),
        }
    }
}

/// Refuses to change a policy that is not the revision that is expected. `NO_POLICY` is understood
/// where a policy is put.
pub(crate) fn check_revision(
    known: &AttachedPolicy,
    expected: &Option<String>,
    owner: PolicyOwner<'_>,
) -> Result<(), ApiError> {
    let Some(expected) = expected else { return Ok(()) };
    let (owner, revision) = (owner.words(), revision_id(known));
    let detail = match (known.document.is_some(), revision) {
        (true, Some(revision)) if expected == NO_POLICY => format!(
            "Requested policy update expecting none to be present for {owner}, but a policy exists \
             with revision id {revision}."
        ),
        (false, _) if expected == NO_POLICY => return Ok(()),
        (_, Some(revision)) if revision == *expected => return Ok(()),
        (_, Some(revision)) => format!(
            "Requested update for policy with revision id {expected}, but the policy associated to \
             target {owner} has revision id {revision}."
        ),
        (_, None) => format!(
            "Requested update for policy with revision id {expected}, but {owner} has no \
             associated policy."
        ),
    };
    Err(ApiError::policy_not_found(&detail))
}

/// The name of a revision.
pub(crate) fn revision_id(policy: &AttachedPolicy) -> Option<String> {
    policy.revision_millis.map(|millis| millis.to_string())
}
