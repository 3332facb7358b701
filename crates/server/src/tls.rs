//! TLS: the certificate and its key, read again when their files change.
//!
//! [`Tls::load`] reads the files and refuses what cannot be served. While the server runs they are
//! looked at every few seconds; a pair that is new and good is what the next connection gets, a bad
//! one is logged and changes nothing. Connections that are open stay as they are.
//!
//! HTTP/2 and HTTP/1.1 are offered by ALPN. Which of the two a client speaks is seen from its first
//! bytes, as without TLS.

mod error;
mod files;
mod handshake;
mod self_signed;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use monotable_database::Clock;
use rustls::ServerConfig;
use tokio::task::spawn_blocking;

pub use error::TlsError;
pub use files::TlsFiles;
pub use self_signed::{SelfSigned, self_signed};

use files::Contents;
pub(crate) use handshake::{Handshake, shake_hands};

/// How often the files are looked at.
const REFRESH_INTERVAL: Duration = Duration::from_secs(5);

/// What a server needs to speak TLS.
#[derive(Debug)]
pub struct Tls {
    files: TlsFiles,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    config: Arc<ServerConfig>,
    /// What was tried last, good or bad.
    tried: Contents,
}

impl Tls {
    /// Reads the files.
    pub fn load(files: TlsFiles) -> Result<Tls, TlsError> {
        let tried = files.read()?;
        let config = Arc::new(files.config(&tried)?);
        Ok(Tls { files, state: Mutex::new(State { config, tried }) })
    }

    /// Reads the files again; says whether they have changed. If what they hold cannot be served,
    /// or cannot be read, what they held before stays in force. The same contents are complained
    /// about once.
    pub fn refresh(&self) -> Result<bool, TlsError> {
        let contents = self.files.read()?;
        if self.lock().tried == contents {
            return Ok(false);
        }
        let config = self.files.config(&contents);
        let mut state = self.lock();
        state.tried = contents;
        state.config = Arc::new(config?);
        Ok(true)
    }

    /// What the next connection gets.
    pub(crate) fn config(&self) -> Arc<ServerConfig> {
        self.lock().config.clone()
    }

    /// Reads the files again from time to time. Never ends.
    pub(crate) async fn keep_fresh(self: Arc<Tls>, clock: Arc<dyn Clock>) {
        let mut complaint = None;
        loop {
            clock.sleep(REFRESH_INTERVAL).await;
            let tls = self.clone();
            let refreshed = spawn_blocking(move || tls.refresh()).await;
            let text = match refreshed {
                Ok(Ok(has_changed)) => {
                    if has_changed {
                        let certificate = self.files.certificate.display();
                        tracing::info!(%certificate, "new connections get the new certificate");
                        complaint = None;
                    }
                    continue;
                }
                Ok(Err(error)) => error.to_string(),
                // The runtime is stopping, or reading panicked.
                Err(error) => error.to_string(),
            };
            if complaint.as_ref() != Some(&text) {
                tracing::error!(error = %text, "the certificate stays as it was");
                complaint = Some(text);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// A pair of files for a name, and what else goes with it.
    fn pair(directory: &Path, name: &str) -> SelfSigned {
        self_signed(&directory.join(name), &[name.to_owned()]).unwrap()
    }

    fn load(certificate: &Path, key: &Path) -> Result<Tls, TlsError> {
        let files = TlsFiles {
            certificate: certificate.to_owned(),
            key: key.to_owned(),
            client_authority: None,
        };
        Tls::load(files)
    }

    #[test]
    fn files_that_cannot_be_served_are_refused_with_their_names() {
        let directory = tempfile::tempdir().unwrap();
        let (one, other) = (pair(directory.path(), "one"), pair(directory.path(), "other"));
        let (certificate, key) = (&one.files.certificate, &one.files.key);
        let missing = directory.path().join("missing.pem");
        let junk = directory.path().join("junk.pem");
        fs::write(&junk, "-----BEGIN CERTIFICATE-----\nnot base64!\n").unwrap();
        let empty = directory.path().join("empty.pem");
        fs::write(&empty, "").unwrap();

        let error = |certificate: &Path, key: &Path| load(certificate, key).unwrap_err();
        assert!(
            matches!(error(&missing, key), TlsError::Unreadable { path, .. } if path == missing)
        );
        assert!(matches!(error(certificate, &missing), TlsError::Unreadable { .. }));
        assert!(matches!(error(&junk, key), TlsError::NotPem { path, .. } if path == junk));
        assert!(matches!(error(&empty, key), TlsError::NoCertificate { path } if path == empty));
        assert!(matches!(error(key, key), TlsError::NoCertificate { .. }));
        assert!(matches!(error(certificate, certificate), TlsError::NoKey { .. }));
        let mismatch = error(certificate, &other.files.key);
        assert!(matches!(mismatch, TlsError::Mismatch { .. }), "{mismatch:?}");
        load(certificate, key).unwrap();
    }

    #[test]
    fn client_authorities_are_read_too() {
        let directory = tempfile::tempdir().unwrap();
        let one = pair(directory.path(), "one");
        let with = |authority: &Path| {
            Tls::load(TlsFiles {
                client_authority: Some(authority.to_owned()),
                ..one.files.clone()
            })
        };
        with(&one.authority).unwrap();
        assert!(matches!(with(&one.files.key).unwrap_err(), TlsError::NoCertificate { .. }));
    }

    #[test]
    fn new_files_are_taken_and_bad_ones_leave_the_old_pair_in_force() {
        let directory = tempfile::tempdir().unwrap();
        let (one, other) = (pair(directory.path(), "one"), pair(directory.path(), "other"));
        let tls = Tls::load(one.files.clone()).unwrap();
        let first = tls.config();
        assert!(!tls.refresh().unwrap());
        // The certificate is there, its key is not yet.
        fs::copy(&other.files.certificate, &one.files.certificate).unwrap();
        assert!(matches!(tls.refresh(), Err(TlsError::Mismatch { .. })));
        assert!(Arc::ptr_eq(&tls.config(), &first));
        assert!(!tls.refresh().unwrap(), "the same mistake is said once");
        fs::copy(&other.files.key, &one.files.key).unwrap();
        assert!(tls.refresh().unwrap());
        assert!(!Arc::ptr_eq(&tls.config(), &first));
        fs::remove_file(&one.files.key).unwrap();
        assert!(matches!(tls.refresh(), Err(TlsError::Unreadable { .. })));
    }
}
