//! Who may use a server that is started: its credentials file, read again when it changes.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use monotable_database::Clock;
use monotable_identity::{Credentials, FileStamp, Keyring};
use monotable_server::{BindError, Listener};

use crate::output;

/// How often the file is looked at.
const WATCH_INTERVAL: Duration = Duration::from_secs(1);

/// Who may use the server.
#[derive(Debug, Args)]
pub(crate) struct CredentialsArguments {
    /// Answer only requests signed with a key in this file, which monotable keys create makes. The
    /// file is read again when it changes. With it, the server may listen on any address
    #[arg(long, value_name = "FILE", env = "MONOTABLE_CREDENTIALS")]
    credentials: Option<PathBuf>,

    /// Listen on any address without credentials: anyone who can reach the server can read and
    /// change everything
    #[arg(long, conflicts_with = "credentials")]
    insecure: bool,
}

impl CredentialsArguments {
    /// Reads the keys, if there is a file.
    pub(crate) fn read(&self) -> Result<Option<ServedCredentials>> {
        let Some(path) = &self.credentials else { return Ok(None) };
        // The log names files in full, whatever folder it is read in.
        let path = std::path::absolute(path)?;
        let (credentials, stamp) = read(&path, std::slice::from_ref(&path))?;
        if credentials.is_empty() {
            tracing::warn!(path = %path.display(), "the credentials file has no keys yet");
        }
        let keyring = Arc::new(Keyring::new(credentials));
        Ok(Some(ServedCredentials { path, keyring, stamp, complaint: None }))
    }

    /// Listens, on an address that others reach only if they have to prove who they are or
    /// everybody is meant to use the server.
    pub(crate) async fn bind(&self, host: &str, port: u16) -> Result<Listener, BindError> {
        if self.credentials.is_some() || self.insecure {
            return Listener::bind_public(host, port).await;
        }
        Listener::bind(host, port).await
    }

    /// Says who may use the server, where that is not as usual.
    pub(crate) fn announce(&self, listener_is_loopback: bool) {
        if let Some(path) = &self.credentials {
            output::note(&format!("requests must be signed with a key of {}", path.display()));
        }
        if self.insecure && !listener_is_loopback {
            output::note("everybody who reaches it may read and change everything (--insecure)");
        }
    }
}

/// The credentials of a running server.
pub(crate) struct ServedCredentials {
    path: PathBuf,
    keyring: Arc<Keyring>,
    /// What the files looked like that the keys in force were read from.
    stamp: FileStamp,
    /// What was wrong when the file was last looked at.
    complaint: Option<String>,
}

impl ServedCredentials {
    /// The keys that count.
    pub(crate) fn keyring(&self) -> Arc<Keyring> {
        self.keyring.clone()
    }

    /// Reads the file again whenever it has changed, until the task is ended. A file that cannot be
    /// read leaves the keys of the last good one in force.
    pub(crate) async fn watch(mut self, clock: Arc<dyn Clock>) {
        loop {
            clock.sleep(WATCH_INTERVAL).await;
            self.look();
        }
    }

    /// Reads the file again if it has changed. One that cannot be read is tried again each time: it
    /// may name a policy whose file is written later.
    fn look(&mut self) {
        let watched = self.keyring.credentials().paths().to_vec();
        if FileStamp::of(&watched) == self.stamp {
            self.complaint = None;
            return;
        }
        match read(&self.path, &watched) {
            Ok((credentials, stamp)) => {
                let (path, keys) = (self.path.display(), credentials.len());
                tracing::info!(%path, keys, "read the credentials file again");
                self.keyring.replace(credentials);
                (self.stamp, self.complaint) = (stamp, None);
            }
            Err(error) => self.complain(error.to_string()),
        }
    }

    /// Tells what is wrong with the file, once.
    fn complain(&mut self, complaint: String) {
        if self.complaint.as_ref() != Some(&complaint) {
            let error = &complaint;
            tracing::error!(%error, "the credentials file has changed, and its last good keys \
                                     count on");
            self.complaint = Some(complaint);
        }
    }
}

/// Reads a file, and what its files looked like before that: a change in between is seen the next
/// time.
fn read(path: &Path, watched: &[PathBuf]) -> Result<(Credentials, FileStamp)> {
    let before = FileStamp::of(watched);
    let credentials = Credentials::read(path)?;
    if credentials.paths() == watched {
        return Ok((credentials, before));
    }
    // It names other policies than before, and their files may have changed since they were read.
    let before = FileStamp::of(credentials.paths());
    Ok((Credentials::read(path)?, before))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use monotable_identity::{NewKey, edit};

    use super::*;

    fn key(number: u8) -> NewKey {
        NewKey::new(&[number; NewKey::RANDOM_BYTES], "alice", "000000000000")
    }

    fn served(path: &Path) -> ServedCredentials {
        let arguments =
            CredentialsArguments { credentials: Some(path.to_owned()), insecure: false };
        arguments.read().unwrap().unwrap()
    }

    #[test]
    fn a_file_that_changes_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("credentials.toml");
        edit::add_key(&path, &key(1)).unwrap();
        let mut served = served(&path);
        let keyring = served.keyring();
        served.look();
        assert_eq!(keyring.credentials().len(), 1);
        edit::add_key(&path, &key(2)).unwrap();
        served.look();
        assert!(keyring.find(&key(2).access_key_id).is_some());
        edit::remove_key(&path, &key(1).access_key_id).unwrap();
        served.look();
        assert!(keyring.find(&key(1).access_key_id).is_none());
    }

    #[test]
    fn a_file_that_makes_no_sense_leaves_the_last_keys_in_force() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("credentials.toml");
        edit::add_key(&path, &key(1)).unwrap();
        let good = fs::read(&path).unwrap();
        let mut served = served(&path);
        let keyring = served.keyring();
        for bad in [b"[[key]]\n".as_slice(), b"", b"[["] {
            fs::write(&path, bad).unwrap();
            served.look();
            let is_empty = bad.is_empty();
            assert_eq!(keyring.find(&key(1).access_key_id).is_none(), is_empty, "{bad:?}");
            fs::write(&path, &good).unwrap();
            served.look();
            assert!(keyring.find(&key(1).access_key_id).is_some());
        }
        fs::remove_file(&path).unwrap();
        served.look();
        assert!(keyring.find(&key(1).access_key_id).is_some());
    }

    /// A policy that allows an action.
    fn document(action: &str) -> String {
        format!(
            r#"{{"Version":"2012-10-17","Statement":{{"Effect":"Allow","Action":"{action}","Resource":"*"}}}}"#
        )
    }

    /// Gives the key of a file a policy, which is in the file `p.json` beside it.
    fn name_policy(path: &Path) {
        let text = fs::read_to_string(path).unwrap().replace("policies = []", "policies = [\"p\"]");
        fs::write(path, format!("{text}[[policy]]\nname = \"p\"\nfile = \"p.json\"\n")).unwrap();
    }

    #[test]
    fn a_policy_file_that_changes_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let (path, policy) = (folder.path().join("c.toml"), folder.path().join("p.json"));
        fs::write(&policy, document("dynamodb:GetItem")).unwrap();
        edit::add_key(&path, &key(1)).unwrap();
        name_policy(&path);
        let mut served = served(&path);
        let keyring = served.keyring();
        let policies = || keyring.find(&key(1).access_key_id).unwrap().principal().policies.clone();
        let before = policies();
        fs::write(&policy, document("dynamodb:*")).unwrap();
        served.look();
        assert_ne!(before, policies());
    }

    #[test]
    fn a_policy_file_that_is_missing_or_wrong_is_read_once_it_is_right() {
        let folder = tempfile::tempdir().unwrap();
        let (path, policy) = (folder.path().join("c.toml"), folder.path().join("p.json"));
        edit::add_key(&path, &key(1)).unwrap();
        let mut served = served(&path);
        let keyring = served.keyring();
        let policies = || keyring.find(&key(1).access_key_id).unwrap().principal().policies.len();
        name_policy(&path);
        served.look();
        let missing = served.complaint.clone().unwrap();
        assert!(missing.starts_with(policy.to_str().unwrap()), "{missing}");
        fs::write(&policy, "{").unwrap();
        served.look();
        let wrong = served.complaint.clone().unwrap();
        assert!(wrong.contains(policy.to_str().unwrap()) && wrong != missing, "{wrong}");
        assert_eq!(policies(), 0);
        fs::write(&policy, document("dynamodb:GetItem")).unwrap();
        served.look();
        assert_eq!((policies(), &served.complaint), (1, &None));
    }

    #[test]
    fn a_file_that_is_put_back_as_it_was_may_be_complained_about_again() {
        let folder = tempfile::tempdir().unwrap();
        let (path, aside) = (folder.path().join("c.toml"), folder.path().join("aside"));
        edit::add_key(&path, &key(1)).unwrap();
        let mut served = served(&path);
        fs::rename(&path, &aside).unwrap();
        served.look();
        assert!(served.complaint.is_some());
        fs::rename(&aside, &path).unwrap();
        served.look();
        assert_eq!(served.complaint, None);
    }
}
