//! The HTTP client under all calls.

use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use hyper_rustls::{ConfigBuilderExt, HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, ConfigBuilder, RootCertStore, WantsVerifier};

use crate::error::Error;

/// An HTTP client that keeps its connections.
pub type HttpClient = Client<HttpsConnector<HttpConnector>, Full<Bytes>>;

/// A client of addresses that begin with `http://`, or with `https://` and have a certificate of a
/// public authority.
pub fn http_client() -> HttpClient {
    client_of(public_authorities())
}

/// The same client; but if `AWS_CA_BUNDLE` names a file, as the AWS tools have it, the authorities
/// in there are trusted instead of the public ones.
pub fn http_client_of_environment() -> Result<HttpClient, Error> {
    Ok(client_of(tls_config_of_environment()?))
}

/// Whom a client trusts: the authorities of the file that `AWS_CA_BUNDLE` names, or the public
/// ones.
pub fn tls_config_of_environment() -> Result<ClientConfig, Error> {
    match std::env::var_os("AWS_CA_BUNDLE").filter(|path| !path.is_empty()) {
        Some(path) => tls_config_with(Path::new(&path)),
        None => Ok(public_authorities()),
    }
}

fn public_authorities() -> ClientConfig {
    versions().with_webpki_roots().with_no_client_auth()
}

/// Trusts the authorities whose certificates are in a file, and no other.
pub fn tls_config_with(bundle: &Path) -> Result<ClientConfig, Error> {
    let invalid = |reason: String| Error::InvalidBundle { path: bundle.to_owned(), reason };
    let mut roots = RootCertStore::empty();
    let certificates =
        CertificateDer::pem_file_iter(bundle).map_err(|error| invalid(error.to_string()))?;
    for certificate in certificates {
        let certificate = certificate.map_err(|error| invalid(error.to_string()))?;
        roots.add(certificate).map_err(|error| invalid(error.to_string()))?;
    }
    if roots.is_empty() {
        return Err(invalid("it holds no certificate".to_owned()));
    }
    Ok(versions().with_root_certificates(roots).with_no_client_auth())
}

fn versions() -> ConfigBuilder<ClientConfig, WantsVerifier> {
    ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("the provider has the usual versions of TLS")
}

fn client_of(config: ClientConfig) -> HttpClient {
    let mut connector = HttpConnector::new();
    connector.set_nodelay(true);
    connector.enforce_http(false);
    let builder = HttpsConnectorBuilder::new().with_tls_config(config);
    let connector = builder.https_or_http().enable_http1().wrap_connector(connector);
    Client::builder(TokioExecutor::new()).build(connector)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_that_is_none_is_refused_with_its_name() {
        for path in ["no/such/bundle.pem", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")] {
            let error = tls_config_with(Path::new(path)).unwrap_err();
            assert!(error.to_string().contains(path), "{error}");
        }
    }
}
