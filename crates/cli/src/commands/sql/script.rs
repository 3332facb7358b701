//! Runs statements that nobody types: from arguments, a file, or standard input.

use std::io::BufRead;

use anyhow::{Result, anyhow, bail};

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

    /// Runs all of it.
    pub(super) fn run(mut self, mut source: impl BufRead) -> Result<()> {
        let mut splitter = Splitter::new();
        let mut line = String::new();
        while source.read_line(&mut line)? > 0 {
            splitter.push(&line);
            line.clear();
            while let Some(piece) = splitter.next_piece() {
                if self.step(&piece)? == Flow::Leave {
                    return self.end();
                }
            }
            if splitter.waiting_bytes() > STATEMENT_BYTES_MAX {
                let begins = splitter.last_piece().map(|piece| piece.line).unwrap_or_default();
                bail!("line {begins}: the statement that begins here does not end: there is no ;");
            }
        }
        if let Some(piece) = splitter.last_piece() {
            self.step(&piece)?;
        }
        self.end()
    }

    fn step(&mut self, piece: &Piece) -> Result<Flow> {
        let error = match self.session.run(piece) {
            Ok(flow) => return Ok(flow),
            Err(error) if crate::is_closed_pipe(&error) => return Err(error),
            Err(error) => anyhow!("line {}: {error:#}", piece.line),
        };
        match self.after_error {
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
