//! A server that encrypts and wants signatures, and a key of it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{monotable, run};

/// The server. It is killed when this is dropped.
pub(crate) struct Guarded {
    process: Child,
    folder: TempDir,
    endpoint: String,
    key: Value,
}

impl Guarded {
    /// Starts it in memory. What else is said of the key, such as `--admin`, is for `keys create`.
    pub(crate) fn start(of_key: &[&str]) -> Guarded {
        let folder = tempfile::tempdir().unwrap();
        let keys = folder.path().join("keys.toml");
        let create = ["keys", "create", "somebody", "--output", "json", "--credentials"];
        let made = run(&[&create[..], &[keys.to_str().unwrap()], of_key].concat());
        let key = serde_json::from_slice(&made.stdout).unwrap();
        let mut command = monotable(&["serve", "--in-memory", "--port", "0"]);
        command.args(["--tls", "self-signed", "--tls-dir"]).arg(folder.path());
        command.arg("--credentials").arg(&keys).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let first = output.lines().next().unwrap().unwrap();
        let (_, address) = first.split_once("listening on ").unwrap();
        let endpoint = address.split(' ').next().unwrap().to_owned();
        Guarded { process, folder, endpoint, key }
    }

    /// A command that talks to the server and trusts its certificate, but has no key.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = monotable(arguments);
        command.args(["--endpoint", &self.endpoint]).env("HOME", self.folder.path());
        command.env("AWS_CA_BUNDLE", self.folder.path().join("authority.pem"));
        for name in ["AWS_PROFILE", "AWS_ACCESS_KEY_ID", "AWS_SESSION_TOKEN"] {
            command.env_remove(name);
        }
        command
    }

    /// A command that has the key as well.
    pub(crate) fn command_with_key(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(arguments);
        for (name, member) in
            [("AWS_ACCESS_KEY_ID", "accessKeyId"), ("AWS_SECRET_ACCESS_KEY", "secretAccessKey")]
        {
            command.env(name, self.key[member].as_str().unwrap());
        }
        command
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}
