//! The text for what policies do not allow.

use monotable_policy::{Decision, PolicyKind, PrincipalName};

use crate::error::ApiError;

/// The answer to a caller who may not do what it asks for.
pub(crate) fn denied(
    principal: &PrincipalName,
    action: &str,
    resource: &str,
    decision: &Decision<'_>,
) -> ApiError {
    let reason = match decision {
        Decision::DeniedBy(statement) => {
            format!("with an explicit deny in {}", article(statement.policy().kind()))
        }
        Decision::NotAllowed { missing } => {
            format!("because no {} allows the {action} action", kind(*missing))
        }
        Decision::Allowed { .. } => String::new(),
    };
    ApiError::access_denied(format!(
        "User: {} is not authorized to perform: {action} on resource: {resource} {reason}",
        principal.arn()
    ))
}

fn kind(kind: PolicyKind) -> &'static str {
    match kind {
        PolicyKind::Identity => "identity-based policy",
        PolicyKind::Resource => "resource-based policy",
    }
}

fn article(policy: PolicyKind) -> String {
    match policy {
        PolicyKind::Identity => format!("an {}", kind(policy)),
        PolicyKind::Resource => format!("a {}", kind(policy)),
    }
}
