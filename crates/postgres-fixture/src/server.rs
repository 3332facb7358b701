//! Starting and stopping a server.

use std::io::Read;
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::{Programs, unprivileged_user};

/// Makes a database, starts it, and takes it away when the standard input ends, which it does when
/// the process that started it has ended, however that came about.
const SCRIPT: &str = r#"
    "$BIN/initdb" -D "$DIR/data" -U postgres -A trust -E UTF8 --no-locale --no-sync \
        >"$DIR/log" 2>&1 &&
    "$BIN/pg_ctl" -D "$DIR/data" -l "$DIR/log" -w -t 120 -o "$OPTIONS" start >/dev/null 2>&1 &&
    echo ready || tail -n 20 "$DIR/log"
    exec >/dev/null
    cat
    "$BIN/pg_ctl" -D "$DIR/data" -m immediate -W stop 2>&1
    rm -rf "$DIR"
"#;

/// Whether commits are synced to disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syncs {
    /// Each one, as users have it.
    Each,
    /// None: quicker, and good enough where nothing crashes.
    Never,
}

/// A running server, which ends when this is dropped or the process ends.
#[derive(Debug)]
pub struct Postgres {
    script: Child,
    port: u16,
}

impl Postgres {
    /// Starts a server and waits until it is ready.
    pub fn start(programs: &Programs, syncs: Syncs) -> Result<Postgres> {
        let directory = tempfile::Builder::new().prefix("monotable-postgres-").tempdir()?.keep();
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let fsync = if syncs == Syncs::Each { "on" } else { "off" };
        let options = format!(
            "-p {port} -k {} -c listen_addresses=127.0.0.1 -c fsync={fsync} \
             -c max_connections=400 -c shared_buffers=64MB",
            directory.display()
        );
        let mut command = Command::new("sh");
        command.args(["-c", SCRIPT]).current_dir(&directory);
        command.env("BIN", programs.directory()).env("DIR", &directory).env("OPTIONS", options);
        if let Some((user, group)) = unprivileged_user()? {
            std::os::unix::fs::chown(&directory, Some(user), Some(group))?;
            command.uid(user).gid(group);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0);
        let script = command.spawn().context("sh starts")?;
        let mut server = Postgres { script, port };
        server.wait_until_ready()?;
        Ok(server)
    }

    /// The address of its database `postgres`.
    pub fn address(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    fn wait_until_ready(&mut self) -> Result<()> {
        let mut output = String::new();
        if let Some(stdout) = &mut self.script.stdout {
            stdout.read_to_string(&mut output)?;
        }
        if output.trim() != "ready" {
            bail!("PostgreSQL does not start:\n{output}");
        }
        Ok(())
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        drop(self.script.stdin.take());
        // It takes the scratch directory with it.
        let _ = self.script.wait();
    }
}
