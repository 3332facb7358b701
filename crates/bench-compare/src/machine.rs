//! What the figures were measured on.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;

/// The machine and the state of the code. Figures mean nothing without either.
#[derive(Debug, Clone)]
pub(crate) struct Machine {
    /// The model of the processor.
    pub(crate) processor: String,
    /// How many threads run at once.
    pub(crate) cores: usize,
    /// The operating system.
    pub(crate) system: String,
    /// The commit of the working tree, with `-dirty` if there is more in it.
    pub(crate) commit: String,
}

/// Describes this machine; what cannot be found is `unknown`.
pub(crate) fn describe() -> Machine {
    let unknown = || "unknown".to_owned();
    Machine {
        processor: processor().unwrap_or_else(unknown),
        cores: thread::available_parallelism().map_or(1, usize::from),
        system: said_by("uname", &["-sr"]).unwrap_or_else(unknown),
        commit: said_by("git", &["describe", "--always", "--dirty"]).unwrap_or_else(unknown),
    }
}

fn processor() -> Option<String> {
    let info = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn said_by(program: &str, arguments: &[&str]) -> Option<String> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(program).args(arguments).current_dir(directory).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}
