//! Keys that are made here.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use monotable_sigv4::{Secret, Timestamp};

/// What AWS's long-lived keys begin with.
const ID_PREFIX: &str = "AKIA";
const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// A key that no file has yet.
#[derive(Debug)]
pub struct NewKey {
    /// Its name, which may be seen.
    pub access_key_id: String,
    /// Its secret, which may not.
    pub secret_access_key: Secret,
    /// Whose it is.
    pub user: String,
    /// The user's account.
    pub account: String,
    /// Names of policies.
    pub policies: Vec<String>,
    /// Whether it may be used for what is under `/_monotable/`.
    pub is_admin: bool,
    /// What requests must carry besides, if anything.
    pub session_token: Option<Secret>,
    /// The last second in which it counts, if it ends.
    pub expires: Option<Timestamp>,
}

impl NewKey {
    /// Bytes of randomness that a key is made of.
    pub const RANDOM_BYTES: usize = 40;

    /// A key of a user who may do nothing, made of randomness that nobody else has.
    pub fn new(random: &[u8; NewKey::RANDOM_BYTES], user: &str, account: &str) -> NewKey {
        let (id, secret) = random.split_at(10);
        NewKey {
            access_key_id: format!("{ID_PREFIX}{}", base32(id)),
            secret_access_key: Secret::new(STANDARD.encode(secret)),
            user: user.to_owned(),
            account: account.to_owned(),
            policies: Vec::new(),
            is_admin: false,
            session_token: None,
            expires: None,
        }
    }

    /// A session token, made of randomness that nobody else has.
    pub fn token(random: &[u8; NewKey::RANDOM_BYTES]) -> Secret {
        Secret::new(STANDARD.encode(random))
    }
}

/// Eight characters for each five bytes.
fn base32(bytes: &[u8]) -> String {
    let mut text = String::new();
    let (mut bits, mut count) = (0u32, 0);
    for byte in bytes {
        bits = bits << 8 | u32::from(*byte);
        count += 8;
        while count >= 5 {
            count -= 5;
            let index = usize::try_from(bits >> count & 31).unwrap_or_default();
            text.push(BASE32.get(index).copied().map_or('A', char::from));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_the_form_of_those_of_aws() {
        let key = NewKey::new(&[0xFF; NewKey::RANDOM_BYTES], "alice", "000000000000");
        assert_eq!(key.access_key_id, "AKIA7777777777777777");
        assert_eq!(key.secret_access_key.expose(), "/".repeat(40));
        let text = format!("{key:?}");
        assert!(!text.contains("///"), "{text}");
        let random = std::array::from_fn(|index| u8::try_from(index).unwrap());
        let key = NewKey::new(&random, "alice", "000000000000");
        assert_eq!(key.access_key_id, "AKIAAAAQEAYEAUDAOCAJ");
        assert_eq!(key.secret_access_key.expose().len(), 40);
    }
}
