//! Starting and stopping a server.

use std::fs;
use std::io::Read;
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::{Programs, unprivileged_user};

/// Makes a database, starts it, and takes it away when the standard input ends, which it does when
/// the process that started it has ended, however that came about.
const SCRIPT: &str = r#"
    if [ -n "$PRIMARY" ]; then
        mv "$PRIMARY/copy" "$DIR/data" && touch "$DIR/data/standby.signal" &&
        echo "primary_conninfo = 'host=127.0.0.1 port=$PRIMARY_PORT user=postgres'" \
            >>"$DIR/data/postgresql.auto.conf"
    else
        "$BIN/initdb" -D "$DIR/data" -U postgres -A trust -E UTF8 --no-locale --no-sync \
            >"$DIR/log" 2>&1 && { [ -z "$COPY" ] || cp -R "$DIR/data" "$DIR/copy"; }
    fi &&
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

/// How a server differs from the usual one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setup<'a> {
    /// The lines of `pg_hba.conf`; without them everybody is let in.
    pub hba: Option<&'a str>,
    /// A certificate and its key in PEM, with which it speaks TLS.
    pub certificate: Option<(&'a str, &'a str)>,
    /// More options of the server, such as `-c max_connections=20`. They come after its own.
    pub options: &'a str,
}

/// What a server is to others. A standby begins with a copy of what its primary was before its
/// first start.
enum Role<'a> {
    Alone,
    Primary,
    StandbyOf(&'a Postgres),
}

/// A running server, which ends when this is dropped or the process ends.
#[derive(Debug)]
pub struct Postgres {
    script: Child,
    port: u16,
    directory: PathBuf,
}

impl Postgres {
    /// Starts a server and waits until it is ready.
    pub fn start(programs: &Programs, syncs: Syncs) -> Result<Postgres> {
        Postgres::start_with(programs, syncs, Setup::default())
    }

    /// Starts a server that differs from the usual one.
    pub fn start_with(programs: &Programs, syncs: Syncs, setup: Setup<'_>) -> Result<Postgres> {
        Postgres::launch(programs, syncs, setup, &Role::Alone)
    }

    /// Starts a server and a standby that follows all that it writes.
    pub fn start_pair(programs: &Programs, syncs: Syncs) -> Result<(Postgres, Postgres)> {
        let start = |role: &Role<'_>| Postgres::launch(programs, syncs, Setup::default(), role);
        let primary = start(&Role::Primary)?;
        let standby = start(&Role::StandbyOf(&primary))?;
        Ok((primary, standby))
    }

    fn launch(
        programs: &Programs,
        syncs: Syncs,
        setup: Setup<'_>,
        role: &Role<'_>,
    ) -> Result<Postgres> {
        let directory = tempfile::Builder::new().prefix("monotable-postgres-").tempdir()?.keep();
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let fsync = if syncs == Syncs::Each { "on" } else { "off" };
        let mut options = format!(
            "-p {port} -k {} -c listen_addresses=127.0.0.1 -c fsync={fsync} \
             -c max_connections=400 -c shared_buffers=64MB {}",
            directory.display(),
            setup.options
        );
        for (setting, file, text) in files(setup) {
            let path = directory.join(file);
            fs::write(&path, text)?;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
            options.push_str(&format!(" -c {setting}={}", path.display()));
        }
        if setup.certificate.is_some() {
            options.push_str(" -c ssl=on");
        }
        let mut command = Command::new("sh");
        command.args(["-c", SCRIPT]).current_dir(&directory);
        command.env("BIN", programs.directory()).env("DIR", &directory).env("OPTIONS", options);
        match role {
            Role::Alone => {}
            Role::Primary => {
                command.env("COPY", "yes");
            }
            Role::StandbyOf(primary) => {
                command.env("PRIMARY", &primary.directory);
                command.env("PRIMARY_PORT", primary.port.to_string());
            }
        }
        if let Some((user, group)) = unprivileged_user()? {
            give_to(&directory, user, group)?;
            command.uid(user).gid(group);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0);
        let script = command.spawn().context("sh starts")?;
        let mut server = Postgres { script, port, directory };
        server.wait_until_ready()?;
        Ok(server)
    }

    /// The address of its database `postgres`.
    pub fn address(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    /// The port of the loopback interface that it listens on.
    pub fn port(&self) -> u16 {
        self.port
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

/// The files that a setup needs, each with the setting that names it.
fn files<'a>(setup: Setup<'a>) -> impl Iterator<Item = (&'static str, &'static str, &'a str)> {
    let hba = setup.hba.map(|text| ("hba_file", "hba.conf", text));
    let certificate = setup.certificate.map(|(pem, _)| ("ssl_cert_file", "server.pem", pem));
    let key = setup.certificate.map(|(_, key)| ("ssl_key_file", "server.key", key));
    hba.into_iter().chain(certificate).chain(key)
}

/// Makes a directory and its files somebody's own.
fn give_to(directory: &Path, user: u32, group: u32) -> Result<()> {
    for entry in fs::read_dir(directory)? {
        chown(entry?.path(), Some(user), Some(group))?;
    }
    chown(directory, Some(user), Some(group))?;
    Ok(())
}
