//! Runs statements that nobody types: from arguments, a file, or standard input.

use std::io::BufRead;

use anyhow::{Result, anyhow, bail};

use super::connection::Interrupted;
use super::session::{Flow, Session};
use super::splitter::{Piece, Splitter};
use crate::output;

/// A statement that has not ended after this many bytes never will: DynamoDB takes 8,192
/// characters.
const STATEMENT_BYTES_MAX: usize = 1 << 16;

/// What happens after an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AfterError {
    /// Nothing more is run.
    Stop,
    /// The next statement is run; the end is an error nevertheless.
    GoOn,
}

/// A text with statements.
pub(super) struct ScriptText {
    /// What errors call it; nothing if there is no other.
    name: Option<String>,
    text: Box<dyn BufRead>,
}

impl ScriptText {
    /// The only text.
    pub(super) fn only(text: impl BufRead + 'static) -> ScriptText {
        ScriptText { name: None, text: Box::new(text) }
    }

    /// One of several texts.
    pub(super) fn named(name: String, text: impl BufRead + 'static) -> ScriptText {
        ScriptText { name: Some(name), text: Box::new(text) }
    }
}

/// A script under way.
pub(super) struct Script<'s> {
    session: &'s mut Session,
    after_error: AfterError,
    failures: u64,
}

impl<'s> Script<'s> {
    pub(super) fn new(session: &'s mut Session, after_error: AfterError) -> Script<'s> {
        Script { session, after_error, failures: 0 }
    }

    /// Runs one text after the other. The end of a text ends its last statement.
    pub(super) fn run(mut self, texts: Vec<ScriptText>) -> Result<()> {
        for text in texts {
            if self.run_text(text)? == Flow::Leave {
                break;
            }
        }
        self.end()
    }

    fn run_text(&mut self, text: ScriptText) -> Result<Flow> {
        let ScriptText { name, mut text } = text;
        let name = name.as_deref();
        let mut splitter = Splitter::new();
        let mut line = String::new();
        while text.read_line(&mut line)? > 0 {
            splitter.push(&line);
            line.clear();
            while let Some(piece) = splitter.next_piece() {
                if self.step(name, &piece)? == Flow::Leave {
                    return Ok(Flow::Leave);
                }
            }
            if splitter.waiting_bytes() > STATEMENT_BYTES_MAX {
                let begins = splitter.last_piece().map(|piece| piece.line).unwrap_or_default();
                let place = place(name, begins);
                bail!("{place}: the statement that begins here does not end: there is no ;");
            }
        }
        splitter.last_piece().map_or(Ok(Flow::Continue), |piece| self.step(name, &piece))
    }

    fn step(&mut self, name: Option<&str>, piece: &Piece) -> Result<Flow> {
        let error = match self.session.run(piece) {
            Ok(flow) => return Ok(flow),
            Err(error) if crate::is_closed_pipe(&error) => return Err(error),
            Err(error) => error,
        };
        // Who presses Ctrl-C wants no other statement either.
        let after_error =
            if error.is::<Interrupted>() { AfterError::Stop } else { self.after_error };
        let error = anyhow!("{}: {error:#}", place(name, piece.line));
        match after_error {
            AfterError::Stop => Err(error),
            AfterError::GoOn => {
                output::error(&error);
                self.failures += 1;
                Ok(Flow::Continue)
            }
        }
    }

    fn end(self) -> Result<()> {
        match self.failures {
            0 => Ok(()),
            1 => bail!("1 statement failed"),
            failures => bail!("{failures} statements failed"),
        }
    }
}

/// A line of a text, as errors name it.
fn place(name: Option<&str>, line: usize) -> String {
    let name = name.map(|name| format!("{name}, ")).unwrap_or_default();
    format!("{name}line {line}")
}
