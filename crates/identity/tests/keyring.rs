//! Who signed a request, by the keys that count.

use std::fs;
use std::sync::Arc;

use monotable_identity::{AuthenticationError, Credentials, Keyring, Principal};
use monotable_sigv4::{Expected, Request, Secret, SecretKey, SignatureError, Signer, Timestamp};
use tempfile::TempDir;

const NOW: &str = "20150830T123600Z";
const SECRET: &str = "0123456789abcdef";

fn credentials(text: &str) -> Credentials {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("c.toml");
    fs::write(&path, text).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    }
    Credentials::read(&path).unwrap()
}

fn key(id: &str, more: &str) -> String {
    format!(
        "[[key]]\naccess_key_id = \"{id}\"\nsecret_access_key = \"{SECRET}\"\nuser = \"{id}\"\n\
         {more}\n"
    )
}

/// Signs a request with a key and authenticates it.
fn authenticate(
    keyring: &Keyring,
    access_key_id: &str,
    secret: &str,
    token: Option<&str>,
) -> Result<Arc<Principal>, AuthenticationError> {
    let now = Timestamp::parse(NOW).unwrap();
    let mut headers = vec![("host", "h"), ("x-amz-date", NOW)];
    headers.extend(token.map(|token| ("x-amz-security-token", token)));
    let names: Vec<&str> = headers.iter().map(|(name, _)| *name).collect();
    let request =
        Request { method: "POST", path: "/", query: "", headers: &headers[..], body: b"{}" };
    let key = SecretKey::new(Secret::new(secret.to_owned()));
    let (region, service) = ("us-east-1", "dynamodb");
    let signer = Signer { access_key_id, key: &key, session_token: None, region, service };
    let authorization = signer.authorization(&request, &names.join(";"), now);
    let signed = [&headers[..], &[("authorization", &authorization)]].concat();
    let request = Request { headers: &signed[..], ..request };
    keyring.authenticate(&request, &Expected { region, service, now, signed: &[] })
}

#[test]
fn the_key_tells_who_it_is() {
    let keyring = Keyring::new(credentials(&[key("A", ""), key("B", "")].concat()));
    for id in ["A", "B"] {
        assert_eq!(authenticate(&keyring, id, SECRET, None).unwrap().user, id);
    }
    let unknown = authenticate(&keyring, "C", SECRET, None).unwrap_err();
    assert_eq!(unknown, AuthenticationError::UnknownKey);
    let wrong = authenticate(&keyring, "A", "another secret", None).unwrap_err();
    assert_eq!(wrong, SignatureError::Mismatch.into());
}

#[test]
fn a_temporary_key_needs_its_token() {
    let keys = [key("A", "session_token = \"token\""), key("B", "")].concat();
    let keyring = Keyring::new(credentials(&keys));
    assert!(authenticate(&keyring, "A", SECRET, Some("token")).is_ok());
    for (id, token) in [("A", None), ("A", Some("tokem")), ("A", Some("")), ("B", Some("token"))] {
        let error = authenticate(&keyring, id, SECRET, token).unwrap_err();
        assert_eq!(error, AuthenticationError::WrongSessionToken, "{id} {token:?}");
    }
}

#[test]
fn a_key_counts_until_it_ends() {
    for (expires, counts) in [("2015-08-30T12:36:00Z", true), ("2015-08-30T12:35:59Z", false)] {
        let keyring = Keyring::new(credentials(&key("A", &format!("expires = \"{expires}\""))));
        let result = authenticate(&keyring, "A", SECRET, None);
        assert_eq!(result.is_ok(), counts, "{expires}");
        // Only whoever has the secret hears of the end.
        let stranger = authenticate(&keyring, "A", "another secret", None).unwrap_err();
        assert_eq!(stranger, SignatureError::Mismatch.into());
    }
}

#[test]
fn other_keys_take_the_place_of_all() {
    let keyring = Keyring::new(credentials(&key("A", "")));
    keyring.replace(credentials(&key("B", "")));
    assert!(authenticate(&keyring, "A", SECRET, None).is_err());
    assert!(authenticate(&keyring, "B", SECRET, None).is_ok());
}
