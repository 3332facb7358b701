//! From the text of the file to keys.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use monotable_sigv4::{Secret, SecretKey, Timestamp};
use toml::Spanned;
use toml::de::DeTable;

use super::Credentials;
use super::member::{Members, refuse_unknown};
use super::place::Text;
use super::policies::{self, Policies};
use crate::caller::Principal;
use crate::credential::Credential;
use crate::error::FileError;
use crate::{DEFAULT_ACCOUNT, is_account};

const TABLES: &[&str] = &["key", "policy"];
const KEY_MEMBERS: &[&str] = &[
    "access_key_id",
    "secret_access_key",
    "user",
    "account",
    "session_token",
    "expires",
    "policies",
    "admin",
];

/// Characters of an access key id, as in IAM.
const ID_CHARACTERS_MAX: usize = 128;
/// Characters of a user's name, as in IAM.
const USER_CHARACTERS_MAX: usize = 64;
/// A secret that is shorter can be guessed by whoever sees a signed request.
const SECRET_CHARACTERS_MIN: usize = 16;

/// Reads the text of a file.
pub(super) fn parse(text: &str, path: &Path) -> Result<Credentials, FileError> {
    let text = Text { text, path };
    let root = DeTable::parse(text.text).map_err(|error| {
        let span = error.span().unwrap_or(text.text.len()..text.text.len());
        // Only the message is shown: what surrounds the place may be a secret.
        text.error(span, error.message())
    })?;
    let root = root.get_ref();
    refuse_unknown(text, root, TABLES)?;
    let policies = Policies::read(&Members::all(text, root, "policy", policies::MEMBERS)?)?;
    let mut paths = vec![path.to_owned()];
    let mut by_id = HashMap::new();
    let mut ids = Vec::new();
    for members in Members::all(text, root, "key", KEY_MEMBERS)? {
        let id = members.required("access_key_id")?;
        let credential = credential(&members, &policies)?;
        if by_id.insert((*id.get_ref()).to_owned(), Arc::new(credential)).is_some() {
            let reason = format!("there is another key {}", id.get_ref());
            return Err(text.error(id.span(), reason));
        }
        ids.push((*id.get_ref()).to_owned());
    }
    paths.extend(policies.paths);
    Ok(Credentials { by_id, ids, paths })
}

fn credential(members: &Members<'_>, policies: &Policies) -> Result<Credential, FileError> {
    let text = members.text;
    let id = members.required("access_key_id")?;
    let secret = members.required("secret_access_key")?;
    let user = members.required("user")?;
    let account = members.text("account")?;
    check(text, &id, is_id(id.get_ref()), "an access key id has letters, digits, - and _")?;
    check(text, &secret, secret.get_ref().len() >= SECRET_CHARACTERS_MIN, SHORT_SECRET)?;
    check(text, &user, is_user(user.get_ref()), "a user has letters, digits and +=,.@_- in it")?;
    if let Some(account) = &account {
        check(text, account, is_account(account.get_ref()), "an account has twelve digits")?;
    }
    let session_token = members.text("session_token")?;
    if let Some(token) = &session_token {
        check(text, token, !token.get_ref().is_empty(), "leave this out if there is no token")?;
    }
    let principal = Principal {
        account: account.map_or(DEFAULT_ACCOUNT, Spanned::into_inner).to_owned(),
        user: user.into_inner().to_owned(),
        access_key_id: id.into_inner().to_owned(),
        policies: policies.find_all(text, &members.texts("policies")?)?,
        is_admin: members.flag("admin")?,
    };
    Ok(Credential {
        principal: Arc::new(principal),
        key: SecretKey::new(Secret::new(secret.into_inner().to_owned())),
        session_token: session_token.map(|token| Secret::new(token.into_inner().to_owned())),
        expires: members.time("expires")?.map(|time| timestamp(text, &time)).transpose()?,
    })
}

const SHORT_SECRET: &str =
    "a secret has 16 characters or more; monotable keys create makes one of 40";

fn check<T>(
    text: Text<'_>,
    value: &Spanned<T>,
    is_valid: bool,
    reason: &str,
) -> Result<(), FileError> {
    if is_valid { Ok(()) } else { Err(text.error(value.span(), reason)) }
}

/// Signatures have slashes, commas and spaces around it, so it can have none.
fn is_id(id: &str) -> bool {
    let is_valid = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    (1..=ID_CHARACTERS_MAX).contains(&id.len()) && id.chars().all(is_valid)
}

fn is_user(user: &str) -> bool {
    let is_valid = |c: char| c.is_ascii_alphanumeric() || "+=,.@_-".contains(c);
    (1..=USER_CHARACTERS_MAX).contains(&user.len()) && user.chars().all(is_valid)
}

fn timestamp(text: Text<'_>, time: &Spanned<String>) -> Result<Timestamp, FileError> {
    let parsed = humantime::parse_rfc3339(time.get_ref()).ok();
    let since_1970 = parsed.and_then(|parsed| parsed.duration_since(UNIX_EPOCH).ok());
    let reason = "expires must be a time in UTC such as 2027-01-01T00:00:00Z";
    let since_1970 = since_1970.ok_or_else(|| text.error(time.span(), reason))?;
    Ok(Timestamp::from_epoch_secs(since_1970.as_secs()))
}
