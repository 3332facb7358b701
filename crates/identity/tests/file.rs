//! The credentials file: what is read, what is refused and where, and how it is changed.

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};
use monotable_identity::{Credentials, FileStamp, Keyring, NewKey, Timestamp, edit, read_token};
use tempfile::TempDir;

const FULL: &str = r#"
# The keys of the shop.
[[key]]
access_key_id = "AKIAALICE"
secret_access_key = "0123456789abcdef"
user = "alice"
account = "111122223333"
session_token = "token"
expires = 2027-01-01T00:00:00Z
policies = ["readers", "AdministratorAccess"]
admin = true

# Bob may do nothing.
[[key]]
access_key_id = 'AKIABOB'     # a comment
secret_access_key = "fedcba9876543210"
user = "bob"
expires = "2027-01-01T00:00:00Z"

[[policy]]
name = "readers"
document = '''
{ "Version": "2012-10-17", "Statement": [
[], [[key]]
] }
'''
"#;

/// A file that only its owner may open.
fn write(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    set_mode(&path, 0o600);
    path
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: u32) {}

fn readers() -> &'static str {
    r#"{ "Version": "2012-10-17", "Statement": [
        { "Effect": "Allow", "Action": "dynamodb:GetItem", "Resource": "*" } ] }"#
}

fn full() -> String {
    FULL.replace("[], [[key]]", r#"{ "Effect": "Allow", "Action": "*", "Resource": "*" }"#)
}

#[track_caller]
fn check_error(text: &str, expect: &Expect) {
    let folder = TempDir::new().unwrap();
    let path = write(&folder, "credentials.toml", text);
    let error = Credentials::read(&path).unwrap_err().to_string();
    let folder = format!("{}/", folder.path().display());
    expect.assert_eq(&error.replace(&folder, ""));
}

#[test]
fn keys_have_users_policies_and_an_end() {
    let folder = TempDir::new().unwrap();
    let credentials = Credentials::read(&write(&folder, "c.toml", &full())).unwrap();
    assert_eq!(credentials.len(), 2);
    let alice = credentials.find("AKIAALICE").unwrap();
    assert_eq!(alice.principal().arn(), "arn:aws:iam::111122223333:user/alice");
    let names: Vec<&str> = alice.principal().policies.iter().map(|policy| policy.name()).collect();
    assert_eq!(names, ["readers", "AdministratorAccess"]);
    assert!(alice.principal().is_admin);
    assert_eq!(alice.session_token().unwrap().expose(), "token");
    assert_eq!(alice.expires().unwrap().to_string(), "20270101T000000Z");
    let bob = credentials.find("AKIABOB").unwrap();
    assert_eq!(bob.principal().account, "000000000000");
    assert!(bob.principal().policies.is_empty() && !bob.principal().is_admin);
    assert_eq!(bob.expires(), alice.expires());
    assert!(credentials.find("AKIACAROL").is_none());
}

#[test]
fn policies_may_be_in_files_of_their_own() {
    let folder = TempDir::new().unwrap();
    let policy = write(&folder, "readers.json", readers());
    let text = "[[policy]]\nname = \"readers\"\nfile = \"readers.json\"\n";
    let path = write(&folder, "c.toml", text);
    let credentials = Credentials::read(&path).unwrap();
    assert_eq!(credentials.paths(), [path.clone(), policy.clone()]);
    if cfg!(unix) {
        set_mode(&policy, 0o666);
        let error = Credentials::read(&path).unwrap_err().to_string();
        assert!(error.contains("chmod go-w"), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_others_may_open_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = write(&folder, "c.toml", &full());
    for mode in [0o644, 0o640, 0o604, 0o620, 0o610] {
        set_mode(&path, mode);
        let error = Credentials::read(&path).unwrap_err().to_string();
        let advice = format!("run: chmod 600 {}", path.display());
        assert!(error.ends_with(&advice) && error.contains(&format!("{mode:03o}")), "{error}");
    }
    set_mode(&path, 0o400);
    Credentials::read(&path).unwrap();
}

#[test]
fn mistakes_are_told_with_their_place() {
    check_error(
        "[[key]\n",
        &expect![[r#"credentials.toml:1:7: unclosed array table, expected `]`"#]],
    );
    check_error(
        "[[keys]]\n",
        &expect!["credentials.toml:1:3: keys is not known here; there is key, policy"],
    );
    check_error("[key]\n", &expect!["credentials.toml:1:1: write [[key]] here"]);
    check_error(
        "[[key]]\nuser = \"a\"\n",
        &expect!["credentials.toml:1:1: access_key_id is missing here"],
    );
    let key = |more: &str| {
        format!(
            "[[key]]\naccess_key_id = \"A\"\nsecret_access_key = \"0123456789abcdef\"\n\
             user = \"a\"\n{more}\n"
        )
    };
    check_error(
        &key("usr = \"b\""),
        &expect![
            "credentials.toml:5:1: usr is not known here; there is access_key_id, \
             secret_access_key, user, account, session_token, expires, policies, admin"
        ],
    );
    check_error(
        &key("account = \"1\""),
        &expect!["credentials.toml:5:11: an account has twelve digits"],
    );
    check_error(&key("account = 1"), &expect!["credentials.toml:5:11: account must be a text"]);
    check_error(
        &key("admin = \"yes\""),
        &expect!["credentials.toml:5:9: admin must be true or false"],
    );
    check_error(
        &key("expires = \"soon\""),
        &expect![
            "credentials.toml:5:11: expires must be a time in UTC such as 2027-01-01T00:00:00Z"
        ],
    );
    check_error(
        &key("session_token = \"\""),
        &expect!["credentials.toml:5:17: leave this out if there is no token"],
    );
    check_error(
        &key("policies = [\"AdministratorAccess\", \"b\"]"),
        &expect![
            "credentials.toml:5:36: there is no policy named b; there is AdministratorAccess, \
             AmazonDynamoDBFullAccess, AmazonDynamoDBReadOnlyAccess"
        ],
    );
    check_error(&key(&key("")), &expect!["credentials.toml:6:17: there is another key A"]);
    check_error(
        &key("").replace("\"A\"", "\"a/b\""),
        &expect!["credentials.toml:2:17: an access key id has letters, digits, - and _"],
    );
    check_error(
        &key("").replace("cdef", ""),
        &expect![
            "credentials.toml:3:21: a secret has 16 characters or more; monotable keys create \
             makes one of 40"
        ],
    );
    check_error(
        "[[policy]]\nname = \"AdministratorAccess\"\ndocument = \"{}\"\n",
        &expect!["credentials.toml:2:8: there is another policy named AdministratorAccess"],
    );
    check_error(
        "[[policy]]\nname = \"a\"\n",
        &expect!["credentials.toml:1:1: a policy has either a document or a file"],
    );
}

#[test]
fn errors_show_no_secrets() {
    let secret = "SECRET0123456789";
    let whole =
        format!("[[key]]\naccess_key_id = \"A\"\nsecret_access_key = \"{secret}\"\nuser = \"a\"\n");
    let folder = TempDir::new().unwrap();
    for text in [
        whole.replace("\"\nuser", "\nuser"),
        whole.replace("user = \"a\"", "user = \"/\""),
        whole.replace(&format!("\"{secret}\""), &format!("[\"{secret}\"]")),
        whole.replace("[[key]]", "[[key]]\nx = 1"),
    ] {
        let error = Credentials::read(&write(&folder, "c.toml", &text)).unwrap_err();
        let shown = format!("{error} {error:?}");
        assert!(!shown.contains(secret), "{shown}");
    }
    let credentials = Credentials::read(&write(&folder, "c.toml", &whole)).unwrap();
    let keyring = Keyring::new(credentials);
    assert!(!format!("{keyring:?}").contains(secret));
}

#[test]
fn a_token_is_the_only_line_of_its_file() {
    let folder = TempDir::new().unwrap();
    let path = write(&folder, "token", " 0123456789abcdef\r\n");
    assert!(read_token(&path).unwrap().matches(b"0123456789abcdef"));
    let long = "x".repeat(1025);
    for text in ["", "\n", "0123456789abcde", "01234567 89abcdef", "0123456789\nabcdef", &long] {
        let error = read_token(&write(&folder, "token", text)).unwrap_err().to_string();
        assert!(error.ends_with("16 to 1024 characters in a line, without spaces"), "{error}");
    }
}

fn new_key(number: u8, user: &str) -> NewKey {
    NewKey::new(&[number; NewKey::RANDOM_BYTES], user, "000000000000")
}

#[test]
fn a_key_is_added_with_its_token_and_its_end() {
    let folder = TempDir::new().unwrap();
    let path = write(&folder, "c.toml", &full());
    let mut key = new_key(1, "carol");
    key.session_token = Some(NewKey::token(&[7; NewKey::RANDOM_BYTES]));
    key.expires = Timestamp::parse("20270101T000000Z");
    edit::add_key(&path, &key).unwrap();
    let credentials = Credentials::read(&path).unwrap();
    let carol = credentials.find(&key.access_key_id).unwrap();
    assert_eq!(carol.expires(), key.expires);
    let token = key.session_token.unwrap();
    assert!(carol.session_token().unwrap().matches(token.expose().as_bytes()));
    assert!(key.expires.is_some());
}

#[test]
fn keys_are_added_and_taken_out_and_the_rest_stays() {
    let folder = TempDir::new().unwrap();
    let path = write(&folder, "c.toml", &full());
    let mut key = new_key(1, "carol");
    key.policies = vec!["readers".to_owned()];
    edit::add_key(&path, &key).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with(&full()), "{text}");
    let credentials = Credentials::read(&path).unwrap();
    let carol = credentials.find(&key.access_key_id).unwrap();
    assert_eq!(carol.principal().user, "carol");
    assert_eq!(carol.principal().policies.len(), 1);
    assert_eq!(carol.key().secret().expose(), key.secret_access_key.expose());

    edit::remove_key(&path, &key.access_key_id).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap().trim_end(), full().trim_end());
    edit::remove_key(&path, "AKIAALICE").unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("# Bob may do nothing.\n[[key]]"), "{text}");
    assert!(!text.contains("alice") && text.contains("# The keys of the shop."), "{text}");
    edit::remove_key(&path, "AKIABOB").unwrap();
    assert!(Credentials::read(&path).unwrap().is_empty());
    let error = edit::remove_key(&path, "AKIABOB").unwrap_err().to_string();
    assert!(error.ends_with("has no key AKIABOB"), "{error}");
}

#[test]
fn a_file_is_made_for_its_owner_only() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("new.toml");
    edit::add_key(&path, &new_key(1, "alice")).unwrap();
    edit::add_key(&path, &new_key(2, "bob")).unwrap();
    assert_eq!(Credentials::read(&path).unwrap().len(), 2);
    assert!(!folder.path().join("new.toml.new").exists());
}

#[test]
fn a_change_that_would_break_the_file_is_not_made() {
    let folder = TempDir::new().unwrap();
    let path = write(&folder, "c.toml", &full());
    let mut key = new_key(1, "carol");
    key.policies = vec!["writers".to_owned()];
    assert!(edit::add_key(&path, &key).is_err());
    let inline = "key = [{ access_key_id = \"A\", secret_access_key = \"0123456789abcdef\", user = \
                  \"a\" }]\n";
    let inline_path = write(&folder, "inline.toml", inline);
    let error = edit::remove_key(&inline_path, "A").unwrap_err().to_string();
    assert!(error.contains("edit it by hand"), "{error}");
    assert_eq!(fs::read_to_string(&inline_path).unwrap(), inline);
    assert_eq!(fs::read_to_string(&path).unwrap(), full());
}

#[test]
fn a_file_that_is_replaced_is_seen_to_have_changed() {
    let folder = TempDir::new().unwrap();
    let path = write(&folder, "c.toml", &full());
    let paths = [path.clone()];
    let before = FileStamp::of(&paths);
    assert_eq!(before, FileStamp::of(&paths));
    edit::add_key(&path, &new_key(1, "carol")).unwrap();
    let after = FileStamp::of(&paths);
    assert_ne!(before, after);
    fs::remove_file(&path).unwrap();
    assert_ne!(after, FileStamp::of(&paths));
}
