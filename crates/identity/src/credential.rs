//! A key and whose it is.

use std::sync::Arc;

use monotable_sigv4::{Secret, SecretKey, Timestamp};

use crate::caller::Principal;
use crate::error::AuthenticationError;

/// A key and whose it is.
#[derive(Debug)]
pub struct Credential {
    pub(crate) principal: Arc<Principal>,
    pub(crate) key: SecretKey,
    pub(crate) session_token: Option<Secret>,
    pub(crate) expires: Option<Timestamp>,
}

impl Credential {
    /// Whose key it is.
    pub fn principal(&self) -> &Arc<Principal> {
        &self.principal
    }

    /// The secret, to sign with.
    pub fn key(&self) -> &SecretKey {
        &self.key
    }

    /// What a request must carry besides, if the key is a temporary one.
    pub fn session_token(&self) -> Option<&Secret> {
        self.session_token.as_ref()
    }

    /// The last second in which the key counts, if it ends.
    pub fn expires(&self) -> Option<Timestamp> {
        self.expires
    }

    /// Whether a request has the token that the key has, and no other.
    pub(crate) fn check_session_token(
        &self,
        presented: Option<&str>,
    ) -> Result<(), AuthenticationError> {
        let is_right = match (&self.session_token, presented) {
            (Some(token), Some(presented)) => token.matches(presented.as_bytes()),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        if is_right { Ok(()) } else { Err(AuthenticationError::WrongSessionToken) }
    }

    /// Whether the key still counts.
    pub(crate) fn check_expiry(&self, now: Timestamp) -> Result<(), AuthenticationError> {
        match self.expires {
            Some(expires) if now > expires => Err(AuthenticationError::Expired),
            Some(_) | None => Ok(()),
        }
    }
}
