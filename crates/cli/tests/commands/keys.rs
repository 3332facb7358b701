//! Keys are made, listed, rotated and revoked, and a server that has them lets in whoever signs.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::support::{Server, monotable, run, run_to_error};
use serde_json::{Value, json};

fn keys(arguments: &[&str], file: &Path) -> Output {
    let output = run(&[&["keys"], arguments, &["--credentials", file.to_str().unwrap()]].concat());
    assert!(output.status.success(), "{output:?}");
    output
}

fn keys_json(arguments: &[&str], file: &Path) -> Value {
    let output = keys(&[arguments, &["--output", "json"]].concat(), file);
    serde_json::from_slice(&output.stdout).unwrap()
}

fn text(output: Output) -> String {
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_key_is_made_with_its_file_and_shown_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.toml");
    let created = text(keys(&["create", "alice", "--policy", "AdministratorAccess"], &file));
    let value = |name: &str| {
        let line = created.lines().find_map(|line| line.strip_prefix(&format!("export {name}=")));
        line.unwrap().to_owned()
    };
    let (id, secret) = (value("AWS_ACCESS_KEY_ID"), value("AWS_SECRET_ACCESS_KEY"));
    assert!(id.starts_with("AKIA") && id.len() == 20 && secret.len() == 40, "{created}");
    assert!(fs::read_to_string(&file).unwrap().contains(&secret));
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o600);
    }
    let listed = text(keys(&["list"], &file));
    assert!(listed.contains(&id) && listed.contains("alice"), "{listed}");
    assert!(listed.contains("AdministratorAccess") && !listed.contains(&secret), "{listed}");
}

#[test]
fn json_has_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.toml");
    let created = keys_json(&["create", "bob", "--account", "111122223333", "--admin"], &file);
    let id = &created["accessKeyId"];
    let expected = json!([{
        "accessKeyId": id, "user": "bob", "account": "111122223333", "policies": [],
        "admin": true, "hasSessionToken": false, "expires": null,
    }]);
    assert_eq!(keys_json(&["list"], &file), expected);
}

#[test]
fn a_user_gets_a_second_key_before_the_first_one_goes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.toml");
    let policy = ["--policy", "AmazonDynamoDBFullAccess"];
    let first = keys_json(&[&["create", "alice"], &policy[..]].concat(), &file);
    let first = first["accessKeyId"].as_str().unwrap();
    let second = keys_json(&["rotate", first], &file);
    assert_eq!(second["replaces"], first);
    assert_eq!(second["policies"], json!(["AmazonDynamoDBFullAccess"]));
    let said = text(keys(&["rotate", first], &file));
    assert!(said.contains(&format!("monotable keys revoke {first} --credentials")), "{said}");
    assert_eq!(keys_json(&["revoke", first], &file), json!({ "revoked": first }));
    let listed = keys_json(&["list"], &file);
    let ids: Vec<&Value> =
        listed.as_array().unwrap().iter().map(|key| &key["accessKeyId"]).collect();
    assert_eq!(ids.len(), 2);
    assert!(ids.contains(&&second["accessKeyId"]) && !ids.contains(&&json!(first)));
}

#[test]
fn a_second_key_ends_when_the_first_one_does_and_has_a_token_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.toml");
    let end = "2126-01-01T00:00:00Z";
    let temporary = ["create", "batch", "--expires", end, "--session-token"];
    let first = keys_json(&temporary, &file);
    let second = keys_json(&["rotate", first["accessKeyId"].as_str().unwrap()], &file);
    assert_eq!((&first["expires"], &second["expires"]), (&json!(end), &json!(end)));
    let tokens = [&first, &second].map(|key| key["sessionToken"].as_str().unwrap());
    assert!(tokens[0] != tokens[1] && tokens[1].len() > 40, "{tokens:?}");
    for key in keys_json(&["list"], &file).as_array().unwrap() {
        assert_eq!((&key["expires"], &key["hasSessionToken"]), (&json!(end), &json!(true)));
    }
    let said = text(keys(&temporary, &file));
    assert!(said.contains("export AWS_SESSION_TOKEN=") && said.contains(end), "{said}");
    let permanent = keys_json(&["create", "alice"], &file);
    let second = keys_json(&["rotate", permanent["accessKeyId"].as_str().unwrap()], &file);
    assert_eq!((&second["expires"], &second["sessionToken"]), (&json!(null), &json!(null)));
}

#[test]
fn a_key_that_has_ended_is_not_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.toml");
    let path = file.to_str().unwrap();
    let past = ["--expires", "2020-01-01T00:00:00Z", "--credentials", path];
    let error = run_to_error(&[&["keys", "create", "batch"], &past[..]].concat());
    assert!(error.contains("--expires is in the past"), "{error}");
    let end = "2126-01-01T00:00:00Z";
    let key = keys_json(&["create", "batch", "--expires", end], &file);
    let ended = fs::read_to_string(&file).unwrap().replace(end, "2020-01-01T00:00:00Z");
    fs::write(&file, ended).unwrap();
    let id = key["accessKeyId"].as_str().unwrap();
    let error = run_to_error(&["keys", "rotate", id, "--credentials", path]);
    assert!(error.contains(&format!("{id} has expired")), "{error}");
}

#[test]
fn mistakes_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.toml");
    let path = file.to_str().unwrap();
    let error = run_to_error(&["keys", "list", "--credentials", path]);
    assert!(error.contains("keys.toml"), "{error}");
    let error = run_to_error(&["keys", "create", "a/b", "--credentials", path]);
    assert!(error.contains("a user has letters"), "{error}");
    assert!(!file.exists());
    let error = run_to_error(&["keys", "create", "a", "--policy", "p", "--credentials", path]);
    assert!(error.contains("there is no policy named p"), "{error}");
    keys(&["create", "alice"], &file);
    let error = run_to_error(&["keys", "revoke", "AKIA", "--credentials", path]);
    assert!(error.contains("has no key AKIA"), "{error}");
    assert!(run_to_error(&["keys", "list"]).contains("--credentials FILE"));
}

#[cfg(unix)]
#[test]
fn a_server_refuses_a_file_that_others_may_open() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.toml");
    keys(&["create", "alice"], &file);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let path = file.to_str().unwrap();
    let error = run_to_error(&["serve", "--port", "0", "--in-memory", "--credentials", path]);
    assert!(error.contains(&format!("chmod 600 {path}")), "{error}");
}

#[test]
fn a_server_with_credentials_wants_signatures() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.toml");
    let admin = keys_json(&["create", "alice", "--admin"], &file);
    let other = keys_json(&["create", "bob"], &file);
    let path = file.to_str().unwrap();
    let server =
        Server::start(monotable(&["serve", "--port", "0", "--in-memory", "--credentials", path]));
    assert_eq!(server.get("/_monotable/health").0, 200);
    assert_eq!(server.get("/_monotable/clock").0, 403);
    let clock = |key: &Value| {
        let endpoint = format!("http://{}", server.address());
        let text = |name: &str| key[name].as_str().unwrap().to_owned();
        monotable(&["clock", "--endpoint", &endpoint])
            .env("AWS_ACCESS_KEY_ID", text("accessKeyId"))
            .env("AWS_SECRET_ACCESS_KEY", text("secretAccessKey"))
            .env_remove("AWS_SESSION_TOKEN")
            .env_remove("AWS_REGION")
            .env_remove("AWS_DEFAULT_REGION")
            .output()
            .unwrap()
    };
    let output = clock(&admin);
    assert!(output.status.success(), "{output:?}");
    let output = clock(&other);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("needs admin = true"), "{error}");
}
