//! The keys that count.

use std::sync::{Arc, PoisonError, RwLock};

use crate::credential::Credential;
use crate::file::Credentials;

/// The keys that count now. Others may take their place at any time; a request sees the ones or the
/// others, never some of both.
#[derive(Debug)]
pub struct Keyring {
    credentials: RwLock<Arc<Credentials>>,
}

impl Keyring {
    /// A keyring with the keys of a file.
    pub fn new(credentials: Credentials) -> Keyring {
        Keyring { credentials: RwLock::new(Arc::new(credentials)) }
    }

    /// Puts other keys in the place of those that counted so far.
    pub fn replace(&self, credentials: Credentials) {
        let credentials = Arc::new(credentials);
        *self.credentials.write().unwrap_or_else(PoisonError::into_inner) = credentials;
    }

    /// The key of a name.
    pub fn find(&self, access_key_id: &str) -> Option<Arc<Credential>> {
        let credentials = self.credentials.read().unwrap_or_else(PoisonError::into_inner);
        credentials.find(access_key_id).cloned()
    }

    /// The keys that count now.
    pub fn credentials(&self) -> Arc<Credentials> {
        self.credentials.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
