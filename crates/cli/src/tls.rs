//! How a server that is started encrypts.

use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::{Args, ValueEnum};
use monotable_server::{Tls, TlsError, TlsFiles, self_signed};

use crate::output;

/// The certificate that the server shows, and whose clients' certificates it takes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Encryption")]
pub(crate) struct TlsArguments {
    /// Use TLS with this certificate: a PEM file with the server's certificate first, then those of
    /// its authorities. The file is read again when it changes
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,

    /// The private key of the certificate: a PEM file that is not encrypted
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,

    /// Use TLS with a certificate generated for this machine, for development
    #[arg(long, value_name = "HOW", conflicts_with = "tls_cert")]
    tls: Option<MadeCertificate>,

    /// Directory for the generated certificate
    #[arg(long, value_name = "DIR", default_value = "./monotable-tls", requires = "tls")]
    tls_dir: PathBuf,

    /// Accept only clients with a certificate from an authority in this PEM file
    #[arg(long, value_name = "FILE")]
    tls_client_ca: Option<PathBuf>,
}

/// How a certificate is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MadeCertificate {
    /// Not trusted until you install its authority
    SelfSigned,
}

/// TLS as it was asked for.
pub(crate) struct Encryption {
    pub(crate) tls: Tls,
    /// What clients have to trust, if they do not by themselves.
    authority: Option<PathBuf>,
}

impl TlsArguments {
    /// Whether the server is to speak TLS.
    pub(crate) fn is_asked_for(&self) -> bool {
        self.tls.is_some() || self.tls_cert.is_some()
    }

    /// Reads or makes the certificate, if there is to be one. A made one is for these names.
    pub(crate) fn encryption(&self, names: &[String]) -> Result<Option<Encryption>> {
        let (files, authority) = match (self.tls, &self.tls_cert, &self.tls_key) {
            (Some(MadeCertificate::SelfSigned), _, _) => {
                let made = self_signed(&self.tls_dir, names).map_err(|error| explain(&error))?;
                (made.files, Some(made.authority))
            }
            (None, Some(certificate), Some(key)) => {
                let (certificate, key) = (certificate.clone(), key.clone());
                (TlsFiles { certificate, key, client_authority: None }, None)
            }
            (None, _, _) if self.tls_client_ca.is_some() => {
                return Err(anyhow!(
                    "--tls-client-ca is about TLS; give --tls-cert and --tls-key, or --tls \
                     self-signed"
                ));
            }
            (None, _, _) => return Ok(None),
        };
        let files = TlsFiles { client_authority: self.tls_client_ca.clone(), ..files };
        let tls = Tls::load(files).map_err(|error| explain(&error))?;
        Ok(Some(Encryption { tls, authority }))
    }
}

impl Encryption {
    /// Says how to trust a certificate that was made.
    pub(crate) fn announce(&self) {
        if let Some(authority) = &self.authority {
            let path = authority.canonicalize().unwrap_or_else(|_| authority.clone());
            output::note(&format!(
                "its certificate was made for development; to trust it: AWS_CA_BUNDLE={path} \
                 (Node.js: NODE_EXTRA_CA_CERTS={path}, curl: --cacert {path})",
                path = path.display()
            ));
        }
    }
}

/// What to do about files that TLS cannot be spoken with.
fn explain(error: &TlsError) -> anyhow::Error {
    let advice = match error {
        TlsError::Unreadable { .. } => {
            "give the files with --tls-cert, --tls-key and --tls-client-ca"
        }
        TlsError::NoCertificate { .. } => "--tls-cert and --tls-client-ca take certificates",
        TlsError::NoKey { .. } => "--tls-key takes the key, decrypted",
        TlsError::Mismatch { .. } => "give the key that the certificate was made with",
        TlsError::Unwritable { .. } => "choose a directory that you may write to with --tls-dir",
        _ => "make the files again, in PEM",
    };
    anyhow!("{error}; {advice}")
}
