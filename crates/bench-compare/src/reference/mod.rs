//! Reference servers: what a server of this protocol costs before it does anything.
//!
//! They store nothing and answer every call with the same items. The mode [`Mode::Fixed`] is what
//! HTTP alone costs; [`Mode::Parsing`] adds that the request is parsed into a tree and that the
//! answer is written from one, which is the bar that our server is held against. HTTP library,
//! runtime and socket options are those of our server.

mod answers;
mod listener;

use clap::ValueEnum;

pub(crate) use listener::run;

/// What a reference server does with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// Reads it and sends bytes that were written beforehand
    Fixed,
    /// Parses it and writes an answer of the same size as a real one
    Parsing,
}

impl Mode {
    /// Its name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Mode::Fixed => "fixed",
            Mode::Parsing => "parsing",
        }
    }
}
