//! Who calls: credentials from where the AWS tools look for them.
//!
//! The environment variables come first, then the file `~/.aws/credentials`. Ways to get
//! credentials that need other services (single sign-on, roles, containers) are not known here;
//! `aws configure export-credentials
//! --format env` turns them into environment variables.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::error::Error;

const DEFAULT_PROFILE: &str = "default";

/// A key of AWS's.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The key's name, which may be seen.
    pub access_key_id: String,
    /// The key's secret, which may not.
    pub secret_access_key: String,
    /// What temporary keys have besides.
    pub session_token: Option<String>,
}

/// Secrets stay out of logs.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").field("access_key_id", &self.access_key_id).finish()
    }
}

/// Who calls, and the region that is meant.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Identity {
    /// What to sign with; without, a signature is sent that only endpoints for development accept.
    pub credentials: Option<Credentials>,
    /// The region, where the address of the endpoint does not tell.
    pub region: Option<String>,
}

impl Identity {
    /// Nobody: for endpoints that do not check signatures.
    pub fn anonymous() -> Identity {
        Identity::default()
    }

    /// Who the environment says. Without credentials there it is nobody.
    pub fn from_environment() -> Result<Identity, Error> {
        let variable = |name: &str| std::env::var(name).ok();
        Identity::from(&variable, &|path| std::fs::read_to_string(path).ok())
    }

    fn from(
        variable: &dyn Fn(&str) -> Option<String>,
        read: &dyn Fn(&Path) -> Option<String>,
    ) -> Result<Identity, Error> {
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
        let region = variable("AWS_REGION").or_else(|| variable("AWS_DEFAULT_REGION"));
        let credentials = match from_variables(&variable) {
            Some(credentials) => Some(credentials),
            None => from_file(&variable, read)?,
        };
        Ok(Identity { credentials, region })
    }
}

fn from_variables(variable: &dyn Fn(&str) -> Option<String>) -> Option<Credentials> {
    Some(Credentials {
        access_key_id: variable("AWS_ACCESS_KEY_ID")?,
        secret_access_key: variable("AWS_SECRET_ACCESS_KEY")?,
        session_token: variable("AWS_SESSION_TOKEN"),
    })
}

/// A profile that was asked for must be there; the default one need not.
fn from_file(
    variable: &dyn Fn(&str) -> Option<String>,
    read: &dyn Fn(&Path) -> Option<String>,
) -> Result<Option<Credentials>, Error> {
    let asked = variable("AWS_PROFILE");
    let profile = asked.as_deref().unwrap_or(DEFAULT_PROFILE);
    let text = credentials_path(variable).and_then(|path| read(&path));
    let credentials = text.and_then(|text| find_profile(&text, profile));
    match (credentials, asked) {
        (None, Some(profile)) => Err(Error::NoProfile { profile }),
        (credentials, _) => Ok(credentials),
    }
}

fn credentials_path(variable: &dyn Fn(&str) -> Option<String>) -> Option<PathBuf> {
    if let Some(path) = variable("AWS_SHARED_CREDENTIALS_FILE") {
        return Some(PathBuf::from(path));
    }
    let home = variable("HOME").or_else(|| variable("USERPROFILE"))?;
    Some(Path::new(&home).join(".aws").join("credentials"))
}

/// The credentials of a profile: lines `name = value` under the line `[profile]`.
fn find_profile(text: &str, profile: &str) -> Option<Credentials> {
    let header = |line: &str| {
        line.trim().strip_prefix('[')?.strip_suffix(']').map(|name| name.trim().to_owned())
    };
    let lines = text.lines().skip_while(|line| header(line).as_deref() != Some(profile)).skip(1);
    let settings: Vec<(&str, &str)> = lines
        .take_while(|line| header(line).is_none())
        .filter_map(|line| line.split_once('='))
        .map(|(name, value)| (name.trim(), value.trim()))
        .collect();
    let setting = |name: &str| {
        let found = settings.iter().find(|(found, _)| found.eq_ignore_ascii_case(name));
        found.map(|(_, value)| (*value).to_owned())
    };
    Some(Credentials {
        access_key_id: setting("aws_access_key_id")?,
        secret_access_key: setting("aws_secret_access_key")?,
        session_token: setting("aws_session_token"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
[default]
aws_access_key_id = AKIDDEFAULT
aws_secret_access_key=secret/of=default

# The key of a role.
[ temporary ]
AWS_ACCESS_KEY_ID=AKIDTEMPORARY
aws_secret_access_key = secret
aws_session_token = token
[sso]
sso_session = work
";

    fn identity(variables: &[(&str, &str)]) -> Result<Identity, Error> {
        let variable = |name: &str| {
            let found = variables.iter().find(|(found, _)| *found == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        let read = |path: &Path| {
            (path == Path::new("/home/alex/.aws/credentials")).then(|| FILE.to_owned())
        };
        Identity::from(&variable, &read)
    }

    fn key_id(variables: &[(&str, &str)]) -> Option<String> {
        Some(identity(variables).unwrap().credentials?.access_key_id)
    }

    #[test]
    fn variables_come_before_the_file() {
        let home = ("HOME", "/home/alex");
        let (id, secret) = (("AWS_ACCESS_KEY_ID", "AKID"), ("AWS_SECRET_ACCESS_KEY", "s"));
        assert_eq!(key_id(&[home, id, secret]).as_deref(), Some("AKID"));
        assert_eq!(key_id(&[home]).as_deref(), Some("AKIDDEFAULT"));
        assert_eq!(key_id(&[home, id]).as_deref(), Some("AKIDDEFAULT"));
        assert_eq!(key_id(&[]), None);
    }

    #[test]
    fn a_profile_has_the_settings_under_its_name() {
        let temporary = identity(&[("HOME", "/home/alex"), ("AWS_PROFILE", "temporary")]);
        let credentials = temporary.unwrap().credentials.unwrap();
        assert_eq!(credentials.session_token.as_deref(), Some("token"));
        assert_eq!(credentials.access_key_id, "AKIDTEMPORARY");
        let file = ("AWS_SHARED_CREDENTIALS_FILE", "/home/alex/.aws/credentials");
        let secret = identity(&[file]).unwrap().credentials.unwrap().secret_access_key;
        assert_eq!(secret, "secret/of=default");
    }

    #[test]
    fn a_profile_that_was_asked_for_must_have_keys() {
        for profile in ["sso", "missing"] {
            let error = identity(&[("HOME", "/home/alex"), ("AWS_PROFILE", profile)]).unwrap_err();
            assert!(error.to_string().contains("export-credentials"), "{error}");
        }
    }

    #[test]
    fn secrets_are_not_shown() {
        let identity = identity(&[("HOME", "/home/alex")]).unwrap();
        let text = format!("{identity:?}");
        assert!(text.contains("AKIDDEFAULT") && !text.contains("secret/"), "{text}");
    }
}
