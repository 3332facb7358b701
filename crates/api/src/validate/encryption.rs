//! SSESpecification: encryption at rest with a key of the account.
//!
//! Data is not encrypted here. What is asked for is checked as AWS checks it, kept and shown.

use monotable_database::Home;
use monotable_database::schema::Encryption;
use monotable_protocol::shapes::SSESpecification;

use super::constraint::{Violations, length_at_least, old};
use super::enums::Member;
use crate::error::ApiError;
use crate::resource_name::key_arn;

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
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EncryptionMembers {
    is_enabled: bool,
    kind: Option<EncryptionType>,
    key: Option<String>,
}

/// Reads a specification, which may be absent.
pub(crate) fn read(
    violations: &mut Violations,
    specification: &Option<SSESpecification>,
) -> Option<EncryptionMembers> {
    let specification = specification.as_ref()?;
    let kind = SSE_TYPE.read(&specification.sse_type);
    violations.extend(kind.as_ref().err().cloned());
    let key = specification.kms_master_key_id.clone();
    violations.extend((key.as_deref() == Some("")).then(|| old("", KEY_PATH, &length_at_least(1))));
    let kind = kind.unwrap_or_default();
    // To name the type alone is to ask for it.
    let is_enabled = specification.enabled.unwrap_or(kind.is_some());
    Some(EncryptionMembers { is_enabled, kind, key })
}

/// Checks that the members of a specification agree.
pub(crate) fn check(members: &Option<EncryptionMembers>) -> Result<(), ApiError> {
    let Some(EncryptionMembers { is_enabled, kind, key }) = members else { return Ok(()) };
    let refuse = |message: &str| Err(ApiError::parameter(message));
    match (*is_enabled, *kind, key.is_some()) {
        (false, Some(_), _) => refuse("SSEType can not be specified if Enabled is false"),
        (false, None, true) => refuse("KMSMasterKeyId can not be specified if Enabled is false"),
        (true, Some(EncryptionType::Aes256), _) => refuse("SSEType AES256 is not supported"),
        (true, None, true) => refuse("SSEType KMS is required if KMSMasterKeyId is specified"),
        (false, None, false) | (true, None, false) | (true, Some(EncryptionType::Kms), _) => Ok(()),
    }
}

/// The encryption of a table to be created, if it is not by the service's own key.
pub(crate) fn of_new_table(members: Option<EncryptionMembers>) -> Option<Encryption> {
    let members = members.filter(|members| members.is_enabled)?;
    Some(Encryption { key: members.key })
}

/// The encryption of a table after a change; none if it is not about that. Refuses to end an
/// encryption that a table never began, as all tables have the service's own, and to begin one that
/// it has by the ARN of its key. Other names of that key are a change.
pub(crate) fn of_table(
    members: Option<EncryptionMembers>,
    known: Option<&Encryption>,
    home: &Home,
) -> Result<Option<Option<Encryption>>, ApiError> {
    let Some(members) = members else { return Ok(None) };
    match (members.is_enabled, known) {
        (false, None) => Err(ApiError::parameter("Table is already encrypted by default")),
        (true, Some(known))
            if members.key.as_ref() == Some(&key_arn(home, known.key.as_deref())) =>
        {
            Err(ApiError::parameter(
                "Table is already encrypted with given KMSMasterKeyId. Use KMSMasterKeyId \
                 parameter if you want to change Master Key",
            ))
        }
        (false, Some(_)) => Ok(Some(None)),
        (true, _) => Ok(Some(Some(Encryption { key: members.key }))),
    }
}
