//! SSESpecification: encryption at rest with a key of the account.
//!
//! Data is not encrypted here. What is asked for is checked as AWS checks it, and not kept.

use monotable_protocol::shapes::SSESpecification;

use super::constraint::{Violations, length_at_least, old};
use super::enums::Member;
use crate::error::ApiError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EncryptionType {
    Aes256,
    Kms,
}

const SSE_TYPE: Member<Option<EncryptionType>> = Member {
    path: "sSESpecification.sSEType",
    default: None,
    values: &[("AES256", Some(EncryptionType::Aes256)), ("KMS", Some(EncryptionType::Kms))],
};

const KEY_PATH: &str = "sSESpecification.kMSMasterKeyId";

/// A specification whose members are well-formed, each by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EncryptionMembers {
    is_enabled: bool,
    kind: Option<EncryptionType>,
    names_key: bool,
}

/// Reads a specification, which may be absent.
pub(crate) fn read(
    violations: &mut Violations,
    specification: &Option<SSESpecification>,
) -> Option<EncryptionMembers> {
    let specification = specification.as_ref()?;
    let kind = SSE_TYPE.read(&specification.sse_type);
    violations.extend(kind.as_ref().err().cloned());
    let key = specification.kms_master_key_id.as_deref();
    violations.extend((key == Some("")).then(|| old("", KEY_PATH, &length_at_least(1))));
    Some(EncryptionMembers {
        is_enabled: specification.enabled.unwrap_or_default(),
        kind: kind.unwrap_or_default(),
        names_key: key.is_some(),
    })
}

/// Checks that the members of a specification agree.
pub(crate) fn check(members: Option<EncryptionMembers>) -> Result<(), ApiError> {
    let Some(EncryptionMembers { is_enabled, kind, names_key }) = members else { return Ok(()) };
    let refuse = |message: &str| Err(ApiError::parameter(message));
    match (is_enabled, kind, names_key) {
        (false, Some(_), _) => refuse("SSEType can not be specified if Enabled is false"),
        (false, None, true) => refuse("KMSMasterKeyId can not be specified if Enabled is false"),
        (true, Some(EncryptionType::Aes256), _) => refuse("SSEType AES256 is not supported"),
        (true, None, true) => refuse("SSEType KMS is required if KMSMasterKeyId is specified"),
        (false, None, false) | (true, None, false) | (true, Some(EncryptionType::Kms), _) => Ok(()),
    }
}

/// Refuses to end an encryption that a table never began: all tables have the service's own.
pub(crate) fn check_changes(members: Option<EncryptionMembers>) -> Result<(), ApiError> {
    match members {
        Some(EncryptionMembers { is_enabled: false, .. }) => {
            Err(ApiError::parameter("Table is already encrypted by default"))
        }
        Some(_) | None => Ok(()),
    }
}
