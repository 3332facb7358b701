//! Which servers there are, and how each is started.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use clap::ValueEnum;

use crate::reference::Mode;
use crate::settings::Settings;

/// A server to measure.
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
}

impl ServerKind {
    /// Its name in tables.
    pub(crate) fn title(self) -> &'static str {
        match self {
            ServerKind::Fixed => "reference, fixed text",
            ServerKind::Parsing => "reference, parsing",
            ServerKind::Memory => "monotable, in memory",
            ServerKind::Durable => "monotable, durable",
        }
    }

    /// Its name on the command line and in JSON.
    pub(crate) fn name(self) -> String {
        let value = self.to_possible_value().expect("every server can be asked for");
        value.get_name().to_owned()
    }

    /// Whether it keeps what it is given. The reference servers do not.
    pub(crate) fn has_storage(self) -> bool {
        match self {
            ServerKind::Fixed | ServerKind::Parsing => false,
            ServerKind::Memory | ServerKind::Durable => true,
        }
    }

    /// The command that starts it.
    pub(super) fn command(self, settings: &Settings, port: u16, data: &Path) -> Result<Command> {
        let port = port.to_string();
        let mut command = match self {
            ServerKind::Fixed => reference(Mode::Fixed)?,
            ServerKind::Parsing => reference(Mode::Parsing)?,
            ServerKind::Memory => monotable(settings, |command| command.arg("--in-memory")),
            ServerKind::Durable => monotable(settings, |command| {
                command.args(["--durability", "sync", "--data"]).arg(data)
            }),
        };
        command.args(["--port", &port]);
        Ok(command)
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
