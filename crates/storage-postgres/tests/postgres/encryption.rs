//! Connections that are encrypted, and databases that have to prove who they are.

use std::path::{Path, PathBuf};

use monotable_postgres_fixture::{Postgres, Programs, Setup, Syncs};
use monotable_storage_postgres::{OpenError, PostgresEngine, PostgresOptions, init};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tempfile::TempDir;

use crate::store::{runtime, server};

/// A server that takes encrypted connections only, with a certificate for `localhost`.
struct Encrypted {
    server: Postgres,
    directory: TempDir,
}

impl Encrypted {
    fn start() -> Encrypted {
        let authority = authority();
        let key = KeyPair::generate().expect("a key");
        let certificate = CertificateParams::new(vec!["localhost".to_owned()]).expect("a name");
        let certificate = certificate.signed_by(&key, &authority).expect("a certificate");
        let (pem, key) = (certificate.pem(), key.serialize_pem());
        let setup = Setup {
            hba: Some("hostssl all all all trust\n"),
            certificate: Some((&pem, &key)),
            ..Setup::default()
        };
        let programs = Programs::find().expect("PostgreSQL is installed");
        let server = Postgres::start_with(&programs, Syncs::Never, setup);
        let directory = tempfile::tempdir().expect("a directory");
        std::fs::write(directory.path().join("ca.pem"), authority.pem()).expect("a file");
        std::fs::write(directory.path().join("other.pem"), self::authority().pem())
            .expect("a file");
        Encrypted { server: server.expect("PostgreSQL starts"), directory }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Tries to make a store, at this host and with these parameters.
    fn connect(&self, host: &str, parameters: &str) -> Result<(), OpenError> {
        let address = self.server.address().replace("127.0.0.1", host);
        let options = PostgresOptions::new(&format!("{address}?{parameters}"))?;
        runtime().block_on(init(&options)).map(drop)
    }
}

fn authority() -> CertifiedIssuer<'static, KeyPair> {
    let mut params = CertificateParams::new(Vec::<String>::new()).expect("no names");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key")).expect("an authority")
}

fn verifying(mode: &str, authority: &Path) -> String {
    format!("sslmode={mode}&sslrootcert={}", authority.display())
}

#[test]
fn each_mode_asks_for_as_much_as_it_says() {
    let encrypted = Encrypted::start();
    let (right, wrong) = (encrypted.file("ca.pem"), encrypted.file("other.pem"));
    let refused = encrypted.connect("127.0.0.1", "sslmode=disable");
    assert!(matches!(refused, Err(OpenError::Login(_))), "{refused:?}");
    for (host, parameters) in [
        ("127.0.0.1", String::new()),
        ("127.0.0.1", "sslmode=prefer".to_owned()),
        ("127.0.0.1", "sslmode=require".to_owned()),
        ("127.0.0.1", verifying("require", &right)),
        ("127.0.0.1", verifying("verify-ca", &right)),
        ("localhost", verifying("verify-full", &right)),
    ] {
        let connected = encrypted.connect(host, &parameters);
        assert!(connected.is_ok(), "{parameters}: {connected:?}");
    }
    for (host, parameters) in [
        ("127.0.0.1", verifying("verify-full", &right)),
        ("127.0.0.1", verifying("require", &wrong)),
        ("127.0.0.1", verifying("verify-ca", &wrong)),
        ("localhost", verifying("verify-full", &wrong)),
    ] {
        let refused = encrypted.connect(host, &parameters);
        assert!(matches!(refused, Err(OpenError::Untrusted(_))), "{parameters}: {refused:?}");
    }
}

#[test]
fn a_server_that_does_not_encrypt_is_refused_where_that_is_required() {
    let address = format!("{}?sslmode=require", server().address());
    let options = PostgresOptions::new(&address).expect("an address");
    let refused = runtime().block_on(PostgresEngine::open(&options)).err();
    let refused = refused.expect("it is refused").to_string();
    assert_eq!(refused, "cannot connect to the database: server does not support TLS");
}

#[test]
fn files_that_are_none_are_refused_with_their_names() {
    let refused = |parameters: &str| PostgresOptions::new(&format!("postgres://a/db?{parameters}"));
    assert!(matches!(refused("sslmode=verify-full"), Err(OpenError::NoAuthority)));
    assert!(matches!(refused("sslcert=a.pem"), Err(OpenError::HalfCertificate)));
    let missing = refused("sslmode=verify-ca&sslrootcert=no/such.pem").expect_err("no such file");
    assert!(missing.to_string().starts_with("no/such.pem cannot be used for TLS: "), "{missing}");
}
