//! Runs programs: in the terminal, for their output, or both at once.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, bail};

use crate::transcript::Transcript;

/// A program to run, with its arguments and environment.
pub(crate) struct Program {
    command: Command,
    transcript: Transcript,
}

/// How a program ended, and all that it printed.
pub(crate) struct Finished {
    pub(crate) status: ExitStatus,
    pub(crate) output: String,
}

/// What of a program's output is shown while it runs.
#[derive(Clone, Copy)]
enum Shown {
    All,
    Errors,
}

impl Program {
    pub(crate) fn new(program: &Path) -> Self {
        Self { command: Command::new(program), transcript: Transcript::default() }
    }

    /// What the program prints is written there.
    pub(crate) fn transcript(mut self, transcript: &Transcript) -> Self {
        self.transcript = transcript.clone();
        self
    }

    pub(crate) fn directory(mut self, directory: &Path) -> Self {
        self.command.current_dir(directory);
        self
    }

    pub(crate) fn args<S: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = S>) -> Self {
        self.command.args(arguments);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Runs with the terminal's input and output; fails if the program does.
    pub(crate) fn run_in_terminal(mut self) -> Result<()> {
        let status = self.command.status().with_context(|| self.cannot_start())?;
        if !status.success() {
            bail!("{} ended with {status}", self.name());
        }
        Ok(())
    }

    /// Runs silently and returns standard output; fails if the program does.
    pub(crate) fn output(mut self) -> Result<String> {
        let output = self.command.output().with_context(|| self.cannot_start())?;
        if !output.status.success() {
            let errors = String::from_utf8_lossy(&output.stderr);
            bail!("{} ended with {}: {}", self.name(), output.status, errors.trim());
        }
        String::from_utf8(output.stdout).with_context(|| format!("{} printed bytes", self.name()))
    }

    /// Runs, shows what the program prints while it prints it, and returns it as well.
    pub(crate) fn tee(self) -> Result<Finished> {
        self.watch(Shown::All)
    }

    /// Runs, shows what the program prints to standard error, and returns what it prints to
    /// standard output.
    pub(crate) fn read(self) -> Result<Finished> {
        self.watch(Shown::Errors)
    }

    fn watch(mut self, shown: Shown) -> Result<Finished> {
        let printed: Arc<Mutex<String>> = Arc::default();
        let (transcript, errors) = match shown {
            Shown::All => (self.transcript.clone(), printed.clone()),
            Shown::Errors => (Transcript::kept(), Arc::default()),
        };
        self.command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = self.command.spawn().with_context(|| self.cannot_start())?;
        let stdout =
            child.stdout.take().map(|pipe| copy_lines(Box::new(pipe), &printed, &transcript));
        let stderr =
            child.stderr.take().map(|pipe| copy_lines(Box::new(pipe), &errors, &self.transcript));
        let status = child.wait().with_context(|| format!("{} was lost", self.name()))?;
        for reader in [stdout, stderr].into_iter().flatten() {
            reader.join().expect("the thread that copies lines does not panic");
        }
        let output = std::mem::take(&mut *printed.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(Finished { status, output })
    }

    fn name(&self) -> String {
        PathBuf::from(self.command.get_program()).display().to_string()
    }

    fn cannot_start(&self) -> String {
        format!("{} cannot be started; is it installed?", self.name())
    }
}

fn copy_lines(
    pipe: Box<dyn Read + Send>,
    printed: &Arc<Mutex<String>>,
    transcript: &Transcript,
) -> thread::JoinHandle<()> {
    let (printed, transcript) = (Arc::clone(printed), transcript.clone());
    thread::spawn(move || {
        for line in BufReader::new(pipe).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line);
            let mut printed = printed.lock().unwrap_or_else(PoisonError::into_inner);
            printed.push_str(&line);
            printed.push('\n');
            transcript.say(&line);
        }
    })
}
