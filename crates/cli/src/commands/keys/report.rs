//! What `monotable keys` prints.

use std::path::Path;

use anyhow::Result;
use monotable_identity::{Credential, Credentials, NewKey, Secret, Timestamp};
use serde_json::{Value, json};

use super::Output;
use crate::output::{self, Style};

/// Prints a key that was made. Its secret is shown this once.
pub(super) fn print_created(output: Output, path: &Path, key: &NewKey) -> Result<()> {
    match output {
        Output::Json => line(&created(key)),
        Output::Text => {
            print_secret(key)?;
            let nothing = "this user may do nothing yet: give the key policies in";
            if key.policies.is_empty() {
                output::line(&format!("\n{nothing} {}", path.display()))?;
            }
            Ok(())
        }
    }
}

/// Prints a key that is to replace another one.
pub(super) fn print_rotated(
    output: Output,
    path: &Path,
    replaced: &str,
    key: &NewKey,
) -> Result<()> {
    match output {
        Output::Json => {
            let mut report = created(key);
            if let Some(members) = report.as_object_mut() {
                members.insert("replaces".to_owned(), json!(replaced));
            }
            line(&report)
        }
        Output::Text => {
            print_secret(key)?;
            let path = path.display();
            output::line(&format!(
                "\n{replaced} counts on. When nothing uses it any more, take it away:\n    \
                 monotable keys revoke {replaced} --credentials {path}"
            ))?;
            Ok(())
        }
    }
}

/// Prints that a key is gone.
pub(super) fn print_revoked(output: Output, access_key_id: &str) -> Result<()> {
    match output {
        Output::Json => line(&json!({ "revoked": access_key_id })),
        Output::Text => {
            let text = format!(
                "{access_key_id} is revoked; a running server refuses it within a second or two"
            );
            Ok(output::line(&text)?)
        }
    }
}

/// Prints all keys, without their secrets.
pub(super) fn print_list(output: Output, credentials: &Credentials) -> Result<()> {
    let keys: Vec<&Credential> = credentials.iter().map(AsRef::as_ref).collect();
    if output == Output::Json {
        return line(&Value::Array(keys.into_iter().map(listed).collect()));
    }
    if keys.is_empty() {
        return Ok(output::line("there are no keys; monotable keys create makes one")?);
    }
    let header = ["KEY", "USER", "ACCOUNT", "POLICIES", ""].map(str::to_owned);
    let rows: Vec<[String; 5]> = std::iter::once(header).chain(keys.into_iter().map(row)).collect();
    for row in &rows {
        output::line(&aligned(row, &rows))?;
    }
    Ok(())
}

fn print_secret(key: &NewKey) -> Result<()> {
    let heading = format!("a key of {}; its secret is not shown again", key.user);
    output::line(&format!("# {}", output::styled(Style::Strong, &heading)))?;
    output::line(&format!("export AWS_ACCESS_KEY_ID={}", key.access_key_id))?;
    output::line(&format!("export AWS_SECRET_ACCESS_KEY={}", key.secret_access_key.expose()))?;
    if let Some(token) = &key.session_token {
        output::line(&format!("export AWS_SESSION_TOKEN={}", token.expose()))?;
    }
    output::line("\n# the same for ~/.aws/credentials:")?;
    output::line(&format!("# [{}]", key.user))?;
    output::line(&format!("# aws_access_key_id = {}", key.access_key_id))?;
    output::line(&format!("# aws_secret_access_key = {}", key.secret_access_key.expose()))?;
    if let Some(token) = &key.session_token {
        output::line(&format!("# aws_session_token = {}", token.expose()))?;
    }
    if let Some(expires) = key.expires {
        output::line(&format!("\nit ends at {}", written(expires)))?;
    }
    Ok(())
}

fn created(key: &NewKey) -> Value {
    json!({
        "accessKeyId": key.access_key_id,
        "secretAccessKey": key.secret_access_key.expose(),
        "sessionToken": key.session_token.as_ref().map(Secret::expose),
        "expires": key.expires.map(written),
        "user": key.user,
        "account": key.account,
        "policies": key.policies,
        "admin": key.is_admin,
    })
}

fn listed(credential: &Credential) -> Value {
    let principal = credential.principal();
    let policies: Vec<&str> = principal.policies.iter().map(|policy| policy.name()).collect();
    json!({
        "accessKeyId": principal.access_key_id,
        "user": principal.user,
        "account": principal.account,
        "policies": policies,
        "admin": principal.is_admin,
        "hasSessionToken": credential.session_token().is_some(),
        "expires": expires(credential),
    })
}

fn row(credential: &Credential) -> [String; 5] {
    let principal = credential.principal();
    let policies: Vec<&str> = principal.policies.iter().map(|policy| policy.name()).collect();
    let policies =
        if policies.is_empty() { "none: may do nothing".to_owned() } else { policies.join(", ") };
    let admin = principal.is_admin.then(|| "admin".to_owned());
    let token = credential.session_token().map(|_| "with a session token".to_owned());
    let expires = expires(credential).map(|expires| format!("until {expires}"));
    let notes: Vec<String> = [admin, token, expires].into_iter().flatten().collect();
    [
        principal.access_key_id.clone(),
        principal.user.clone(),
        principal.account.clone(),
        policies,
        notes.join(", "),
    ]
}

fn expires(credential: &Credential) -> Option<String> {
    credential.expires().map(written)
}

fn written(time: Timestamp) -> String {
    let since_1970 = std::time::Duration::from_secs(time.epoch_secs());
    humantime::format_rfc3339_seconds(std::time::UNIX_EPOCH + since_1970).to_string()
}

/// A row whose cells stand under those of the other rows.
fn aligned(row: &[String; 5], rows: &[[String; 5]]) -> String {
    let mut text = String::new();
    for (column, cell) in row.iter().enumerate() {
        let width = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        let width = width.max().unwrap_or_default();
        text.push_str(&format!("{cell:width$}  "));
    }
    text.trim_end().to_owned()
}

fn line(value: &Value) -> Result<()> {
    Ok(output::line(&value.to_string())?)
}
