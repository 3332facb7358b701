//! Which servers there are, and how each is started.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use clap::ValueEnum;
use monotable_bench::target::Protocol;

use super::{peers, redis};
use crate::reference::Mode;
use crate::settings::Settings;

/// A server to measure, which this program starts itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ServerKind {
    /// The reference that answers a fixed text
    Fixed,
    /// The reference that parses the request and writes an answer of the right size
    Parsing,
    /// Monotable in memory
    Memory,
    /// Monotable on disk, where every answer to a write comes after its sync
    Durable,
    /// The storage engine of the durable server without a server: two keys per put-item, each put
    /// synced
    Bare,
    /// dynoxide in memory
    Dynoxide,
    /// dynoxide with a file, which it does not sync with each write
    DynoxideFile,
    /// dynalite in memory
    Dynalite,
    /// Redis or Valkey, if it is installed, which answers a write after its sync; get-item and
    /// put-item only
    Redis,
}

/// What a server is in a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// It stores nothing and shows what is left out.
    Reference,
    /// It is ours.
    Ours,
    /// It is a part of ours.
    Engine,
    /// It is somebody else's.
    Peer,
}

impl ServerKind {
    /// What is compared by default.
    pub(crate) const DEFAULTS: [ServerKind; 5] = [
        ServerKind::Fixed,
        ServerKind::Parsing,
        ServerKind::Memory,
        ServerKind::Durable,
        ServerKind::Bare,
    ];
    /// The servers of others.
    pub(crate) const PEERS: [ServerKind; 3] =
        [ServerKind::Dynoxide, ServerKind::DynoxideFile, ServerKind::Dynalite];

    /// Its name in tables.
    pub(crate) fn title(self) -> String {
        match self {
            ServerKind::Fixed => "reference, fixed text".to_owned(),
            ServerKind::Parsing => "reference, parsing".to_owned(),
            ServerKind::Memory => "monotable, in memory".to_owned(),
            ServerKind::Durable => "monotable, durable".to_owned(),
            ServerKind::Bare => "bare engine, synced".to_owned(),
            ServerKind::Dynoxide => format!("dynoxide {}, in memory", peers::DYNOXIDE_VERSION),
            ServerKind::DynoxideFile => format!("dynoxide {}, file", peers::DYNOXIDE_VERSION),
            ServerKind::Dynalite => format!("dynalite {}, in memory", peers::DYNALITE_VERSION),
            ServerKind::Redis => "Redis, synced".to_owned(),
        }
    }

    /// What it is in a comparison.
    pub(crate) fn role(self) -> Role {
        match self {
            ServerKind::Fixed | ServerKind::Parsing => Role::Reference,
            ServerKind::Memory | ServerKind::Durable => Role::Ours,
            ServerKind::Bare => Role::Engine,
            ServerKind::Dynoxide
            | ServerKind::DynoxideFile
            | ServerKind::Dynalite
            | ServerKind::Redis => Role::Peer,
        }
    }

    /// How it is spoken to.
    pub(super) fn protocol(self) -> Protocol {
        if self == ServerKind::Redis { Protocol::Resp } else { Protocol::Http }
    }

    /// The command that starts it; none for the engine, which runs in this process.
    pub(super) fn command(
        self,
        settings: &Settings,
        port: u16,
        data: &Path,
    ) -> Result<Option<Command>> {
        let mut command = match self {
            ServerKind::Fixed => reference(Mode::Fixed)?,
            ServerKind::Parsing => reference(Mode::Parsing)?,
            ServerKind::Memory => monotable(settings, |command| command.arg("--in-memory")),
            ServerKind::Durable => monotable(settings, |command| {
                command.args(["--durability", "sync", "--data"]).arg(data)
            }),
            ServerKind::Bare => return Ok(None),
            ServerKind::Dynoxide => peers::dynoxide()?,
            ServerKind::DynoxideFile => {
                let mut command = peers::dynoxide()?;
                command.arg("--db-path").arg(data);
                command
            }
            ServerKind::Dynalite => peers::dynalite()?,
            ServerKind::Redis => redis::command(data)?,
        };
        command.args(["--port", &port.to_string()]);
        Ok(Some(command))
    }
}

fn reference(mode: Mode) -> Result<Command> {
    let this = std::env::current_exe().context("this program cannot be found")?;
    let mut command = Command::new(this);
    command.args(["reference", "--mode", mode.name()]);
    Ok(command)
}

fn monotable(settings: &Settings, storage: impl Fn(&mut Command) -> &mut Command) -> Command {
    let mut command = Command::new(&settings.binary);
    storage(command.args(["serve", "--host", "127.0.0.1"]));
    command
}
