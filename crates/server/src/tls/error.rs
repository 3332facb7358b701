//! Why TLS cannot be spoken.

use std::io;
use std::path::PathBuf;

use rustls::pki_types::pem;

/// Why a certificate and its key cannot be served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TlsError {
    /// A file is not there, or may not be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// A file could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// A file has the marks of PEM, but not its form.
    #[error("{} is not a PEM file: {source}", path.display())]
    NotPem {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: pem::Error,
    },
    /// A file holds no certificate in PEM.
    #[error("{} holds no certificate in PEM (-----BEGIN CERTIFICATE-----)", path.display())]
    NoCertificate {
        /// The file.
        path: PathBuf,
    },
    /// A file holds no private key in PEM.
    #[error("{} holds no private key in PEM that is not encrypted (-----BEGIN PRIVATE KEY-----)",
        path.display())]
    NoKey {
        /// The file.
        path: PathBuf,
    },
    /// The key is that of another certificate.
    #[error("the key in {} is not that of the certificate in {}, which must be the first one of \
             its file", key.display(), certificate.display())]
    Mismatch {
        /// The file of the certificate.
        certificate: PathBuf,
        /// The file of the key.
        key: PathBuf,
    },
    /// A certificate or key is of a kind that cannot be used.
    #[error("{} cannot be used: {source}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// No certificate could be made.
    #[error("no certificate can be made for {names}: {source}")]
    NotMade {
        /// What it was to be for.
        names: String,
        /// Why not.
        source: rcgen::Error,
    },
}
