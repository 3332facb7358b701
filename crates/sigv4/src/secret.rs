//! Secrets, and the signing keys that are made of them.

use std::fmt;
use std::sync::{PoisonError, RwLock};

use ring::hmac;
use zeroize::Zeroizing;

use crate::TERMINATOR;
use crate::scope::Scope;

/// Signing keys that are remembered for one secret. Requests of one server have its region and its
/// service, and their days are today, yesterday around midnight, and those of presigned requests.
const SIGNING_KEYS_MAX: usize = 8;

/// A text that must not be seen: it shows itself nowhere, and is wiped from memory when it is gone.
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// Takes a text.
    pub fn new(text: String) -> Secret {
        Secret(Zeroizing::new(text))
    }

    /// The text. Do not keep it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether a text is the same one. How long this takes says nothing about where they differ.
    pub fn matches(&self, text: &[u8]) -> bool {
        // Tags of a key that both texts have in common are equal if and only if the texts are.
        let key = hmac::Key::new(hmac::HMAC_SHA256, b"");
        let tag = hmac::sign(&key, self.0.as_bytes());
        hmac::verify(&key, text, tag.as_ref()).is_ok()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// A secret access key, with the signing keys that it was last used for.
pub struct SecretKey {
    secret: Secret,
    signing_keys: RwLock<Vec<SigningKey>>,
}

struct SigningKey {
    /// Day, region and service, with slashes between them.
    scope: String,
    key: hmac::Key,
}

impl SecretKey {
    /// The key with this secret.
    pub fn new(secret: Secret) -> SecretKey {
        SecretKey { secret, signing_keys: RwLock::default() }
    }

    /// The secret.
    pub fn secret(&self) -> &Secret {
        &self.secret
    }

    /// Does something with the signing key of a scope. It takes four hashes to make one, so the
    /// last ones are kept.
    pub(crate) fn with_signing_key<T>(
        &self,
        scope: &Scope<'_>,
        work: impl FnOnce(&hmac::Key) -> T,
    ) -> T {
        let known = self.signing_keys.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.iter().find(|known| known.is_for(scope)) {
            return work(&found.key);
        }
        drop(known);
        let key = self.derive(scope);
        let result = work(&key);
        self.remember(SigningKey { scope: joined(scope), key });
        result
    }

    fn derive(&self, scope: &Scope<'_>) -> hmac::Key {
        let secret = Zeroizing::new(format!("AWS4{}", self.secret.expose()));
        let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
        let parts = [scope.day, scope.region, scope.service, TERMINATOR];
        parts.iter().fold(key, |key, part| {
            let next = hmac::sign(&key, part.as_bytes());
            hmac::Key::new(hmac::HMAC_SHA256, next.as_ref())
        })
    }

    fn remember(&self, key: SigningKey) {
        let mut known = self.signing_keys.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= SIGNING_KEYS_MAX {
            known.remove(0);
        }
        known.push(key);
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey(…)")
    }
}

impl SigningKey {
    fn is_for(&self, scope: &Scope<'_>) -> bool {
        let rest = self.scope.strip_prefix(scope.day).and_then(|rest| rest.strip_prefix('/'));
        let rest = rest.and_then(|rest| rest.strip_prefix(scope.region));
        rest.and_then(|rest| rest.strip_prefix('/')) == Some(scope.service)
    }
}

fn joined(scope: &Scope<'_>) -> String {
    format!("{}/{}/{}", scope.day, scope.region, scope.service)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(key: &SecretKey, scope: &Scope<'_>) -> Vec<u8> {
        key.with_signing_key(scope, |key| hmac::sign(key, b"text").as_ref().to_vec())
    }

    #[test]
    fn secrets_are_not_shown() {
        let key = SecretKey::new(Secret::new("hidden".to_owned()));
        let texts = [format!("{key:?}"), format!("{:?}", key.secret())];
        assert!(texts.iter().all(|text| !text.contains("hidden")), "{texts:?}");
    }

    #[test]
    fn a_secret_matches_itself_only() {
        let secret = Secret::new("hidden".to_owned());
        assert!(secret.matches(b"hidden"));
        for other in ["", "hidde", "hidden ", "Hidden"] {
            assert!(!secret.matches(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn signing_keys_are_remembered_up_to_a_number() {
        let key = SecretKey::new(Secret::new("secret".to_owned()));
        let days: Vec<String> = (10..40).map(|day| format!("201508{day}")).collect();
        for day in days.iter().chain(&days) {
            let scope = Scope { day, region: "us-east-1", service: "dynamodb" };
            let first = tag(&key, &scope);
            assert_eq!(first, tag(&key, &scope), "{day}");
            let fresh = SecretKey::new(Secret::new("secret".to_owned()));
            assert_eq!(first, tag(&fresh, &scope), "{day}");
        }
        assert_eq!(key.signing_keys.read().unwrap().len(), SIGNING_KEYS_MAX);
    }

    #[test]
    fn parts_of_a_scope_cannot_run_into_each_other() {
        let key = SecretKey::new(Secret::new("secret".to_owned()));
        let scope = |day, region, service| Scope { day, region, service };
        let tags = [
            tag(&key, &scope("1", "a", "b")),
            tag(&key, &scope("1", "a/b", "")),
            tag(&key, &scope("1", "ab", "")),
            tag(&key, &scope("", "1a", "b")),
        ];
        let distinct: std::collections::BTreeSet<&Vec<u8>> = tags.iter().collect();
        assert_eq!(distinct.len(), tags.len());
    }
}
