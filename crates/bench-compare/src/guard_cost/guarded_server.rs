//! A server with a guard.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use monotable_bench::usage;
use serde_json::json;
use tempfile::TempDir;

use super::Guard;

/// Whose key signs.
pub(super) const USER: &str = "alice";
pub(super) const ACCESS_KEY_ID: &str = "AKIABENCH00000000001";
pub(super) const SECRET: &str = "bench-secret-12345678";

/// A running server. It is ended when this is dropped.
pub(super) struct GuardedServer {
    pub(super) guard: Guard,
    pub(super) address: SocketAddr,
    folder: TempDir,
    process: Child,
}

impl GuardedServer {
    /// Starts a server in memory, and waits until it listens.
    pub(super) fn start(binary: &Path, guard: Guard) -> Result<GuardedServer> {
        let folder = tempfile::tempdir()?;
        let mut command = Command::new(binary);
        command.args(["serve", "--in-memory", "--port", "0"]);
        if guard.signs() {
            let credentials = folder.path().join("credentials.toml");
            write_private(&credentials, &credentials_of(guard))?;
            command.arg("--credentials").arg(credentials);
        }
        if guard.encrypts() {
            command.args(["--tls", "self-signed", "--tls-dir"]).arg(folder.path());
        }
        if guard.audits() {
            command.arg("--audit").arg(folder.path().join("audit.jsonl"));
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut process = command.spawn().context("the server cannot be started")?;
        let output = process.stdout.take().context("standard output is piped")?;
        let Some(address) =
            BufReader::new(output).lines().map_while(Result::ok).find_map(|line| listening(&line))
        else {
            bail!("the server ended before it listened: {}", process.wait()?);
        };
        Ok(GuardedServer { guard, address, folder, process })
    }

    /// The certificate that clients have to trust.
    pub(super) fn certificate(&self) -> PathBuf {
        self.folder.path().join("authority.pem")
    }

    /// The processor time that it has used.
    pub(super) fn cpu_time(&self) -> Option<Duration> {
        usage::cpu(self.process.id())
    }
}

impl Drop for GuardedServer {
    fn drop(&mut self) {
        // It may have ended already; then there is nothing to end.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The address in the line that says where a server listens.
fn listening(line: &str) -> Option<SocketAddr> {
    let (_, rest) = line.split_once("://")?;
    let end = rest.find(|c: char| !c.is_ascii_digit() && !".:[]".contains(c)).unwrap_or(rest.len());
    rest.get(..end)?.parse().ok()
}

fn credentials_of(guard: Guard) -> String {
    let condition = match guard {
        Guard::LeadingKeys | Guard::Everything => json!({
            "ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["${aws:username}#*"]},
        }),
        Guard::Nothing | Guard::Signature | Guard::Audit | Guard::Encryption => json!({}),
    };
    let items = json!({
        "Effect": "Allow",
        "Action": ["dynamodb:GetItem", "dynamodb:PutItem"],
        "Resource": "arn:aws:dynamodb:*:*:table/*",
        "Condition": condition,
    });
    let tables = json!({"Effect": "Allow", "Action": "dynamodb:CreateTable", "Resource": "*"});
    let document = json!({"Version": "2012-10-17", "Statement": [items, tables]});
    format!(
        "[[key]]\naccess_key_id = \"{ACCESS_KEY_ID}\"\nsecret_access_key = \"{SECRET}\"\n\
         user = \"{USER}\"\npolicies = [\"bench\"]\n\n\
         [[policy]]\nname = \"bench\"\ndocument = '''{document}'''\n"
    )
}

/// Writes a file that its owner alone may read.
fn write_private(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;

        fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
    }
    Ok(())
}
