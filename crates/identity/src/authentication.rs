//! From a signed request to whoever signed it.

use std::sync::Arc;

use monotable_sigv4::{Expected, Headers, Presented, Request};

use crate::caller::Principal;
use crate::error::AuthenticationError;
use crate::keyring::Keyring;

impl Keyring {
    /// Finds out who signed a request.
    ///
    /// Whoever does not have the secret learns nothing of a key but that it exists: its token and
    /// its end are looked at only when the signature is right.
    pub fn authenticate<H: Headers + ?Sized>(
        &self,
        request: &Request<'_, H>,
        expected: &Expected<'_>,
    ) -> Result<Arc<Principal>, AuthenticationError> {
        let presented = Presented::read(request, expected)?;
        let credential = self.find(presented.access_key_id());
        let credential = credential.ok_or(AuthenticationError::UnknownKey)?;
        presented.verify(&credential.key, request)?;
        credential.check_session_token(presented.session_token())?;
        credential.check_expiry(expected.now)?;
        Ok(credential.principal.clone())
    }
}
