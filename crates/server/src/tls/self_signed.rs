//! A certificate of our own, for development.
//!
//! An authority is made, signs one certificate, and its key is thrown away: whoever trusts the
//! authority trusts that one certificate and nothing else.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};

use super::error::TlsError;
use super::files::TlsFiles;

/// A certificate of our own.
#[derive(Debug, Clone)]
pub struct SelfSigned {
    /// What the server needs.
    pub files: TlsFiles,
    /// What clients have to trust.
    pub authority: PathBuf,
}

/// The certificate for these names in a directory. One that is there already for the same names is
/// taken, so that clients which trust it go on to do so.
pub fn self_signed(directory: &Path, names: &[String]) -> Result<SelfSigned, TlsError> {
    let made = SelfSigned {
        files: TlsFiles {
            certificate: directory.join("certificate.pem"),
            key: directory.join("key.pem"),
            client_authority: None,
        },
        authority: directory.join("authority.pem"),
    };
    let list = directory.join("names.txt");
    let wanted = names.join("\n") + "\n";
    if fs::read_to_string(&list).is_ok_and(|found| found == wanted) && made.is_good() {
        return Ok(made);
    }
    let texts =
        make(names).map_err(|source| TlsError::NotMade { names: names.join(", "), source })?;
    fs::create_dir_all(directory)
        .map_err(|source| TlsError::Unwritable { path: directory.to_owned(), source })?;
    write(&made.files.key, &texts.key, 0o600)?;
    write(&made.files.certificate, &texts.certificate, 0o644)?;
    write(&made.authority, &texts.authority, 0o644)?;
    write(&list, &wanted, 0o644)?;
    Ok(made)
}

impl SelfSigned {
    fn is_good(&self) -> bool {
        let contents = self.files.read().and_then(|contents| self.files.config(&contents));
        contents.is_ok() && self.authority.is_file()
    }
}

/// What goes into the files.
struct Texts {
    authority: String,
    certificate: String,
    key: String,
}

fn make(names: &[String]) -> Result<Texts, rcgen::Error> {
    let authority_key = KeyPair::generate()?;
    let mut authority = CertificateParams::default();
    authority.distinguished_name.push(DnType::CommonName, "Monotable, made for development");
    authority.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    authority.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    let authority_pem = authority.self_signed(&authority_key)?.pem();
    let issuer = Issuer::new(authority, authority_key);

    let key = KeyPair::generate()?;
    let mut server = CertificateParams::new(names)?;
    server.distinguished_name.push(DnType::CommonName, "Monotable");
    server.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    server.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    server.use_authority_key_identifier_extension = true;
    let certificate = server.signed_by(&key, &issuer)?;
    Ok(Texts { authority: authority_pem, certificate: certificate.pem(), key: key.serialize_pem() })
}

/// Writes a file with these permissions, where there are any.
fn write(path: &Path, text: &str, permissions: u32) -> Result<(), TlsError> {
    let unwritable = |source| TlsError::Unwritable { path: path.to_owned(), source };
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(unwritable(error));
        }
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, permissions);
    #[cfg(not(unix))]
    let _ = permissions;
    let mut file = options.open(path).map_err(unwritable)?;
    file.write_all(text.as_bytes()).map_err(unwritable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_is_made_once_for_the_same_names() {
        let directory = tempfile::tempdir().unwrap();
        let names = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let make = |text: &str| {
            let made = self_signed(directory.path(), &names(text)).unwrap();
            assert!(made.is_good());
            fs::read(&made.authority).unwrap()
        };
        let first = make("localhost 127.0.0.1 ::1");
        assert_eq!(make("localhost 127.0.0.1 ::1"), first);
        assert_ne!(make("localhost example.test"), first);
        let again = make("localhost");
        fs::write(directory.path().join("key.pem"), "damaged").unwrap();
        assert_ne!(make("localhost"), again);
    }

    #[cfg(unix)]
    #[test]
    fn the_key_can_be_read_by_its_owner_only() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        let made = self_signed(directory.path(), &["localhost".to_owned()]).unwrap();
        assert_eq!(fs::metadata(made.files.key).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
